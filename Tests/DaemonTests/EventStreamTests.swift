// The stream of a game's events: each event as a JSON line, in order and once, over a kill.

import GameConfCore
import Testing

@Suite("The stream of a game's events", .serialized)
struct EventStreamTests {
  /// A stream of JSON lines on its own connection.
  private final class EventLineReader {
    private let connection: RawConnection
    private var pending: [UInt8] = []
    let status: Int

    init(_ socket: String, _ target: String) throws {
      connection = try RawConnection(socket)
      connection.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
      status = connection.beginStream() ?? 0
    }

    /// Returns the next line; nil at the end of the stream.
    func next() -> Value? {
      while true {
        if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
          let line = Array(pending[..<end])
          pending.removeSubrange(...end)
          return (try? JSONReader.value(from: line)) ?? .null
        }
        guard let piece = connection.nextChunk(), !piece.isEmpty else { return nil }
        pending += piece
      }
    }

    /// Returns all remaining lines.
    func rest() -> [Value] {
      var all: [Value] = []
      while let line = next() { all.append(line) }
      return all
    }
  }

  private static let path = "/v1/games/wheresthedot/events"

  private static let sent: [(String, [(String, Value)])] = [
    ("select_game_mode", [("mode", "classic")]), ("round_correct", [("mode", "classic"), ("score", 1)]),
    ("game_over", [("mode", "classic"), ("score", 7), ("reason", "timeUp")]),
    ("game_ended", [("mode", "classic"), ("score", 7), ("reason", "timeUp")]), ("game_quit", [("mode", "arcade"), ("score", 3)]),
    ("open_themes", []), ("select_theme", [("details", ["theme": "neon"])]), ("theme_unlocked", [("details", ["theme": "forest"])]),
    ("unlock_theme", [("details", ["theme": "forest"])]), ("open_store", []),
    ("purchase_initiated", [("details", ["product": "removeads"])]), ("purchase_completed", [("details", ["product": "removeads"])]),
    ("onboarding_started", []), ("onboarding_intro_dismissed", []), ("onboarding_completed", []), ("onboarding_skipped", []),
    ("leaderboard_opened", []), ("achievements_opened", []), ("open_settings", []), ("sound_enabled", []), ("sound_disabled", []),
    ("haptics_enabled", []), ("haptics_disabled", []), ("color_blind_mode_enabled", []), ("color_blind_mode_disabled", []),
  ]

  private func send(_ player: TestPlayer, _ at: Int) throws {
    let (name, more) = Self.sent[at]
    let answer = try player.event(name, mode: nil, score: nil, reason: nil, id: "e\(at)", more: more)
    #expect(answer.status == 200, "\(name): \(answer.text)")
  }

  @Test("all 25 events of wheresthedot appear once and in order in the stream, over a kill")
  func all() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon)
    #expect(Self.sent.count == 25)
    for at in 0..<12 { try send(player, at) }
    _ = try TestPlayer(daemon: daemon, game: "kidsdoku2").event(
      "screen_view", mode: nil, score: nil, reason: nil, more: [("details", ["screen_name": "x"])])
    try daemon.restart(killing: true)
    // After the kill the client repeats events whose answer may be lost.
    for at in 10..<25 { try send(player, at) }
    let lines = try EventLineReader(daemon.adminSocket, Self.path).rest()
    #expect(lines.map { $0["event"]?.stringValue ?? "" } == Self.sent.map(\.0))
    for (line, (_, members)) in zip(lines, Self.sent) {
      for (name, value) in members { #expect(line[name] == value, "\(line)") }
      #expect(line["player"] == "p1" && line["at"]?.stringValue != nil)
    }
    let cursors = lines.compactMap { $0["cursor"]?.stringValue }
    #expect(Set(cursors).count == 25)
    let rest = try EventLineReader(daemon.adminSocket, Self.path + "?after=\(cursors[19])").rest()
    #expect(rest.map { $0["cursor"]?.stringValue } == cursors[20...].map(Optional.some))
    #expect(try player.page()["scores"]?["games_played"] == 1, "analytics count nothing")
    #expect(try player.page()["counters"]?.listValue?.count == 1)
    #expect(try EventLineReader(daemon.adminSocket, Self.path + "?since=1h").rest().count == 25)
    #expect(try EventLineReader(daemon.adminSocket, Self.path + "?since=2999-01-01T00:00:00Z").rest().isEmpty)
    #expect(try EventLineReader(daemon.adminSocket, "/v1/games/dartsscore/events").rest().isEmpty)
  }

  @Test("a follower of the event stream gets each event immediately, sent alone or in a list, and no visits")
  func followed() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon)
    try send(player, 0)
    let lines = try EventLineReader(daemon.adminSocket, Self.path + "?follow=true&after=newest")
    try send(player, 3)
    #expect(lines.next()?["event"] == "game_ended")
    _ = try daemon.ask("POST", player.path + "/visits")
    let queue = "018f2b6c-0000-7000-8000-000000000001"
    let list = (1...3).map { number -> Value in
      ["event": "open_store", "sequence": ["client": .string(queue), "number": .integer(Int64(number))]]
    }
    #expect(try daemon.ask("POST", player.path + "/events", body: .list(list)).status == 200)
    for _ in 1...3 { #expect(lines.next()?["event"] == "open_store") }
    try send(player, 5)
    let last = try #require(lines.next())
    #expect(last["event"] == "open_themes")
    daemon.stop()
    #expect(lines.next() == nil, "the stream ends with the daemon")
    try daemon.start()
    let cursor = try #require(last["cursor"]?.stringValue)
    let again = try EventLineReader(daemon.adminSocket, Self.path + "?follow=true&after=\(cursor)")
    try send(player, 9)
    #expect(again.next()?["event"] == "open_store")
  }

  @Test("a follower of the event stream that stops reading delays no recorded event and takes little of the daemon's memory")
  func deaf() throws {
    let catalog = "gameconf: 1\ngame: tiny\ntitle: T\nlocales: [en]\nevents: {said: {score: true, details: {text: {}}}}\n"
    let daemon = try RunningDaemon(catalogs: ["tiny.yaml": catalog])
    let player = TestPlayer(daemon: daemon, game: "tiny")
    let deaf = try RawConnection(daemon.adminSocket)
    deaf.send("GET /v1/games/tiny/events?follow=true HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let text = Value.string(String(repeating: "x", count: 15 << 10))
    func say(_ numbers: ClosedRange<Int>) throws {
      for first in stride(from: numbers.lowerBound, through: numbers.upperBound, by: 50) {
        let events = (first..<first + 50).map { number -> Value in
          [
            "event": "said", "score": .integer(Int64(number)), "details": ["text": text],
            "sequence": ["client": "0198c5c8-6f2a-7cc1-8a3e-000000000001", "number": .integer(Int64(number))],
          ]
        }
        let answer = try daemon.ask("POST", player.path + "/events", body: .list(events))
        #expect(answer.status == 200 && answer.json.listValue?.allSatisfy { $0["status"] == 200 } == true, "\(answer.text.prefix(300))")
      }
    }
    try say(1...500)
    let before = try daemon.residentKilobytes()
    // About 23 MB of events, of which the slow reader's socket takes a few hundred kilobytes.
    try say(501...2_000)
    let grown = try daemon.residentKilobytes() - before
    #expect(grown < 12 << 10, "\(grown) KiB more for one who does not read")
    let lines = try EventLineReader(daemon.adminSocket, "/v1/games/tiny/events").rest()
    #expect(lines.map { $0["score"]?.integerValue } == (1...2_000).map { Int64($0) })
    withExtendedLifetime(deaf) {}
  }

  @Test(
    "an invalid position in the event stream is refused",
    arguments: [
      ("?after=zz", 400, "MALFORMED_QUERY_PARAMETER"), ("?after=1-0", 410, "CURSOR_GONE"),
      ("?since=yesterday", 400, "MALFORMED_QUERY_PARAMETER"),
      ("?since=1h&after=newest", 400, "MALFORMED_QUERY_PARAMETER"), ("?follow=maybe", 400, "MALFORMED_QUERY_PARAMETER"),
      ("?before=1", 400, "UNKNOWN_QUERY_PARAMETER"),
    ])
  func refused(query: String, status: Int, code: String) throws {
    let daemon = try RunningDaemon()
    let answer = try daemon.ask("GET", Self.path + query, admin: true)
    #expect(answer.status == status && answer.code == code, "\(answer.text)")
    if status == 410 {
      let oldest = try #require(answer.json["oldest"]?.stringValue)
      #expect(try EventLineReader(daemon.adminSocket, Self.path + "?after=\(oldest)").status == 200)
    }
    #expect(try daemon.ask("GET", Self.path).code == "ADMIN_ONLY")
  }

  @Test("gameconfctl events prints recorded events, and a game's catalog can have them logged")
  func commands() throws {
    let catalog = """
      gameconf: 1
      game: tiny
      title: Tiny
      locales: [en]
      log_events: true
      events: {played: {score: true, details: {level: {type: integer}}}, seen: {kind: analytics}}

      """
    let daemon = try RunningDaemon(catalogs: ["tiny.yaml": catalog], arguments: ["--log-level", "info"])
    let player = TestPlayer(daemon: daemon, game: "tiny")
    _ = try player.event("played", mode: nil, score: 3, reason: nil, more: [("details", ["level": 2])])
    #expect(daemon.process.waitForLine(containing: "event {\"event\":\"played\"") != nil)
    _ = try player.event("seen", mode: nil, score: nil, reason: nil)
    let export = try daemon.control("events", "export", "tiny", "--since", "1h")
    let lines = export.output.split(separator: "\n").map { try? JSONReader.value(from: Array($0.utf8)) }
    #expect(lines.map { $0?["event"] } == ["played", "seen"])
    let followed = try daemon.control("events", "follow", "tiny", "--since", "1h", "--count", "2").output
    #expect(
      followed.split(separator: "\n").map { $0.split(separator: "\t").dropFirst().joined(separator: " ") }
        == [#"p1 played - 3 {"details":{"level":2}}"#, "p1 seen - -"])
    #expect(try daemon.control("events", "export", "tiny", "--after", "zz").status == 1)
    #expect(try daemon.control("events", "export", "tinny").status == 5)
  }
}

extension RunningDaemon {
  /// Returns the daemon's resident memory in KiB.
  fileprivate func residentKilobytes() throws -> Int {
    let status = try ChildProcess("/bin/sh", ["-c", "grep VmRSS /proc/\(process.pid)/status"]).waitForEnd().output
    return try #require(status.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
  }
}
