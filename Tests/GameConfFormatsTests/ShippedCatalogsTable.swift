// The table of the expected parameters of each shipped game, with one row for each parameter.

import Testing

/// The expected properties of one parameter of a shipped game, as text.
struct ShippedRow: Sendable, CustomTestStringConvertible {
  let game: String
  let key: String
  let type: String
  /// The default as JSON. A reference to another parameter is `= KEY`, and a daily hash is `daily_hash SALT`.
  let defaultValue: String
  /// The range as `MIN…MAX`, `>ABOVE` or `MIN…<BELOW`, followed by ` step STEP` if it has a step; empty without a range.
  let range: String
  let section: String
  let unit: String
  /// The kind of flag if the parameter is a flag, or `player` if players choose its value; otherwise empty.
  let mark: String

  var testDescription: String { "\(game) \(key)" }

  /// Parses a row with the columns key, type, default, range, section, unit and mark.
  init(_ line: Substring, of game: String) {
    var columns = line.split(separator: "|", omittingEmptySubsequences: false).map(Self.trimmed)
    while columns.count < 7 { columns.append("") }
    self.game = game
    key = columns[0]
    type = columns[1]
    defaultValue = columns[2] == "below" ? ShippedTable.longDefaults[columns[0]] ?? "missing below" : columns[2]
    range = columns[3]
    section = columns[4]
    unit = columns[5]
    mark = columns[6]
  }

  private static func trimmed(_ column: Substring) -> String {
    column.split(separator: " ").joined(separator: " ")
  }
}

/// The expected parameters of the five shipped games.
enum ShippedTable {
  static let games = ["wheresthedot", "remembersquare", "dartsscore", "kidsdoku2", "adventure"]

  static let rows: [ShippedRow] = [
    ("wheresthedot", wheresthedot), ("remembersquare", remembersquare), ("dartsscore", dartsscore), ("kidsdoku2", kidsdoku2),
    ("adventure", adventure),
  ].flatMap { game, table in table.split(separator: "\n").map { ShippedRow($0, of: game) } }

  private static let wheresthedot = """
    arcade_time_limit_base             | double  | 2.5                           | 0.5…10 step 0.1 | Gameplay tuning  | s
    arcade_time_limit_min              | double  | 0.8                           | 0.1…10          | Gameplay tuning  | s
    arcade_time_limit_per_level        | double  | 0.08                          | 0…1             | Gameplay tuning  | s
    arcade_difficulty_step             | integer | 5                             | 1…20            | Gameplay tuning  | points
    memory_cover_duration              | double  | 0.45                          | 0.1…2 step 0.05 | Gameplay tuning  | s
    arcade_radius_base                 | double  | 18.0                          | >0              | Gameplay tuning  | pt
    arcade_radius_min                  | double  | 9.0                           | >0              | Gameplay tuning  | pt
    arcade_radius_per_level            | double  | 1.0                           | >0              | Gameplay tuning  | pt
    arcade_min_distance_base           | double  | 40.0                          | >0              | Gameplay tuning  | pt
    arcade_min_distance_min            | double  | 22.0                          | >0              | Gameplay tuning  | pt
    arcade_min_distance_per_level      | double  | 1.5                           | >0              | Gameplay tuning  | pt
    arcade_cover_min                   | double  | 0.15                          | 0…2             | Gameplay tuning  | s
    arcade_cover_per_level             | double  | 0.02                          | 0…2             | Gameplay tuning  | s
    arcade_radius_variation_per_level  | double  | 2.0                           | 0…50            | Gameplay tuning  | pt
    arcade_radius_variation_max        | double  | 8.0                           | 0…50            | Gameplay tuning  | pt
    arcade_radius_variation_from_level | integer | 3                             | 1…100           | Gameplay tuning
    default_theme                      | string  | "neon"                        |                 | Themes
    theme_forest_milestone             | integer | 50                            | 1…1000 step 5   | Theme milestones | points
    theme_ocean_milestone              | integer | 200                           | 1…1000 step 5   | Theme milestones | points
    theme_cosmos_milestone             | integer | 300                           | 1…1000 step 5   | Theme milestones | points
    interstitial_every_n_game_overs    | integer | 3                             | 1…100           | Ads
    remote_min_fetch_interval          | integer | 3600                          | 0…86400         | Remote config    | s
    selected_theme                     | string  | = default_theme               |                 | Themes           |        | player
    daily_seed                         | string  | daily_hash wheresthedot-daily |                 | Daily
    sound_enabled                      | boolean | true                          |                 | Settings         |        | player
    haptics_enabled                    | boolean | true                          |                 | Settings         |        | player
    color_blind_mode_enabled           | boolean | false                         |                 | Settings         |        | player
    onboarding_enabled                 | boolean | true                          |                 | Feature flags    |        | kill_switch
    arcade_mode_enabled                | boolean | true                          |                 | Feature flags    |        | release
    daily_mode_enabled                 | boolean | true                          |                 | Feature flags    |        | release
    classic_mode_enabled               | boolean | true                          |                 | Feature flags    |        | ops
    store_enabled                      | boolean | true                          |                 | Feature flags    |        | ops
    leaderboards_enabled               | boolean | true                          |                 | Feature flags    |        | ops
    achievements_enabled               | boolean | true                          |                 | Feature flags    |        | ops
    music_enabled                      | boolean | true                          |                 | Feature flags    |        | ops
    """

