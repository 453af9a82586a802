// Tests the catalog's checks of events, which reject impossible results.

import GameConfCore
import Testing

@Suite("Checks of events")
struct EventCheckTests {
  private static func check(_ id: String, when condition: Value? = nil, _ require: Value) throws -> EventCheck {
    var words = LogicOptions()
    words.admitsFacts = true
    return EventCheck(
      id: id, condition: try condition.map { try LogicExpression(compiling: $0, options: words) },
      require: try LogicExpression(compiling: require, options: words), message: "\(id) does not hold.")
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
      PinnedValues([PinnedValue(key: "forest_at", type: .integer, value: 20, layer: .catalogDefault)], locales: ["en"]),
      openedAt: play.now)
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
    // The check makes 300 × 300 comparisons, and each of them fails.
    let heavy = try Self.check("heavy", ["some": [long, ["some": [long, ["==": [["var": ""], 1000]]]]]])
    var play = Self.play(heavy, try Self.check("own", ["<": [["var": "score"], 90]]))
    let (outcome, _) = try play.state.record(Self.over(1), under: play.terms)
    #expect(outcome.uncheckedBy.first == "heavy")
    let again = try EventOutcome(decoding: try JSONReader.value(from: outcome.storedJSON))
    #expect(again == outcome)
  }

  private struct ObjectParameterLookup: ParameterLookup {
    var values: ObjectValue
    func value(ofParameter key: String) -> Value? { values[key] }
  }

  @Test(
    "an event is rejected if the flag in its check was off at the time of the event, or is off now if the event has no time",
    arguments: [
      (true, nil, -1, true), (false, nil, nil, false), (false, nil, -90, true), (false, -60, -30, false), (false, -60, -60, true),
      (false, -60, -90, true),
    ] as [(Bool, Int64?, Int64?, Bool)])
  func flags(isOn: Bool, offSince: Int64?, occurred: Int64?, isRecorded: Bool) throws {
    var play = Self.play(try Self.check("on", ["is_on": "arcade_on"]))
    var terms = play.terms
    terms.parameters = ObjectParameterLookup(values: ["arcade_on": .bool(isOn)])
    func at(_ seconds: Int64) -> Instant? { play.now.adding(milliseconds: seconds * 1_000) }
    let since = offSince.flatMap(at)
    terms.valueSince = { _ in since }
    let event = Self.over(1, at: occurred.flatMap(at))
    do throws(Refusal) {
      _ = try play.state.record(event, under: terms)
      #expect(isRecorded)
    } catch {
      #expect(!isRecorded && error.members["parameter"] == "arcade_on" && error.message.hasSuffix("“arcade_on” is off."))
    }
  }

  @Test("a flag in a check has the value that the play pinned", arguments: [true, false])
  func pinnedFlag(isOn: Bool) throws {
    var play = Self.play(try Self.check("on", ["is_on": "arcade_on"]))
    var terms = play.terms
    terms.parameters = ObjectParameterLookup(values: ["arcade_on": .bool(!isOn)])
    terms.play = PlayTerms(
      PinnedValues([PinnedValue(key: "arcade_on", type: .boolean, value: .bool(isOn), layer: .catalogDefault)], locales: ["en"]),
      openedAt: play.now)
    #expect(((try? play.state.record(Self.over(1), under: terms)) != nil) == isOn)
  }

  @Test("a gate in a check uses the entitlements at the time of the event, and the error names those that open it")
  func gates() throws {
    var play = Self.play(try Self.check("open", ["is_unlocked": ["levels", "number", ["var": "score"]]]))
    let locked = try LogicExpression(compiling: [">": [["var": "number"], 3]])
    play.catalog.gates = [
      Gate(id: "levels", arguments: [Gate.Argument(name: "number", type: .integer)], lockedWhen: locked, unless: ["pro"])
    ]
    var terms = play.terms
    let boughtAt = play.now.adding(milliseconds: -30_000) ?? play.now
    terms.heldAt = { $0 < boughtAt ? [] : ["pro"] }
    #expect(try play.state.record(Self.over(3, at: play.now.adding(milliseconds: -40_000)), under: terms).0.count == 1)
    #expect(try play.state.record(Self.over(4), under: terms).0.count == 2)
    do throws(Refusal) {
      _ = try play.state.record(Self.over(4, at: play.now.adding(milliseconds: -40_000)), under: terms)
      Issue.record("recorded")
    } catch { #expect(error.members["unlocked_by"] == ["pro"] && error.message.hasSuffix("It opens with “pro”.")) }
  }

  @Test(
    "is_listed is true if the path leads to an element or member of the value",
    arguments: [
      ([["index", 2], "levels", 1], true), ([["index", 2], "levels", 2], false), ([["index", 9]], false), ([0, "levels", 0], true),
      ([["index", 1], "parts", 3], true), ([["index", 1], "parts", 4], false), ([["index", 1], "parts", 0], false),
      ([["index", 1], "words", "door"], true), ([["index", 1], "words", "wall"], false), ([["index", 1], "door"], false),
    ] as [([Value], Bool)])
  func listed(steps: [Value], isThere: Bool) throws {
    let chapters: Value = [
      ["index": 1, "levels": ["a"], "parts": 3, "words": ["door"]], ["index": 2, "levels": ["a", "b"], "parts": 0, "words": []],
    ]
    var play = Self.play(try Self.check("there", ["and": [["var": "score"], ["is_listed": .list([["parameter": "chapters"]] + steps)]]]))
    var terms = play.terms
    terms.parameters = ObjectParameterLookup(values: ["chapters": chapters])
    #expect(((try? play.state.record(Self.over(1), under: terms)) != nil) == isThere)
  }

  @Test("the operators of event checks are rejected in other expressions and with invalid arguments")
  func misplaced() throws {
    for word in [["is_on": "k"], ["is_unlocked": ["g"]], ["is_listed": [[1], 0]]] as [Value] {
      #expect(throws: LogicFault.self) { try LogicExpression(compiling: word) }
    }
    for word in [["is_on": ["a", "b"]], ["is_on": 1], ["is_unlocked": ["g", "n"]], ["is_unlocked": ["g", 1, 2]], ["is_listed": [[1]]]]
      as [Value]
    {
      #expect(throws: LogicFault.self, "\(word)") { try Self.check("a", word) }
    }
  }

  @Test("a check that divides by zero or is always false rejects the event without a crash")
  func odd() throws {
    for require in [["/": [["var": "score"], 0]], ["<": [["var": "score"], 0]]] as [Value] {
      var play = Self.play(try Self.check("odd", require))
      #expect(throws: Refusal.self) { try play.state.record(Self.over(1), under: play.terms) }
    }
  }
}
