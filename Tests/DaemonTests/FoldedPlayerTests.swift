// The player ids “.” and “..”, which clients remove from paths: refused in every call, and reachable if older versions stored them.

import GameConfAPI
import GameConfCore
import Testing

@testable import GameConfStorage

@Suite("A player's id that a path cannot name", .serialized)
struct FoldedPlayerTests {
  /// The ids in the spellings of a path.
  private static let spelled = [".", "..", "%2e", "%2E%2e", ".%2E"]
  /// The calls that accept stored ids.
  private static let ofStored: Set = ["storedRows", "forgetStored", "exportOverrides"]

  @Test("the player ids . and .. are refused in every path and query, and change nothing")
  func everyCall() throws {
    let here = try ExampleDaemon()
    let before = try here.state()
    var count = 0
    for call in try here.calls() where !call.isStream || !call.path.contains("/projects/") {
      for id in Self.spelled {
        var requests: [ExampleCall] = []
        if call.variables["player"] != nil {
          var path = call
          path.variables["player"] = id
          requests.append(path)
        }
        if call.querySchemas["player"] != nil, !Self.ofStored.contains(call.name) {
          var query = call
          query.query["player"] = id
          requests.append(query)
        }
        for each in requests {
          let answer = try here.send(each)
          // OpenFeature's protocol and RevenueCat's have their own codes; 7220 is an invalid user id.
          let isNamed = ["MALFORMED_PLAYER_ID", "INVALID_CONTEXT"].contains(answer.code ?? answer.json["errorCode"]?.stringValue)
          #expect(
            answer.status == 400 && (isNamed || answer.json["code"] == 7220),
            "\(each.name) \(each.target()): \(answer.text)")
          count += 1
        }
      }
    }
    #expect(count > 200, "\(count)")
    #expect(try here.state() == before)
  }

  @Test("the player ids . and .. are refused in every body, with a pointer to their place in it", .needs(.ofrep))
  func bodies() throws {
    let daemon = try RunningDaemon()
    let (game, player) = ("/v1/games/wheresthedot", "/v1/games/wheresthedot/players/p1")
    for id in [".", ".."] as [Value] {
      let scenario: Value = ["games": ["wheresthedot": ["players": .object(ObjectValue([(id.stringValue ?? "", [:])]))]]]
      let import_: Value = ["mode": "merge", "overrides": [["player": id, "key": "arcade_difficulty_step", "value": 15]]]
      let refused: [(String, String, Value, String?)] = [
        ("POST", game + "/config", ["player": id], "/player"),
        ("POST", game + "/config", ["context": ["targetingKey": id]], "/context/targetingKey"),
        ("POST", game + "/config/arcade_difficulty_step/explain", ["player": id], "/player"),
        ("POST", game + "/overrides/clear", ["scope": "player", "player": id], "/player"),
        ("POST", game + "/overrides/import", import_, nil), ("POST", player + "/copy", ["from": id], "/from"),
        ("POST", player + "/restore", ["from_player": id], "/from_player"),
        ("POST", "/v1/scenarios", scenario, "/games/wheresthedot/players/" + (id.stringValue ?? "")),
      ]
      for (method, target, body, pointer) in refused {
        let answer = try daemon.ask(method, target, body: body, admin: true)
        #expect([400, 422].contains(answer.status) && answer.text.contains("MALFORMED_PLAYER_ID"), "\(target): \(answer.text)")
        if let pointer { #expect(answer.pointer == pointer, "\(target): \(answer.text)") }
      }
      for flags in ["/ofrep/v1/evaluate/flags", "/ofrep/v1/evaluate/flags/arcade_mode_enabled"] {
        let answer = try daemon.ask("POST", game + flags, body: ["context": ["targetingKey": id]])
        #expect(answer.status == 400 && answer.json["errorCode"] == "INVALID_CONTEXT", "\(answer.text)")
        #expect(answer.json["errorDetails"]?.stringValue?.contains("neither “.” nor “..”") == true)
      }
      #expect(try daemon.ask("GET", game + "/ofrep/v1/events?player=\(id.stringValue ?? "")").status == 400)
    }
    #expect(try daemon.overrides(game: "wheresthedot").isEmpty)
    #expect(try daemon.ask("GET", game + "/players", admin: true).json["players"] == [])
    #expect(try daemon.ask("GET", game + "/config?player=...").status == 200, "three dots are a name")
  }

  @Test(
    "a stored player . or .. can be listed, exported and forgotten by gameconfctl, and its overrides cleared")
  func stored() throws {
    let daemon = try RunningDaemon()
    let game = "wheresthedot"
    for id in ["one", "two"] {
      #expect(try TestPlayer(daemon: daemon, player: id).event(score: 1).status == 200)
      #expect(try daemon.put("arcade_difficulty_step", 15, game: game, player: id).status == 201)
    }
    daemon.stop()
    let connection = try DatabaseFile(path: daemon.folder.path + "/state/gameconfd.db").connect()
    for (old, new) in [("one", "."), ("two", "..")] {
      for table in ["players", "overrides"] { try connection.run("UPDATE \(table) SET player = '\(new)' WHERE player = '\(old)'") }
      #expect(connection.changesCount == 1)
    }
    connection.close()
    try daemon.start()

    #expect(try daemon.control("player", "list", game).output.split(separator: "\n").count == 2)
    let refused = try daemon.control("player", "show", game, "..")
    #expect(refused.status == 1 && refused.errors.contains("neither “.” nor “..”"), "\(refused.status) \(refused.errors)")
    let exported = try daemon.control("player", "export", game, "..")
    let value = try JSONReader.value(from: exported.output)
    #expect(value["rows"]?["players"]?.listValue?.first?["player"] == "..", "\(exported.errors)")
    #expect(value["overrides"]?["overrides"]?.listValue?.first?["player"] == "..")

    let dry = try daemon.control("player", "forget", game, "..", "--dry-run")
    #expect(dry.output.contains("history 1") && dry.output.contains("overrides 1"), "\(dry.output)\(dry.errors)")
    #expect(try daemon.overrides(game: game).count == 2)
    #expect(try daemon.control("player", "forget", game, "..", "--yes").status == 0)
    #expect(try daemon.overrides(game: game).map { $0["player"] } == ["."])
    let cleared = try daemon.control("config", "clear", game, "--players", "--yes")
    #expect(cleared.status == 0, "\(cleared.errors)")
    #expect(try daemon.overrides(game: game).isEmpty)
    #expect(try daemon.control("player", "forget", game, ".", "--yes").status == 0)
    #expect(try daemon.ask("GET", "/v1/games/\(game)/players", admin: true).json["players"] == [])
    let nobody = try daemon.ask("GET", "/v1/games/\(game)/stored-player", admin: true)
    #expect(nobody.status == 400 && nobody.text.contains("?player=ID"), "\(nobody.text)")
  }

  @Test("a target built for the player . or .. has an empty segment, which no call matches")
  func targets() {
    for id in [".", ".."] {
      #expect(Calls.forgetPlayer.target(["game": "g", "player": id]) == "/v1/games/g/players/")
      #expect(Calls.putPlayerOverride.target(["game": "g", "player": id, "key": "k"]) == "/v1/games/g/players//overrides/k")
    }
    #expect(Calls.player.target(["game": "g", "player": "..."]) == "/v1/games/g/players/...")
  }
}