  private static let remembersquare = """
    grid_side                   | integer | 4        | 3…5                               | Board         |    | player
    order_length                | integer | 6        | order_length_min…order_length_max | Difficulty    |    | player
    order_length_min            | integer | 4        | 1…25                              | Difficulty
    order_length_max            | integer | 16       | 1…25                              | Difficulty
    preview_on_ms               | integer | 500      | 50…5000                           | Preview       | ms
    preview_off_ms              | integer | 250      | 0…5000                            | Preview       | ms
    sequence_allow_repeats      | boolean | false    |                                   | Difficulty
    color_preview               | string  | "yellow" |                                   | Look
    color_correct               | string  | "green"  |                                   | Look
    color_incorrect             | string  | "red"    |                                   | Look
    selected_theme              | string  | "light"  |                                   | Look          |    | player
    speed_mode                  | string  | "normal" |                                   | Difficulty    |    | player
    speed_modes                 | object  | below    |                                   | Difficulty
    leaderboard_size            | integer | 10       | 1…100                             | Future
    haptics_enabled             | boolean | true     |                                   | Feature flags
    accessibility_announcements | boolean | true     |                                   | Feature flags
    input_locked_during_preview | boolean | true     |                                   | Feature flags
    order_length_locked_in_play | boolean | true     |                                   | Feature flags
    leaderboard_enabled         | boolean | false    |                                   | Feature flags |    | release
    sound_effects_enabled       | boolean | false    |                                   | Feature flags |    | release
    difficulty_modes_enabled    | boolean | false    |                                   | Feature flags |    | release
    grid_sizes_enabled          | boolean | false    |                                   | Feature flags |    | release
    dark_mode_enabled           | boolean | false    |                                   | Feature flags |    | release
    statistics_enabled          | boolean | false    |                                   | Feature flags |    | release
    """

  private static let dartsscore = """
    attempts                      | integer | 10      |                       | Game          |    | player
    time_for_answer_ms            | integer | 15000   | 10000…60000 step 5000 | Game          | ms | player
    answers_count                 | integer | 5       | 2…8                   | Game
    darts_per_attempt             | integer | 3       | 1…3                   | Game
    misses_enabled                | boolean | true    |                       | Look          |    | player
    dart_image                    | string  | "dart1" |                       | Look          |    | player
    dart_size                     | integer | 30      | 20…40                 | Look          | pt | player
    sector_order                  | list    | below   |                       | Target
    ring_multipliers              | object  | below   |                       | Target
    bad_result_ratio              | double  | 0.5     | 0…1                   | Results
    result_melody_seconds_min     | integer | 20      | 1…120                 | Sound         | s
    result_melody_seconds_max     | integer | 30      | 1…120                 | Sound         | s
    timer_warning_ms              | integer | 5300    | 0…<time_for_answer_ms | Game          | ms
    target_turns_on_answer        | integer | 1       | 0…3                   | Look
    history_max                   | integer | 50      | 1…500                 | Statistics
    sound_tap_enabled             | boolean | true    |                       | Sound         |    | player
    sound_timer_end_enabled       | boolean | true    |                       | Sound         |    | player
    sound_target_rotation_enabled | boolean | true    |                       | Sound         |    | player
    sound_game_result_enabled     | boolean | true    |                       | Sound         |    | player
    sound_result_good_enabled     | boolean | = sound_game_result_enabled |   | Sound         |    | player
    sound_result_bad_enabled      | boolean | = sound_game_result_enabled |   | Sound         |    | player
    sound_tap_volume              | double  | 0.5     | 0…1                   | Sound         |    | player
    sound_timer_end_volume        | double  | 0.5     | 0…1                   | Sound         |    | player
    sound_target_rotation_volume  | double  | 0.5     | 0…1                   | Sound         |    | player
    sound_result_good_volume      | double  | 0.5     | 0…1                   | Sound         |    | player
    sound_result_bad_volume       | double  | 0.5     | 0…1                   | Sound         |    | player
    statistics_enabled            | boolean | true    |                       | Feature flags |    | ops
    answers_history_enabled       | boolean | true    |                       | Feature flags |    | ops
    detailed_stats_enabled        | boolean | true    |                       | Feature flags |    | ops
    """

