// Watches that continue over kills, restores and forgotten players.
import GameConfCore
import GameConfTransport
import Testing

@Suite("Watches that are resumed")
struct WatchResumeTests {
  private static let key = "arcade_time_limit_base"
  private static let watch = "/v1/games/wheresthedot/watch?keys=\(key)&player=p1"

  private func set(_ daemon: RunningDaemon, _ value: String, _ more: String...) throws {
    let ending = try daemon.control(["config", "set", "wheresthedot", Self.key, value, "--reason", "test"] + more)
    #expect(ending.status == 0, "\(ending.errors)")
  }

  private func source(_ data: Value) -> Value? { data["values"]?[Self.key]?["source"] }

  @Test("a resumed watch over a kill gets each missed change once, then only new ones")
  func killed() throws {
    let daemon = try RunningDaemon()
    let first = try StreamReader(daemon.gamesSocket, Self.watch)
    let id = try #require(first.next()?.id)
    try set(daemon, "3.5", "--player", "p1")
    try daemon.restart(killing: true)
    let missed = try StreamReader(daemon.gamesSocket, Self.watch, lastEventID: id)
    #expect(source(missed.data()) == "override.player")
    let newest = try #require(missed.lastID)
    try daemon.restart(killing: true)
    let again = try StreamReader(daemon.gamesSocket, Self.watch, lastEventID: newest)
    try set(daemon, "4.5", "--player", "p1")
    let next = try #require(again.next())
    #expect(next.event == "change" && next.data.contains("4.5"), "\(next)")
  }

  @Test("an open or resumed watch gets the whole state after a restore")
  func restored() throws {
    let daemon = try RunningDaemon()
    let backup = daemon.folder.path + "/backup.db"
    #expect(try daemon.control("store", "backup", backup).status == 0)
    try set(daemon, "3.5", "--player", "p1")
    let open = try StreamReader(daemon.gamesSocket, Self.watch)
    #expect(source(open.data()) == "override.player")
    let id = try #require(open.lastID)
    #expect(try daemon.control("store", "restore", backup, "--yes").status == 0)
    let fresh = try #require(open.next())
    #expect(fresh.event == "state")
    #expect(source(try JSONReader.value(from: fresh.data)) == "default")
    let back = try #require(try StreamReader(daemon.gamesSocket, Self.watch, lastEventID: id).next())
    #expect(back.event == "state")
    #expect(source(try JSONReader.value(from: back.data)) == "default")
    try set(daemon, "4.5", "--player", "p1")
    let next = open.data()
    #expect(next["values"]?[Self.key]?["value"] == 4.5, "\(next)")
  }

  @Test("an open or resumed watch of a forgotten player gets the removal of its values")
  func forgotten() throws {
    let daemon = try RunningDaemon()
    let path = "/v1/games/wheresthedot/players/p1"
    try set(daemon, "3.5", "--player", "p1")
    _ = try daemon.ask("POST", path + "/purchases", body: ["product": "removeads"])
    let open = try StreamReader(daemon.gamesSocket, Self.watch)
    let state = open.data()
    #expect(source(state) == "override.player" && state["entitlements"]?["is_ad_free"] == true)
    let id = try #require(open.lastID)
    #expect(try daemon.control("player", "forget", "wheresthedot", "p1", "--yes", "--reason", "asked to be").status == 0)
    // The removal of the override and that of the player may be one event or two.
    var (sources, isAdFree): (Value?, Value?) = (nil, nil)
    while sources != "default" || isAdFree != false, let event = open.next() {
      let data = try JSONReader.value(from: event.data)
      sources = source(data) ?? sources
      isAdFree = data["entitlements"]?["is_ad_free"] ?? isAdFree
    }
    #expect(sources == "default" && isAdFree == false)
    let back = try StreamReader(daemon.gamesSocket, Self.watch, lastEventID: id).data()
    #expect(source(back) == "default" && back["entitlements"]?["is_ad_free"] == false, "\(back)")
    // The same id may be used again for a new player.
    _ = try daemon.ask("POST", path + "/purchases", body: ["product": "removeads"])
    #expect(open.data()["entitlements"]?["is_ad_free"] == true)
  }

