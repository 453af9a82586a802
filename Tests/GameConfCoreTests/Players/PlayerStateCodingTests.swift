// A player's row: everything comes back as it was written, and what is none is refused.

import GameConfCore
import Testing

@Suite("Stored players")
struct PlayerStateCodingTests {
  private func played() throws -> Play {
    var play = Play { $0.caps = [Placement.Cap(count: .number(2), per: .day)] }
    try play.gameOver(30)
    _ = play.state.openVisit(now: play.now)
    _ = try play.ad(after: 5)
    let shown = try play.ad(after: 5)
    _ = try play.report(.noFill, of: shown)
    _ = try play.state.choose("neon", for: "selected_theme", now: play.now)
    _ = try play.state.register(["country": "SE"], of: "p1", now: play.now)
    _ = try play.state.forceAd(at: "game_over", under: play.terms)
    let (_, entry) = try play.state.record(PlayerEvent(name: "game_over", mode: "daily", score: 40), under: play.terms)
    play.state.remember(try RequestFingerprint(route: "events", id: "e", content: [1]), at: entry)
    return play
  }

  private func read(_ state: PlayerState) throws -> PlayerState {
    try PlayerState(decoding: JSONReader.value(from: state.storedJSON), requests: state.remembered.bytes)
  }

  @Test("a state is read back as it was written")
  func roundTrip() throws {
    let state = try played().state
    #expect(try read(state) == state)
    let fresh = PlayerState(createdAt: Instant(seconds: 5))
    #expect(try read(fresh) == fresh)
  }

  @Test("a state is written the same whatever order its tables are in")
  func order() throws {
    let texts = try (0..<8).map { _ in String(decoding: try played().state.storedJSON, as: UTF8.self) }
    #expect(Set(texts).count == 1)
  }

  @Test("an outcome and an entry are read back as they were written")
  func outcomes() throws {
    var play = try played()
    for _ in 0..<8 {
      let (outcome, entry) = try play.state.record(PlayerEvent(name: "game_over", mode: "classic", score: 9), under: play.terms)
      #expect(try EventOutcome(decoding: JSONReader.value(from: outcome.storedJSON)) == outcome)
      #expect(try HistoryEntry(number: entry.number, decoding: JSONReader.value(from: entry.storedJSON)) == entry)
    }
  }

  @Test(
    "another version and another form are refused",
    arguments: [
      [:], ["v": 2, "c": 0], ["v": 1], ["v": 1, "c": "now"], ["v": 1, "c": 0, "s": -1], ["v": 1, "c": 0, "p": ["a": [1]]],
      ["v": 1, "c": 0, "q": ["short", 1]], ["v": 1, "c": 0, "e": ["a": "b"]], [1],
    ] as [Value])
  func refused(value: Value) {
    #expect(throws: Fault.self) { try PlayerState(decoding: value) }
  }

  @Test("a count that cannot be counted on from is refused, and a sum of scores may be any", arguments: [Int64.max, 1 << 62])
  func counts(number: Int64) throws {
    let good: ObjectValue = ["v": 1, "c": 0]
    let members: [(String, Value)] = [
      ("g", .integer(number)), ("n", .integer(number)), ("dn", .integer(number)), ("e", ["over": .integer(number)]),
      ("vi", [.integer(number)]),
    ]
    for (name, value) in members {
      var object = good
      object[name] = value
      #expect(throws: Fault.self, "\(name)") { try PlayerState(decoding: .object(object)) }
    }
    var object = good
    object["s"] = .integer(number)
    #expect(try PlayerState(decoding: .object(object)).lifetimeScore == number)
  }

  @Test("requests whose bytes are cut, or too many, are refused", arguments: [1, 20, 22, 65 * 21])
  func refusedRequests(bytes: Int) {
    #expect(throws: Fault.self) { try RequestFingerprints(bytes: Array(repeating: 7, count: bytes)) }
  }

  @Test("a player who did everything a thousand times stays within a bounded row")
  func bounded() throws {
    var play = Play { $0.every = .number(1) }
    for number in 0..<1000 {
      let (_, entry) = try play.state.record(
        PlayerEvent(name: "game_over", mode: "classic", score: 9, reason: "timeUp"), under: play.terms)
      play.state.remember(try RequestFingerprint(route: "events", id: "e\(number)", content: [.integer(Int64(number))]), at: entry)
      play.wait(seconds: 1)
    }
    #expect(play.state.ads.decisions.count == PlayerLimits.decisionsMax)
    #expect(play.state.storedJSON.count < 16_384)
    #expect(play.state.remembered.bytes.count < 1_400)
  }
}
