// Tests that invalid events, reports and settings are rejected and change nothing.

import GameConfCore
import Testing

@Suite("Invalid input about players")
struct PlayerBadInputTests {
  static let refused: [(PlayerEvent, Refusal)] = [
    (PlayerEvent(name: "game_ovr"), .unknownEvent("game_ovr", hint: " Did you mean “game_over”?")),
    (PlayerEvent(name: ""), .unknownEvent("", hint: "")),
    (PlayerEvent(name: "game_over", mode: "arcde", score: 1), .unknownMode("arcde", hint: " Did you mean “arcade”?")),
    (PlayerEvent(name: "game_over", score: 1), .modeMissing(modes: ["classic", "arcade", "daily"])),
    (
      PlayerEvent(name: "game_over", mode: "arcade", reason: "boredom"),
      .unknownReason("boredom", event: "game_over", reasons: ["wrongTap", "timeUp"])
    ),
    (PlayerEvent(name: "opened_store", reason: "timeUp"), .unknownReason("timeUp", event: "opened_store", reasons: [])),
    (PlayerEvent(name: "opened_store", mode: "arcade", score: 1), .scoreNotCarried(event: "opened_store")),
    (PlayerEvent(name: "game_over", mode: "arcade", score: -1), .scoreNegative(-1)),
    (PlayerEvent(name: "game_over", mode: "arcade", score: -0.5), .scoreNegative(-0.5)),
    (PlayerEvent(name: "game_over", mode: "arcade", score: 2.5), .scoreNotWhole(2.5)),
    (PlayerEvent(name: "game_over", mode: "arcade", score: 1e300), .scoreNotWhole(1e300)),
    (PlayerEvent(name: "game_over", mode: "arcade", score: "12"), .scoreNotWhole("12")),
    (PlayerEvent(name: "game_over", mode: "arcade", score: .integer(.max)), .scoreOverflow(sum: 7, score: .max)),
  ]

  @Test("an event that its catalog does not declare is rejected and changes nothing", arguments: refused)
  func events(event: PlayerEvent, expected: Refusal) throws {
    var play = Play()
    try play.gameOver(7)
    let before = play.state
    #expect(fault { _ = try play.record(event) } == expected)
    #expect(play.state == before)
    #expect(!expected.message.isEmpty)
  }

  @Test("the sum of scores may reach the largest 64-bit integer but not exceed it")
  func greatest() throws {
    var play = Play()
    try play.gameOver(1)
    #expect(try play.gameOver(.integer(.max - 1)).lifetimeScore == .max)
    #expect(fault { try play.gameOver(1) } == .scoreOverflow(sum: .max, score: 1))
  }

  @Test("beyond 2,048 counters a new event type is rejected until counters of removed event types can be dropped")
  func counters() throws {
    var play = Play()
    let names = (0..<PlayerLimits.countersMax / 2).map { "e\($0)" }
    play.catalog.events = (names + ["one_more"]).map { EventDefinition(name: $0, carriesScore: true) }
    let terms = play.terms
    for name in names { _ = try play.state.record(PlayerEvent(name: name, mode: "classic"), under: terms) }
    let before = play.state
    #expect(fault { _ = try play.state.record(PlayerEvent(name: "one_more", mode: "classic"), under: terms) } == .tooManyCounters)
    #expect(play.state == before)
    #expect(try play.record(PlayerEvent(name: "e0", mode: "classic")).count == 2)

    play.catalog.events.removeFirst()
    let overflow = PlayerEvent(name: "one_more", mode: "classic", score: .integer(.max))
    _ = try play.state.change(ScoreChange(lifetimeScore: 1), under: play.terms)
    let scored = play.state
    #expect(fault { _ = try play.record(overflow) } == .scoreOverflow(sum: 1, score: .max))
    #expect(play.state == scored, "nothing is let go for an event that is refused")
    #expect(try play.record(PlayerEvent(name: "one_more", mode: "classic")).count == 1)
    #expect(play.state.eventCounts["e0"] == nil && play.state.eventCounts["e1"] == 1)
  }