  @Test("moving the clock over a subscription's renewal or end notifies the player's watcher")
  func renewal() throws {
    let daemon = try RunningDaemon()
    let game = "/v1/games/kidsdoku2"
    let stream = try StreamReader(daemon.gamesSocket, game + "/watch?player=p1&values=none")
    #expect(stream.next()?.event == "state")
    #expect(try daemon.ask("POST", game + "/players/p1/purchases", body: ["product": "monthly_sub_2"]).status / 100 == 2)
    func held(_ data: Value) -> [Value] { data["entitlements"]?["held"]?.objectValue?.members.map(\.value) ?? [] }
    let bought = held(stream.data())
    #expect(!bought.isEmpty && bought.allSatisfy { $0["expires_at"] != nil })
    #expect(try daemon.ask("PUT", game + "/clock", body: ["advance": "P32D", "reason": "test"], admin: true).status == 200)
    let renewed = held(stream.data())
    #expect(renewed.count == bought.count && zip(bought, renewed).allSatisfy { $0["expires_at"] != $1["expires_at"] }, "\(renewed)")
    let id = try #require(stream.lastID)
    #expect(try daemon.ask("PUT", game + "/clock", body: ["advance": "P32D", "reason": "test"], admin: true).status == 200)
    let again = held(stream.data())
    #expect(again.count == bought.count && zip(renewed, again).allSatisfy { $0["expires_at"] != $1["expires_at"] }, "\(again)")
    let back = try StreamReader(daemon.gamesSocket, game + "/watch?player=p1&values=none", lastEventID: id)
    #expect(held(back.data()) == again)
  }

  @Test("a user with 1 000 watchers delays neither another user's watcher nor a write")
  func users() throws {
    let folder = try TemporaryFolder()
    guard let user = try OtherUser(uid: 54_322, in: folder) else { return }
    let number = 1_000
    try Descriptors.raiseLimit(for: number)
    let daemon = try RunningDaemon(folder: folder, arguments: ["--connections-per-uid-max", "\(number)"])
    let watch = "/v1/games/wheresthedot/watch"
    let mine = try (0..<number).map { _ in try StreamReader(daemon.gamesSocket, "\(watch)?keys=\(Self.key)") }
    for each in mine { try #require(each.next()?.event == "state") }
    #expect(try StreamReader(daemon.gamesSocket, watch).status == 429)
    let others = try (0..<8).map {
      try user.start("exec curl -sN --unix-socket \(daemon.gamesSocket) 'http://l\(watch)?player=p\($0)' >&2")
    }
    for each in others { try #require(each.waitForLine(containing: "event: state") != nil) }
    let id = try user.run(
      "/usr/bin/curl",
      [
        "-s", "-o", "/dev/null", "-w", "%{http_code} %header{gameconf-id}", "--unix-socket", daemon.gamesSocket,
        "http://l/v1/games/wheresthedot/config?keys=\(Self.key)",
      ]
    ).output
    #expect(id.hasPrefix("200 "), "\(id)")
    // The thousand watchers read nothing meanwhile.
    for step in 1...20 {
      let body: Value = ["value": .double(Double(15 + step) / 10), "reason": "test"]
      let status = try daemon.ask("PUT", "/v1/games/wheresthedot/overrides/\(Self.key)", body: body, admin: true).status
      try #require(status == (step == 1 ? 201 : 200))
    }
    for each in others { try #require(each.waitForLine(containing: "\"value\":3.5") != nil) }
    // The other user's call that waits for changes is answered too.
    let since = "http://l/v1/games/wheresthedot/config?keys=\(Self.key)&wait=60&after=\(id.dropFirst(4))"
    let answer = try user.run("/usr/bin/curl", ["-s", "--unix-socket", daemon.gamesSocket, since]).output
    #expect(answer.contains("3.5"), "\(answer)")
    // Each of the thousand watchers gets the last value, and earlier values only in order.
    for each in mine {
      var last = 0.0
      while last != 3.5, let value = each.data()["values"]?[Self.key]?["value"]?.numberValue, value > last { last = value }
      // Stops at the first failure, because each watcher without the value waits for the reader's time limit.
      try #require(last == 3.5)
    }
  }
}
