// The simulated behaviour of the store for one player, such as failing calls, Ask to Buy, interruptions and billing problems.

/// A call of the simulated store that an admin can make fail.
public enum SimulatedCall: String, Sendable, Hashable, CaseIterable {
  case loadProducts = "load_products"
  case purchase
  case verification
  case restore

  /// The errors that the corresponding call of StoreKit may return.
  public var errors: [SimulatedError] {
    let any: [SimulatedError] = [.unknown, .networkError, .systemError, .notAvailableInStorefront, .notEntitled]
    switch self {
    case .loadProducts: return any
    case .restore: return any + [.userCancelled]
    case .purchase:
      return any + [.userCancelled, .notAllowed, .productUnavailable, .invalidQuantity, .ineligibleForOffer, .paymentDeclined]
    case .verification:
      return [
        .invalidSignature, .invalidCertificateChain, .revokedCertificate, .invalidEncoding, .invalidDeviceVerification,
        .missingRequiredProperties,
      ]
    }
  }
}

/// The errors with which a simulated call may fail, named like StoreKit's.
public enum SimulatedError: String, Sendable, Hashable, CaseIterable {
  case unknown
  case networkError = "network_error"
  case systemError = "system_error"
  case notAvailableInStorefront = "not_available_in_storefront"
  case notEntitled = "not_entitled"
  case userCancelled = "user_cancelled"
  case notAllowed = "not_allowed"
  case productUnavailable = "product_unavailable"
  case invalidQuantity = "invalid_quantity"
  case ineligibleForOffer = "ineligible_for_offer"
  case paymentDeclined = "payment_declined"
  case invalidSignature = "invalid_signature"
  case invalidCertificateChain = "invalid_certificate_chain"
  case revokedCertificate = "revoked_certificate"
  case invalidEncoding = "invalid_encoding"
  case invalidDeviceVerification = "invalid_device_verification"
  case missingRequiredProperties = "missing_required_properties"
}

/// The simulated behaviour of the store for one player, as an admin sets it. It applies to the calls and renewals that follow, and does not
/// change earlier ones.
public struct ShopBehaviour: Sendable, Hashable {
  /// A failure of a call of the store, for a number of times or until an admin clears it.
  public struct Failure: Sendable, Hashable {
    /// The error that the failing call returns.
    public var error: SimulatedError
    /// The number of calls that will still fail; nil means all calls until an admin clears the failure.
    public var timesLeft: Int?

    /// Creates a failure, by default one that lasts until an admin clears it.
    public init(_ error: SimulatedError, times: Int? = nil) {
      self.error = error
      self.timesLeft = times
    }
  }
  /// The choice of access during the time in which a failed payment is retried.
  public enum Grace: String, Sendable, Hashable, CaseIterable {
    /// Access continues for the `grace_period` of the product in the catalog.
    case asProduct = "product"
    /// Access continues for the product's grace period, or for 16 days if the product declares no such period.
    case always
    case never
  }

  /// The largest number of times for which a call may be set to fail.
  public static let failureTimesMax = 1_000_000

  /// The failures of calls that are set to fail, by call.
  public var failures: [SimulatedCall: Failure] = [:]
  /// True if purchases wait for a parent's approval (Ask to Buy).
  public var asksToBuy = false
  /// True if purchases are interrupted until they are resolved.
  public var interruptsPurchases = false
  /// True if renewals of subscriptions fail, so that the payment is retried.
  public var failsBilling = false
  /// The access that the player has while a failed payment is retried.
  public var grace = Grace.asProduct

  /// Creates the behaviour in which every call and renewal succeeds.
  public init() {}

  /// Throws if a call is set to fail with an error that StoreKit does not have for it, or for a number of times outside of the limits.
  /// - Throws: `INVALID_BEHAVIOUR`.
  func check() throws(Refusal) {
    for call in SimulatedCall.allCases {
      guard let failure = failures[call] else { continue }
      guard call.errors.contains(failure.error) else {
        let words = call.errors.map(\.rawValue).joined(separator: ", ")
        throw Refusal(.invalidBehaviour, "\(call.rawValue) cannot fail with \(failure.error.rawValue); it can with \(words).")
      }
      if let times = failure.timesLeft, !(1...Self.failureTimesMax).contains(times) {
        throw Refusal(
          .invalidBehaviour, "A call fails for 1 to \(Self.failureTimesMax) times, or until cleared; not for \(times).")
      }
    }
  }

  /// Returns the error of a call that is made now, and counts down the calls that will still fail; nil if the call succeeds.
  mutating func takeFailure(of call: SimulatedCall) -> SimulatedError? {
    guard let failure = failures[call] else { return nil }
    if let times = failure.timesLeft { failures[call] = times > 1 ? Failure(failure.error, times: times - 1) : nil }
    return failure.error
  }
}