  @Test("a request id that is used again with other content is rejected, and with equal content the stored response is found")
  func reusedID() throws {
    var play = Play()
    let mark = try RequestFingerprint(route: "events", id: "e1", content: ["score": 5])
    let (_, entry) = try play.state.record(PlayerEvent(name: "game_over", mode: "arcade", score: 5), under: play.terms)
    play.state.remember(mark, at: entry)
    #expect(try play.state.answered(mark) == UInt8(entry.number))
    let other = try RequestFingerprint(route: "events", id: "e1", content: ["score": 6])
    #expect(fault { _ = try play.state.answered(other) } == .requestIDReused("e1"))
    #expect(try play.state.answered(RequestFingerprint(route: "visits", id: "e1", content: ["score": 6])) == nil)
  }

  @Test("the most recent 64 request ids of a player are stored")
  func rememberedIDs() throws {
    var play = Play()
    let marks = try (0...64).map { try RequestFingerprint(route: "events", id: "e\($0)", content: .null) }
    for mark in marks {
      let (_, entry) = try play.state.record(PlayerEvent(name: "game_over"), under: play.terms)
      play.state.remember(mark, at: entry)
    }
    #expect(try play.state.answered(marks[0]) == nil)
    #expect(try play.state.answered(marks[1]) == 2)
    #expect(play.state.remembered.count == PlayerLimits.rememberedMax)
  }

  @Test("a request id is found however many history entries follow its own", arguments: [0, 1, 199, 200, 255, 256, 257, 512])
  func entryAfterOthers(others: Int) throws {
    var play = Play()
    for _ in 0..<77 { try play.gameOver() }
    let mark = try RequestFingerprint(route: "events", id: "kept", content: .null)
    let (_, entry) = try play.state.record(PlayerEvent(name: "game_over"), under: play.terms)
    play.state.remember(mark, at: entry)
    // Visits add history entries without request ids.
    for _ in 0..<others { _ = play.state.openVisit(now: play.now) }
    #expect(try play.state.answered(mark) == 78)
  }

  @Test(
    "an empty or overlong request id, or one with control characters, is rejected",
    arguments: ["", "a\u{0}b", "a\nb", String(repeating: "x", count: 129)])
  func malformedID(id: String) {
    #expect(fault { _ = try RequestFingerprint(route: "events", id: id, content: .null) } == .requestIDMalformed)
  }

  @Test("a request id of 128 bytes is accepted")
  func longestID() throws {
    let mark = try RequestFingerprint(route: "events", id: String(repeating: "x", count: 128), content: .null)
    #expect(mark.id.utf8.count == PlayerLimits.requestIDBytesMax)
  }

  @Test("a player's settings and context are limited in size")
  func bounds() throws {
    var play = Play()
    let fits = Value.string(String(repeating: "x", count: PlayerLimits.settingsBytesMax - 3))
    #expect(try play.state.choose(fits, for: "k", now: play.now) != nil)
    #expect(try play.state.choose(fits, for: "k", now: play.now) == nil)
    #expect(
      fault { _ = try play.state.choose(true, for: "l", now: play.now) }
        == .settingsTooLarge(bytes: PlayerLimits.settingsBytesMax + 5, count: 2))
    #expect(play.state.settings["l"] == nil)
    #expect(try play.state.choose(nil, for: "k", now: play.now) != nil)
    #expect(play.state.settings.isEmpty)

    let text = String(repeating: "y", count: PlayerLimits.contextBytesMax - 8)
    #expect(try play.state.register(["a": .string(text)], of: "p1", now: play.now) != nil)
    #expect(
      fault { _ = try play.state.register(["a": .string(text + "y")], of: "p1", now: play.now) }
        == .contextTooLarge(bytes: PlayerLimits.contextBytesMax + 1))
  }

  @Test("a context with another player's targetingKey is rejected, and the player's own is not stored")
  func contextOfAnother() throws {
    var play = Play()
    #expect(fault { _ = try play.state.register(["targetingKey": "p2"], of: "p1", now: play.now) } == .contextOfAnother("p2"))
    #expect(try play.state.register(["targetingKey": "p1", "country": "SE"], of: "p1", now: play.now) != nil)
    #expect(play.state.context == ["country": "SE"])
    #expect(play.state.context(under: ["country": "NO", "platform": "ios"]) == ["country": "NO", "platform": "ios"])
  }
}