  private static let kidsdoku2 = """
    show_3x3_grid               | boolean   | true  |        | Boards           |  | player
    show_4x4_grid               | boolean   | true  |        | Boards           |  | player
    show_6x6_grid               | boolean   | true  |        | Boards           |  | player
    show_easy_difficulty        | boolean   | true  |        | Boards           |  | player
    show_normal_difficulty      | boolean   | true  |        | Boards           |  | player
    show_hard_difficulty        | boolean   | true  |        | Boards           |  | player
    hide_finished_puzzles       | boolean   | false |        | Boards           |  | player
    sound_enabled               | boolean   | true  |        | Settings         |  | player
    haptics_enabled             | boolean   | true  |        | Settings         |  | player
    appearance                  | string    | "light" |      | Settings         |  | player
    palette                     | string    | "storybook" |  | Settings         |  | player
    palettes                    | object    | below |        | Settings
    givens_3x3                  | integer   | 4     | 1…9    | Puzzle generator
    givens_4x4                  | integer   | 8     | 1…16   | Puzzle generator
    givens_6x6                  | integer   | 14    | 1…36   | Puzzle generator
    subgrid_3x3                 | object    | below |        | Puzzle generator
    subgrid_4x4                 | object    | below |        | Puzzle generator
    subgrid_6x6                 | object    | below |        | Puzzle generator
    free_puzzles_per_section    | integer   | 3     | 0…1000 | Premium
    puzzle_counts               | object    | below |        | Premium
    rating_tiers                | list      | below |        | Rating
    rank_badges                 | list      | below |        | Rating
    daily_challenge_seed        | string    | daily_hash kidsdoku2-daily | | Daily challenge
    daily_challenge_mode        | string    | "4x4" |        | Daily challenge
    quest_name_3x3              | localized | below |        | Names
    quest_name_4x4              | localized | below |        | Names
    quest_name_6x6              | localized | below |        | Names
    difficulty_names_3x3        | object    | below |        | Names
    difficulty_names_4x4        | object    | below |        | Names
    difficulty_names_6x6        | object    | below |        | Names
    symbol_groups               | list      | below |        | Boards
    correct_placement_volume    | double    | 0.6   | 0…1    | Sound
    layout                      | object    | below |        | Layout
    grid_columns_min            | integer   | 2     | 1…8    | Layout
    grid_columns_max            | integer   | 4     | 1…8    | Layout
    premium_button_enabled      | boolean   | true  |        | Feature flags    |  | ops
    paywall_enabled             | boolean   | true  |        | Feature flags    |  | ops
    tutorial_enabled            | boolean   | true  |        | Feature flags    |  | ops
    daily_challenge_enabled     | boolean   | false |        | Feature flags    |  | release
    multiplayer_enabled         | boolean   | false |        | Feature flags    |  | release
    custom_puzzles_enabled      | boolean   | false |        | Feature flags    |  | release
    achievements_enabled        | boolean   | false |        | Feature flags    |  | release
    statistics_enabled          | boolean   | false |        | Feature flags    |  | release
    color_blind_mode_enabled    | boolean   | false |        | Feature flags    |  | release
    dark_mode_enabled           | boolean   | false |        | Feature flags    |  | release
    cloud_sync_enabled          | boolean   | false |        | Feature flags    |  | release
    adaptive_difficulty_enabled | boolean   | false |        | Feature flags    |  | release
    undo_redo_enabled           | boolean   | false |        | Feature flags    |  | release
    widget_enabled              | boolean   | false |        | Feature flags    |  | release
    watch_app_enabled           | boolean   | false |        | Feature flags    |  | release
    """

