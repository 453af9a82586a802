// Imports, exports and clears of overrides: atomic, and limited in number.

import GameConfCore
import Testing

@Suite("Imports and exports of overrides", .serialized)
struct ImportTests {
  private func bringIn(_ daemon: RunningDaemon, _ rows: [Value], mode: String = "merge") throws -> RawConnection.Answer {
    try daemon.ask("POST", "/v1/games/mine/overrides/import", body: ["mode": .string(mode), "overrides": .list(rows)], admin: true)
  }

  private func row(_ player: Int, _ lives: Int64 = 5) -> Value {
    ["player": .string("p\(player)"), "key": "lives", "value": .integer(lives)]
  }

  @Test("one invalid row of a thousand refuses the whole import and is named")
  func oneBad() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    let before = try daemon.ask("GET", "/v1/games/mine/config").revision
    var rows = (0..<1000).map { row($0) }
    rows[617] = row(617, 0)
    let answer = try bringIn(daemon, rows)
    #expect(answer.status == 422)
    let errors = answer.json["errors"]?.listValue ?? []
    #expect(errors.count == 1)
    #expect(errors.first?["pointer"]?.stringValue?.hasPrefix("/overrides/617") == true)
    #expect(errors.first?["code"] == "OUT_OF_RANGE")
    #expect(try daemon.overrides().isEmpty)
    #expect(try daemon.ask("GET", "/v1/games/mine/config").revision == before)
    rows[617] = row(616)
    let twice = try bringIn(daemon, rows)
    #expect(twice.json["errors"]?.listValue?.first?["code"] == "DUPLICATE_ROW")
    rows[617] = ["player": "p617", "key": "lives", "value": 5, "reason": .string(String(repeating: "r", count: 1025))]
    #expect(try bringIn(daemon, rows).json["errors"]?.listValue?.first?["pointer"]?.stringValue?.hasPrefix("/overrides/617") == true)
    rows[617] = row(617)
    #expect(try bringIn(daemon, rows).json["imported"] == 1000)
    #expect(try daemon.overrides().count == 1000)
  }

  @Test("an export of overrides names the secrets and quarantined overrides that it leaves out")
  func omitted() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    _ = try daemon.put("lives", 5)
    let whole = try daemon.control("config", "export", "mine")
    #expect(whole.errors.isEmpty && !whole.output.contains("omitted"), "\(whole)")
    _ = try daemon.put("token", "sesame")
    _ = try daemon.put("speed", 3.5, player: "p1")
    try daemon.folder.write(Mine.text(speedMost: "3"), to: "games/mine.yaml")
    _ = try daemon.ask("POST", "/v1/reload", admin: true)
    let exported = try daemon.control("config", "export", "mine")
    #expect(exported.status == 0)
    #expect(exported.errors == "left out: 2: speed of player p1 (quarantined), token (secret)\n")
    let document = try JSONReader.value(from: exported.output.utf8)
    #expect(document["overrides"]?.listValue?.compactMap { $0["key"] } == ["lives"])
    #expect(
      document["omitted"] == [["key": "speed", "player": "p1", "because": "quarantined"], ["key": "token", "because": "secret"]])
    #expect(!exported.output.contains("sesame"))
    try daemon.folder.write(exported.output, to: "kept.json")
    let imported = try daemon.control("config", "import", "mine", daemon.folder.path + "/kept.json", "--yes")
    #expect(imported.status == 0, "\(imported.errors)")
  }

  @Test("overrides that are exported, cleared and imported are the same as before")
  func roundTrip() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    _ = try daemon.put("speed", 3.0, [("reason", "é \"quoted\"")])
    _ = try daemon.put("title", "Grüße\n\t<&>", player: "a%2Fb")
    _ = try daemon.put("speed", 3.5, player: "p1", [("from", "2099-01-01T00:00:00Z"), ("until", "2099-01-02T00:00:00Z")])
    func stableOverrides() throws -> [Value] {
      try daemon.overrides().map { record in
        var object = record.objectValue ?? ObjectValue()
        for name in ["revision", "at"] { object[name] = .null }
        if let window = object["window"] { object["window"] = ["from": window["from"] ?? .null, "until": window["until"] ?? .null] }
        object["author"] = .null
        return .object(object)
      }
    }
    let before = try stableOverrides()
    #expect(before.count == 3)
    let exported = try daemon.control("config", "export", "mine")
    #expect(exported.status == 0)
    try daemon.folder.write(exported.output, to: "kept.json")
    #expect(try daemon.control("config", "clear", "mine", "--all", "--yes").status == 0)
    #expect(try daemon.overrides().isEmpty)
    #expect(try daemon.read("speed", player: "p1")["value"] == 2.0)
    let imported = try daemon.control("config", "import", "mine", daemon.folder.path + "/kept.json")
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(try stableOverrides() == before)
  }

  @Test("a clear of overrides removes only the named scope")
  func scopes() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    func fill() throws {
      _ = try daemon.put("speed", 3.0)
      _ = try daemon.put("speed", 3.0, player: "p1")
      _ = try daemon.put("speed", 3.0, player: "p2")
    }
    func clear(_ body: Value) throws -> RawConnection.Answer {
      try daemon.ask("POST", "/v1/games/mine/overrides/clear", body: body, admin: true)
    }
    for (body, left) in [
      (["scope": "game"], 2), (["scope": "player", "player": "p1"], 2), (["scope": "players"], 1), (["scope": "all"], 0),
    ] as [(Value, Int)] {
      try fill()
      #expect(try clear(body).status == 200)
      #expect(try daemon.overrides().count == left)
    }
    for bad in [["scope": "player"], ["scope": "game", "player": "p1"], ["scope": "each"], [:], ["scope": "player", "player": ""]]
      as [Value]
    {
      #expect(try clear(bad).status == 400)
    }
  }

  @Test("a property list of UserDefaults imports its keys that begin with rc.override.")
  func propertyList() throws {
    let daemon = try RunningDaemon()
    try daemon.folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict>
        <key>highScore</key><integer>12</integer>
        <key>installed</key><date>2025-01-01T00:00:00Z</date>
        <key>rc.override.arcade_time_limit_base</key><integer>3</integer>
        <key>rc.override.onboarding_enabled</key><false/>
        <key>rc.override.theme_forest_milestone</key><integer>15</integer>
      </dict></plist>
      """, to: "defaults.plist")
    let imported = try daemon.control("config", "import", "wheresthedot", daemon.folder.path + "/defaults.plist")
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(try daemon.overrides(game: "wheresthedot").count == 3)
    #expect(try daemon.read("arcade_time_limit_base", game: "wheresthedot")["value"] == 3.0)
    #expect(try daemon.read("onboarding_enabled", game: "wheresthedot")["value"] == false)
    #expect(try daemon.read("theme_forest_milestone", game: "wheresthedot")["value"] == 15)
  }

  @Test("a game may have 20 000 overrides of players, and no more")
  func limit() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    let full = try bringIn(daemon, (0..<20_000).map { row($0) })
    #expect(full.status == 200, "\(full.text)")
    let more = try daemon.put("lives", 5, player: "another")
    #expect(more.status == 409 && more.code == "LIMIT_REACHED")
    #expect(try bringIn(daemon, [row(20_000)]).code == "LIMIT_REACHED")
    #expect(try daemon.overrides().count == 20_000)
    // At the limit, existing overrides can be changed, and the game's own can be added.
    #expect(try daemon.put("lives", 6, player: "p7").status == 200)
    #expect(try daemon.put("lives", 7).status == 201)
    #expect(try daemon.remove("lives", player: "p8").status == 204)
    #expect(try daemon.put("lives", 5, player: "another").status == 201)
    #expect(try daemon.put("lives", 5, player: "p8").status == 409)
    try daemon.restart()
    #expect(try daemon.read("lives", player: "p19999")["value"] == 5)
    #expect(try bringIn(daemon, (0..<25_001).map { row($0) }).code == "LIMIT_REACHED")
  }
}
