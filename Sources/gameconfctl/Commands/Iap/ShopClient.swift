// Acts on a player's simulated store and prints the outcome, for the commands of `gameconfctl iap`.

import GameConfAPI
import GameConfCore

struct ShopClient {
  var console: Console
  var game: String
  var player: String
  var change: ChangeOptions

  var variables: [String: String] { ["game": game, "player": player] }
  var whom: String { "player \(player)" }

  /// Makes a call that changes the simulated store. Prints a note if the player is new.
  func act<Ask: CallBody>(
    _ call: Call<Ask, ShopActAnswer>, on transaction: String? = nil, body: Ask
  ) async throws(CtlFailure) -> DaemonReply<ShopActAnswer> {
    var variables = variables
    variables["transaction"] = transaction
    // The id of a transaction proves that its player exists, so the player is not looked up.
    let remark = await console.remark(onPlayer: transaction == nil ? player : nil, in: game)
    let reply = try await console.daemon.ask(call, variables, body: body, change: change)
    if let remark { console.screen.note(remark) }
    return reply
  }

  /// Performs an act on a transaction for which the call needs only a reason.
  func act(_ act: TransactionAct, on transaction: String) async throws(CtlFailure) -> DaemonReply<ShopActAnswer> {
    guard let call = act.call else {
      return try await self.act(Calls.billingRetry, on: transaction, body: BillingRetryRequest(grace: nil, reason: change.reason))
    }
    return try await self.act(call, on: transaction, body: ReasonRequest(reason: change.reason))
  }

  /// Shows a response of the daemon as a sentence, or as JSON if that was requested.
  func show(_ reply: DaemonReply<ShopActAnswer>, saying sentence: (ShopActAnswer) -> Sentence) {
    console.show(reply.value) { console.report(sentence(reply.answer)) }
  }

  /// Reads all transactions of the player.
  func transactions() async throws(CtlFailure) -> DaemonReply<TransactionList> {
    try await console.daemon.ask(Calls.transactions, variables)
  }

  /// Returns the id of the transaction that a user names. A name of digits is an id. For a product or an entitlement it returns the newest
  /// transaction that fits the act, or else the newest one.
  func transaction(named name: String, fitting: (WireTransaction) -> Bool) async throws(CtlFailure) -> String {
    if !name.isEmpty, name.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return name }
    let all = try await transactions().answer.transactions
    let named = all.filter { $0.isOf(name) }
    if let found = named.last(where: fitting) ?? named.last { return found.id }
    var names: [String] = []
    for record in all { if let known = record.product ?? record.entitlement, !names.contains(known) { names.append(known) } }
    throw .problem(
      Problem(
        .unknownTransaction, "\(whom) has no transaction of “\(name)”.\(NearestNames.hint(for: name, among: names))"))
  }
}

extension WireTransaction {
  var subject: String { product ?? entitlement ?? "-" }

  /// True if the transaction is of the product with this name in the game or in the store, or of a grant of the entitlement with this name.
  func isOf(_ name: String) -> Bool {
    if product == name || entitlement == name { return true }
    return product.map { name.hasSuffix("." + $0) } ?? false
  }

  /// The text ` until` with the end of access; empty if access does not end.
  var untilWords: Sentence { (graceUntil ?? expiresAt).map { " until \(time: $0, .clock)" } ?? "" }

  /// The text `, 4.99 USD` with the transaction's price; empty if it has no price.
  var priceWords: String { price.map { ", \($0.amount) \($0.currency)" } ?? "" }
}

enum PurchaseWords {
  static func sentence(_ answer: ShopActAnswer, of wanted: String) -> Sentence {
    let product = answer.transaction?.product ?? wanted
    let error = answer.error ?? "unknown"
    let transaction = answer.transaction.map { "; transaction \($0.id)" } ?? ""
    switch ShopOutcome.Status(rawValue: answer.status) {
    case .success:
      let trouble = answer.error == nil ? "" : ", but does not verify (\(error)): a restore verifies it"
      let terms = "(simulated\(answer.transaction?.priceWords ?? ""))"
      return "\(product) is bought for player \(answer.player) \(terms)\(answer.transaction?.untilWords ?? "")\(trouble)\(transaction)"
    case .pending: return "the purchase of \(product) is pending: it waits to be approved or declined\(transaction)"
    case .interrupted: return "the purchase of \(product) is interrupted: it waits to be resolved\(transaction)"
    case .cancelled: return "the purchase of \(product) was cancelled"
    case .failed: return "the purchase of \(product) failed: \(error)"
    case .deferred:
      let end: Sentence = answer.transaction?.expiresAt.map { "\(time: $0, .clock)" } ?? "-"
      return "\(product) becomes \(wanted) at the end of its period, \(end)\(transaction)"
    case .retained: return "\(product) goes on as it is\(transaction)"
    case nil: return "the purchase of \(product): \(answer.status)\(transaction)"
    }
  }

  /// Throws if the simulated store refused the purchase. The refusal has been printed already.
  static func check(_ answer: ShopActAnswer) throws(CtlFailure) {
    let refusals: [ShopOutcome.Status] = [.failed, .cancelled]
    if refusals.contains(where: { $0.rawValue == answer.status }) { throw .reported(.refused) }
  }
}
