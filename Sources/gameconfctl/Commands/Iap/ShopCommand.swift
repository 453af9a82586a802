// The table of acts at the simulated store. Each act has its own command or is a step of `gameconfctl iap play`.

import GameConfAPI
import GameConfCore

/// One act at the simulated store, such as a refund.
struct ShopCommand: Sendable {
  typealias Request = @Sendable (ShopClient, String) async throws(CtlFailure) -> DaemonReply<ShopActAnswer>

  /// The word for the act in `gameconfctl iap play`.
  var word: String
  /// The help text of the act's own command; empty if it has no command.
  var help = ""
  /// Returns true for a transaction to which the act applies. It selects one of several transactions of the same product. Nil for a
  /// purchase, which needs no transaction.
  var fits: (@Sendable (WireTransaction) -> Bool)?
  var request: Request
  /// Returns the sentence about the outcome; nil for a purchase, for which ``PurchaseWords`` has the sentences.
  var sentence: (@Sendable (WireTransaction) -> Sentence)?

  /// Performs the act and prints the outcome.
  /// - Parameter name: A transaction's id or a product; see ``ShopClient/transaction(named:fitting:)``.
  @discardableResult
  func perform(_ shop: ShopClient, on name: String) async throws(CtlFailure) -> ShopActAnswer {
    let target = if let fits { try await shop.transaction(named: name, fitting: fits) } else { name }
    let reply = try await request(shop, target)
    shop.show(reply) { answer in
      guard let sentence else { return PurchaseWords.sentence(answer, of: name) }
      return answer.transaction.map(sentence) ?? "\(answer.status)"
    }
    return reply.answer
  }
}

extension ShopCommand {
  /// Creates an act on a transaction that needs no further arguments.
  /// - Parameter word: The word in `gameconfctl iap play`; nil if it is the name of the act.
  init(
    _ act: TransactionAct, _ word: String? = nil, help: String = "", fits: @escaping @Sendable (WireTransaction) -> Bool,
    saying sentence: (@Sendable (WireTransaction) -> Sentence)? = nil
  ) {
    let request: Request = { (shop, id) async throws(CtlFailure) in try await shop.act(act, on: id) }
    self.init(word: word ?? act.rawValue, help: help, fits: fits, request: request, sentence: sentence)
  }

  static let approve = ShopCommand(.approve, help: "Approve a purchase that waits for a parent.", fits: { $0.state == "pending" })
  static let decline = ShopCommand(.decline, help: "Decline a purchase that waits for a parent.", fits: { $0.state == "pending" }) {
    "the purchase of \($0.subject) is declined\($0.idWords)"
  }
  static let resolve = ShopCommand(
    .resolve, help: "Resolve the interruption of a purchase, which then succeeds.", fits: { $0.state == "interrupted" })
  static let finish = ShopCommand(.finish, fits: { $0.state == "purchased" && $0.finishedAt == nil }) {
    "\($0.subject) is finished\($0.idWords)"
  }
  static let refund = ShopCommand(
    .refund, help: "Refund a purchase, so that the player loses what it gave; or decline a requested refund.", fits: { $0.isRefundable }
  ) { "\($0.subject) is refunded\($0.idWords)" }
  static let refundDecline = ShopCommand(.refundDecline, "decline-refund", fits: { $0.isRefundable }) {
    "a refund of \($0.subject) is declined\($0.idWords)"
  }
  static let revoke = ShopCommand(
    .revoke, help: "Revoke a purchase or a grant without a refund, as when family sharing ends.", fits: { $0.isOwned }
  ) { "\($0.subject) is revoked\($0.idWords)" }
  static let expire = ShopCommand(.expire, help: "End a subscription now.", fits: { $0.isActive }) {
    "\($0.subject) is expired\($0.idWords)"
  }
  static let renew = ShopCommand(.renew, help: "End a subscription's period now and begin the next.", fits: { $0.isActive }) {
    "\($0.subject) is renewed\($0.untilWords)\($0.idWords)"
  }
  static let cancel = ShopCommand(
    .cancel, help: "Switch a subscription's renewal off; the paid period lasts to its end.", fits: { $0.isActive }
  ) { "\($0.subject) will not renew; it lasts until \($0.endWords)\($0.idWords)" }
  static let renewalOn = ShopCommand(.renewalOn, "resume", fits: { $0.isActive }) {
    "\($0.subject) renews again at \($0.endWords)\($0.idWords)"
  }
  static let recover = ShopCommand(.recover, help: "Let the retried billing succeed.", fits: { $0.isOwned }) {
    "billing of \($0.subject) is recovered, paid\($0.untilWords)\($0.idWords)"
  }
  static let acceptPrice = ShopCommand(.acceptPrice, "accept-price", fits: { $0.isActive }) {
    "the new price of \($0.subject) is accepted\($0.idWords)"
  }

