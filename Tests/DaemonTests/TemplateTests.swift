// Templates for publishers: the built daemon, its socket, gameconfctl, and kills.

import GameConfCore
import Testing

@Suite("Templates of a running daemon")
struct TemplateTests {
  private static let firebase = """
    {"conditions": [{"name": "ios", "expression": "device.os == 'ios'"}, {"name": "half", "expression": "percent('s') <= 50"}],
     "parameters": {"speed": {"defaultValue": {"value": "3"}, "conditionalValues": {"ios": {"value": "3.5"}, "half": {"value": "4"}}},
                    "elsewhere": {"defaultValue": {"value": "kept"}, "x": 1.50}}}
    """

  private func daemon() throws -> RunningDaemon { try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog]) }

  private func push(_ daemon: RunningDaemon, _ text: String, _ more: String...) throws -> ChildProcess.Ending {
    try daemon.folder.write(text, to: "template.json")
    return try daemon.control(["template", "push", "mine", daemon.folder.path + "/template.json"] + more)
  }

  private func speed(_ daemon: RunningDaemon, _ context: Value = .object(ObjectValue()), player: String? = nil) throws -> Value {
    var body = ObjectValue([("context", context)])
    if let player { body["player"] = .string(player) }
    let answer = try daemon.ask("POST", "/v1/games/mine/config/speed", body: .object(body))
    #expect(answer.status == 200, "\(answer.text)")
    return answer.json
  }

  @Test("a pushed template's conditions decide values, the same after a kill, and it is returned byte for byte")
  func life() throws {
    let daemon = try daemon()
    let pushed = try push(daemon, Self.firebase, "--reason", "spring")
    #expect(pushed.status == 0, "\(pushed.errors)")
    #expect(try speed(daemon)["value"] == 3.0)
    #expect(try speed(daemon, ["platform": "ios"])["value"] == 3.5)
    #expect(try speed(daemon, ["platform": "ios"])["source"] == "remote")
    let players = (0..<40).map { "p\($0)" }
    let before = try players.map { try speed(daemon, player: $0)["value"] }
    #expect(before.contains(4.0) && before.contains(3.0))
    try daemon.restart(killing: true)
    #expect(try players.map { try speed(daemon, player: $0)["value"] } == before)
    #expect(try daemon.control("template", "show", "mine").output == Self.firebase)
    #expect(try daemon.ask("GET", "/v1/games/mine/template", admin: true).text == Self.firebase)
    #expect(try daemon.ask("GET", "/v1/games/mine/template").status == 403)
  }

  @Test("a template's rollback persists over a kill")
  func rollback() throws {
    let daemon = try daemon()
    #expect(try push(daemon, Self.firebase).status == 0)
    #expect(try push(daemon, Self.firebase.replacing("\"3\"", with: "\"2.5\"")).status == 0)
    #expect(try speed(daemon)["value"] == 2.5)
    #expect(try daemon.control("template", "rollback", "mine").status == 0)
    try daemon.restart(killing: true)
    #expect(try speed(daemon)["value"] == 3.0)
    #expect(try daemon.control("template", "versions", "mine").output.contains("rollback to 1"))
    #expect(try daemon.control("template", "activate", "mine", "3").status == 6)
    #expect(try daemon.control("template", "activate", "mine", "17").status == 5)
  }

  @Test(
    "an invalid template is refused as a whole and leaves the previous one in force",
    arguments: [
      "", "[", "[]", "{\"nothing\": 1}", "<html>", "{\"parameters\": {\"speed\": {\"defaultValue\": {\"value\": \"fast\"}}}}",
      "{\"parameters\": {\"speed\": {\"defaultValue\": {\"value\": \"9999\"}}}}",
      "{\"conditions\": [{\"name\": \"c\", \"expression\": \"percent <= 200\"}]}",
      "{\"gameconf_template\": 1, \"values\": {\"speed\": \"3\"}}",
    ])
  func refused(text: String) throws {
    let daemon = try daemon()
    #expect(try push(daemon, Self.firebase).status == 0)
    let refused = try push(daemon, text)
    #expect(refused.status == 1, "\(refused.output) \(refused.errors)")
    #expect(try speed(daemon)["value"] == 3.0)
    let versions = try daemon.ask("GET", "/v1/games/mine/template/versions", admin: true)
    #expect(versions.json["versions"]?.listValue?.count == 1, "\(versions.text)")
  }

  @Test("a template's diff lists the values that would change; only activation changes them")
  func diff() throws {
    let daemon = try daemon()
    try daemon.folder.write(Self.firebase, to: "template.json")
    let diff = try daemon.control("template", "diff", "mine", daemon.folder.path + "/template.json")
    #expect(diff.output == "speed\t2.0\t3.0\tremote\n", "\(diff.errors)")
    #expect(try speed(daemon)["value"] == 2.0)
    #expect(try push(daemon, Self.firebase).status == 0)
    #expect(try speed(daemon)["value"] == 3.0)
  }

  @Test("the explanation of a template's value has the condition, its inputs and the bucket")
  func explain() throws {
    let daemon = try daemon()
    #expect(try push(daemon, Self.firebase).status == 0)
    let body: Value = ["player": "p1", "context": ["platform": "mac"]]
    let answer = try daemon.ask("POST", "/v1/games/mine/config/speed/explain", body: body, admin: true)
    let remote = answer.json["layers"]?.listValue?.first { $0["layer"] == "remote" }
    let rules = remote?["rules"]?.listValue ?? []
    #expect(rules.first?["template_condition"]?["name"] == "ios", "\(answer.text)")
    #expect(rules.first?["template_condition"]?["tests"]?.listValue?.first?["read"] == "mac")
    #expect(rules.last?["template_condition"]?["tests"]?.listValue?.first?["bucket"]?.numberValue != nil)
  }

  @Test("of two template pushes with the same If-Match one is refused, and If-Match has the template's version, not the revision")
  func sameVersion() throws {
    let daemon = try daemon()
    func put(_ speed: String, _ ifMatch: String) throws -> RawConnection.Answer {
      let body: Value = ["parameters": ["speed": ["defaultValue": ["value": .string(speed)]]]]
      return try daemon.ask("PUT", "/v1/games/mine/template", body: body, headers: ["If-Match": ifMatch], admin: true)
    }
    #expect(try put("3", "\"0\"").status == 200)
    // Overrides raise the game's revision, but not the number of the template's newest version.
    #expect(try daemon.put("lives", 9).status == 201)
    let statuses = try [put("2.5", "\"1\"").status, put("1.5", "\"1\"").status]
    #expect(statuses == [200, 412])
    #expect(try speed(daemon)["value"] == 2.5)
    #expect(try put("1.5", "\"value-1\"").status == 400)
    #expect(try put("1.5", "*").status == 200)
    for call in ["activate", "rollback"] {
      let late = try daemon.ask("POST", "/v1/games/mine/template/\(call)", headers: ["If-Match": "\"1\""], admin: true)
      #expect(late.status == 412, "\(call): \(late.text)")
    }
    let document = try daemon.ask("GET", "/openapi.json").json
    #expect(document["paths"]?["/v1/games/{game}/template"]?["put"]?["x-gameconf"]?["changes"] == "template")
  }

  @Test("watchers get exactly the changes in a template's diff")
  func watchers() throws {
    let daemon = try daemon()
    #expect(try push(daemon, Self.firebase).status == 0)
    #expect(try daemon.put("title", "forced").status == 201)
    let watch = try StreamReader(daemon.gamesSocket, "/v1/games/mine/watch?player=p1")
    let state = try #require(watch.next())
    #expect(state.event == "state")
    let known = try JSONReader.value(from: state.data)["revision"]
    let next =
      #"{"parameters": {"speed": {"defaultValue": {"value": "1.5"}}, "lives": {"defaultValue": {"value": "7"}}, "#
      + #""title": {"defaultValue": {"value": "below"}}, "token": {"defaultValue": {"value": "hidden"}}}}"#
    try daemon.folder.write(next, to: "next.json")
    let diff = try daemon.control("template", "diff", "mine", daemon.folder.path + "/next.json", "--player", "p1", "--json")
    let changes = try #require(try JSONReader.value(from: diff.output)["changes"]?.listValue, "\(diff.output)")
    let meant = changes.filter { $0["before"] != $0["after"] }
    #expect(meant.map { $0["key"] } == ["lives", "speed"])
    #expect(try push(daemon, next).status == 0)
    var received = watch.data()
    // With a shared store, the watcher may first get one event for the player's first read, at the known revision.
    if received["revision"] == known, received["values"] == nil { received = watch.data() }
    let values = try #require(received["values"]?.objectValue ?? received["changed"]?.objectValue, "\(received)")
    #expect(Set(values.names) == ["lives", "speed"], "\(received)")
    for change in meant {
      let key = change["key"]?.stringValue ?? ""
      #expect((values[key]?["value"] ?? values[key]) == change["after"], "\(received)")
    }
  }

  @Test("a template's diff counts the simulated players with changed values, within its limit")
  func share() throws {
    let daemon = try daemon()
    try daemon.folder.write(Self.firebase.replacing("\"3\"", with: "\"2\""), to: "template.json")
    let file = daemon.folder.path + "/template.json"
    let diff = try daemon.control("template", "diff", "mine", file, "--players", "400")
    let cells = diff.output.split(separator: "\n").first?.split(separator: "\t").map(String.init) ?? []
    #expect(cells.count == 5 && cells[0] == "speed", "\(diff.output) \(diff.errors)")
    let counted = try #require(cells.last.flatMap { Int($0) })
    // The value changes exactly for players to whom `percent('s') <= 50` applies.
    #expect(try push(daemon, try String(decoding: #require(TemporaryFolder.read(file)), as: UTF8.self)).status == 0)
    let changed = try (1...400).filter { try speed(daemon, player: "player-\($0)")["value"] != 2.0 }
    #expect(counted == changed.count && counted > 150 && counted < 250)
    let meant = try daemon.ask("PUT", "/v1/games/mine/template?players=5", body: ["parameters": .object(ObjectValue())], admin: true)
    #expect(meant.status == 400, "\(meant.text)")
    for players in ["0", "10001"] {
      #expect(try daemon.control("template", "diff", "mine", file, "--players", players).status == 2)
    }
  }

  @Test("a pulled template with rollouts and personalization that is changed in one parameter keeps all other bytes", .needs(.firebase))
  func otherBytes() throws {
    let daemon = try daemon()
    let text = """
      {  "conditions": [{"name": "ios", "expression": "device.os == 'ios'", "tagColor": "BLUE"},
         {"name": "theirs", "expression": "app.audiences.inAtLeastOne(['a'])"}],
       "parameters": {
         "lives": {"defaultValue": {"personalizationValue": {"personalizationId": "p\\u0031"}}, "valueType": "NUMBER"},
         "title": {"defaultValue": {"value": "caf\\u00e9"}, "conditionalValues": {"ios": {"rolloutValue": {"rolloutId": "rollout_1",
           "value": "x", "percent": 12.50}}, "theirs": {"experimentValue": {"experimentId": "e", "variantValue": []}}}},
         "speed" : { "defaultValue":{"value":"3"} , "valueType":"NUMBER" } },
       "parameterGroups": {"g": {"description": "empty", "parameters": {}}}, "etag": "x", "version" : {"versionNumber": "17"} }
      """
    #expect(try push(daemon, text).status == 0)
    let pulled = try daemon.control("template", "show", "mine").output
    #expect(pulled == text)
    let changed = pulled.replacing("{\"value\":\"3\"}", with: "{\"value\":\"2.5\"}")
    #expect(changed != text)
    #expect(try push(daemon, changed).status == 0)
    #expect(try daemon.control("template", "show", "mine").output == changed)
    #expect(try speed(daemon)["value"] == 2.5)
    // Firebase's call replaces the version in the document, and changes no other byte.
    let given = try daemon.ask("GET", "/v1/projects/mine/remoteConfig", admin: true).text
    let (before, after) = ("\"version\" : ", " }")
    let start = try #require(changed.firstRange(of: before)?.upperBound)
    #expect(given.hasPrefix(changed[..<start] + "{\"versionNumber\":\"2\"") && given.hasSuffix("}" + after))
    #expect(try daemon.ask("GET", "/v1/games/mine/config/lives").json["source"] == "default")
  }
}
