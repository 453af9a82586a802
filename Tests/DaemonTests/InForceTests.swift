// The answer of a change of an override has the value in force after it.

import GameConfCore
import Glibc
import Testing

@Suite("The value in force after a change of an override")
struct InForceTests {
  private static let game = "/v1/games/wheresthedot"
  private static let key = "arcade_time_limit_base"
  private static let noon = ["--clock", "2026-11-21T12:00:00Z"]
  private static let one = "2026-11-21T13:00:00Z"

  private func put(
    _ daemon: RunningDaemon, _ value: Value, player: String? = nil, query: String = "", _ window: (from: String?, until: String)? = nil
  ) throws -> Value {
    var body: ObjectValue = ["value": value]
    body["from"] = (window?.from).map(Value.string)
    body["until"] = (window?.until).map(Value.string)
    let whose = player.map { "/players/\($0)" } ?? ""
    let answer = try daemon.ask("PUT", Self.game + whose + "/overrides/" + Self.key + query, body: .object(body), admin: true)
    #expect(answer.status == 200 || answer.status == 201, "\(answer.text)")
    return answer.json
  }

  /// Returns a game's read, to compare with the answer.
  private func read(_ daemon: RunningDaemon, player: String? = nil) throws -> Value {
    try daemon.ask("GET", Self.game + "/config/" + Self.key + (player.map { "?player=\($0)" } ?? "")).json
  }

  @Test("the answer of an override has the value in force, its source, its window and its end, also while a window hides the new value")
  func states() throws {
    let daemon = try RunningDaemon(arguments: Self.noon)
    let plain = try put(daemon, 3.5)
    #expect(plain["in_force"]?["value"] == 3.5 && plain["in_force"]?["source"] == "override.game" && plain["in_force"]?["until"] == nil)
    #expect(plain["in_force"]?["why"] == "the highest layer that has a value")
    let window = try put(daemon, 2.6, player: "p", (nil, Self.one))
    let id = try #require(window["override"]?["window"]?["id"]?.stringValue)
    #expect(window["in_force"]?["window"] == window["override"]?["window"] && window["in_force"]?["until"] == .string(Self.one))
    let dry = try put(daemon, 3.3, player: "p", query: "?dry_run=true")
    let below = try put(daemon, 3.3, player: "p")
    for answer in [dry, below] {
      let inForce = answer["in_force"]
      #expect(answer["override"]?["value"] == 3.3 && inForce?["value"] == 2.6 && inForce?["window"]?["id"] == .string(id))
      #expect(inForce?["source"] == "override.player" && inForce?["author"]?["uid"] == .integer(Int64(getuid())))
      #expect(inForce?["why"] == .string("window \(id) is above it") && inForce?["until"] == .string(Self.one))
    }
    #expect(try read(daemon, player: "p")["value"] == 2.6)
    let later = try put(daemon, 1.5, player: "q", ("2026-11-21T12:30:00Z", Self.one))["in_force"]
    #expect(later?["value"] == 3.5 && later?["source"] == "override.game" && later?["until"] == "2026-11-21T12:30:00Z")
    #expect(try read(daemon, player: "q")["value"] == 3.5)
    let nobody = try put(daemon, 1.5, ("2026-11-21T12:30:00Z", Self.one))["in_force"]
    #expect(nobody?["value"] == 3.5 && nobody?["why"] == "the window is still to come")
  }

  @Test("before a future window, the answer of an override has the player's setting, the template's or the catalog's value")
  func layersBelow() throws {
    let daemon = try RunningDaemon(arguments: Self.noon)
    let path = Self.game + "/players/p"
    #expect(try daemon.ask("PUT", path + "/settings/sound_enabled", body: ["value": false]).status == 200)
    let answer = try daemon.ask(
      "PUT", path + "/overrides/sound_enabled", body: ["value": true, "from": "2026-11-21T12:30:00Z", "until": .string(Self.one)],
      admin: true)
    #expect(answer.json["in_force"]?["value"] == false && answer.json["in_force"]?["source"] == "setting", "\(answer.text)")
    let bare = try put(daemon, 1.5, player: "q", ("2026-11-21T12:30:00Z", Self.one))["in_force"]
    let given = try read(daemon, player: "q")["value"]
    #expect(bare?["source"] == "default" && bare?["value"] == given)
  }

  @Test("replacing a named window's value keeps its id and end, and an undo restores the value")
  func changedWindow() throws {
    let daemon = try RunningDaemon(arguments: Self.noon)
    let first = try put(daemon, 2.6, player: "p", (nil, Self.one))
    let id = try #require(first["override"]?["window"]?["id"]?.stringValue)
    let changed = try put(daemon, 2.7, player: "p", query: "?window=\(id)")
    #expect(changed["override"]?["window"] == first["override"]?["window"] && changed["in_force"]?["value"] == 2.7)
    #expect(changed["replaced"]?["value"] == 2.6 && changed["replaced"]?["window"]?["id"] == .string(id))
    #expect(try read(daemon, player: "p")["value"] == 2.7)
    let line = try #require(try daemon.ask("GET", Self.game + "/audit?limit=1", admin: true).json["entries"]?.listValue?.first)
    #expect(line["action"] == "override.window.change" && line["before"] == 2.6 && line["after"] == 2.7 && line["window"] == .string(id))
    let number = try #require(line["id"]?.integerValue)
    #expect(try daemon.ask("POST", Self.game + "/audit/\(number)/revert", admin: true).status == 200)
    #expect(try read(daemon, player: "p")["value"] == 2.6)
    let path = Self.game + "/players/p/overrides/" + Self.key
    for (query, body, code) in [
      ("?window=w99", ["value": 3], "UNKNOWN_WINDOW"), ("?window=\(id)", ["value": 99], "OUT_OF_RANGE"),
      ("?window=\(id)", ["value": 3, "until": .string(Self.one)], "MALFORMED_QUERY_PARAMETER"),
    ] as [(String, Value, String)] {
      #expect(try daemon.ask("PUT", path + query, body: body, admin: true).code == code, "\(query)")
    }
    #expect(try read(daemon, player: "p")["value"] == 2.6)
  }

  @Test("the answer of an import of overrides has the value in force of each imported key")
  func imported() throws {
    let daemon = try RunningDaemon(arguments: Self.noon)
    _ = try put(daemon, 2.6, (nil, Self.one))
    let rows: Value = [["key": .string(Self.key), "value": 3.3], ["key": "arcade_difficulty_step", "value": 7]]
    let answer = try daemon.ask("POST", Self.game + "/overrides/import", body: ["overrides": rows], admin: true).json
    let found = answer["in_force"]?.listValue?.map { [$0["key"] ?? .null, $0["value"] ?? .null] as Value } ?? []
    #expect(found == [[.string(Self.key), 2.6], ["arcade_difficulty_step", 7]])
    let set = try daemon.control("config", "set", "wheresthedot", "\(Self.key)=3.4", "arcade_difficulty_step=8")
    #expect(
      set.output.contains("\(Self.key) stays 2.6 for the game: window w") && set.output.contains("3.4 is stored and holds from then on"))
  }

  @Test("the answer of status has the caller's uid, name and roles")
  func caller() throws {
    let daemon = try RunningDaemon(arguments: Self.noon)
    let caller = try daemon.ask("GET", "/v1/status", admin: true).json["caller"]
    #expect(caller?["uid"] == .integer(Int64(getuid())) && caller?["name"]?.stringValue?.isEmpty == false)
    #expect(caller?["roles"]?.listValue?.contains("admin") == true)
  }
}
