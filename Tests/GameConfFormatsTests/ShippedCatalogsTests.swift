// Compares the shipped catalogs with the requirements of each game, row by row.

import GameConfCore
import Testing

@Suite("Parameters of shipped catalogs")
struct ShippedCatalogsTests {
  @Test("a shipped catalog has no faults and no warnings", arguments: ShippedTable.games)
  func clean(game: String) throws {
    let reading = try ShippedCatalogs.reading(of: game)
    #expect(reading.report == [])
    #expect(reading.warnings.map(\.description) == [])
    #expect(reading.catalog?.game == game)
  }

  @Test("a shipped parameter has its expected type, default, range, section, unit and flag kind", arguments: ShippedTable.rows)
  func row(row: ShippedRow) throws {
    let parameter = try ShippedCatalogs.parameter(row.key, of: row.game)
    #expect(parameter.type.rawValue == row.type)
    if row.defaultValue != "elsewhere" { #expect(Words.of(parameter.defaultValue) == row.defaultValue) }
    #expect(Words.of(parameter.range) == row.range)
    #expect(parameter.section == row.section)
    #expect(parameter.unit ?? "" == row.unit)
    #expect((parameter.isPlayerSetting ? "player" : parameter.flag?.rawValue ?? "") == row.mark)
    #expect(parameter.description.hasSuffix("."), "a description is a sentence")
    #expect(parameter.rules.isEmpty || row.key == "order_length_max")
  }

  @Test("a shipped catalog has exactly the expected parameters", arguments: ShippedTable.games)
  func nothingElse(game: String) throws {
    let keys = Set(try ShippedCatalogs.catalog(of: game).parameters.map(\.key))
    #expect(keys == Set(ShippedTable.rows.filter { $0.game == game }.map(\.key)))
  }

  @Test("a shipped parameter of type double has that type even if its default is a whole number")
  func doublesStayDoubles() throws {
    #expect(try ShippedCatalogs.parameter("arcade_radius_base", of: "wheresthedot").defaultValue == .value(.double(18)))
    #expect(try ShippedCatalogs.parameter("dart_size", of: "dartsscore").defaultValue == .value(.integer(30)))
  }

  @Test(
    "a shipped parameter has its list of allowed values",
    arguments: [
      ("dartsscore", "attempts", "[5,10,15,20]"),
      ("dartsscore", "dart_image", #"["dart1","dart2","dart3","dart4","dart5","dartFlipH1","dartFlipH2","dart1Rotate180"]"#),
      ("adventure", "open_answer_match", #"["exact","casefold","diacritic_fold"]"#),
    ])
  func allowed(game: String, key: String, values: String) throws {
    let allowed = try #require(try ShippedCatalogs.parameter(key, of: game).allowed)
    #expect(JSONWriter.text(.list(allowed)) == values)
  }

  @Test("default_theme of a shipped catalog accepts themes that can be earned, and selected_theme accepts unlocked themes")
  func themeParameters() throws {
    #expect(try ShippedCatalogs.parameter("default_theme", of: "wheresthedot").oneOf == .earnableThemes)
    #expect(try ShippedCatalogs.parameter("selected_theme", of: "wheresthedot").oneOf == .unlockedThemes)
  }

  @Test("the sections and player settings of Darts Score have titles in both of its languages")
  func titles() throws {
    let catalog = try ShippedCatalogs.catalog(of: "dartsscore")
    func isNamed(_ texts: Value?) -> Bool { catalog.locales.allSatisfy { texts?[$0]?.stringValue?.isEmpty == false } }
    for parameter in catalog.parameters {
      #expect(isNamed(catalog.extensions["x-sections"]?[parameter.section]), "\(parameter.section)")
      if parameter.isPlayerSetting { #expect(isNamed(parameter.extensions["x-title"]), "\(parameter.key)") }
    }
  }

  @Test("players of RememberSquare can choose size and speed only if a flag is on")
  func gatedSettings() throws {
    for (key, flag) in [("grid_side", "grid_sizes_enabled"), ("speed_mode", "difficulty_modes_enabled")] {
      #expect(try ShippedCatalogs.parameter(key, of: "remembersquare").settingFlag == flag)
    }
    let modes = try #require(try ShippedCatalogs.parameter("speed_mode", of: "remembersquare").allowed)
    guard case .value(let speeds) = try ShippedCatalogs.parameter("speed_modes", of: "remembersquare").defaultValue else {
      throw ShippedCatalogFault(description: "speed_modes has no value")
    }
    #expect(modes.compactMap(\.stringValue) == speeds.objectValue?.names)
  }

  @Test(
    "a shipped catalog has its expected locales, modes and events",
    arguments: [
      ("wheresthedot", "en es", "classic arcade daily", "game_over(wrongTap timeUp) score"),
      ("remembersquare", "en", "", "round_over(success failure) score"),
      ("dartsscore", "en ru", "", "game_over() score"),
      ("kidsdoku2", "en", "3x3 4x4 6x6", "puzzle_solved() score, random_solved() score, daily_solved() score"),
      ("adventure", "en fr", "", "level_passed(), chapter_passed()"),
    ])
  func header(game: String, locales: String, modes: String, events: String) throws {
    let catalog = try ShippedCatalogs.catalog(of: game)
    #expect(catalog.locales.joined(separator: " ") == locales)
    #expect(catalog.modes.joined(separator: " ") == modes)
    let counted = catalog.events.filter { !$0.isAnalytics }
    let written = counted.map { "\($0.name)(\($0.reasons.joined(separator: " ")))" + ($0.carriesScore ? " score" : "") }
    #expect(written.joined(separator: ", ") == events)
  }

  @Test("wheresthedot declares 25 analytics events, and kidsdoku2 its screen views")
  func analytics() throws {
    let words = """
      select_game_mode game_over game_ended game_quit round_correct open_themes select_theme theme_unlocked unlock_theme open_store
      purchase_initiated purchase_completed onboarding_started onboarding_intro_dismissed onboarding_completed onboarding_skipped
      leaderboard_opened achievements_opened open_settings sound_enabled sound_disabled haptics_enabled haptics_disabled
      color_blind_mode_enabled color_blind_mode_disabled
      """
    let events = try ShippedCatalogs.catalog(of: "wheresthedot").events
    #expect(Set(events.map(\.name)) == Set(words.split(whereSeparator: \.isWhitespace).map(String.init)))
    #expect(events.filter { !$0.isAnalytics }.map(\.name) == ["game_over"])
    let details = events.filter { !$0.details.isEmpty }.map { "\($0.name) \($0.details.map(\.name).joined(separator: " "))" }
    #expect(
      details == [
        "select_theme theme", "theme_unlocked theme", "unlock_theme theme", "purchase_initiated product", "purchase_completed product",
      ])
    let screen = try #require(try ShippedCatalogs.catalog(of: "kidsdoku2").events.first { $0.name == "screen_view" })
    #expect(screen.isAnalytics && screen.details.map(\.name) == ["screen_name"])
  }

  @Test(
    "a shipped catalog has the expected best results and leaderboards, with the expected modes, details and keys",
    arguments: [
      ("wheresthedot", "", "classic game_over classic, arcade game_over arcade"),
      ("remembersquare", "", "rounds round_over order_length grid_side speed_mode"),
      ("dartsscore", "", ""), ("kidsdoku2", "puzzle_solved by puzzle, daily_solved by seed", "daily daily_solved daily_challenge_seed"),
      ("adventure", "level_passed by chapter.level", ""),
    ])
  func bests(game: String, bests: String, boards: String) throws {
    let catalog = try ShippedCatalogs.catalog(of: game)
    let listed = catalog.events.filter { !$0.bestBy.isEmpty }.map { "\($0.name) by \($0.bestBy.joined(separator: "."))" }
    #expect(listed.joined(separator: ", ") == bests)
    let shown = catalog.leaderboards.map { "\($0.id) \($0.event) \($0.mode ?? $0.per.joined(separator: " "))" }
    #expect(shown.joined(separator: ", ") == boards)
  }

  @Test(
    "a shipped catalog has its purchase simulation, premium product, bundle id and audience",
    arguments: [
      ("wheresthedot", PurchaseSimulation.games, "premium", "com.optionalsankur.Dotto", false),
      ("remembersquare", .off, nil, nil, false),
      ("dartsscore", .off, nil, nil, false),
      ("kidsdoku2", .games, "yearly_sub_2", nil, true),
      ("adventure", .off, nil, nil, false),
    ] as [(String, PurchaseSimulation, String?, String?, Bool)])
  func selling(game: String, purchases: PurchaseSimulation, premium: String?, bundle: String?, forChildren: Bool) throws {
    let catalog = try ShippedCatalogs.catalog(of: game)
    #expect(catalog.purchases == purchases)
    #expect(catalog.premium == premium)
    #expect(catalog.bundle == bundle)
    #expect(catalog.childDirected == forChildren)
  }

  @Test("themes, products and milestones of a shipped catalog have names in each of its locales", arguments: ShippedTable.games)
  func names(game: String) throws {
    let catalog = try ShippedCatalogs.catalog(of: game)
    for theme in catalog.themes { #expect(Set(theme.name.keys) == Set(catalog.locales), "\(theme.id)") }
    for product in catalog.products { #expect(Set(product.name.keys) == Set(catalog.locales), "\(product.id)") }
    for milestone in catalog.milestones { #expect(Set(milestone.name.keys) == Set(catalog.locales), "\(milestone.id)") }
  }
}
