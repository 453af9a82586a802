// Tests the state of premium: it is on while a single purchase or grant gives all of its entitlements.

import GameConfCore
import Testing

@Suite("The state of premium")
struct PremiumStateTests {
  private func shop(_ catalog: Catalog, premium: String) throws -> Shop {
    var catalog = catalog
    catalog.premium = premium
    return try Shop(catalog, at: "2026-01-10T00:00:00Z")
  }

  private func state(_ shop: Shop) throws -> PremiumState { try #require(shop.entitlements.premium) }

  @Test("premium is off if no single purchase gives all of its entitlements, and on after a purchase that gives them all")
  func parts()
    throws
  {
    var shop = try shop(.dots, premium: "premium")
    for product in ["removeads", "theme.aurora", "season"] { try shop.buy(product) }
    try shop.act(.grant(entitlement: "theme.space"))
    try shop.act(.grant(entitlement: "premium"))
    #expect(shop.entitlements.ids == ["ad_free", "theme.aurora", "theme.space", "premium", "season"], "all of it, in parts")
    #expect(try !state(shop).isOn && state(shop).givers.isEmpty && state(shop).product == "premium")
    let id = try shop.buy("premium")
    #expect(try state(shop).by?.id == id && state(shop).givers.map(\.id) == [id])
    try shop.act(.transaction(.refund, id))
    #expect(try !state(shop).isOn)
  }

  @Test("premium is on while another product or a grant gives all of its entitlements; of several, the one that lasts longest is named")
  func others() throws {
    var shop = try shop(.sudoku, premium: "yearly")
    let monthly = try shop.buy("monthly")
    #expect(try state(shop).by?.id == monthly && state(shop).by?.held?.until == Instant(parsing: "2026-02-10T00:00:00Z"))
    let grant = try #require(
      try shop.act(.grant(entitlement: "Pro", period: CalendarPeriod(count: 1, unit: .year))).transaction)
    #expect(try state(shop).givers.map(\.id) == [monthly, grant] && state(shop).by?.id == grant)
    try shop.act(.transaction(.cancel, monthly))
    try shop.move(by: "P6M")
    #expect(try state(shop).givers.map(\.id) == [grant])
    try shop.move(by: "P6M")
    #expect(try !state(shop).isOn)
  }

  @Test("premium without entitlements is on while its product is owned; a catalog without premium has no premium state") func nothing()
    throws
  {
    var catalog = Catalog.dots
    catalog.products.append(Product(id: "badge", kind: .nonConsumable, name: [:], grants: []))
    var shop = try shop(catalog, premium: "badge")
    try shop.buy("premium")
    #expect(try !state(shop).isOn)
    try shop.buy("badge")
    #expect(try state(shop).by?.product == "badge")
    #expect(try Shop(.dots).entitlements.premium == nil)
  }
}
