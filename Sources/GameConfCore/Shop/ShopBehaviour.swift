// The behaviour that the simulator is set to for a player: failing calls, Ask to Buy, interruptions, billing.

/// A call of the store that can be made to fail.
public enum SimulatedCall: String, Sendable, Hashable, CaseIterable {
  case loadProducts = "load_products"
  case purchase
  case verification
  case restore

  /// The errors StoreKit has for it.
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

/// The error of a simulated call, in StoreKit's words.
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

/// The settings of one player; they hold from when they were set, and what happened before happened by the earlier ones.
public struct ShopBehaviour: Sendable, Hashable {
  /// A call that fails.
  public struct Failure: Sendable, Hashable {
    /// With what.
    public var error: SimulatedError
    /// The number of calls left; nil until it is cleared.
    public var timesLeft: Int?

    /// A failure.
    public init(_ error: SimulatedError, times: Int? = nil) {
      self.error = error
      self.timesLeft = times
    }
  }
  /// The choices of access while billing is retried.
  public enum Grace: String, Sendable, Hashable, CaseIterable {
    /// As long as the product's `grace_period` says.
    case asProduct = "product"
    /// The product's, or 16 days where it has none.
    case always
    case never
  }

  /// The most calls that a failure may be set for.
  public static let failureTimesMax = 1_000_000

  /// The calls that fail.
  public var failures: [SimulatedCall: Failure] = [:]
  /// True if purchases wait for a parent's word.
  public var asksToBuy = false
  /// True if purchases are interrupted until resolved.
  public var interruptsPurchases = false
  /// True if renewals fail and go into billing retry.
  public var failsBilling = false
  /// The access while billing is retried.
  public var grace = Grace.asProduct

  /// Everything works.
  public init() {}

  /// Refuses settings no store has.
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

  /// The error of a call made now, counting it.
  mutating func takeFailure(of call: SimulatedCall) -> SimulatedError? {
    guard let failure = failures[call] else { return nil }
    if let times = failure.timesLeft { failures[call] = times > 1 ? Failure(failure.error, times: times - 1) : nil }
    return failure.error
  }
}
