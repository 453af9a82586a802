// Tests that the catalog reader reads each feature of the format from one catalog that uses them all.

import GameConfCore
import Testing

@Suite("A catalog with every feature")
struct CatalogWholeTests {
  static let text = CatalogText(
    """
    gameconf: 1
    game: mine
    title: Where's The Dot
    bundle: com.example.Dotto
    locales: [en, es]
    modes: [classic, arcade, daily]
    events:
      game_over: {reasons: [wrongTap, timeUp], score: true}
      puzzle_solved: {score: true, modes: [classic], details: {puzzle: {pattern: "^[0-9]+$"}, mistakes: {type: integer, range: {min: 0}, optional: true}, level: {enum: [a, b]}}, best_by: puzzle.level, history: 50}
      select_theme: {kind: analytics, details: {theme: {one_of: {themes: all}}}}
    log_events: true
    leaderboards:
      classic: {event: game_over, mode: classic, rows: 10}
      lengths: {event: game_over, per: {parameter: grid_side}, rows: {parameter: order_length}, enabled: {parameter: arcade_mode_enabled}}
    child_directed: false                      # true: placements are refused
    simulation: {purchases: games}
    fractional: v2
    premium: premium
    extra_flags: true
    source: {file: /srv/mine.json, activate: manual}

    parameters:
      arcade_time_limit_base:
        type: double
        default: 2.5
        unit: s
        range: {min: 0.5, max: 10, step: 0.1}
        section: Gameplay tuning
        description: Seconds on the arcade timer at level 1.
      arcade_mode_enabled:
        type: boolean
        default: true
        flag: release
        section: Feature flags
        description: Offers arcade mode in the main menu.
        rules:
          - match: {platform: [ios, mac], app_version: "<1.4.0"}
            value: false
          - when: {"in": [{var: country}, [SE, "NO"]]}
            percent: 10
            seed: mine
            value: true
          - percent: {from: 0, to: 100, start: 2026-12-01T00:00:00Z, end: 2026-12-08T00:00:00Z}
            value: true
      default_theme:  {type: string, default: neon, one_of: {themes: free}, section: Themes, description: d}
      selected_theme: {type: string, default: {parameter: default_theme}, one_of: {themes: unlocked}, player_setting: true, section: Themes, description: d}
      daily_seed:     {type: string, default: {daily_hash: mine-daily}, section: Daily, description: d}
      grid_layout:
        type: string
        flagd: {state: ENABLED, variants: {wide: wide, tall: tall}, defaultVariant: wide, targeting: {fractional: [[wide, 50], [tall, 50]]}}
        section: Board
        description: How the grid is laid out.
      grid_side: {type: integer, default: 4, enum: [3, 4, 5], section: Board, description: d}
      order_length: {type: integer, default: 6, range: {above: 0, max: {parameter: order_length_max}}, section: Board, description: d}
      order_length_max: {type: integer, default: 16, section: Board, description: d}
      word: {type: string, default: abc, pattern: "^[a-c]+$", max_length: 3, secret: true, section: Board, description: d}
      name: {type: localized, default: {en: Tiny Tales, es: Cuentos}, section: Board, description: d}
      points: {type: list, default: [{from: 0}, {from: 2}], schema: {items: {required: [from]}, rising_by: from}, section: Board, description: d}
      milestone_score: {type: integer, default: 50, section: Themes, description: d}
      dark_mode_enabled: {type: boolean, default: false, flag: kill_switch, section: Themes, description: d}

    constraints:
      order_fits_board:
        require: {"<=": [{parameter: order_length_max}, {"*": [{parameter: grid_side}, {parameter: grid_side}]}]}
        message: The longest order must fit the board.

    milestones:
      forest:     {count: lifetime_score, at: {parameter: milestone_score}}
      score10:    {count: {best_score: classic}, at: 10, achievement: true}
      play_10:    {count: games_played, at: 10, achievement: true, progressive: true}
      over_3:     {count: {events: game_over}, at: 3, name: {en: Three}}
      got_forest: {count: {unlocked: forest}, achievement: true}

    theme_schema: {required: [background, grid, dot_shape]}
    themes:
      neon:   {name: {en: Neon, es: Neón}, unlock: free, attributes: {background: "#05060A", grid: "#22D3EE", dot_shape: circle}}
      forest: {name: {en: Forest, es: Bosque}, unlock: {milestone: forest}, attributes: {background: "#050D07", grid: "#4ADE80", dot_shape: {random_assets: {prefix: forest_dot, count: 5}}}}
      aurora: {name: {en: Aurora}, unlock: {entitlement: theme.aurora}, attributes: {background: "#030A15", grid: "#BAE6FD", dot_shape: x}}
      dark:   {unlock: {parameter: dark_mode_enabled}, attributes: {background: "#000", grid: "#fff", dot_shape: x}}

    products:
      removeads: {type: non_consumable, name: {en: Remove Ads}, price: {USD: "1.99"}, grants: [ad_free]}
      premium:   {type: non_consumable, name: {en: Premium Bundle}, price: {USD: 4.99}, includes: all, grants: [theme.aurora, premium]}
      monthly_sub_2:
        {type: auto_renewable, name: {en: Monthly}, store_id: monthly_sub_2, group: pro, level: 2, period: P1M, grants: [Pro], grace_period: P16D,
         intro: {mode: free_trial, period: P3D}, x-storekit: {a: 1}}
    offerings: {default: {$rc_monthly: monthly_sub_2}}

    placements:
      game_over:
        format: interstitial
        event: game_over
        every: {parameter: order_length}
        enabled: {parameter: arcade_mode_enabled}
        exempt: [ad_free]
        on_no_fill: drop_slot
        offset: 1
        min_seconds: 60
        first_ad_delay_seconds: 30.5
        grace_events: 2
        grace_visits: 1
        after_rewarded_seconds: 120
        caps: [{count: 3, per: hour}, {count: 10, per: day}]

    gates:
      premium_puzzles: {args: {number: integer}, locked_when: {">": [{var: number}, {parameter: grid_side}]}, unless: [Pro]}
    """, header: "")

