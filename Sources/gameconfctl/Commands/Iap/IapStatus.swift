// gameconfctl iap status

import ArgumentParser
import GameConfAPI
import GameConfCore

struct IapStatus: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show a player's store on one screen: entitlements, subscriptions, unfinished transactions, behaviour, clock.")

  @OptionGroup var whom: PlayerOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let console = connection.console()
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
      device: DeviceClock(clock.answer, gameClock.answer), on: console.screen)
    console.show(value, asJSON: connection.json) {
      console.screen.show(page)
    }
  }
}

/// A player's store on one page.
enum ShopPage {
  /// A year of renewals that nobody finished would push the rest off the screen.
  private static let openShownMax = 6

  static func of(
    _ answer: EntitlementsAnswer, _ transactions: [WireTransaction], _ behaviour: WireBehaviour, _ clock: PlayerClockAnswer,
    device: DeviceClock, on screen: Screen
  ) -> Page {
    var page = Page()
    var player = Table(["store", "value"])
    player.add(["player", answer.player])
    player.add(["environment", ShopTransaction.environment])
    let ahead = clock.offsetMilliseconds == 0 ? "" : ", \(DurationText.text(milliseconds: clock.offsetMilliseconds)) ahead of the game"
    player.add(["clock", screen.time(clock.now, in: .clock) + ahead])
    player.add(["has now", held(answer, transactions, on: screen)])
    player.add(["to do", toDo(transactions)])
    player.add(["ad free", answer.isAdFree ? "yes" : "no"])
    let purchased = answer.purchased.members.filter { $0.value == true }.map { SafeText.escaped($0.name) }
    player.add(["purchased", purchased.isEmpty ? "-" : purchased.joined(separator: ", ")])
    player.add(["revenuecat", RevenueCatWords.of(answer, device, on: screen)])
    player.add(["next change", answer.nextChangeAt.map { screen.time($0, in: .clock) } ?? "-"])
    page.add("store", player)
    page.add("entitlements", entitlements(answer.entitlements, transactions))
    page.add("subscriptions", subscriptions(answer.subscriptions, transactions, on: screen))
    page.add("open", open(transactions))
    page.add("behaviour", self.behaviour(behaviour))
    return page
  }

  /// The entitlements of the player, each with its purchase and its end; if there are none, the one that ended last.
  private static func held(_ answer: EntitlementsAnswer, _ transactions: [WireTransaction], on screen: Screen) -> String {
    let records = answer.entitlements
    let waiting = answer.subscriptions.filter(\.needsConsent).map(\.product)
    var groups: [(about: String, ids: [String])] = []
    func add(_ id: String, to about: String) {
      if let at = groups.firstIndex(where: { $0.about == about }) { groups[at].ids.append(id) } else { groups.append((about, [id])) }
    }
    for each in records where each.isActive {
      let end = each.expiresAt.map {
        let renews = each.willRenew && !waiting.contains { $0 == each.product }
        return (each.isInGracePeriod ? "in grace until " : renews ? "renews " : "until ") + screen.time($0, in: .clock)
      }
      add(each.id, to: "by \(each.product ?? "a grant"), \(end ?? "for good")")
    }
    let isNothing = groups.isEmpty
    if isNothing, let last = records.compactMap(\.expiresAt).max() {
      for each in records where each.expiresAt == last {
        add(each.id, to: "\(end(of: each, transactions)) \(screen.time(last, in: .clock))")
      }
    }
    return ((isNothing ? ["nothing"] : []) + groups.map { "\($0.ids.joined(separator: ", ")) (\($0.about))" }).joined(separator: "; ")
  }

  /// The way in which something ended: the word of the transaction that ended at the same time.
  private static func end(of record: WireEntitlement, _ transactions: [WireTransaction]) -> String {
    let all = transactions.reversed()
    if let revoked = all.first(where: { $0.revokedAt != nil && $0.revokedAt == record.expiresAt }) {
      return revoked.revocation ?? "revoked"
    }
    return all.contains { ($0.graceUntil ?? $0.expiresAt) == record.expiresAt } ? "expired" : "ended"
  }

