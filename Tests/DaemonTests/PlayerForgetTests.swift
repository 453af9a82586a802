// Forgetting a player of the running daemon.

import GameConfCore
import Glibc
import Testing

@Suite("A player is forgotten", .serialized)
struct PlayerForgetTests {
  private static let name = "unforgettable-player"

  @Test("everything goes and is said before, the audit log keeps a digest, and the revision goes on")
  func everything() throws {
    let daemon = try RunningDaemon()
    let player = AskedPlayer(daemon: daemon, player: Self.name)
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
}