  private func catalog() throws -> Catalog {
    let reading = Self.text.read()
    #expect(reading.report == [])
    #expect(reading.warnings == [])
    return try #require(reading.catalog)
  }

  private func parameter(_ key: String) throws -> Parameter {
    try #require(try catalog().parameters.first { $0.key == key })
  }

  @Test("events with details and leaderboards are read from a catalog")
  func events() throws {
    let catalog = try catalog()
    let solved = try #require(catalog.events.first { $0.name == "puzzle_solved" })
    #expect(solved.modes == ["classic"] && solved.bestBy == ["puzzle", "level"] && !solved.isAnalytics)
    #expect(solved.details.map(\.name) == ["puzzle", "mistakes", "level"] && solved.details.map(\.isOptional) == [false, true, false])
    #expect(solved.details.map(\.admits.type) == [.string, .integer, .string])
    #expect(solved.details[1].admits.range == NumericRange(min: .number(0)) && solved.details[2].admits.allowed == ["a", "b"])
    let chosen = try #require(catalog.events.first { $0.name == "select_theme" })
    #expect(chosen.isAnalytics && chosen.details[0].admits.oneOf == .allThemes)
    #expect(
      catalog.leaderboards == [
        Leaderboard(id: "classic", event: "game_over", mode: "classic", rows: .number(.integer(10))),
        Leaderboard(
          id: "lengths", event: "game_over", per: ["grid_side"], rows: .parameter("order_length"),
          enabled: .parameter("arcade_mode_enabled")),
      ])
    let shown = CatalogDescription.value(of: catalog)
    #expect(
      shown["events"]?.listValue?[1] == [
        "event": "puzzle_solved", "reasons": [], "score": true, "modes": ["classic"],
        "details": [
          "puzzle": ["type": "string", "pattern": "^[0-9]+$"], "mistakes": ["type": "integer", "optional": true, "range": ["min": 0]],
          "level": ["type": "string", "enum": ["a", "b"]],
        ], "best_by": "puzzle.level", "history": 50,
      ])
    #expect(
      shown["leaderboards"]?.listValue?[1] == [
        "id": "lengths", "event": "game_over", "per": ["parameter": "grid_side"], "rows": ["parameter": "order_length"],
        "enabled": ["parameter": "arcade_mode_enabled"],
      ])
  }

  @Test("the header of a catalog is read")
  func header() throws {
    let catalog = try catalog()
    #expect(catalog.title == "Where's The Dot")
    #expect(catalog.modes == ["classic", "arcade", "daily"])
    #expect(catalog.events.first == EventDefinition(name: "game_over", reasons: ["wrongTap", "timeUp"], carriesScore: true))
    #expect(catalog.logsEvents)
    #expect((catalog.purchases, catalog.fractional, catalog.premium) == (.games, .v2, "premium"))
    #expect(catalog.extraFlags)
    #expect(catalog.source == TemplateSource(file: "/srv/mine.json", activatesByHand: true))
  }

  @Test("ranges, allowed values and patterns of parameters are read from a catalog")
  func bounds() throws {
    #expect(try parameter("arcade_time_limit_base").range == NumericRange(min: .number(0.5), max: .number(10.0), step: 0.1))
    #expect(try parameter("order_length").range == NumericRange(max: .parameter("order_length_max"), above: .number(0)))
    #expect(try parameter("grid_side").allowed == [3, 4, 5])
    let word = try parameter("word")
    #expect((word.pattern?.source, word.lengthMax, word.isSecret) == ("^[a-c]+$", 3, true))
    #expect(try parameter("selected_theme").oneOf == .unlockedThemes)
    #expect(try parameter("points").schema?.source["rising_by"] == "from")
  }

  @Test("defaults of parameters are read from a catalog")
  func defaults() throws {
    #expect(try parameter("selected_theme").defaultValue == .parameter("default_theme"))
    #expect(try parameter("daily_seed").defaultValue == .dailyHash(salt: "mine-daily"))
    #expect(try parameter("grid_layout").defaultValue == .value("wide"))
    #expect(try parameter("name").defaultValue == .value(["en": "Tiny Tales", "es": "Cuentos"]))
  }

  @Test("rules and flagd flags are read from a catalog")
  func rules() throws {
    let rules = try parameter("arcade_mode_enabled").rules
    #expect(rules.map(\.value) == [.value(false), .value(true), .value(true)])
    #expect(rules[0].condition?.reads.attributes == ["platform", "app_version"])
    #expect(rules[1].percent == Percent(seed: "mine", from: 10_000_000))
    let week = Percent.Progress(to: 100_000_000, start: Instant(seconds: 1_796_083_200), end: Instant(seconds: 1_796_688_000))
    #expect(rules[2].percent == Percent(from: 0, progress: week))
    let flag = try #require(try parameter("grid_layout").flagd)
    #expect((flag.isEnabled, flag.defaultVariant, flag.variants) == (true, "wide", ObjectValue([("wide", "wide"), ("tall", "tall")])))
    #expect(flag.targeting != nil)
  }

  @Test("constraints, milestones, themes and gates are read from a catalog")
  func content() throws {
    let catalog = try catalog()
    #expect(catalog.constraints.map(\.require.reads.parameters) == [["order_length_max", "grid_side"]])
    #expect(
      catalog.milestones.map(\.metric) == [
        .lifetimeScore, .bestScore(mode: "classic"), .gamesPlayed, .events("game_over"), .unlocked(milestone: "forest"),
      ])
    #expect(catalog.milestones.map(\.threshold) == [.parameter("milestone_score"), .number(10), .number(10), .number(3), .number(1)])
    #expect(
      catalog.themes.map(\.unlock) == [.free, .milestone("forest"), .entitlement("theme.aurora"), .parameter("dark_mode_enabled")])
    #expect(catalog.themes.last?.name == ["en": "dark"])
    #expect(catalog.gates.first?.arguments == [Gate.Argument(name: "number", type: .integer)])
  }

  @Test("products and ad placements are read from a catalog")
  func store() throws {
    let catalog = try catalog()
    #expect(
      catalog.products.map { catalog.storeID(of: $0) } == ["com.example.Dotto.removeads", "com.example.Dotto.premium", "monthly_sub_2"])
    #expect(catalog.products[1].includesAll)
    #expect(catalog.products[1].price == ["USD": "4.99"])
    let subscription = try #require(catalog.products[2].subscription)
    #expect(subscription.intro?.period == CalendarPeriod(count: 3, unit: .day))
    #expect(subscription.gracePeriod == CalendarPeriod(count: 16, unit: .day))
    #expect(catalog.products[2].extensions["x-storekit"] == ["a": 1])
    #expect(catalog.offerings == [Offering(id: "default", packages: [.init(id: "$rc_monthly", product: "monthly_sub_2")])])
    let placement = try #require(catalog.placements.first)
    #expect((placement.every, placement.enabled) == (.parameter("order_length"), .parameter("arcade_mode_enabled")))
    #expect(placement.firstAdDelaySeconds == .number(30.5))
    #expect(placement.caps == [.init(count: .number(3), per: .hour), .init(count: .number(10), per: .day)])
  }

  @Test("a catalog's description contains every part and masks secrets")
  func description() throws {
    let described = CatalogDescription.value(of: try catalog())
    let parameters = try #require(described["parameters"]?.listValue)
    #expect(parameters.count == 14)
    #expect(parameters.first?["range"] == ["min": 0.5, "max": 10.0, "step": 0.1])
    let word = parameters.first { $0["key"] == "word" }
    #expect(word?["default"] == CatalogDescription.mask)
    #expect(!JSONWriter.text(described).contains("abc"))
    #expect(JSONWriter.text(CatalogDescription.value(of: try catalog(), showsSecrets: true)).contains("abc"))
    #expect(described["products"]?.listValue?.count == 3)
    #expect(described["placements"]?.listValue?.first?["caps"]?.listValue?.count == 2)
    #expect(described["themes"]?.listValue?.map { $0["id"] } == ["neon", "forest", "aurora", "dark"])
  }
}
