// Tests the details of events and the bests and leaderboards that they lead to.

import GameConfCore
import Testing

@Suite("Details of events")
struct EventDetailsTests {
  private static func detail(_ name: String, _ type: ParameterType, _ change: (inout Parameter) -> Void = { _ in }) -> Parameter {
    var parameter = Parameter(key: name, type: type, defaultValue: .absent, section: "", description: "")
    change(&parameter)
    return parameter
  }

  private static func play() throws -> Play {
    let pattern = try Pattern(compiling: "^[346]-(Easy|Hard)-[0-9]{1,3}$")
    var play = Play()
    var solved = EventDefinition(name: "solved", carriesScore: true)
    solved.modes = ["classic"]
    solved.details = [
      EventDetail(detail("puzzle", .string) { $0.pattern = pattern }),
      EventDetail(detail("mistakes", .integer) { $0.range = NumericRange(min: .number(0), max: .number(999)) }),
      EventDetail(detail("note", .string), isOptional: true),
    ]
    solved.bestBy = ["puzzle", "mistakes"]
    var viewed = EventDefinition(name: "viewed", carriesScore: true)
    viewed.isAnalytics = true
    viewed.details = [EventDetail(detail("theme", .string) { $0.oneOf = .allThemes })]
    play.catalog.events += [solved, viewed]
    play.catalog.leaderboards = [
      Leaderboard(id: "all", event: "solved"), Leaderboard(id: "per", event: "solved", mode: "classic", per: ["forest_at"]),
      Leaderboard(id: "arcade", event: "solved", mode: "arcade"),
    ]
    return play
  }

  private static func solved(_ details: ObjectValue, mode: String? = "classic", score: Value? = 30) -> PlayerEvent {
    PlayerEvent(name: "solved", mode: mode, score: score, details: details)
  }

  @Test("an event's details are stored in the history with their declared types and order")
  func stored() throws {
    var play = try Self.play()
    let (_, entry) = try play.state.record(Self.solved(["mistakes": 2.0, "puzzle": "4-Easy-1"]), under: play.terms)
    #expect(JSONWriter.text(entry.details["details"] ?? .null) == #"{"puzzle":"4-Easy-1","mistakes":2}"#)
  }

