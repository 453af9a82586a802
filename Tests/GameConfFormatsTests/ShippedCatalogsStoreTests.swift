// Compares themes, milestones, products, ads and gates of the shipped catalogs with the requirements of each game.

import GameConfCore
import Testing

@Suite("Themes, milestones, products, ads and gates in shipped catalogs")
struct ShippedCatalogsStoreTests {
  @Test(
    "a wheresthedot theme has its colours and its unlock condition",
    arguments: [
      ("neon", "free", "#05060A", "#00F0FF", #""circle""#),
      ("forest", "milestone forest", "#050D07", "#4ADE80", "forest_dot"),
      ("ocean", "milestone ocean", "#03080F", "#22D3EE", "ocean_dot"),
      ("cosmos", "milestone cosmos", "#080510", "#A855F7", "cosmos_dot"),
      ("aurora", "entitlement theme.aurora", "#030A15", "#BAE6FD", "aurora_dot"),
      ("inferno", "entitlement theme.inferno", "#100305", "#F97316", "flame.fill"),
      ("doctorping", "entitlement theme.doctorping", "#040A10", "#64B5D9", "DoctorPing"),
      ("spacetravel", "entitlement theme.spacetravel", nil, "#143d4a", "star.fill"),
    ] as [(String, String, String?, String, String)])
  func theme(id: String, unlock: String, background: String?, grid: String, dots: String) throws {
    let theme = try #require(try ShippedCatalogs.catalog(of: "wheresthedot").themes.first { $0.id == id })
    #expect(Words.of(theme.unlock) == unlock)
    if let background { #expect(theme.attributes["background"] == .string(background)) }
    #expect(theme.attributes["grid"] == .string(grid))
    let shape = try #require(theme.attributes["dot_shape"])
    if let assets = shape["random_assets"] {
      #expect(assets["prefix"] == .string(dots))
      #expect(assets["count"] == .integer(5))
      #expect(assets["fallback_symbol"]?.stringValue != nil)
    } else if let asset = shape["asset"] {
      #expect(asset["named"] == .string(dots))
      #expect(asset["fallback_symbol"]?.stringValue != nil)
    } else {
      #expect(JSONWriter.text(shape) == dots)
    }
  }

  @Test(
    "a shipped catalog has exactly the expected themes",
    arguments: [
      ("wheresthedot", "neon forest ocean cosmos aurora inferno doctorping spacetravel"),
      ("remembersquare", "light dark"),
      ("dartsscore", ""),
      ("kidsdoku2", "storybook"),
      ("adventure", ""),
    ])
  func themes(game: String, ids: String) throws {
    #expect(try ShippedCatalogs.catalog(of: game).themes.map(\.id).joined(separator: " ") == ids)
  }

  @Test("RememberSquare's dark theme is unlocked by a flag, and its other theme is free")
  func flaggedTheme() throws {
    let unlocks = try ShippedCatalogs.catalog(of: "remembersquare").themes.map { Words.of($0.unlock) }
    #expect(unlocks == ["free", "parameter dark_mode_enabled"])
    #expect(try ShippedCatalogs.catalog(of: "kidsdoku2").themes.map(\.unlock) == [.free])
  }

  @Test("wheresthedot has three theme milestones and twelve achievements, kidsdoku2 eight achievements, other games neither")
  func milestones() throws {
    let expected = [
      "forest: lifetime_score at theme_forest_milestone", "ocean: lifetime_score at theme_ocean_milestone",
      "cosmos: lifetime_score at theme_cosmos_milestone", "first_dot: lifetime_score at 1, achievement",
      "score10: best_score classic at 10, achievement", "score25: best_score classic at 25, achievement",
      "score50: best_score classic at 50, achievement", "score100: best_score classic at 100, achievement",
      "arcade10: best_score arcade at 10, achievement", "arcade25: best_score arcade at 25, achievement",
      "arcade50: best_score arcade at 50, achievement", "got_forest: unlocked forest at 1, achievement",
      "got_ocean: unlocked ocean at 1, achievement", "got_cosmos: unlocked cosmos at 1, achievement",
      "play_10: games_played at 10, achievement, progressive",
    ]
    let milestones = try ShippedCatalogs.catalog(of: "wheresthedot").milestones
    #expect(milestones.map { Words.of($0) } == expected)
    #expect(milestones.count(where: \.isAchievement) == 12)
    let achievements = try ShippedCatalogs.catalog(of: "kidsdoku2").milestones
    #expect(achievements.count == 8)
    #expect(achievements.allSatisfy { $0.isAchievement && $0.enabled == .parameter("achievements_enabled") })
    for game in ["remembersquare", "dartsscore", "adventure"] {
      #expect(try ShippedCatalogs.catalog(of: game).milestones.isEmpty, "\(game)")
    }
  }

  @Test(
    "a wheresthedot product has its name, price and grants",
    arguments: [
      ("removeads", "0 Remove Ads", "1.99 USD", "ad_free"),
      ("theme.aurora", "1 Aurora Theme", "0.99 USD", "theme.aurora"),
      ("theme.inferno", "2 Inferno Theme", "0.99 USD", "theme.inferno"),
      ("premium", "3 Premium Bundle (all)", "4.99 USD", "ad_free theme.aurora theme.inferno theme.doctorping theme.spacetravel premium"),
    ])
  func product(id: String, name: String, price: String, grants: String) throws {
    let products = try ShippedCatalogs.catalog(of: "wheresthedot").products
    #expect(products.count == 4)
    let place = try #require(products.firstIndex { $0.id == id })
    let product = products[place]
    #expect("\(place) \(product.name["en"] ?? "")" == name)
    #expect(product.kind == .nonConsumable)
    #expect(product.storeID == nil, "bundle + . + id")
    #expect(Words.of(product.price) == price)
    #expect(product.grants.joined(separator: " ") == grants)
    #expect(product.includesAll == (id == "premium"))
    #expect(product.subscription == nil)
  }

  @Test(
    "a kidsdoku2 subscription has its price, level, period and grace period",
    arguments: [
      ("monthly_sub_2", "2.99 USD", 2, CalendarPeriod(count: 1, unit: .month), CalendarPeriod(count: 16, unit: .day)),
      ("yearly_sub_2", "24.99 USD", 1, CalendarPeriod(count: 1, unit: .year), nil),
    ] as [(String, String, Int, CalendarPeriod, CalendarPeriod?)])
  func subscription(id: String, price: String, level: Int, period: CalendarPeriod, grace: CalendarPeriod?) throws {
    let catalog = try ShippedCatalogs.catalog(of: "kidsdoku2")
    #expect(catalog.products.count == 2)
    let product = try #require(catalog.products.first { $0.id == id })
    #expect(product.kind == .autoRenewable)
    #expect(product.storeID == id)
    #expect(Words.of(product.price) == price)
    #expect(product.grants == ["Pro"])
    #expect(product.isFamilyShareable == false)
    #expect(product.subscription == Subscription(group: "pro", level: level, period: period, gracePeriod: grace))
  }

  @Test("the packages of kidsdoku2's offering have RevenueCat's package ids")
  func offering() throws {
    let packages = [
      Offering.Package(id: "$rc_monthly", product: "monthly_sub_2"), Offering.Package(id: "$rc_annual", product: "yearly_sub_2"),
    ]
    #expect(try ShippedCatalogs.catalog(of: "kidsdoku2").offerings == [Offering(id: "default", packages: packages)])
  }

  @Test("only wheresthedot has an ad placement, an interstitial that is not shown to players with the entitlement ad_free")
  func placement() throws {
    var expected = Placement(
      id: "game_over", format: .interstitial, event: "game_over", every: .parameter("interstitial_every_n_game_overs"))
    expected.exempt = ["ad_free"]
    expected.onNoFill = .keepSlot
    #expect(try ShippedCatalogs.catalog(of: "wheresthedot").placements == [expected])
    for game in ShippedTable.games.dropFirst() { #expect(try ShippedCatalogs.catalog(of: game).placements.isEmpty, "\(game)") }
  }

  @Test("kidsdoku2's gate locks the puzzles above the free ones, except for players with the entitlement Pro")
  func gate() throws {
    let gates = try ShippedCatalogs.catalog(of: "kidsdoku2").gates
    #expect(gates.map(\.id) == ["premium_puzzles"])
    let gate = try #require(gates.first)
    #expect(gate.arguments == [Gate.Argument(name: "number", type: .integer)])
    #expect(JSONWriter.text(gate.lockedWhen.source) == #"{">":[{"var":"number"},{"parameter":"free_puzzles_per_section"}]}"#)
    #expect(gate.unless == ["Pro"], "entitlements are case-sensitive")
  }
}
