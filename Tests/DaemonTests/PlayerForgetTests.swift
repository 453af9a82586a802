// Forgetting a player over the socket.

import GameConfCore
import Glibc
import Testing

@Suite("A player is forgotten", .serialized)
struct PlayerForgetTests {
  private static let name = "unforgettable-player"

  @Test("forgetting a player removes everything that a dry run lists, leaves a digest in the audit log, and continues the revision")
  func everything() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon, player: Self.name)
    _ = try player.event(score: 60)
    _ = try player.choose("sound_enabled", false)
    _ = try daemon.put("haptics_enabled", false, game: "wheresthedot", player: Self.name)
    _ = try daemon.ask("PUT", player.path + "/context", body: ["context": ["platform": "ios"]])
    let before = try #require(try player.revision())

    let unasked = try daemon.control("player", "forget", "wheresthedot", Self.name)
    #expect(unasked.status == 2)
    let dry = try daemon.control("player", "forget", "wheresthedot", Self.name, "--dry-run")
    #expect(dry.output.contains("history 3, overrides 1, settings 1"), "\(dry.output)\(dry.errors)")
    #expect(try player.revision() == before)
    let done = try daemon.control("player", "forget", "wheresthedot", Self.name, "--yes", "--reason", "asked to be")
    #expect(done.status == 0 && done.output.contains("is forgotten: history 3"), "\(done.errors)")

    let page = try player.page("")
    #expect(page["scores"]?["lifetime_score"] == 0 && page["history"] == [] && page["context"] == [:] && page["created_at"] == nil)
    #expect(try player.theme("forest")["unlocked"] == false)
    #expect(try player.read("haptics_enabled")["value"] == true)
    #expect(try #require(try player.revision()) > before)
    let log = try daemon.audit(game: "wheresthedot")
    let line = try #require(log.first { $0["action"] == "player.forget" })
    #expect(line["player"]?.stringValue?.hasPrefix("sha256:") == true && line["reason"] == "asked to be")
    #expect(log.allSatisfy { !JSONWriter.text($0).contains(Self.name) })
    #expect(try daemon.ask("GET", "/v1/games/wheresthedot/players", admin: true).json["players"] == [])

    let again = try daemon.ask("DELETE", player.path, admin: true)
    #expect(again.status == 204)
    #expect(try daemon.audit(game: "wheresthedot").count == log.count)
    let back = try player.event(score: 1)
    #expect(back.json["scores"]?["lifetime_score"] == 1)
  }

  @Test("purchases that moved to another player stay when the first player is forgotten, and no longer name that player")
  func transferred() throws {
    let daemon = try RunningDaemon()
    let players = ["giver", "taker", "last"].map { TestPlayer(daemon: daemon, player: $0) }
    func transactions(_ at: Int) throws -> Value { try daemon.ask("GET", players[at].path + "/transactions").json }
    func moved() throws -> [Value?] {
      try players.indices.map { try transactions($0)["transactions"]?.listValue?.first?["transferred_from"] }
    }
    func texts(from first: Int = 1) throws -> String {
      try players.dropFirst(first).map {
        JSONWriter.text(try daemon.ask("GET", $0.path + "/store/log", admin: true).json)
          + JSONWriter.text(try daemon.ask("GET", $0.path).json)
      }.joined() + JSONWriter.text(.list(try daemon.audit(game: "wheresthedot")))
    }
    for product in ["removeads", "theme.aurora"] {
      #expect(try daemon.ask("POST", players[0].path + "/purchases", body: ["product": .string(product)]).status == 201)
    }
    for at in 1...2 {
      let body: Value = ["from_player": .string(players[at - 1].player)]
      #expect(try daemon.ask("POST", players[at].path + "/restore", body: body, admin: true).status == 200)
    }
    #expect(try moved() == [nil, nil, "taker"] && texts().contains("giver") && texts().contains("taker"))
    let before = try players.map { try $0.revision() ?? 0 }
    let dry = try daemon.ask("DELETE", players[0].path + "?dry_run=true", admin: true)
    #expect(dry.json["removed"]?["transfers"] == 1 && dry.json["removed"]?["transactions"] == nil)
    #expect(try daemon.ask("DELETE", players[0].path, admin: true).status == 204)
    #expect(try !texts().contains("giver") && moved() == [nil, nil, "taker"])
    #expect(try players.map { try $0.revision() ?? 0 } == [before[0] + 1, before[1] + 1, before[2]])
    let done = try daemon.control("player", "forget", "wheresthedot", "taker", "--yes")
    #expect(done.output.contains("transfers 1"), "\(done.output)\(done.errors)")
    try daemon.restart()
    let last = try transactions(2)
    #expect(try !texts(from: 2).contains("taker") && last["transactions"]?.listValue?.count == 2)
    #expect(last["transactions"]?.listValue?.allSatisfy { $0["transferred_from"] == nil && $0["is_active"] == true } == true)
  }
}
