// Small versions of two shipped games: one sells themes and freedom from ads, one a subscription that opens puzzles.
import GameConfCore

extension Parameter {
  fileprivate static func plain(_ key: String, _ type: ParameterType, _ value: ValueSource) -> Parameter {
    Parameter(key: key, type: type, defaultValue: value, section: "Shop", description: "A parameter of the shop.")
  }
}

extension Catalog {
  /// A small version of Where's The Dot: one free theme, three by score, four for sale, an ad at every third game over, and a premium
  /// product that gives everything on sale.
  static let dotShop: Catalog = {
    var catalog = Catalog(game: "dots", title: "Dots", locales: ["en"])
    catalog.purchases = .games
    catalog.premium = "premium"
    catalog.modes = ["classic"]
    catalog.events = [EventDefinition(name: "game_over", reasons: ["wrongTap", "timeUp"], carriesScore: true)]
    var theme = Parameter.plain("selected_theme", .string, .parameter("default_theme"))
    theme.oneOf = .unlockedThemes
    theme.isPlayerSetting = true
    catalog.parameters = [
      .plain("default_theme", .string, .value("neon")), theme, .plain("every", .integer, .value(3)),
      .plain("daily_seed", .string, .dailyHash(salt: "dots")),
    ]
    let thresholds: [(String, Int64)] = [("forest", 50), ("ocean", 200), ("cosmos", 300)]
    catalog.milestones = thresholds.map { Milestone(id: $0, metric: .lifetimeScore, threshold: .number($1)) }
    catalog.themes =
      [Theme(id: "neon", name: [:], unlock: .free)] + thresholds.map { Theme(id: $0.0, name: [:], unlock: .milestone($0.0)) }
      + [
        ("aurora", "theme.aurora"), ("inferno", "theme.inferno"), ("doctorping", "theme.doctorping"), ("spacetravel", "theme.spacetravel"),
      ]
      .map { Theme(id: $0, name: [:], unlock: .entitlement($1)) }
    catalog.products = [
      Product(id: "removeads", kind: .nonConsumable, name: ["en": "Remove Ads"], price: ["USD": "1.99"], grants: ["ad_free"]),
      Product(id: "theme.aurora", kind: .nonConsumable, name: ["en": "Aurora"], price: ["USD": "0.99"], grants: ["theme.aurora"]),
      Product(id: "theme.inferno", kind: .nonConsumable, name: ["en": "Inferno"], price: ["USD": "0.99"], grants: ["theme.inferno"]),
      Product(
        id: "premium", kind: .nonConsumable, name: ["en": "Premium"], price: ["USD": "4.99"],
        grants: ["theme.doctorping", "theme.spacetravel", "premium"], includesAll: true),
      Product(id: "coins", kind: .consumable, name: ["en": "Coins"], price: ["USD": "0.49"]),
    ]
    var placement = Placement(id: "game_over", format: .interstitial, event: "game_over", every: .parameter("every"))
    placement.exempt = ["ad_free"]
    catalog.placements = [placement]
    return catalog
  }()

  /// A small version of Kidsdoku2: a monthly and a yearly subscription in one group, which grant Pro, and a gate that Pro opens.
  static let sudokuShop: Catalog = {
    var catalog = Catalog(game: "sudoku", title: "Sudoku", locales: ["en"])
    catalog.purchases = .games
    catalog.premium = "yearly"
    catalog.parameters = [.plain("free_puzzles", .integer, .value(3))]
    func plan(_ id: String, _ level: Int, _ unit: CalendarPeriod.Unit, _ price: String, grace: Int? = nil) -> Product {
      Product(
        id: id, storeID: id, kind: .autoRenewable, name: ["en": id], price: ["USD": price], grants: ["Pro"],
        subscription: Subscription(
          group: "pro", level: level, period: CalendarPeriod(count: 1, unit: unit),
          gracePeriod: grace.map { CalendarPeriod(count: $0, unit: .day) }))
    }
    catalog.products = [plan("monthly", 2, .month, "2.99", grace: 16), plan("yearly", 1, .year, "24.99")]
    catalog.offerings = [
      Offering(id: "default", packages: [.init(id: "$rc_monthly", product: "monthly"), .init(id: "$rc_annual", product: "yearly")])
    ]
    if let lockedWhen = try? LogicExpression(compiling: [">": [["var": "number"], ["parameter": "free_puzzles"]]]) {
      catalog.gates = [
        Gate(id: "premium_puzzles", arguments: [Gate.Argument(name: "number", type: .integer)], lockedWhen: lockedWhen, unless: ["Pro"])
      ]
    }
    return catalog
  }()
}
