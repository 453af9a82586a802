// Tests the checks that decide if a game's result is recorded in the shipped catalogs, with numbers from the rules of each game.

import GameConfCore
import Testing

@Suite("Event checks in shipped catalogs")
struct ShippedCatalogsChecksTests {
  private typealias Values = ShippedCatalogsBoundsTests.OverriddenDefaults

  private static let now = Instant(seconds: 1_795_262_400)

  /// Returns the id of the check that rejects an event. Returns an empty text if the event is recorded.
  private static func refusal(
    _ game: String, _ event: PlayerEvent, changed: ObjectValue = [:], holding held: Set<String> = ["Pro"]
  ) throws -> String {
    let catalog = try ShippedCatalogs.catalog(of: game)
    var state = PlayerState(createdAt: now)
    let terms = PlayerTerms(
      rules: PlayerRules(catalog), player: "p", parameters: Values(defaults: CatalogDefaults(catalog), changed: changed),
      entitlements: EntitlementHistory(held: held), now: now)
    do throws(Refusal) {
      let (outcome, _) = try state.record(event, under: terms)
      #expect(outcome.uncheckedBy.isEmpty)
      return ""
    } catch {
      guard let rule = error.rule else { throw error }
      return String(rule.dropFirst(event.name.count + 1))
    }
  }

  @Test(
    "a Kidsdoku result is recorded only if its stars follow from its mistakes and hints",
    arguments: [
      (0, nil, 30), (1, nil, 25), (2, nil, 25), (3, nil, 20), (4, nil, 20), (5, nil, 15), (6, 0, 15), (7, nil, 10), (8, nil, 10),
      (9, nil, 5),
      (10, nil, 5), (11, nil, 0), (999, nil, 0), (0, 1, 25), (2, 1, 20), (5, 6, 0),
    ] as [(Int64, Int64?, Int64)])
  func tiers(mistakes: Int64, hints: Int64?, score: Int64) throws {
    var details: ObjectValue = ["mistakes": .integer(mistakes)]
    details["hints"] = hints.map(Value.integer)
    for wrong in [0, 5, 10, 15, 20, 25, 30, 9_000] as [Int64] {
      let event = PlayerEvent(name: "random_solved", mode: "6x6", score: .integer(wrong), details: details)
      #expect(try Self.refusal("kidsdoku2", event) == (wrong == score ? "" : "stars_follow_penalties"), "\(wrong)")
    }
    details["puzzle"] = "4-Easy-4"
    let solved = PlayerEvent(name: "puzzle_solved", mode: "4x4", score: .integer(score), details: details)
    #expect(try Self.refusal("kidsdoku2", solved) == "")
  }

  @Test(
    "a Kidsdoku result is recorded only if its puzzle exists in the section and has the size of the mode",
    arguments: [
      ("4x4", "4-Easy-10", ""), ("4x4", "4-Easy-11", "puzzle_exists"), ("4x4", "4-Normal-27", ""), ("4x4", "4-Normal-28", "puzzle_exists"),
      ("4x4", "4-Hard-25", ""), ("4x4", "4-Hard-26", "puzzle_exists"), ("3x3", "3-Easy-9", ""), ("3x3", "3-Hard-9", "puzzle_exists"),
      ("6x6", "6-Normal-12", ""), ("6x6", "6-Normal-100", "puzzle_exists"), ("6x6", "4-Easy-4", "puzzle_is_of_mode"),
      ("4x4", "4-Easy-999", "puzzle_exists"),
    ])
  func puzzles(mode: String, puzzle: String, refusal: String) throws {
    let event = PlayerEvent(name: "puzzle_solved", mode: mode, score: 30, details: ["puzzle": .string(puzzle), "mistakes": 0])
    #expect(try Self.refusal("kidsdoku2", event) == refusal)
  }

  @Test(
    "a result of a locked Kidsdoku puzzle is not recorded without the entitlement Pro",
    arguments: [("4-Easy-3", ""), ("4-Easy-4", "puzzle_is_unlocked"), ("4-Normal-12", "puzzle_is_unlocked")])
  func locked(puzzle: String, refusal: String) throws {
    let event = PlayerEvent(name: "puzzle_solved", mode: "4x4", score: 30, details: ["puzzle": .string(puzzle), "mistakes": 0])
    #expect(try Self.refusal("kidsdoku2", event, holding: []) == refusal)
    #expect(try Self.refusal("kidsdoku2", event) == "")
  }

