// A running game's notifications of changes, over the daemon's sockets.
import GameConfCore
import GameConfTransport
import Glibc
import Testing

@Suite("Watching a daemon")
struct WatchTests {
  private static let watch = "/v1/games/wheresthedot/watch"
  private static let key = "arcade_time_limit_base"

  private func set(_ daemon: RunningDaemon, _ value: String, _ more: String...) throws {
    let ending = try daemon.control(["config", "set", "wheresthedot", Self.key, value, "--reason", "test"] + more)
    #expect(ending.status == 0, "\(ending.errors)")
  }

  @Test("a watcher gets the state, then each set and removed override once, in order")
  func overrides() throws {
    let daemon = try RunningDaemon()
    let stream = try StreamReader(daemon.gamesSocket, Self.watch)
    #expect(stream.status == 200)
    let state = stream.data()
    #expect(state["values"]?[Self.key]?["source"] == "default")
    try set(daemon, "3.5")
    let change = try #require(stream.next())
    let data = try JSONReader.value(from: change.data)
    #expect(change.event == "change" && data["values"]?.objectValue?.count == 1)
    #expect(data["values"]?[Self.key]?["value"] == 3.5 && data["values"]?[Self.key]?["source"] == "override.game")
    #expect(data["revision"]?.integerValue == (state["revision"]?.integerValue ?? 0) + 1)
    _ = try daemon.control("config", "unset", "wheresthedot", Self.key)
    #expect(stream.data()["values"]?[Self.key]?["source"] == "default")
  }

  @Test("a player's watcher is notified of that player's override, theme and purchase only")
  func players() throws {
    let daemon = try RunningDaemon()
    let mine = try StreamReader(daemon.gamesSocket, Self.watch + "?player=p1")
    let others = try StreamReader(daemon.gamesSocket, Self.watch + "?player=p2")
    #expect(mine.data()["themes"]?["forest"]?["unlocked"] == false && others.next()?.event == "state")
    try set(daemon, "3.5", "--player", "p1")
    #expect(mine.data()["values"]?[Self.key]?["source"] == "override.player")
    _ = try daemon.ask(
      "POST", "/v1/games/wheresthedot/players/p1/events",
      body: ["event_id": "e1", "event": "game_over", "mode": "classic", "score": 60, "reason": "wrongTap"])
    let themes = mine.data()
    #expect(themes["themes"]?["forest"]?["unlocked"] == true && themes["values"] == nil)
    _ = try daemon.ask("POST", "/v1/games/wheresthedot/players/p1/purchases", body: ["product": "removeads"])
    let bought = mine.data()
    #expect(bought["entitlements"]?["is_ad_free"] == true && bought["entitlements"]?["held"]?["ad_free"]?["environment"] == "simulated")
    try set(daemon, "4.5")
    // The player's override is above the game's, so the other watcher is notified first.
    #expect(others.data()["values"]?[Self.key]?["value"] == 4.5)
  }

  @Test("a watch resumed by id gets each missed change once, or the whole state after a restart with changes")
  func resuming() throws {
    let daemon = try RunningDaemon()
    let first = try StreamReader(daemon.gamesSocket, Self.watch)
    let id = try #require(first.next()?.id)
    try set(daemon, "3.5")
    let newest = try #require(first.next()?.id)
    let missed = try #require(try StreamReader(daemon.gamesSocket, Self.watch, lastEventID: id).next())
    #expect(missed.event == "change" && missed.data.contains("3.5"))
    let current = try StreamReader(daemon.gamesSocket, Self.watch, lastEventID: newest)
    try set(daemon, "4.5")
    #expect(current.next()?.data.contains("4.5") == true)
    try daemon.restart()
    #expect(try StreamReader(daemon.gamesSocket, Self.watch, lastEventID: newest).next()?.event == "state")
    for odd in ["rubbish", "1.2.3.4", "99.1.0.0", "0.9223372036854775807.0.0"] {
      #expect(try StreamReader(daemon.gamesSocket, Self.watch, lastEventID: odd).next()?.event == "state")
    }
  }