  /// Returns the act that lets a renewal fail.
  /// - Parameter grace: The word for the grace period, such as `always`; nil to use the store's setting.
  static func retry(_ word: String = "fail", grace: String?) -> ShopCommand {
    ShopCommand(
      word: word, help: "End a subscription's period now with a renewal that fails; billing is retried.", fits: { $0.isActive }
    ) { (shop, id) async throws(CtlFailure) in
      try await shop.act(Calls.billingRetry, on: id, body: BillingRetryRequest(grace: grace, reason: shop.change.reason))
    } sentence: { transaction in
      let access: Sentence = transaction.graceUntil.map { "access goes on until \(time: $0, .clock)" } ?? "access has ended"
      return "billing of \(transaction.subject) is retried; \(access)\(transaction.idWords)"
    }
  }

  static func price(_ amount: String, _ currency: String, needsConsent: Bool) -> ShopCommand {
    ShopCommand(word: "price", fits: { $0.isActive }) { (shop, id) async throws(CtlFailure) in
      try await shop.act(
        Calls.changePrice, on: id,
        body: PriceChangeRequest(amount: amount, currency: currency, needsConsent: needsConsent, reason: shop.change.reason))
    } sentence: { transaction in
      let end: Sentence = transaction.expiresAt.map { " from \(time: $0, .clock) on" } ?? ""
      let from = transaction.offer == nil ? end : " after the introductory offer"
      let condition = needsConsent ? ", a rise only if it is accepted before" : ""
      return
        "\(transaction.subject) costs \(amount) \(currency)\(from)\(condition)\(transaction.idWords)"
    }
  }

  static let buy =
    ShopCommand(word: "buy", fits: nil) { (shop, product) async throws(CtlFailure) in
      try await shop.act(
        Calls.purchase, body: PurchaseRequest(product: product, reason: shop.change.reason))
    }

  /// The acts that `gameconfctl iap play` knows, in the order of a purchase's life.
  static let played = [
    buy, approve, decline, resolve, finish, renew, retry(grace: nil), retry("grace", grace: "always"), recover, cancel, renewalOn,
    acceptPrice, expire, refund, refundDecline, revoke,
  ]
}

extension TransactionAct {
  /// Returns the arguments of `gameconfctl iap` that perform the act.
  /// - Parameter transaction: The words that name the game, the player and the transaction.
  func command(on transaction: String) -> String {
    switch self {
    case .renewalOn: "cancel \(transaction) --undo"
    case .billingRetry: "retry \(transaction)"
    case .acceptPrice: "price \(transaction) --accept"
    case .refundDecline: "refund \(transaction) --decline"
    case .approve, .decline, .resolve, .finish, .renew, .cancel, .recover, .expire, .refund, .revoke: "\(rawValue) \(transaction)"
    }
  }
}

extension WireTransaction {
  fileprivate var isOwned: Bool { state == "purchased" && revokedAt == nil }
  fileprivate var isRefundable: Bool { isOwned && product != nil }
  fileprivate var endWords: Sentence { expiresAt.map { "\(time: $0, .clock)" } ?? "-" }
  fileprivate var idWords: String { "; transaction \(id)" }
}
