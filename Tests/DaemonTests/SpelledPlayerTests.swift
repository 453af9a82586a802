// Two players whose ids look the same and have different bytes.

import GameConfCore
import Testing

@Suite("Players whose ids only look the same", .serialized)
struct SpelledPlayerTests {
  /// é as one code point, percent-encoded for a path.
  private let composed = "%C3%A9"
  /// é as a letter with a combining accent, percent-encoded for a path.
  private let apart = "e%CC%81"

  @Test("players whose ids only look equal have separate overrides, undos and revisions, also after a restart")
  func overridden() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    func values() throws -> [Value?] { try [composed, apart].map { try daemon.read("lives", player: $0)["value"] } }
    func listed(_ player: String) throws -> Int? {
      try daemon.ask("GET", "/v1/games/mine/overrides?player=\(player)", admin: true).json["overrides"]?.listValue?.count
    }
    #expect(try daemon.put("lives", 10, player: composed).status == 201)
    #expect(try values() == [10, 3])
    #expect(try daemon.put("lives", 20, player: apart, headers: ["Idempotency-Key": "k"]).status == 201)
    #expect(try daemon.put("lives", 20, player: composed, headers: ["Idempotency-Key": "k"]).status == 200)
    #expect(try daemon.put("lives", 10, player: composed).status == 200)
    #expect(try values() == [10, 20])
    #expect(try listed(composed) == 1 && listed(apart) == 1)
    #expect(try daemon.audit("player=\(apart)").count == 1 && daemon.audit("player=\(composed)").count == 3)
    try daemon.restart()
    #expect(try values() == [10, 20])
    let line = try #require(try daemon.audit("player=\(composed)&limit=1").first?["id"]?.integerValue)
    #expect(try daemon.ask("POST", "/v1/games/mine/audit/\(line)/revert", admin: true).status == 200)
    #expect(try values() == [20, 20])
    #expect(try daemon.remove("lives", player: composed).status == 204)
    #expect(try values() == [3, 20])
    try daemon.restart()
    #expect(try values() == [3, 20])
  }

  @Test("a call that names two players whose ids only look equal is refused")
  func named() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    let context: Value = ["targetingKey": "e\u{301}"]
    let both = try daemon.ask("POST", "/v1/games/mine/config", body: ["player": "\u{E9}", "context": context])
    #expect(both.status == 400 && both.code == "PLAYERS_DIFFER")
    #expect(try daemon.ask("POST", "/v1/games/mine/config", body: ["player": "e\u{301}", "context": context]).status == 200)
    let path = "/v1/games/mine/players/"
    #expect(try daemon.ask("PUT", path + composed + "/context", body: ["context": context]).code == "PLAYERS_DIFFER")
    #expect(try daemon.ask("PUT", path + apart + "/context", body: ["context": context]).status == 200)
  }

  @Test("a key that only looks like a parameter's key is unknown")
  func keys() throws {
    let letter = "  K: {type: integer, default: 1, section: Play, description: A letter that another character equals.}"
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog + "\n" + letter])
    #expect(try daemon.put("K", 2).status == 201)
    #expect(try daemon.ask("GET", RunningDaemon.path("K"), admin: true).status == 200)
    #expect(try daemon.ask("GET", RunningDaemon.path("%E2%84%AA"), admin: true).code == "UNKNOWN_KEY")
  }
}