  @Test(
    "a Where's The Dot result is not recorded if the flag of its mode is off",
    arguments: [("classic", "classic_mode_enabled"), ("arcade", "arcade_mode_enabled"), ("daily", "daily_mode_enabled")])
  func modes(mode: String, flag: String) throws {
    let event = PlayerEvent(name: "game_over", mode: mode, score: 30)
    #expect(try Self.refusal("wheresthedot", event) == "")
    #expect(try Self.refusal("wheresthedot", event, changed: [flag: false]) == "\(mode)_is_on")
  }

  @Test(
    "a passed adventure level is recorded only if the player's chapters contain the level",
    arguments: [(1, 0, ""), (1, 3, ""), (1, 4, "level_is_served"), (2, 2, "level_is_served"), (99, 99, "level_is_served"), (4, 1, "")])
  func levels(chapter: Int64, level: Int64, refusal: String) throws {
    let passed = PlayerEvent(name: "level_passed", details: ["chapter": .integer(chapter), "level": .integer(level)])
    #expect(try Self.refusal("adventure", passed) == refusal)
    let whole = PlayerEvent(name: "chapter_passed", details: ["chapter": .integer(chapter)])
    #expect(try Self.refusal("adventure", whole) == (chapter > 4 ? "chapter_is_served" : ""))
  }

  @Test("a result of Kidsdoku's daily puzzle is recorded only if the puzzle's flag is on, and only with the day's seed and board")
  func daily() throws {
    let seed = "0123456789abcdef"
    let on: ObjectValue = ["daily_challenge_enabled": true, "daily_challenge_seed": .string(seed)]
    func solved(_ seed: String, _ mode: String = "4x4") -> PlayerEvent {
      PlayerEvent(name: "daily_solved", mode: mode, score: 30, details: ["seed": .string(seed), "mistakes": 0])
    }
    #expect(try Self.refusal("kidsdoku2", solved(seed), changed: on) == "")
    #expect(try Self.refusal("kidsdoku2", solved(seed), changed: ["daily_challenge_seed": .string(seed)]) == "daily_challenge_is_on")
    #expect(try Self.refusal("kidsdoku2", solved("fedcba9876543210"), changed: on) == "seed_is_of_the_day")
    #expect(try Self.refusal("kidsdoku2", solved(seed, "6x6"), changed: on) == "mode_is_of_the_day")
  }

