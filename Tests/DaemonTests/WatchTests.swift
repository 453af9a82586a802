// What a running game hears of changes, over the real sockets of the real daemon.
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

  @Test("a watcher is told the state, then every override as it is set and taken back, in order and once")
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

  @Test("a player's watcher hears of that player's override, theme and purchase, and of nobody else's")
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
    // The player's own override stands above the game's, so the first to hear is the other.
    #expect(others.data()["values"]?[Self.key]?["value"] == 4.5)
  }

  @Test("who comes back with the last id is told what was missed and nothing twice, and everything after a restart with changes")
  func resuming() throws {
    let daemon = try RunningDaemon()
    let first = try StreamReader(daemon.gamesSocket, Self.watch)
    let id = try #require(first.next()?.id)
    try set(daemon, "3.5")
    let told = try #require(first.next()?.id)
    let missed = try #require(try StreamReader(daemon.gamesSocket, Self.watch, lastEventID: id).next())
    #expect(missed.event == "change" && missed.data.contains("3.5"))
    let current = try StreamReader(daemon.gamesSocket, Self.watch, lastEventID: told)
    try set(daemon, "4.5")
    #expect(current.next()?.data.contains("4.5") == true)
    try daemon.restart()
    #expect(try StreamReader(daemon.gamesSocket, Self.watch, lastEventID: told).next()?.event == "state")
    for odd in ["rubbish", "1.2.3.4", "99.1.0.0", "0.9223372036854775807.0.0"] {
      #expect(try StreamReader(daemon.gamesSocket, Self.watch, lastEventID: odd).next()?.event == "state")
    }
  }

  @Test("an id that is still the newest goes on silently over a restart without changes, since the epoch is the store's")
  func epoch() throws {
    let daemon = try RunningDaemon()
    let id = try #require(try StreamReader(daemon.gamesSocket, Self.watch + "?keys=\(Self.key)").next()?.id)
    try daemon.restart(killing: true)
    let stream = try StreamReader(daemon.gamesSocket, Self.watch + "?keys=\(Self.key)", lastEventID: id)
    try set(daemon, "3.5")
    #expect(stream.next()?.event == "change")
  }

  @Test("the edges of a window are told when they happen")
  func windows() throws {
    let daemon = try RunningDaemon()
    let stream = try StreamReader(daemon.gamesSocket, Self.watch + "?keys=\(Self.key)")
    _ = stream.next()
    try set(daemon, "3.5", "--for", "2s")
    #expect(stream.data()["values"]?[Self.key]?["source"] == "override.game")
    #expect(stream.data()["values"]?[Self.key]?["source"] == "default")
  }

  @Test("only the wanted keys are told, by a context in a body too, and without values when none are wanted")
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
    "what no watch can be is refused before it begins",
    arguments: [
      ("/v1/games/nothing/watch", 404), (watch + "?player=%00", 400), (watch + "?values=all", 400),
      (watch + "?since=1", 400),
    ])
  func refused(target: String, status: Int) throws {
    let daemon = try RunningDaemon()
    #expect(try daemon.ask("GET", target).status == status)
  }

  @Test("a key that vanishes with a reload is told as removed, and a drain says when to come back")
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

  @Test("a call waits for a change and is answered by it, at once in another epoch, and 304 when its time is over")
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
}
