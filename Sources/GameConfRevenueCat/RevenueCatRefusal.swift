// Refusals with RevenueCat's own numbers: another number is an unknown error to its client libraries.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfHTTP
internal import GameConfServer

/// The numbers that the client libraries know, each with the error that an app sees.
enum RevenueCatRefusal: Int64 {
  /// There was a problem with the store.
  case storeProblem = 7101
  /// Another user has the receipt.
  case receiptInUse = 7102
  /// The receipt is not valid.
  case invalidReceipt = 7103
  /// An argument is not valid.
  case invalidPurchase = 7105
  /// The daemon failed; to be tried again.
  case internalFault = 7110
  /// The user id is not valid.
  case invalidUser = 7220
  /// The key does not give access.
  case invalidKey = 7225
  /// The player is not eligible for the offer.
  case ineligible = 7232
  /// Everything else: nothing is here.
  case notFound = 7259
  /// The player has the product already.
  case alreadyOwned = 7772

  init(_ problem: Problem) {
    switch problem.code {
    case .malformedPlayerID: self = .invalidUser
    case .notPermitted, .adminOnly, .unknownGame: self = .invalidKey
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

  /// The answer to a problem; its header fields stay.
  static func answer(_ problem: Problem) -> Answer {
    var answer = problem.answer
    answer.contentType = "application/json"
    answer.body = JSONWriter.bytes(RevenueCatRefusal(problem).body(problem.detail))
    return answer
  }

  /// A refusal of the simulated store.
  func answer(status: Int, _ message: String) -> Answer { .json(body(message), status: status) }

  private func body(_ message: String) -> Value { ["code": .integer(rawValue), "message": .string(message)] }

  /// The form of a refusal, as an OpenAPI response.
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
