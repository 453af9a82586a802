// Tests the catalog's checks of events, which reject impossible results.

import GameConfCore
import Testing

@Suite("Checks of events")
struct EventCheckTests {
  private static func check(_ id: String, when condition: Value? = nil, _ require: Value) throws -> EventCheck {
    EventCheck(
      id: id, condition: try condition.map { try LogicExpression(compiling: $0) }, require: try LogicExpression(compiling: require),
      message: "\(id) does not hold.")
  }

  private static func play(_ checks: EventCheck...) -> Play {
    var play = Play()
    play.catalog.events[0].checks = checks
    play.catalog.events[0].details = [
      EventDetail(Parameter(key: "taps", type: .integer, defaultValue: .absent, section: "", description: ""), isOptional: true)
    ]
    return play
  }

  private static func over(_ score: Int64, taps: Int64? = nil, at occurredAt: Instant? = nil) -> PlayerEvent {
    PlayerEvent(
      name: "game_over", mode: "classic", score: .integer(score), details: taps.map { ["taps": .integer($0)] } ?? [:],
      occurredAt: occurredAt)
  }

  @Test("an event that violates a check is rejected with the check's id and message")
  func refused() throws {
    var play = Self.play(try Self.check("few", ["<=": [["var": "score"], ["parameter": "forest_at"]]]))
    let before = play.state
    #expect(throws: Refusal.checkFailed(id: "few", event: "game_over", message: "few does not hold.")) {
      try play.state.record(Self.over(51), under: play.terms)
    }
    #expect(play.state == before)
    let (outcome, _) = try play.state.record(Self.over(50), under: play.terms)
    #expect(outcome.lifetimeScore == 50 && outcome.uncheckedBy.isEmpty)
  }

  @Test("a check with “when” applies only to events that satisfy it", arguments: [(nil, true), (3, true), (2, false)] as [(Int64?, Bool)])
  func condition(taps: Int64?, isRecorded: Bool) throws {
    var play = Self.play(
      try Self.check("taps", when: ["!=": [["var": "details.taps"], .null]], [">=": [["var": "details.taps"], ["var": "score"]]]))
    let recorded = try? play.state.record(Self.over(3, taps: taps), under: play.terms)
    #expect((recorded != nil) == isRecorded)
  }

  @Test("the first check that an event violates is the one in the error")
  func first() throws {
    var play = Self.play(try Self.check("a", [">": [["var": "score"], 0]]), try Self.check("b", ["<": [["var": "score"], 9]]))
    #expect(throws: Refusal.checkFailed(id: "a", event: "game_over", message: "a does not hold.")) {
      try play.state.record(Self.over(0), under: play.terms)
    }
    #expect(throws: Refusal.checkFailed(id: "b", event: "game_over", message: "b does not hold.")) {
      try play.state.record(Self.over(9), under: play.terms)
    }
  }

  @Test("a late event outside a play is not checked against parameters, whose former values are unknown")
  func late() throws {
    let limit = try Self.check("limit", ["<=": [["var": "score"], ["parameter": "forest_at"]]])
    let own = try Self.check("own", ["<": [["var": "score"], 90]])
    var play = Self.play(limit, own)
    #expect(throws: Refusal.checkFailed(id: "limit", event: "game_over", message: "limit does not hold.")) {
      try play.state.record(Self.over(80, at: play.now.adding(milliseconds: -60_000)), under: play.terms)
    }
    let earlier = play.now.adding(milliseconds: -60_001)
    #expect(try play.state.record(Self.over(80, at: earlier), under: play.terms).0.lifetimeScore == 80)
    #expect(throws: Refusal.checkFailed(id: "own", event: "game_over", message: "own does not hold.")) {
      try play.state.record(Self.over(90, at: earlier), under: play.terms)
    }
  }

  @Test("an event of a play is checked against the pinned values, however late it arrives")
  func pinned() throws {
    var play = Self.play(
      try Self.check("limit", ["<=": [["var": "score"], ["parameter": "forest_at"]]]), try Self.check("played", ["var": "play"]))
    #expect(throws: Refusal.checkFailed(id: "played", event: "game_over", message: "played does not hold.")) {
      try play.state.record(Self.over(20), under: play.terms)
    }
    var terms = play.terms
    terms.play = PlayTerms(
      PinnedValues([PinnedValue(key: "forest_at", type: .integer, value: 20, layer: .catalogDefault)], locales: ["en"]))
    for at in [nil, play.now.adding(milliseconds: -86_400_000)] {
      #expect(throws: Refusal.checkFailed(id: "limit", event: "game_over", message: "limit does not hold.")) {
        try play.state.record(Self.over(21, at: at), under: terms)
      }
      #expect(try play.state.record(Self.over(20, at: at), under: terms).0.count > 0)
    }
  }

  @Test("a check that exceeds the evaluation budget passes and is reported, also to a repeated request")
  func cutShort() throws {
    let long = Value.list((0..<300).map { .integer($0) })
    // 300 × 300 comparisons, none of which succeeds.
    let heavy = try Self.check("heavy", ["some": [long, ["some": [long, ["==": [["var": ""], 1000]]]]]])
    var play = Self.play(heavy, try Self.check("own", ["<": [["var": "score"], 90]]))
    let (outcome, _) = try play.state.record(Self.over(1), under: play.terms)
    #expect(outcome.uncheckedBy.first == "heavy")
    let again = try EventOutcome(decoding: try JSONReader.value(from: outcome.storedJSON))
    #expect(again == outcome)
  }

  @Test("a check that divides by zero or is always false rejects the event without a crash")
  func odd() throws {
    for require in [["/": [["var": "score"], 0]], ["<": [["var": "score"], 0]]] as [Value] {
      var play = Self.play(try Self.check("odd", require))
      #expect(throws: Refusal.self) { try play.state.record(Self.over(1), under: play.terms) }
    }
  }
}