  @Test("a watch resumed over a restart without changes gets no event, because the epoch is that of the database")
  func epoch() throws {
    let daemon = try RunningDaemon()
    let id = try #require(try StreamReader(daemon.gamesSocket, Self.watch + "?keys=\(Self.key)").next()?.id)
    try daemon.restart(killing: true)
    let stream = try StreamReader(daemon.gamesSocket, Self.watch + "?keys=\(Self.key)", lastEventID: id)
    try set(daemon, "3.5")
    #expect(stream.next()?.event == "change")
  }

  @Test("a watcher is notified of the start and the end of an override's window when they occur")
  func windows() throws {
    let daemon = try RunningDaemon()
    let stream = try StreamReader(daemon.gamesSocket, Self.watch + "?keys=\(Self.key)")
    _ = stream.next()
    try set(daemon, "3.5", "--for", "2s")
    #expect(stream.data()["values"]?[Self.key]?["source"] == "override.game")
    #expect(stream.data()["values"]?[Self.key]?["source"] == "default")
  }

  @Test("a watcher of a play is not notified of pinned keys, but of all others")
  func plays() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon, game: "wheresthedot")
    let play = try #require(try daemon.ask("POST", player.path + "/plays").json["play"]?.stringValue)
    let stream = try StreamReader(daemon.gamesSocket, Self.watch + "?player=\(player.player)&play=\(play)")
    #expect(stream.data()["values"]?[Self.key]?["source"] == "play")
    let without = try StreamReader(daemon.gamesSocket, Self.watch + "?player=\(player.player)")
    #expect(without.next()?.event == "state")
    try set(daemon, "3.5")
    #expect(without.data()["values"]?[Self.key]?["value"] == 3.5)
    _ = try daemon.ask("POST", player.path + "/purchases", body: ["product": "removeads"])
    let change = stream.data()
    #expect(change["entitlements"]?["is_ad_free"] == true && change["values"] == nil, "\(change)")
  }

  @Test("after many changes every watcher has the last change, in order, while others connect and disconnect")
  func crowd() throws {
    let catalog = """
      gameconf: 1
      game: mine
      title: Mine
      locales: [en]
      parameters:
        a: {type: integer, default: 0, section: Play, description: A number.}
        b: {type: integer, default: 0, section: Play, description: Another.}

      """
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": catalog])
    func open(_ number: Int) throws -> StreamReader {
      try StreamReader(daemon.gamesSocket, "/v1/games/mine/watch" + (number % 2 == 0 ? "?player=p\(number)" : "?keys=a"))
    }
    var crowd = try (0..<150).map(open)
    for each in crowd { #expect(each.next()?.event == "state") }
    var random = SystemRandomNumberGenerator()
    for round in 1...60 {
      let body: Value = ["value": .integer(Int64(round)), "reason": "test"]
      let answer = try daemon.ask("PUT", "/v1/games/mine/overrides/a", body: body, admin: true)
      try #require(answer.status == 200 || answer.status == 201, "\(answer.text)")
      crowd.remove(at: Int.random(in: 0..<crowd.count, using: &random))
      if round % 3 == 0 { crowd.append(try open(150 + round)) }
    }
    for each in crowd {
      var (last, revision): (Value?, Int64) = (nil, 0)
      while last != 60, let event = each.next() {
        let data = try JSONReader.value(from: event.data)
        let next = data["revision"]?.integerValue ?? 0
        #expect(next > revision, "\(revision) before \(next)")
        revision = next
        last = data["values"]?["a"]?["value"] ?? last
      }
      #expect(last == 60)
    }
  }

  @Test("a watch sends only the requested keys, also if a body requests them, and no values if the query excludes them")
  func selection() throws {
    let daemon = try RunningDaemon()
    let none = try StreamReader(daemon.gamesSocket, Self.watch + "?values=none")
    let body = try StreamReader(
      daemon.gamesSocket, Self.watch, method: "POST", body: ["context": ["locale": "es"], "keys": [.string(Self.key)]])
    #expect(none.data()["values"] == nil && body.data()["values"]?.objectValue?.count == 1)
    _ = try daemon.control("config", "set", "wheresthedot", "arcade_difficulty_step", "4", "--reason", "test")
    try set(daemon, "3.5")
    #expect(none.data()["keys"] == ["arcade_difficulty_step"])
    #expect(body.data()["values"]?.objectValue?.members.map(\.name) == [Self.key])
  }

  @Test(
    "an invalid watch is refused before it begins",
    arguments: [
      ("/v1/games/nothing/watch", 404), (watch + "?player=%00", 400), (watch + "?values=all", 400),
      (watch + "?since=1", 400),
    ])
  func refused(target: String, status: Int) throws {
    let daemon = try RunningDaemon()
    #expect(try daemon.ask("GET", target).status == status)
  }

  @Test("a watcher is notified of a key that a reload removes, and its stream ends when the daemon stops")
  func vanishing() throws {
    func catalog(_ number: Int, _ more: String = "") -> String {
      """
      gameconf: 1
      game: mine
      title: Mine
      locales: [en]
      parameters:
        a: {type: integer, default: \(number), section: Play, description: A number.}
      \(more)
      """
    }
    let daemon = try RunningDaemon(catalogs: [
      "mine.yaml": catalog(1, "  b: {type: integer, default: 2, section: Play, description: Another.}")
    ])
    let stream = try StreamReader(daemon.gamesSocket, "/v1/games/mine/watch")
    #expect(stream.data()["values"]?["b"]?["value"] == 2)
    try daemon.folder.write(catalog(5), to: "games/mine.yaml")
    _ = try daemon.control("reload")
    let change = stream.data()
    #expect(change["removed"] == ["b"] && change["values"]?["a"]?["value"] == 5)
    daemon.stop()
    #expect(stream.next() == nil)
  }

  @Test("a waiting call is answered at a change, immediately in another epoch, and with 304 at its time limit")
  func longPoll() throws {
    let daemon = try RunningDaemon()
    let config = "/v1/games/wheresthedot/config?keys=\(Self.key)"
    let id = try #require(try daemon.ask("GET", config).headers["gameconf-id"])
    let waiting = try RawConnection(daemon.gamesSocket)
    waiting.send("GET \(config)&wait=30&after=\(id) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    try set(daemon, "3.5")
    let answer = try #require(waiting.answer())
    #expect(answer.status == 200 && answer.json["values"]?[Self.key] == 3.5)
    let newer = try #require(answer.headers["gameconf-id"])
    #expect(try daemon.ask("GET", config + "&wait=1&after=\(newer)").status == 304)
    #expect(try daemon.ask("GET", config + "&wait=30&after=\(id)").status == 200)
    #expect(try daemon.ask("GET", config + "&wait=30&after=1.1.0.1").status == 200)
    #expect(try daemon.ask("GET", config + "&wait=61&after=\(id)").status == 400)
    #expect(try daemon.ask("GET", config + "&wait=30").status == 400)
    #expect(try daemon.ask("GET", config + "&after=\(id)").status == 400)
  }

  @Test("a watch accepts a player's id of any valid characters and refuses invalid ones")
  func evilNames() throws {
    let daemon = try RunningDaemon()
    for name in [#"a"b\\c"#, "id: 1\u{2028}data: x", "../../etc", "é\u{301}💥", "{\"player\":1}", String(repeating: "x", count: 256)] {
      let encoded = name.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      let stream = try StreamReader(daemon.gamesSocket, Self.watch + "?keys=\(Self.key)&player=\(encoded)")
      #expect(stream.status == 200 && stream.data()["values"]?[Self.key]?["source"] == "default", "\(name)")
      #expect(try daemon.control("config", "set", "wheresthedot", Self.key, "3.5", "--player", name, "--reason", "test").status == 0)
      let change = try #require(stream.next())
      #expect(change.event == "change" && change.data.contains("override.player"), "\(name)")
    }
    for encoded in ["%0a", "%0d%0aid:%201", "%00", "%7f", "%c0%80", String(repeating: "x", count: 257)] {
      #expect(try daemon.ask("GET", Self.watch + "?player=\(encoded)").status == 400, "\(encoded)")
    }
  }

  @Test("a watch with the event id of another game or daemon gets the whole state, and a watch with an altered id still gets an event")
  func foreignIDs() throws {
    let (daemon, other) = (try RunningDaemon(), try RunningDaemon())
    let foreign = try #require(try StreamReader(other.gamesSocket, Self.watch).next()?.id)
    #expect(try StreamReader(daemon.gamesSocket, Self.watch, lastEventID: foreign).next()?.event == "state")
    for _ in 0..<3 { try set(daemon, "3.5"); _ = try daemon.control("config", "unset", "wheresthedot", Self.key) }
    let newer = try #require(try StreamReader(daemon.gamesSocket, Self.watch).next()?.id)
    // The other game of this daemon has a lower revision.
    #expect(try StreamReader(daemon.gamesSocket, "/v1/games/adventure/watch", lastEventID: newer).next()?.event == "state")
    let parts = newer.split(separator: ".")
    for odd in [
      newer + ".1", newer.dropLast().description + "x", "\(parts[0]).\(parts[1]).9.\(parts[3])", "\(parts[0]).-1.0.0",
    ] {
      #expect(try StreamReader(daemon.gamesSocket, Self.watch, lastEventID: odd).next() != nil, "\(odd)")
    }
    #expect(try daemon.ask("GET", "/health/live").status == 200)
  }

  @Test("a thousand short watches leave nothing behind, and a client that closes its sending half is still notified")
  func comingAndGoing() throws {
    let daemon = try RunningDaemon()
    let half = try RawConnection(daemon.gamesSocket)
    half.send("GET \(Self.watch)?keys=\(Self.key) HTTP/1.1\r\nHost: l\r\n\r\n")
    half.finishSending()
    #expect(half.beginStream() == 200 && half.nextChunk() != nil)
    for number in 0..<1_000 {
      let connection = try RawConnection(daemon.gamesSocket)
      connection.send("GET \(Self.watch)?player=p\(number % 7)&keys=\(Self.key) HTTP/1.1\r\nHost: l\r\n\r\n")
      // Some clients read the answer's head, others disconnect immediately.
      if number % 3 == 0 { #expect(connection.beginStream() == 200) }
    }
    try set(daemon, "3.5")
    var isNotified = false
    while !isNotified, let chunk = half.nextChunk() { isNotified = chunk.firstRange(of: Array("override.game".utf8)) != nil }
    #expect(isNotified)
    var left: Value?
    for _ in 0..<2_000 where left != 1 { left = try daemon.ask("GET", "/v1/status", admin: true).json["watchers"]?["count"] }
    #expect(left == 1)
  }

  @Test("a watcher that stops reading delays no other, and gets the newest state when it reads again")
  func stalled() throws {
    let text = String(repeating: "x", count: 60_000)
    let catalog = """
      gameconf: 1
      game: mine
      title: Mine
      locales: [en]
      parameters:
        a: {type: string, default: \(text), section: Play, description: A long text.}
        b: {type: integer, default: 0, section: Play, description: A number.}

      """
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": catalog])
    let slow = try StreamReader(daemon.gamesSocket, "/v1/games/mine/watch")
    let reader = try StreamReader(daemon.gamesSocket, "/v1/games/mine/watch?keys=b")
    #expect(reader.next()?.event == "state")
    for number in 1...24 {
      for (key, value) in [("a", Value.string("\(number)" + text)), ("b", .integer(Int64(number)))] {
        let answer = try daemon.ask("PUT", "/v1/games/mine/overrides/\(key)", body: ["value": value, "reason": "test"], admin: true)
        #expect(answer.status == 200 || answer.status == 201)
      }
    }
    var last: Value?
    while last != 24, let event = reader.next() { last = try JSONReader.value(from: event.data)["values"]?["b"]?["value"] }
    // A slow watcher's unread bytes are limited by the kernel's buffer and one event, independent of the number of changes.
    let status = try daemon.ask("GET", "/v1/status", admin: true).json
    #expect((status["watchers"]?["bytes_waiting"]?.integerValue ?? .max) < 256 << 10)
    var (belief, events) = (Value.null, 0)
    while belief != 24, let event = slow.next() {
      events += 1
      belief = try JSONReader.value(from: event.data)["values"]?["b"]?["value"] ?? belief
    }
    #expect(belief == 24 && events < 24)
  }
}
