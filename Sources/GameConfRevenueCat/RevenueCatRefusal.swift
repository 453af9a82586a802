// Refusals with RevenueCat's error numbers. Its client libraries show any other number as an unknown error.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfHTTP
internal import GameConfServer

/// An error number that the client libraries know, with the error that they show to the app.
enum RevenueCatRefusal: Int64 {
  /// The simulated store does not sell now, or fails because a failure is configured.
  case storeProblem = 7101
  /// Another user has made the purchase of the receipt.
  case receiptInUse = 7102
  /// The receipt is malformed or not genuine.
  case invalidReceipt = 7103
  /// An argument of the purchase is not valid.
  case invalidPurchase = 7105
  /// The daemon failed. The client sends the request again.
  case internalFault = 7110
  /// The player's id is malformed.
  case invalidUser = 7220
  /// The API key does not give access.
  case invalidKey = 7225
  /// The player is not eligible for the offer.
  case ineligible = 7232
  /// The requested thing does not exist. The number also serves for every error that has no number in RevenueCat's list.
  case notFound = 7259
  /// The player has the product already.
  case alreadyOwned = 7772

  init(_ problem: Problem) {
    switch problem.code {
    case .malformedPlayerID: self = .invalidUser
    case .notPermitted, .adminOnly, .browserRefused, .unknownGame: self = .invalidKey
    case .purchasesAdminsOnly, .purchasesNotSimulated, .storeClosed, .purchaseOpen, .inBillingRetry, .tooManyTransactions:
      self = .storeProblem
    case .alreadyOwned: self = .alreadyOwned
    case .unknownProduct, .invalidCurrency, .outsideCalendar, .malformedJSON, .malformedRequest, .unsupportedMediaType, .bodyTooLarge:
      self = .invalidPurchase
    case .idReused: self = .receiptInUse
    default: self = problem.status >= 500 ? .internalFault : .notFound
    }
  }

  init(_ error: SimulatedError?) {
    switch error {
    case .ineligibleForOffer: self = .ineligible
    case .invalidSignature, .invalidCertificateChain, .revokedCertificate, .invalidEncoding, .invalidDeviceVerification,
      .missingRequiredProperties:
      self = .invalidReceipt
    case .productUnavailable, .invalidQuantity: self = .invalidPurchase
    default: self = .storeProblem
    }
  }

  /// Returns the response to a problem, with a body in RevenueCat's form and the header fields of the daemon's usual response.
  static func answer(_ problem: Problem) -> Answer {
    var answer = problem.answer
    answer.contentType = "application/json"
    answer.body = JSONWriter.bytes(RevenueCatRefusal(problem).body(problem.detail))
    return answer
  }

  /// Returns the response to a refusal by the simulated store.
  func answer(status: Int, _ message: String) -> Answer { .json(body(message), status: status) }

  private func body(_ message: String) -> Value { ["code": .integer(rawValue), "message": .string(message)] }

  /// The response that the OpenAPI document declares for all refusals.
  static var response: Value {
    [
      "description": "Refused, with RevenueCat's own numbers.",
      "content": [
        "application/json": [
          "schema": [
            "type": "object", "required": ["code", "message"],
            "properties": ["code": ["type": "integer"], "message": ["type": "string"]],
          ]
        ]
      ],
    ]
  }
}