  /// The work that is left for the game and the tester.
  private static func toDo(_ transactions: [WireTransaction]) -> String {
    func count(_ step: OpenStep) -> Int { transactions.filter { OpenStep(of: $0) == step }.count }
    let steps = OpenStep.allCases.compactMap { step -> String? in
      let number = count(step)
      return number == 0 ? nil : "\(step.actor): \(step.rawValue) \(number) \(number == 1 ? "transaction" : "transactions")"
    }
    return steps.isEmpty ? "-" : steps.joined(separator: "; ")
  }

  /// The step that an open transaction waits for.
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
    var table = Table(
      ["entitlement", .state("state"), .date("until"), "renews", "kind", "product", .aside("transaction")], whenEmpty: "no entitlements")
    for each in records {
      let state = each.isInGracePeriod ? "in grace" : each.isActive ? "active" : end(of: each, transactions)
      table.add([
        each.id, state, each.expiresAt?.text ?? "-", each.willRenew ? "yes" : "no", each.periodType ?? "-", each.product ?? "-",
        each.transaction ?? "-",
      ])
    }
    return table
  }

  static func subscriptions(_ records: [WireSubscription], _ transactions: [WireTransaction], on screen: Screen) -> Table {
    var table = Table(
      ["group", .state("state"), "product", "price", "renewals", .date("until"), "then"], whenEmpty: "no subscriptions")
    for each in records {
      // What was refunded ended then, and not with its period.
      let revoked = transactions.first { $0.id == each.transaction && $0.revokedAt != nil }
      table.add([
        each.group, revoked?.revocation ?? each.state, each.product, each.price.map(price) ?? "-", String(each.renewals),
        (revoked?.revokedAt ?? each.graceUntil ?? each.expiresAt)?.text ?? "-", next(of: each, on: screen),
      ])
    }
    return table
  }

  private static func price(_ price: ShopPrice) -> String { "\(price.amount) \(price.currency)" }

  /// The event at the end of the present period.
  private static func next(of each: WireSubscription, on screen: Screen) -> String {
    if each.renewsAt != nil {
      return "renews" + (each.nextProduct.map { " as \($0)" } ?? "") + (each.nextPrice.map { " for \(price($0))" } ?? "")
    }
    if let until = each.retryUntil { return "retried until \(screen.time(until, in: .clock))" }
    if each.needsConsent, let rise = each.nextPrice { return "ends unless \(price(rise)) is accepted" }
    return each.state == SubscriptionLine.State.subscribed.rawValue ? "ends" : "-"
  }

  /// The transactions that wait for something: the game to deliver and finish, a parent's word, an interruption's end.
  private static func open(_ transactions: [WireTransaction]) -> Table {
    var rows: [[String]] = []
    for each in transactions {
      guard let step = OpenStep(of: each) else { continue }
      rows.append([each.id, each.product ?? "-", step.rawValue + (each.revocation.map { " (\($0))" } ?? ""), each.purchasedAt.text])
    }
    var table = Table(["open transaction", "product", "waits for", .date("since")], whenEmpty: "no open transactions")
    if rows.count > openShownMax { table.add(["and \(rows.count - openShownMax) older", "-", "-", "-"]) }
    for row in rows.suffix(openShownMax) { table.add(row) }
    return table
  }

  static func behaviour(_ record: WireBehaviour) -> Table {
    var table = Table(["behaviour", "value"])
    for (call, failure) in record.fail.sorted(by: { $0.key < $1.key }) {
      let times = failure.times.map { "for \($0) more \($0 == 1 ? "call" : "calls")" } ?? "until cleared"
      table.add(["fail \(call)", "\(failure.error), \(times)"])
    }
    table.add(["ask-to-buy", record.asksToBuy ? "on" : "off"])
    table.add(["interrupt", record.interruptsPurchases ? "on" : "off"])
    table.add(["billing", record.failsBilling ? "fail" : "ok"])
    table.add(["grace", record.grace])
    return table
  }
}