  @Test(
    "an undeclared, missing or invalid detail is rejected with a pointer",
    arguments: [
      (["puzzle": "4-Easy-1"], .detailMissing, "/details"), ([:], .detailMissing, "/details"),
      (["puzzle": "4-Easy-1", "mistakes": "2"], .typeMismatch, "/details/mistakes"),
      (["puzzle": "5-Easy-1", "mistakes": 2], .patternMismatch, "/details/puzzle"),
      (["puzzle": "4-Easy-1", "mistakes": 1000], .outOfRange, "/details/mistakes"),
      (["puzzle": "4-Easy-1", "mistakes": -1], .outOfRange, "/details/mistakes"),
      (["puzzle": "4-Easy-1", "mistakes": 2, "more": 1], .unknownDetail, "/details/more"),
      (["puzzle": .null, "mistakes": 2], .typeMismatch, "/details/puzzle"),
    ] as [(ObjectValue, ProblemCode, String)])
  func refused(details: ObjectValue, code: ProblemCode, place: String) throws {
    var play = try Self.play()
    let before = play.state
    let refusal = #expect(throws: Refusal.self) { try play.state.record(Self.solved(details), under: play.terms) }
    #expect(refusal?.code == code && refusal?.pointer == place, "\(String(describing: refusal))")
    if code == .unknownDetail { #expect(refusal == .unknownDetail("more", event: "solved", names: ["puzzle", "mistakes", "note"])) }
    #expect(play.state == before)
  }

  @Test(
    "each kind of invalid value has one error code for a parameter and one for an event detail",
    arguments: [
      (.typeMismatch, .typeMismatch, .typeMismatch), (.outOfRange, .outOfRange, .outOfRange), (.offStep, .outOfRange, .notAllowed),
      (.notListed, .notAllowed, .notAllowed), (.unknownTheme, .notAllowed, .unknownTheme), (.themeNotFree, .notAllowed, .notAllowed),
      (.themeLocked, .themeLocked, .themeLocked), (.unknownProduct, .notAllowed, .unknownProduct),
      (.patternMismatch, .patternMismatch, .patternMismatch), (.tooLong, .tooLong, .tooLong),
      (.schemaViolation, .schemaViolation, .schemaViolation), (.missingLocale, .schemaViolation, .notAllowed),
      (.tooLarge, .valueTooLarge, .notAllowed),
    ] as [(AdmissionFault.Kind, ProblemCode, ProblemCode)])
  func codes(kind: AdmissionFault.Kind, code: ProblemCode, detail: ProblemCode) {
    let fault = AdmissionFault(kind, message: "no")
    #expect(fault.code == code && Refusal.detailRefused("d", fault).code == detail)
  }

  @Test("an undeclared detail is rejected, and so is a mode that the event type does not allow")
  func strangers() throws {
    var play = try Self.play()
    #expect(throws: Refusal.unknownDetail("x", event: "game_over", names: [])) {
      try play.state.record(PlayerEvent(name: "game_over", details: ["x": 1]), under: play.terms)
    }
    #expect(throws: Refusal.modeNotOfEvent("arcade", event: "solved", modes: ["classic"])) {
      try play.state.record(Self.solved(["puzzle": "4-Easy-1", "mistakes": 2], mode: "arcade"), under: play.terms)
    }
  }

  @Test("an analytics event adds a history entry and changes nothing else")
  func analytics() throws {
    var play = try Self.play()
    let before = play.state
    let event = PlayerEvent(name: "viewed", mode: "classic", score: 900, details: ["theme": "neon"])
    let (outcome, entry) = try play.state.record(event, under: play.terms)
    #expect(outcome.milestones == [] && outcome.ads == [] && outcome.count == 0 && !outcome.opensVisit && outcome.bestScore == nil)
    #expect(entry.details["details"] == ["theme": "neon"] && entry.details["score"] == 900)
    #expect(play.state.entries == 1 && play.state.lifetimeScore == 0 && play.state.visits == before.visits)
    #expect(play.state.eventCounts.isEmpty && play.state.milestones.isEmpty && play.state.bestScores.isEmpty)
    #expect(try play.terms.claims(of: event) == nil)
  }

  @Test("an event may improve the player's best for its details and the leaderboards of its mode")
  func claims() throws {
    let play = try Self.play()
    let claims = try #require(try play.terms.claims(of: Self.solved(["puzzle": "4-Easy-1", "mistakes": 2.0])))
    #expect(claims.detail == "4-Easy-1.2" && claims.score == 30)
    let forest = try #require(play.terms.parameters.value(ofParameter: "forest_at"))
    #expect(
      claims.places == [
        ImprovableScores.BoardPartition(board: "all", per: ""), ImprovableScores.BoardPartition(board: "per", per: JSONWriter.text(forest)),
      ])
    let plain = try #require(try play.terms.claims(of: Self.solved(["puzzle": "4-Easy-1", "mistakes": 2], score: nil)))
    #expect(plain.places.isEmpty && plain.score == nil && plain.detail == "4-Easy-1.2")
    #expect(try play.terms.claims(of: PlayerEvent(name: "game_over", mode: "classic", score: 1)) == nil)
  }

  @Test("an event outcome with a best is decoded as it was encoded", arguments: [30, nil] as [Int64?])
  func coding(score: Int64?) throws {
    var play = try Self.play()
    var (outcome, _) = try play.state.record(Self.solved(["puzzle": "4-Easy-1", "mistakes": 2]), under: play.terms)
    outcome.best = EventBest(detail: "4-Easy-1.2", score: score, isBest: true)
    #expect(try EventOutcome(decoding: JSONReader.value(from: outcome.storedJSON)) == outcome)
  }
}
