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
    let desk = connection.desk()
    let variables = whom.variables
    let entitlements = try await desk.daemon.ask(Calls.entitlements, variables)
    let transactions = try await desk.daemon.ask(Calls.transactions, variables)
    let behaviour = try await desk.daemon.ask(Calls.storeBehaviour, variables)
    let clock = try await desk.daemon.ask(Calls.playerClock, variables)
    let value: Value = [
      "entitlements": entitlements.value, "transactions": transactions.value, "behaviour": behaviour.value, "clock": clock.value,
    ]
    let page = ShopPage.of(
      entitlements.answer, transactions.answer.transactions, behaviour.answer.behaviour, clock.answer, on: desk.screen)
    desk.show(value, asJSON: connection.json) {
      desk.screen.show(page)
    }
  }
}

/// A player's store on one page.
enum ShopPage {
  /// A year of renewals that nobody finished would push the rest off the screen.
  private static let openShownMax = 6

  static func of(
    _ answer: EntitlementsAnswer, _ transactions: [WireTransaction], _ behaviour: WireBehaviour, _ clock: PlayerClockAnswer,
    on screen: Screen
  ) -> Page {
    var page = Page()
    var player = Table(["store", "value"])
    player.add(["player", answer.player])
    player.add(["environment", ShopTransaction.environment])
    let ahead = clock.offsetMilliseconds == 0 ? "" : ", \(DurationText.text(milliseconds: clock.offsetMilliseconds)) ahead of the game"
    player.add(["clock", screen.time(clock.now, in: .clock) + ahead])
    player.add(["ad free", answer.isAdFree ? "yes" : "no"])
    let purchased = answer.purchased.members.filter { $0.value == true }.map { SafeText.escaped($0.name) }
    player.add(["purchased", purchased.isEmpty ? "-" : purchased.joined(separator: ", ")])
    player.add(["next change", answer.nextChangeAt.map { screen.time($0, in: .clock) } ?? "-"])
    page.add("store", player)
    page.add("entitlements", entitlements(answer.entitlements))
    page.add("subscriptions", subscriptions(answer.subscriptions, on: screen))
    page.add("open", open(transactions))
    page.add("behaviour", self.behaviour(behaviour))
    return page
  }

  static func entitlements(_ records: [WireEntitlement]) -> Table {
    var table = Table(
      ["entitlement", .state("state"), .date("until"), "renews", "kind", "product", .aside("transaction")], whenEmpty: "no entitlements")
    for each in records {
      let state = each.isInGracePeriod ? "in grace" : each.isActive ? "active" : "ended"
      table.add([
        each.id, state, each.expiresAt?.text ?? "-", each.willRenew ? "yes" : "no", each.periodType ?? "-", each.product ?? "-",
        each.transaction ?? "-",
      ])
    }
    return table
  }

  static func subscriptions(_ records: [WireSubscription], on screen: Screen) -> Table {
    var table = Table(
      ["group", .state("state"), "product", "price", "renewals", .date("until"), "then"], whenEmpty: "no subscriptions")
    for each in records {
      table.add([
        each.group, each.state, each.product, each.price.map(price) ?? "-", String(each.renewals),
        (each.graceUntil ?? each.expiresAt)?.text ?? "-", next(of: each, on: screen),
      ])
    }
    return table
  }

  private static func price(_ price: ShopPrice) -> String { "\(price.amount) \(price.currency)" }

  /// What comes at the end of the present period.
  private static func next(of each: WireSubscription, on screen: Screen) -> String {
    if each.renewsAt != nil {
      return "renews" + (each.nextProduct.map { " as \($0)" } ?? "") + (each.nextPrice.map { " for \(price($0))" } ?? "")
    }
    if let until = each.retryUntil { return "retried until \(screen.time(until, in: .clock))" }
    if each.needsConsent, let rise = each.nextPrice { return "ends unless \(price(rise)) is accepted" }
    return each.state == SubscriptionLine.State.subscribed.rawValue ? "ends" : "-"
  }

  /// What waits for something: the game to deliver and finish it, a parent's word, an interruption's end.
  private static func open(_ transactions: [WireTransaction]) -> Table {
    var rows: [[String]] = []
    for each in transactions where each.finishedAt == nil {
      let waits: String? =
        switch ShopTransaction.State(rawValue: each.state) {
        case .purchased: "finish"
        case .pending: "approve or decline"
        case .interrupted: "resolve"
        case .declined, nil: nil
        }
      if let waits { rows.append([each.id, each.product ?? "-", waits, each.purchasedAt.text]) }
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
