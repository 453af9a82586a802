// gameconfctl iap status

import ArgumentParser
import GameConfAPI
import GameConfCore

struct IapStatus: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show a player's store on one screen: entitlements, subscriptions, unfinished transactions, behaviour, clock.")

  @OptionGroup var whom: PlayerOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let variables = whom.variables
    let entitlements = try await console.daemon.ask(Calls.entitlements, variables)
    let transactions = try await console.daemon.ask(Calls.transactions, variables)
    let behaviour = try await console.daemon.ask(Calls.storeBehaviour, variables)
    let clock = try await console.daemon.ask(Calls.playerClock, variables)
    let gameClock = try await console.daemon.ask(Calls.gameClock, ["game": whom.game])
    let value: Value = [
      "entitlements": entitlements.value, "transactions": transactions.value, "behaviour": behaviour.value, "clock": clock.value,
    ]
    let page = ShopPage.of(
      entitlements.answer, transactions.answer.transactions, behaviour.answer.behaviour, clock.answer,
      device: DeviceClock(clock.answer, gameClock.answer))
    console.show(value) {
      console.screen.show(page)
    }
  }
}

/// A page with the state of a player's simulated store.
enum ShopPage {
  /// The maximum number of open transactions that are shown. A year of unfinished renewals would push the rest off the screen.
  private static let openShownMax = 6

  static func of(
    _ answer: EntitlementsAnswer, _ transactions: [WireTransaction], _ behaviour: WireBehaviour, _ clock: PlayerClockAnswer,
    device: DeviceClock
  ) -> TablePage {
    var page = TablePage()
    let ahead = clock.offsetMilliseconds == 0 ? "" : ", \(DurationText.text(milliseconds: clock.offsetMilliseconds)) ahead of the game"
    let purchased = answer.purchased.members.filter { $0.value == true }.map(\.name)
    page.add(
      "store",
      Table(facts: "store") {
        NamedValueRow("player", answer.player)
        NamedValueRow("environment", ShopTransaction.environment)
        NamedValueRow("clock", "\(time: clock.now, .clock)\(ahead)" as Sentence)
        NamedValueRow("has now", held(answer, transactions))
        NamedValueRow("to do", toDo(transactions))
        NamedValueRow("ad free", answer.isAdFree ? "yes" : "no")
        NamedValueRow("purchased", purchased.isEmpty ? "-" : purchased.joined(separator: ", "))
        NamedValueRow("revenuecat", RevenueCatWords.of(answer, device))
        NamedValueRow("next change", answer.nextChangeAt.map { "\(time: $0, .clock)" as Sentence } ?? "-")
      })
    page.add("entitlements", entitlements(answer.entitlements, transactions))
    page.add("subscriptions", subscriptions(answer.subscriptions, transactions))
    page.add("open", open(transactions))
    page.add("behaviour", self.behaviour(behaviour))
    return page
  }

  /// Returns the player's entitlements in words, each with its purchase and its end. If the player has no entitlement, names the
  /// entitlements that ended last.
  private static func held(_ answer: EntitlementsAnswer, _ transactions: [WireTransaction]) -> Sentence {
    let records = answer.entitlements
    let waiting = answer.subscriptions.filter { $0.needsConsent && $0.renewsAt == nil }.map(\.product)
    var groups: [(about: Sentence, ids: [String])] = []
    func add(_ id: String, to about: Sentence) {
      if let at = groups.firstIndex(where: { $0.about == about }) { groups[at].ids.append(id) } else { groups.append((about, [id])) }
    }
    for each in records where each.isActive {
      let renews = each.willRenew && !waiting.contains { $0 == each.product }
      let end: Sentence? = each.expiresAt.map {
        "\(each.isInGracePeriod ? "in grace until" : renews ? "renews" : "until") \(time: $0, .clock)"
      }
      add(each.id, to: "by \(each.product ?? "a grant"), \(end ?? "for good")")
    }
    let isNothing = groups.isEmpty
    if isNothing, let last = records.compactMap(\.expiresAt).max() {
      for each in records where each.expiresAt == last {
        add(each.id, to: "\(end(of: each, transactions)) \(time: last, .clock)")
      }
    }
    let parts: [Sentence] = groups.map { "\($0.ids.joined(separator: ", ")) (\($0.about))" }
    return ((isNothing ? ["nothing"] : []) + parts).joined(separator: "; ")
  }

  /// Returns a word for the way in which an entitlement ended: the state of the transaction that ended at the same time.
  private static func end(of record: WireEntitlement, _ transactions: [WireTransaction]) -> String {
    let all = transactions.reversed()
    if let revoked = all.first(where: { $0.revokedAt != nil && $0.revokedAt == record.expiresAt }) {
      return revoked.revocation ?? "revoked"
    }
    return all.contains { ($0.graceUntil ?? $0.expiresAt) == record.expiresAt } ? "expired" : "ended"
  }

