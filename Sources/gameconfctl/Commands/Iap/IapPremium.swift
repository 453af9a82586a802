// gameconfctl iap premium

import ArgumentParser
import GameConfAPI
import GameConfCore

struct IapPremium: AsyncParsableCommand {
  enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }

  static let configuration = CommandConfiguration(
    commandName: "premium",
    abstract:
      "Buy the product that the game calls premium, or end whatever gives what it gives; without a word, print whether the game finds it on.",
    discussion: """
      On is when the player has what the premium product gives, by whichever product or grant: that is what the game asks for. Standard error \
      says by what.
      """)

  @OptionGroup var whom: PlayerOptions
  @Argument(help: "on or off.") var position: Switch?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let counter = whom.counter(change, connection)
    guard let position else { return try await tell(counter) }
    if position == .off { return try await end(counter) }
    let reply = try await counter.act(Calls.switchPremium, body: PremiumRequest(isOn: true, reason: change.reason))
    counter.show(reply) { answer in
      if answer.status == ShopOutcome.Status.kept.rawValue { return "premium is on already for \(counter.whom)" }
      return PurchaseWords.sentence(answer, of: "premium")
    }
    try PurchaseWords.check(reply.answer)
  }

  /// Refunds the premium product, and ends whatever else gives what it gives.
  private func end(_ counter: ShopCounter) async throws(CtlFailure) {
    let before = connection.json ? nil : try await status(counter)
    let reply = try await counter.act(Calls.switchPremium, body: PremiumRequest(isOn: false, reason: change.reason))
    let wasBought = reply.answer.status != ShopOutcome.Status.kept.rawValue
    if wasBought || connection.json || before?.still == nil {
      counter.show(reply) { wasBought ? Self.ended($0) : "premium is off already for \(counter.whom)" }
    }
    if connection.json { return }
    if change.dryRun {
      if let before, !wasBought, before.still != nil {
        counter.desk.screen.say(
          change.told(before.by.map { "\(SafeText.escaped($0.id)) by \(Self.giver($0)) ends" }.joined(separator: ", ")))
      }
      return
    }
    var left = Self.actsMax
    var present = try await status(counter)
    while present.still != nil, left > 0, let held = present.by.first(where: { $0.transaction != nil }) {
      var counter = counter
      // The key was the first change's.
      counter.change.idempotencyKey = nil
      let call = held.product == nil ? Calls.revoke : Calls.refund
      let more = try await counter.act(call, on: held.transaction, body: ReasonRequest(reason: change.reason))
      counter.show(more, saying: Self.ended)
      present = try await status(counter)
      left -= 1
    }
    if let still = present.still { throw .refused(["premium is still on: \(still)"]) }
  }

  /// More than gives one entitlement at a time.
  private static let actsMax = 20

  private static func giver(_ held: WireEntitlement) -> String { held.product.map { SafeText.escaped($0) } ?? "a grant" }

  private static func ended(_ answer: ShopActAnswer) -> String {
    let what = answer.transaction.map { "\($0.subject) is \($0.product == nil ? "revoked" : "refunded")" } ?? "premium is refunded"
    return what + (answer.transaction.map { "; transaction \(SafeText.escaped($0.id))" } ?? "")
  }

  private func tell(_ counter: ShopCounter) async throws(CtlFailure) {
    let (status, _, value) = try await self.status(counter)
    counter.desk.show(value, asJSON: connection.json) {
      counter.desk.screen.write(status == nil ? "off\n" : "on\n")
      if let status { counter.desk.screen.note(status) }
    }
  }

  /// By what premium is on, in words, nil where it is off; the active entitlements of it; and all of them as they came.
  private func status(_ counter: ShopCounter) async throws(CtlFailure) -> (still: String?, by: [WireEntitlement], value: Value) {
    let catalog = try await counter.desk.daemon.ask(Calls.catalog, ["game": whom.game]).answer
    guard let premium = catalog.document["premium"]?.stringValue else {
      throw .refused(["the catalog of \(SafeText.escaped(whom.game)) names no product as premium"])
    }
    let reply = try await counter.desk.daemon.ask(Calls.entitlements, counter.variables)
    let granted = catalog.element(premium, of: "products")?["grants"]?.listValue?.compactMap(\.stringValue) ?? []
    let by = reply.answer.entitlements.filter { $0.isActive && granted.contains($0.id) }
    return (Self.holding(granted, premium, reply.answer, counter.desk.screen), by, reply.value)
  }

  /// What gives the player all that premium gives; nil when something of it is missing.
  static func holding(_ granted: [String], _ premium: String, _ answer: EntitlementsAnswer, _ screen: Screen) -> String? {
    // A product that gives nothing by itself is on while it is bought.
    if granted.isEmpty { return answer.purchased[premium] == true ? "\(SafeText.escaped(premium)) is bought" : nil }
    var words: [String] = []
    for name in granted {
      guard let held = answer.entitlements.first(where: { $0.id == name && $0.isActive }) else { return nil }
      let by = held.product.map { "by \(SafeText.escaped($0))" } ?? "by a grant"
      let until = held.expiresAt.map { " until \(InstantLook.second($0))" } ?? ""
      words.append("\(SafeText.escaped(name)) is active \(by)\(until)")
    }
    return words.joined(separator: ", ")
  }
}
