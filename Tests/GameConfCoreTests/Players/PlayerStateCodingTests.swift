// Tests the encoding of players for the store, and that malformed data is rejected.

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

  @Test("a player's state is decoded as it was encoded")
  func roundTrip() throws {
    let state = try played().state
    #expect(try read(state) == state)
    let fresh = PlayerState(createdAt: Instant(seconds: 5))
    #expect(try read(fresh) == fresh)
  }

  @Test("equal player states are encoded identically, whatever the order of their dictionaries")
  func order() throws {
    let texts = try (0..<8).map { _ in String(decoding: try played().state.storedJSON, as: UTF8.self) }
    #expect(Set(texts).count == 1)
  }

  @Test("an event outcome and a history entry are decoded as they were encoded")
  func outcomes() throws {
    var play = try played()
    for _ in 0..<8 {
      let (outcome, entry) = try play.state.record(PlayerEvent(name: "game_over", mode: "classic", score: 9), under: play.terms)
      #expect(try EventOutcome(decoding: JSONReader.value(from: outcome.storedJSON)) == outcome)
      #expect(try HistoryEntry(number: entry.number, decoding: JSONReader.value(from: entry.storedJSON)) == entry)
    }
  }

  @Test(
    "a stored player of another version or form is rejected",
    arguments: [
      [:], ["v": 2, "c": 0], ["v": 1], ["v": 1, "c": "now"], ["v": 1, "c": 0, "s": -1], ["v": 1, "c": 0, "p": ["a": [1]]],
      ["v": 1, "c": 0, "q": ["short", 1]], ["v": 1, "c": 0, "e": ["a": "b"]], [1],
    ] as [Value])
  func refused(value: Value) {
    #expect(throws: Fault.self) { try PlayerState(decoding: value) }
  }

  @Test("a stored counter that could overflow is rejected, but a sum of scores may have any value", arguments: [Int64.max, 1 << 62])
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

  @Test("truncated or oversized request fingerprints are rejected", arguments: [1, 20, 22, 65 * 21])
  func refusedRequests(bytes: Int) {
    #expect(throws: Fault.self) { try RequestFingerprints(bytes: Array(repeating: 7, count: bytes)) }
  }

  @Test("the stored size of a player with a thousand events is bounded")
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