  /// Returns the transactions that still need an act, by the actor who must perform it: the game, or the person who tests.
  private static func toDo(_ transactions: [WireTransaction]) -> Sentence {
    func count(_ step: OpenStep) -> Int { transactions.filter { OpenStep(of: $0) == step }.count }
    let steps = OpenStep.allCases.compactMap { step -> Sentence? in
      let number = count(step)
      return number == 0 ? nil : "\(step.actor): \(step.rawValue) \(number, "transaction")"
    }
    return steps.isEmpty ? "-" : steps.joined(separator: "; ")
  }

  /// The act that an open transaction waits for.
  private enum OpenStep: String, CaseIterable {
    case finish, decide = "approve or decline", resolve

    init?(of transaction: WireTransaction) {
      guard transaction.finishedAt == nil else { return nil }
      switch ShopTransaction.State(rawValue: transaction.state) {
      case .purchased: self = .finish
      case .pending: self = .decide
      case .interrupted: self = .resolve
      case .declined, nil: return nil
      }
    }

    var actor: String { self == .finish ? "the game" : "you" }
  }

  static func entitlements(_ records: [WireEntitlement], _ transactions: [WireTransaction]) -> Table {
    Table(records, whenEmpty: "no entitlements") {
      Column("entitlement") { $0.id }
      Column("state", .state) { $0.isInGracePeriod ? "in grace" : $0.isActive ? "active" : end(of: $0, transactions) }
      Column("until", .date) { $0.expiresAt }
      Column("renews") { $0.willRenew ? "yes" : "no" }
      Column("kind") { $0.periodType }
      Column("product") { $0.product }
      Column("transaction", .aside) { $0.transaction }
    }
  }

  static func subscriptions(_ records: [WireSubscription], _ transactions: [WireTransaction]) -> Table {
    // The access of a refunded subscription ended at the refund, not at the end of its period.
    let revoked = { (each: WireSubscription) in transactions.first { $0.id == each.transaction && $0.revokedAt != nil } }
    return Table(records, whenEmpty: "no subscriptions") {
      Column("group") { $0.group }
      Column("state", .state) { revoked($0)?.revocation ?? $0.state }
      Column("product") { $0.product }
      Column("price") { $0.price.map(price) }
      Column("renewals") { $0.renewals }
      Column("until", .date) { revoked($0)?.revokedAt ?? $0.graceUntil ?? $0.expiresAt }
      Column("then") { next(of: $0) }
    }
  }

  private static func price(_ price: ShopPrice) -> String { "\(price.amount) \(price.currency)" }

  /// Returns the event that follows at the end of a subscription's present period, in words.
  private static func next(of each: WireSubscription) -> Sentence {
    if each.renewsAt != nil {
      let before = each.offer != nil && each.nextProduct == nil ? ", after the offer for " : " for "
      let cost = each.nextPrice.map { "\(before)\(price($0))" } ?? ""
      return "renews\(each.nextProduct.map { " as \($0)" } ?? "")\(cost)\(each.needsConsent ? " if that is accepted" : "")"
    }
    if let until = each.retryUntil { return "retried until \(time: until, .clock)" }
    if each.needsConsent, let rise = each.nextPrice { return "ends unless \(price(rise)) is accepted" }
    return each.state == SubscriptionLine.State.subscribed.rawValue ? "ends" : "-"
  }

  /// Returns the open transactions as a table. They wait for the game to deliver and finish them, for a parent's approval, or for the end
  /// of an interruption.
  private static func open(_ transactions: [WireTransaction]) -> Table {
    let waiting = transactions.compactMap { each in OpenStep(of: each).map { (step: $0, transaction: each) } }
    let older: [(step: OpenStep, transaction: WireTransaction)?] = waiting.count > openShownMax ? [nil] : []
    return Table(older + waiting.suffix(openShownMax), whenEmpty: "no open transactions") {
      Column("open transaction") { $0?.transaction.id ?? "and \(waiting.count - openShownMax) older" }
      Column("product") { $0?.transaction.product }
      Column("waits for") { $0.map { $0.step.rawValue + ($0.transaction.revocation.map { " (\($0))" } ?? "") } }
      Column("since", .date) { $0?.transaction.purchasedAt }
    }
  }

  static func behaviour(_ record: WireBehaviour) -> Table {
    Table(facts: "behaviour") {
      for (call, failure) in record.fail.sorted(by: { $0.key < $1.key }) {
        let times: Sentence = failure.times.map { "for \($0, "more call")" } ?? "until cleared"
        NamedValueRow("fail \(call)", "\(failure.error), \(times)" as Sentence)
      }
      NamedValueRow("ask-to-buy", record.asksToBuy ? "on" : "off")
      NamedValueRow("interrupt", record.interruptsPurchases ? "on" : "off")
      NamedValueRow("billing", record.failsBilling ? "fail" : "ok")
      NamedValueRow("grace", record.grace)
    }
  }
}
