// Two small catalogs with products, and a player's ledger whose clock the test moves.

import GameConfCore
import Testing

extension Catalog {
  /// A catalog with products for themes, the removal of ads, a bundle of all of them, and coins. It shows an ad at every third game over.
  static let dots: Catalog = {
    var catalog = Catalog(game: "dots", title: "Dots", locales: ["en"])
    catalog.purchases = .games
    catalog.products = [
      Product(
        id: "removeads", kind: .nonConsumable, name: ["en": "Remove Ads"], price: ["USD": "1.99", "EUR": "2.49"], grants: ["ad_free"]),
      Product(id: "theme.aurora", kind: .nonConsumable, name: ["en": "Aurora"], price: ["USD": "0.99"], grants: ["theme.aurora"]),
      Product(
        id: "premium", kind: .nonConsumable, name: ["en": "Premium"], price: ["USD": "4.99"], grants: ["theme.space", "premium"],
        includesAll: true),
      Product(id: "coins", kind: .consumable, name: ["en": "Coins"], grants: ["never"]),
      Product(id: "season", kind: .nonRenewing, name: ["en": "Season"], grants: ["season"]),
    ]
    var placement = Placement(id: "game_over", format: .interstitial, event: "game_over", every: .number(3))
    placement.exempt = ["ad_free"]
    catalog.placements = [placement]
    return catalog
  }()

  /// A catalog with two subscriptions of one group that grant Pro, a third one of the same level, and one with a trial in another group.
  static let sudoku: Catalog = {
    var catalog = Catalog(game: "sudoku", title: "Sudoku", locales: ["en"])
    let month = CalendarPeriod(count: 1, unit: .month)
    let year = CalendarPeriod(count: 1, unit: .year)
    let week = CalendarPeriod(count: 1, unit: .week)
    func plan(_ id: String, _ level: Int, _ period: CalendarPeriod, _ price: String, grace: CalendarPeriod? = nil) -> Product {
      Product(
        id: id, storeID: id, kind: .autoRenewable, name: ["en": id], price: ["USD": price], grants: ["Pro"],
        subscription: Subscription(group: "pro", level: level, period: period, gracePeriod: grace))
    }
    let trial = Subscription.Intro(mode: .freeTrial, period: CalendarPeriod(count: 3, unit: .day))
    let intro = Subscription.Intro(mode: .payAsYouGo, period: month, periods: 2, price: ["USD": "0.49"])
    catalog.products = [
      plan("monthly", 2, month, "2.99", grace: CalendarPeriod(count: 16, unit: .day)),
      plan("yearly", 1, year, "24.99"), plan("monthly_b", 2, month, "3.99"),
      Product(
        id: "club", kind: .autoRenewable, name: ["en": "Club"], price: ["USD": "1.99"], grants: ["club"],
        subscription: Subscription(group: "club", level: 1, period: week, intro: trial)),
      Product(
        id: "guild", kind: .autoRenewable, name: ["en": "Guild"], price: ["USD": "0.99"], grants: ["guild"],
        subscription: Subscription(group: "guild", level: 1, period: month, intro: intro)),
    ]
    return catalog
  }()
}

/// A ledger with its catalog and a clock that the test moves.
struct Shop {
  let catalog: Catalog
  var ledger: Ledger
  var now: Instant

  init(_ catalog: Catalog, at text: String = "2026-11-21T12:00:00Z", player: String = "p") throws {
    self.catalog = catalog
    ledger = Ledger(game: catalog.game, player: player)
    now = try Instant(parsing: text)
  }

  @discardableResult
  mutating func act(_ act: ShopAct) throws -> ShopOutcome {
    let done = try ledger.after(act, catalog: catalog, now: now)
    ledger = done.ledger
    return done.outcome
  }

  /// Purchases a product and returns the transaction's id.
  @discardableResult
  mutating func buy(_ product: String) throws -> String {
    let outcome = try act(.purchase(product: product))
    #expect(outcome.status == .success)
    return try #require(outcome.transaction)
  }

  mutating func move(to text: String) throws { now = try Instant(parsing: text) }

  mutating func move(by period: String) throws { now = try #require(now.adding(try CalendarPeriod(parsing: period))) }

  var entitlements: Entitlements { Entitlements(of: ledger, at: now, catalog: catalog) }

  func refusal(of act: ShopAct) -> ProblemCode? {
    do {
      _ = try ledger.after(act, catalog: catalog, now: now)
      return nil
    } catch { return error.code }
  }

  /// The ledger's log until now, with each entry as `EVENT/SUBTYPE`.
  var notifications: [String] {
    ledger.settled(at: now).log.compactMap { entry in
      entry.notification.map { $0.rawValue + (entry.subtype.map { "/" + $0.rawValue } ?? "") }
    }
  }
}