  @Test(
    "a Darts Score result is recorded only if its numbers are consistent",
    arguments: [
      (#"{"attempts":2,"right":1,"wrong":1,"missed":0}"#, 60, ""), (#"{"attempts":2,"right":3}"#, 60, "right_is_at_most_attempts"),
      (#"{"attempts":2,"right":1,"wrong":1,"missed":1}"#, 60, "attempts_add_up"),
      (#"{"attempts":2,"right":2}"#, 60, "right_is_that_of_the_answers"),
      (#"{"attempts":1,"right":1}"#, 60, "answers_are_at_most_attempts"), (#"{"attempts":2,"right":1}"#, 61, "score_is_the_sum_of_points"),
    ])
  func darts(details: String, score: Int64, refusal: String) throws {
    var details = try #require(try JSONReader.value(from: details).objectValue)
    details["seconds"] = 12.5
    details["answers"] = try JSONReader.value(
      from: """
        [{"target":60,"answer":60,"right":true,"ms":4000,"points":60,"options":[60,57,20],
          "darts":[{"sector":20,"times":3,"points":60},{"sector":0,"times":0,"points":0}]},
         {"target":25,"answer":50,"right":false,"ms":8500,"points":0,"options":[25,50],"darts":[{"sector":25,"times":1,"points":25}]}]
        """)
    let event = PlayerEvent(name: "game_over", score: .integer(score), details: details)
    #expect(try Self.refusal("dartsscore", event) == refusal)
  }

  @Test(
    "a Darts Score answer is recorded only if its numbers are consistent",
    arguments: [
      (#""target":60,"answer":60,"right":true,"points":60"#, 60, ""), (#""target":60,"answer":null,"right":false,"points":0"#, 0, ""),
      (#""target":60,"answer":60,"right":true"#, 60, ""),
      (#""target":60,"answer":57,"right":false,"points":60"#, 60, "points_are_the_targets"),
      (#""target":60,"answer":57,"right":true,"points":60"#, 60, "an_answer_is_right_if_it_is_the_target"),
      (#""target":60,"answer":60,"right":false,"points":0"#, 0, "an_answer_is_right_if_it_is_the_target"),
      (#""target":60,"answer":60,"right":true,"points":40"#, 40, "points_are_the_targets"),
      (#""target":60,"answer":60,"right":true,"points":60,"darts":[{"sector":20,"times":2,"points":40}]"#, 60, "darts_add_up"),
      (#""target":60,"answer":60,"right":true,"points":60,"darts":[{"sector":20,"times":2,"points":60}]"#, 60, "darts_are_scored"),
      (#""target":60,"answer":60,"right":true,"points":60,"options":[20,40]"#, 60, "the_answer_is_an_option"),
    ])
  func answers(answer: String, score: Int64, refusal: String) throws {
    let isRight = answer.contains(#""right":true"#)
    let details = try JSONReader.value(
      from: #"{"attempts":1,"right":\#(isRight ? 1 : 0),"seconds":4,"answers":[{"ms":4000,\#(answer)}]}"#)
    let event = PlayerEvent(name: "game_over", score: .integer(score), details: try #require(details.objectValue))
    #expect(try Self.refusal("dartsscore", event) == refusal)
  }

  @Test("Kidsdoku's achievements are reached only while their flag is on, and then earlier results count too")
  func achievements() throws {
    let catalog = try ShippedCatalogs.catalog(of: "kidsdoku2")
    var state = PlayerState(createdAt: Self.now)
    func terms(_ isOn: Bool, perfect: Int64 = 1) -> PlayerTerms {
      var terms = PlayerTerms(
        rules: PlayerRules(catalog), player: "p",
        parameters: Values(defaults: CatalogDefaults(catalog), changed: ["achievements_enabled": .bool(isOn)]), now: Self.now)
      let counts = [BestCount(event: "puzzle_solved"): 9, BestCount(event: "puzzle_solved", prefix: "3-", score: 30): perfect]
      #expect(Set(counts.keys).isSubset(of: terms.rules.bestCounts))
      terms.bestCounts = counts
      return terms
    }
    let event = PlayerEvent(name: "puzzle_solved", mode: "3x3", score: 30, details: ["puzzle": "3-Easy-1", "mistakes": 0])
    #expect(try state.record(event, under: terms(false)).0.milestones == [])
    let first = try #require(catalog.milestones.first { $0.id == "first_puzzle" })
    #expect(state.standing(of: first, under: terms(true)).isUnlocked, "a flag that goes on looks at what there is")
    #expect(!state.standing(of: first, under: terms(false)).isUnlocked)
    #expect(try state.record(event, under: terms(true, perfect: 0)).0.milestones == ["first_puzzle"])
    #expect(try state.record(event, under: terms(true)).0.milestones == ["perfect_3x3"])
  }

  @Test("a late result of Kidsdoku's daily puzzle is listed on the leaderboard of the day of the puzzle")
  func lateDaily() throws {
    let catalog = try ShippedCatalogs.catalog(of: "kidsdoku2")
    let today = DailyHash.digits(salt: "kidsdoku2-daily", day: DailyHash.day(of: Self.now))
    let before = Self.now.adding(milliseconds: -86_400_000) ?? Self.now
    let yesterday = DailyHash.digits(salt: "kidsdoku2-daily", day: DailyHash.day(of: before))
    let terms = PlayerTerms(
      rules: PlayerRules(catalog), player: "p",
      parameters: Values(defaults: CatalogDefaults(catalog), changed: ["daily_challenge_seed": .string(today)]), now: Self.now)
    var event = PlayerEvent(name: "daily_solved", mode: "4x4", score: 30, details: ["seed": .string(yesterday), "mistakes": 0])
    #expect(try terms.claims(of: event)?.places.map(\.per) == [today])
    event.occurredAt = before
    #expect(try terms.claims(of: event)?.places.map(\.per) == [yesterday])
  }

  @Test("the longest order of a RememberSquare result follows from the chosen board size", arguments: [(3, 9), (4, 16), (5, 25)])
  func orderFollowsBoard(side: Int64, longest: Int64) throws {
    let catalog = try ShippedCatalogs.catalog(of: "remembersquare")
    let parameter = try ShippedCatalogs.parameter("order_length_max", of: "remembersquare")
    let values = Values(defaults: CatalogDefaults(catalog), changed: ["grid_side": .integer(side)])
    let input = LogicInput(context: ObjectValue(), flagKey: "order_length_max", now: Self.now)
    let met = parameter.rules.first { $0.condition?.holds(input, parameters: values) ?? true }?.value ?? parameter.defaultValue
    #expect(met == .value(.integer(longest)))
  }
}
