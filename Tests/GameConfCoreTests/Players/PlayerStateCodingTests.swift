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
    play.state.remember(try RequestMark(route: "events", id: "e", content: [1]), at: entry)
    return play
  }

  @Test("a state is read back as it was written, also through JSON")
  func roundTrip() throws {
    let state = try played().state
    #expect(try PlayerState(decoding: state.encoded) == state)
    #expect(try PlayerState(decoding: JSONReader.value(from: JSONWriter.bytes(state.encoded))) == state)
    let fresh = PlayerState(createdAt: Instant(seconds: 5))
    #expect(try PlayerState(decoding: fresh.encoded) == fresh)
  }

  @Test("an outcome and an entry are read back as they were written")
  func outcomes() throws {
    var play = try played()
    for _ in 0..<8 {
      let (outcome, entry) = try play.state.record(PlayerEvent(name: "game_over", mode: "classic", score: 9), under: play.terms)
      #expect(try EventOutcome(decoding: outcome.encoded) == outcome)
      #expect(try HistoryEntry(number: entry.number, decoding: entry.encoded) == entry)
    }
  }

  @Test(
    "another version and another form are refused",
    arguments: [
      [:], ["v": 2, "c": 0], ["v": 1], ["v": 1, "c": "now"], ["v": 1, "c": 0, "s": -1], ["v": 1, "c": 0, "p": ["a": [1]]],
      ["v": 1, "c": 0, "q": ["short", 1]], ["v": 1, "c": 0, "e": ["a": "b"]], [1],
    ] as [Value])
  func refused(value: Value) {
    #expect(throws: PlayerCodingFault.self) { try PlayerState(decoding: value) }
  }

  @Test("a player who did everything a thousand times stays within a bounded row")
  func bounded() throws {
    var play = Play { $0.every = .number(1) }
    for number in 0..<1000 {
      let (_, entry) = try play.state.record(
        PlayerEvent(name: "game_over", mode: "classic", score: 9, reason: "timeUp"), under: play.terms)
      play.state.remember(try RequestMark(route: "events", id: "e\(number)", content: [.integer(Int64(number))]), at: entry)
      play.wait(seconds: 1)
    }
    #expect(play.state.ads.decisions.count == PlayerLimits.decisionsMax)
    #expect(JSONWriter.bytes(play.state.encoded).count < 16_384)
  }
}
