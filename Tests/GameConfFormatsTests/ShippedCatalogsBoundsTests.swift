// Tests which values the parameters of the shipped catalogs accept at their limits, and which combinations the constraints reject.

import GameConfCore
import Testing

@Suite("Bounds and constraints in shipped catalogs")
struct ShippedCatalogsBoundsTests {
  /// The defaults of a game's parameters, with some values replaced.
  struct OverriddenDefaults: ParameterLookup {
    let defaults: CatalogDefaults
    var changed: ObjectValue

    func value(ofParameter key: String) -> Value? { changed[key] ?? defaults.value(ofParameter: key) }
  }

  @Test(
    "a shipped parameter accepts values at its bounds and rejects values just beyond them",
    arguments: [
      ("wheresthedot", "arcade_time_limit_base", "0.5 10 2.5", "0.4 10.1 0.55"),
      ("wheresthedot", "arcade_time_limit_min", "0.1 10", "0.09 10.01"),
      ("wheresthedot", "arcade_difficulty_step", "1 20 2.0", "0 21 2.5 true"),
      ("wheresthedot", "memory_cover_duration", "0.1 2 0.45", "0.05 2.05 0.46"),
      ("wheresthedot", "arcade_radius_base", "0.1 1000", "0 -1"),
      ("wheresthedot", "arcade_radius_variation_from_level", "1 100", "0 101"),
      ("wheresthedot", "theme_forest_milestone", "5 1000", "0 1 52 1005"),
      ("wheresthedot", "interstitial_every_n_game_overs", "1 100", "0 101"),
      ("wheresthedot", "remote_min_fetch_interval", "0 86400", "-1 86401"),
      ("wheresthedot", "default_theme", #""neon" "forest""#, #""inferno" "aurora" """#),
      ("wheresthedot", "selected_theme", #""neon" "aurora""#, #""nowhere""#),
      ("wheresthedot", "daily_seed", #""00ff00ff00ff00ff""#, #""00FF00FF00FF00FF" "0""#),
      ("remembersquare", "grid_side", "3 5", "2 6"),
      ("remembersquare", "order_length", "4 16", "3 17"),
      ("remembersquare", "preview_on_ms", "50 5000", "49 5001"),
      ("remembersquare", "preview_off_ms", "0 5000", "-1 5001"),
      ("remembersquare", "color_preview", ##""yellow" "#FFcc00""##, ##""" "Yellow" "#FFF""##),
      ("remembersquare", "speed_modes", #"{"easy":2,"normal":1,"hard":0.1}"#, #"{"easy":2,"normal":1,"hard":0} {"easy":2,"normal":1}"#),
      ("dartsscore", "attempts", "5 10 15 20", "0 6 25"),
      ("dartsscore", "time_for_answer_ms", "10000 60000", "5000 12000 65000"),
      ("dartsscore", "timer_warning_ms", "0 14999", "-1 15000"),
      ("dartsscore", "dart_image", #""dart5" "dartFlipH2""#, #""dart6""#),
      ("dartsscore", "dart_size", "20 40", "19 41"),
      ("dartsscore", "sound_tap_volume", "0 1 0.5", "-0.1 1.1"),
      (
        "dartsscore", "sector_order", "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]",
        "[1,1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20] [0,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20] [1,2,3]"
      ),
      ("kidsdoku2", "givens_3x3", "1 9", "0 10"),
      ("kidsdoku2", "givens_6x6", "1 36", "0 37"),
      ("kidsdoku2", "subgrid_6x6", #"{"rows":3,"cols":2}"#, #"{"rows":2,"cols":2} {"rows":6} {"rows":-2,"cols":-3}"#),
      ("kidsdoku2", "free_puzzles_per_section", "0 1000", "-1 1001"),
      ("kidsdoku2", "symbol_groups", #"["sea"]"#, #"[] ["sea","sea"] ["see"]"#),
      (
        "kidsdoku2", "layout", "",
        #"{"max_content_width":0,"regular_top_spacing":70,"puzzle_card_corner_radius":24,"puzzle_button_height":100}"#
      ),
      (
        "kidsdoku2", "rating_tiers", #"[{"from":0,"stars":3.0},{"from":4,"stars":0.0}]"#,
        #"[] [{"from":1,"stars":3.0}] [{"from":0,"stars":3.0},{"from":0,"stars":2.0}] [{"from":0,"stars":2.0},{"from":4,"stars":2.0}]"#
      ),
      (
        "kidsdoku2", "rank_badges", #"[{"name":"One","min":0.0}]"#,
        #"[{"name":"One","min":0.5},{"name":"Two","min":0.5}] [{"name":"One","min":0.5},{"name":"One","min":0.0}]"#
      ),
      ("kidsdoku2", "quest_name_3x3", #"{"en":"Tales"}"#, #"{} {"en":"Tales","fr":"Contes"} "Tales""#),
      (
        "kidsdoku2", "difficulty_names_3x3", #"{"easy":{"en":"A"},"normal":{"en":"B"},"hard":{"en":"C"}}"#,
        #"{"easy":{"en":"A"},"normal":{"en":"B"}} {"easy":"A","normal":"B","hard":"C"} {"easy":{"en":"A"},"normal":{"en":"B"},"hard":{"en":"C","fr":"D"}}"#
      ),
      ("adventure", "open_answer_match", #""exact" "diacritic_fold""#, #""fuzzy""#),
    ])
  func edges(game: String, key: String, admitted: String, refused: String) throws {
    let catalog = try ShippedCatalogs.catalog(of: game)
    let parameter = try ShippedCatalogs.parameter(key, of: game)
    let defaults = CatalogDefaults(catalog)
    func admission(_ text: Substring) throws -> AdmissionResult {
      let value = try JSONReader.value(from: String(text))
      return ParameterAdmission.admission(of: value, for: parameter, in: catalog, use: .gameWide, lookup: defaults)
    }
    for text in admitted.split(separator: " ") { #expect(try admission(text).faults == [], "\(text)") }
    for text in refused.split(separator: " ") { #expect(try admission(text).value == nil, "\(text)") }
  }

  @Test(
    "a shipped constraint rejects values of parameters that contradict each other",
    arguments: [
      ("remembersquare", #"{"order_length_max":17}"#, "order_fits_board"),
      ("remembersquare", #"{"grid_side":3}"#, "order_fits_board"),
      ("remembersquare", #"{"grid_side":3,"order_length_max":9}"#, ""),
      ("remembersquare", #"{"grid_side":5,"order_length_max":25}"#, ""),
      ("remembersquare", #"{"order_length_min":5,"order_length_max":4}"#, "order_length_bounds_in_order"),
      ("remembersquare", #"{"grid_side":3,"order_length_max":9,"order_length":10}"#, "order_fits_board_without_repeats"),
      ("remembersquare", #"{"grid_side":3,"order_length_max":9,"order_length":10,"sequence_allow_repeats":true}"#, ""),
      ("dartsscore", #"{"result_melody_seconds_min":31}"#, "melody_seconds_in_order"),
      ("dartsscore", #"{"result_melody_seconds_min":30}"#, ""),
      ("kidsdoku2", #"{"grid_columns_min":5}"#, "grid_columns_in_order"),
      ("kidsdoku2", #"{"rank_badges":[{"name":"Legend","min":2.75}]}"#, "a_badge_for_no_stars"),
      ("adventure", #"{"start_chapter":5}"#, "start_is_a_level"),
      ("adventure", #"{"start_chapter":0}"#, "start_is_a_level"),
      ("adventure", #"{"start_chapter":2,"start_level":2}"#, "start_is_a_level"),
      ("adventure", #"{"start_level":-1}"#, "start_is_a_level"),
      ("adventure", #"{"start_chapter":3,"start_level":3}"#, ""),
    ])
  func constraints(game: String, changed: String, broken: String) throws {
    let catalog = try ShippedCatalogs.catalog(of: game)
    let changed = try #require(try JSONReader.value(from: changed).objectValue)
    for key in changed.names { _ = try ShippedCatalogs.parameter(key, of: game) }
    let values = OverriddenDefaults(defaults: CatalogDefaults(catalog), changed: changed)
    let input = LogicInput(context: ObjectValue(), flagKey: "", now: Instant(seconds: 0))
    let failing = catalog.constraints.filter { !$0.require.holds(input, parameters: values) }
    #expect(failing.map(\.id).joined(separator: " ") == broken)
    #expect(failing.allSatisfy { $0.message.hasSuffix(".") })
  }
}
