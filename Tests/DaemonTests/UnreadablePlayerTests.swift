// A database row that cannot be decoded, for players, admins and operators.

import GameConfCore
import Testing

@testable import GameConfStorage

@Suite("A player whose stored state cannot be decoded", .serialized)
struct UnreadablePlayerTests {
  private func damage(_ daemon: RunningDaemon, _ statement: String) throws {
    daemon.stop()
    let connection = try DatabaseFile(path: daemon.folder.path + "/state/gameconfd.db").connect()
    try connection.run(statement)
    #expect(connection.changesCount == 1)
    connection.close()
    try daemon.start()
  }

  @Test("a play with unreadable values gets 503 in every call, never present values", .needs(.ofrep))
  func play() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon, game: "dartsscore")
    let play = try #require(try daemon.ask("POST", player.path + "/plays").json["play"]?.stringValue)
    try damage(daemon, "UPDATE play_values SET content = '{'")
    let (base, query) = ("/v1/games/dartsscore", "?player=p1&play=\(play)")
    let request: Value = ["player": "p1", "play": .string(play)]
    let context: Value = ["context": ["targetingKey": "p1", "play": .string(play)]]
    let flags = base + "/ofrep/v1/evaluate/flags"
    for (method, target, body) in [
      ("GET", base + "/config" + query, nil), ("GET", base + "/config/attempts" + query, nil), ("POST", base + "/config", request),
      ("GET", base + "/config/image" + query, nil), ("GET", base + "/watch" + query, nil), ("GET", player.path + "/plays/\(play)", nil),
      ("POST", flags, context), ("POST", flags + "/attempts", context),
    ] as [(String, String, Value?)] {
      let answer = try daemon.ask(method, target, body: body)
      #expect(answer.status == 503, "\(method) \(target): \(answer.status) \(answer.text.prefix(300))")
      #expect(answer.json["value"] == nil && answer.json["values"] == nil && answer.json["flags"] == nil)
    }
    #expect(try daemon.ask("GET", base + "/config?player=p1").json["values"]?["attempts"] == 10)
    #expect(try daemon.ask("DELETE", player.path, admin: true).status == 204)
    #expect(try daemon.ask("GET", base + "/config" + query).code == "UNKNOWN_PLAY")
  }

  @Test("a player with an unreadable row is refused until forgotten, status and journal name the row, and everything else works")
  func refused() throws {
    let daemon = try RunningDaemon()
    let (bad, good) = (TestPlayer(daemon: daemon, player: "damaged-one"), TestPlayer(daemon: daemon, player: "good"))
    for player in [bad, good] {
      #expect(try player.event(score: 60).status == 200)
    }
    #expect(try daemon.ask("POST", bad.path + "/purchases", body: ["product": "removeads"]).status == 201)
    #expect(try daemon.ask("POST", good.path + "/restore", body: ["from_player": "damaged-one"], admin: true).status == 200)
    let ledger = "UPDATE ledgers SET ledger = replace(ledger, '\"count\":', '\"count\":9999999999')"
    try damage(daemon, ledger + " WHERE number = (SELECT number FROM players WHERE player = 'damaged-one')")

    for (method, path) in [
      ("GET", ""), ("GET", "/entitlements"), ("GET", "/ads/game_over"), ("GET", "/themes"), ("POST", "/visits"), ("POST", "/purchases"),
    ] {
      let body: Value? = path == "/purchases" ? ["product": "theme.aurora"] : nil
      let answer = try daemon.ask(method, bad.path + path, body: body)
      #expect(answer.status == 503 && answer.code == "PLAYER_UNREADABLE", "\(method) \(path): \(answer.status) \(answer.text)")
      #expect(answer.text.contains("damaged-one") && answer.text.contains("player forget"), "\(answer.text)")
    }
    let config = try daemon.ask("GET", "/v1/games/wheresthedot/config?player=damaged-one")
    #expect(config.status == 200 && config.json["degraded"] == ["setting"], "\(config.text.prefix(300))")
    #expect(try good.event(score: 1).status == 200)
    #expect(try daemon.ask("GET", good.path + "/entitlements").json["is_ad_free"] == true)
    #expect(try daemon.ask("GET", "/health/ready").status == 200)

    let store = try daemon.storeStatus()
    #expect(store["state"] == "good" && store["unreadable"]?.listValue?.count == 1, "\(store)")
    #expect(store["unreadable"]?.listValue?.first?["player"] == "damaged-one")
    let page = try daemon.control("status")
    #expect(page.output.contains("ledger of player “damaged-one” of wheresthedot"), "\(page.output)")
    let line = try #require(daemon.process.waitForLine(containing: "cannot be read"))
    #expect(line.allSatisfy { !$0.contains("damaged-one") }, "the journal has no players' ids")

    let list = try daemon.ask("GET", "/v1/games/wheresthedot/players", admin: true).json["players"]?.listValue ?? []
    #expect(list.map { $0["player"] } == ["damaged-one", "good"])
    let export = try daemon.control("player", "export", "wheresthedot", "damaged-one")
    #expect(export.status == 0 && export.output.contains("9999999999"), "\(export.errors)")
    #expect(try daemon.ask("GET", bad.path + "/rows").code == "ADMIN_ONLY")

    let dry = try daemon.control("player", "forget", "wheresthedot", "damaged-one", "--dry-run")
    #expect(dry.output.contains("unreadable 1"), "\(dry.output)\(dry.errors)")
    #expect(try daemon.ask("GET", bad.path).status == 503)
    let forgotten = try daemon.control("player", "forget", "wheresthedot", "damaged-one", "--yes")
    #expect(forgotten.status == 0, "\(forgotten.errors)")
    #expect(try daemon.storeStatus()["unreadable"]?.listValue?.isEmpty != false)
    #expect(try daemon.ask("GET", bad.path).status == 200)
    let texts = try daemon.ask("GET", good.path + "/transactions").text + daemon.ask("GET", good.path + "/store/log", admin: true).text
    #expect(!texts.contains("damaged-one"), "the name is out of the other's purchases")
    try daemon.restart()
    #expect(try bad.event(score: 1).json["scores"]?["lifetime_score"] == 1)
  }

  @Test("a player's state of a later version is listed and exported, and its events get 503 for a retry")
  func later() throws {
    let daemon = try RunningDaemon()
    let bad = TestPlayer(daemon: daemon, player: "p")
    #expect(try bad.event(score: 60).status == 200)
    try damage(daemon, "UPDATE players SET state = '{\"v\":2,\"new\":\"form\"}'")
    #expect(try bad.event(score: 1).code == "PLAYER_UNREADABLE")
    let listed = try daemon.control("player", "list", "wheresthedot")
    #expect(listed.output.contains("cannot be read"), "\(listed.output)\(listed.errors)")
    let rows = try daemon.ask("GET", bad.path + "/rows", admin: true)
    #expect(rows.json["rows"]?["players"]?.listValue?.first?["state"] == "{\"v\":2,\"new\":\"form\"}")
    #expect(rows.json["rows"]?["player_lines"]?.listValue?.isEmpty == false)
    #expect(try daemon.ask("GET", "/v1/games/wheresthedot/players/nobody/rows", admin: true).json["rows"] == [:])
  }
}