  private static let adventure = """
    chapters                 | list    | elsewhere  |  | Content
    shuffle_answers          | boolean | true       |  | Rules
    hints_enabled            | boolean | true       |  | Rules
    allow_restart            | boolean | true       |  | Rules
    open_answer_match        | string  | "casefold" |  | Rules
    closed_questions_enabled | boolean | true       |  | Feature flags |  | kill_switch
    rotor_enabled            | boolean | true       |  | Feature flags |  | kill_switch
    open_questions_enabled   | boolean | true       |  | Feature flags |  | kill_switch
    search_enabled           | boolean | true       |  | Feature flags |  | kill_switch
    start_chapter            | integer | 1          |  | Rules
    start_level              | integer | 0          |  | Rules
    """

  /// Defaults that are too long for a column, by key.
  static let longDefaults: [String: String] = [
    "speed_modes": #"{"easy":1.5,"normal":1.0,"hard":0.6}"#,
    "sector_order": #"[6,13,4,18,1,20,5,12,9,14,11,8,16,7,19,3,17,2,15,10]"#,
    "ring_multipliers": #"{"single":1,"double":2,"treble":3,"outer_bull":25,"bull":50,"miss":0}"#,
    "subgrid_3x3": #"{"rows":1,"cols":3}"#,
    "subgrid_4x4": #"{"rows":2,"cols":2}"#,
    "subgrid_6x6": #"{"rows":2,"cols":3}"#,
    "puzzle_counts":
      #"{"3x3":{"easy":9,"normal":9,"hard":8},"4x4":{"easy":10,"normal":27,"hard":25},"6x6":{"easy":10,"#
      + #""normal":12,"hard":21}}"#,
    "rating_tiers":
      #"[{"from":0,"stars":3.0},{"from":1,"stars":2.5},{"from":3,"stars":2.0},{"from":5,"stars":1.5},"#
      + #"{"from":7,"stars":1.0},{"from":9,"stars":0.5},{"from":11,"stars":0.0}]"#,
    "rank_badges":
      ##"[{"name":"Legend","min":2.75,"colors":["#7C3AED","#3B82F6"]},{"name":"Hero","min":2.25,"colors":["#F97316","#EC4899"]},"##
      + ##"{"name":"Pro","min":1.75,"colors":["#22C55E","#14B8A6"]},{"name":"Apprentice","min":1.25,"colors":["#6EE7B7","#22D3EE"]},"##
      + ##"{"name":"Explorer","min":0.75,"colors":["#3B82F6","#6366F1"]},{"name":"Dreamer","min":0.25,"colors":["#9CA3AF","#60A5FA"]},"##
      + ##"{"name":"Rookie","min":0.0,"colors":["#9CA3AF","#6B7280"]}]"##,
    "palettes":
      ##"{"storybook":{"easy":"#34C759","normal":"#0A84FF","hard":"#1E3A8A","correct":"#34C759","incorrect":"#FF3B30"},"##
      + ##""distinct":{"easy":"#56B4E9","normal":"#0072B2","hard":"#4B2E83","correct":"#0072B2","incorrect":"#E69F00"}}"##,
    "quest_name_3x3": #"{"en":"Tiny Tales"}"#,
    "quest_name_4x4": #"{"en":"Fable Adventures"}"#,
    "quest_name_6x6": #"{"en":"Kingdom Chronicles"}"#,
    "difficulty_names_3x3": #"{"easy":{"en":"Wakey Wakey"},"normal":{"en":"Breakfast Time"},"hard":{"en":"Garden Path"}}"#,
    "difficulty_names_4x4": #"{"easy":{"en":"Sunny Meadow"},"normal":{"en":"Twisty Trails"},"hard":{"en":"Mushroom Grove"}}"#,
    "difficulty_names_6x6": #"{"easy":{"en":"Echo Cave"},"normal":{"en":"Snowy Slopes"},"hard":{"en":"Starry Summit"}}"#,
    "symbol_groups":
      #"["animals","birds2","animals3","weather","sea","birds","animals2","birds3","birds4","animals4","#
      + #""numbers","animalItems"]"#,
    "layout": #"{"max_content_width":680,"regular_top_spacing":70,"puzzle_card_corner_radius":24,"puzzle_button_height":100}"#,
  ]
}
