// A studio's use of templates from end to end, and invalid templates.

import GameConfCore
import Testing

@Suite("Templates from end to end")
struct TemplateShowsTests {
  private static let arcade = """
    {"conditions": [
       {"name": "iOS from 1.4", "expression": "device.os == 'ios' && app.version.>=(['1.4.0'])"},
       {"name": "a tenth", "expression": "percent('arcade') <= 10"}],
     "parameters": {"arcade_mode_enabled": {"valueType": "BOOLEAN", "defaultValue": {"value": "false"},
       "conditionalValues": {"iOS from 1.4": {"value": "true"}, "a tenth": {"value": "true"}}}}}
    """

  @Test("a template enables a mode for new iOS versions and for a tenth of other players, the same after a kill, and is explained")
  func arcade() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.arcade, to: "template.json")
    let shipped = try #require(TemporaryFolder.read(Built.tree + "/Defaults/wheresthedot.yaml"))
    let catalog = String(decoding: shipped, as: UTF8.self) + "\nsource: {file: \(folder.path)/template.json}\n"
    let daemon = try RunningDaemon(catalogs: ["wheresthedot.yaml": catalog], folder: folder)
    func answer(_ player: String, _ context: Value) throws -> Value {
      let body: Value = ["player": .string(player), "context": context]
      return try daemon.ask("POST", "/v1/games/wheresthedot/config/arcade_mode_enabled", body: body).json
    }
    let players = (0..<200).map { "p\($0)" }
    func inside(_ context: Value) throws -> [String] { try players.filter { try answer($0, context)["value"] == true } }
    #expect(try inside(["platform": "ios", "app_version": "1.10"]) == players)
    let tenth = try inside(["platform": "android", "app_version": "2"])
    #expect(tenth.count > 5 && tenth.count < 40, "\(tenth.count)")
    #expect(try inside(["platform": "ios", "app_version": "1.3.9"]) == tenth)
    let body: Value = ["player": .string(tenth[0]), "context": ["platform": "android", "app_version": "2"]]
    let explained = try daemon.ask("POST", "/v1/games/wheresthedot/config/arcade_mode_enabled/explain", body: body, admin: true)
    let rules = explained.json["layers"]?.listValue?.first { $0["layer"] == "remote" }?["rules"]?.listValue ?? []
    try #require(rules.count == 2, "\(explained.text)")
    #expect(rules[0]["template_condition"]?["name"] == "iOS from 1.4" && rules[0]["template_condition"]?["outcome"] == false)
    #expect(rules[0]["template_condition"]?["tests"]?.listValue?.map { $0["read"] ?? .null } == ["android", "2"], "\(explained.text)")
    let bucket = try #require(rules[1]["template_condition"]?["tests"]?.listValue?.first?["bucket"]?.numberValue)
    #expect(bucket == Double(TemplatePercent.bucket(seed: "arcade", id: tenth[0])) / 1_000_000 && bucket <= 10, "\(bucket)")
    try daemon.restart(killing: true)
    #expect(try inside(["platform": "android", "app_version": "2"]) == tenth)
  }

  private func daemon() throws -> RunningDaemon { try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog]) }

  private func push(_ daemon: RunningDaemon, _ document: Value) throws -> RawConnection.Answer {
    try daemon.ask("PUT", "/v1/games/mine/template", body: document, admin: true)
  }

  private func speed(_ daemon: RunningDaemon) throws -> Value? { try daemon.ask("GET", "/v1/games/mine/config/speed").json["value"] }

  private static let good: Value = ["parameters": ["speed": ["defaultValue": ["value": "3"]], "lives": ["defaultValue": ["value": "7"]]]]

  @Test("removing a key from the template restores the catalog's value immediately and notifies watchers of that key only")
  func deleted() throws {
    let daemon = try daemon()
    #expect(try push(daemon, Self.good).status == 200)
    #expect(try speed(daemon) == 3.0)
    let watch = try StreamReader(daemon.gamesSocket, "/v1/games/mine/watch")
    #expect(watch.next()?.event == "state")
    #expect(try push(daemon, ["parameters": ["lives": ["defaultValue": ["value": "7"]]]]).status == 200)
    let answer = try daemon.ask("GET", "/v1/games/mine/config/speed").json
    #expect(answer["value"] == 2.0 && answer["source"] == "default", "\(answer)")
    let change = watch.data()
    #expect((change["values"]?.objectValue ?? change["changed"]?.objectValue)?.names == ["speed"], "\(change)")
  }

  private static func client(_ expression: String) -> Value { ["conditions": [["name": "c", "expression": .string(expression)]]] }

  private static func signal(_ word: String, _ target: String) -> Value {
    let signal: Value = ["customSignalOperator": .string(word), "customSignalKey": "x", "targetCustomSignalValues": [.string(target)]]
    return ["conditions": [["name": "c", "condition": ["customSignal": signal]]]]
  }

  private static let parameter: Value = ["defaultValue": ["value": "x"]]

  private static var tooManyParameters: Value {
    ["parameters": .object(ObjectValue((0..<3_001).map { ("k\($0)", parameter) }))]
  }

  private static var tooManyConditions: Value {
    ["conditions": .list((0..<2_001).map { at -> Value in ["name": .string("c\(at)"), "expression": "true"] })]
  }

  static let bad: [(Value, String)] = [
    (tooManyParameters, "/parameters"), (tooManyConditions, "/conditions"),
    (["parameters": ["speed": ["conditionalValues": ["nobody": ["value": "3"]]]]], "/parameters/speed/conditionalValues/nobody"),
    (client("percent > 200"), "/conditions/0/expression"), (client("device.colour == 'red'"), "/conditions/0/expression"),
    (client("app.version.resembles(['1'])"), "/conditions/0/expression"),
    (client("app.version.matches(['(a*)*\\\\1'])"), "/conditions/0/expression"),
    (client("app.version.matches(['((a{1,999}){9}){1,999}'])"), "/conditions/0/expression"),
    (client(String(repeating: "(", count: 30_000)), "/conditions/0/expression"),
    (signal("STRING_RESEMBLES", "x"), "/conditions/0/condition/customSignal/customSignalOperator"),
    (signal("STRING_CONTAINS_REGEX", "((a{1,999}){9}){1,999}"), "/conditions/0/condition/customSignal/targetCustomSignalValues/0"),
    (
      ["conditions": [["name": "c", "condition": ["percent": ["percentOperator": "LESS_OR_EQUAL", "microPercent": 200_000_001]]]]],
      "/conditions/0/condition/percent/microPercent"
    ),
  ]

  @Test("an invalid template is refused with a pointer to its fault, and the previous one stays in force", arguments: bad)
  func refused(document: Value, pointer: String) throws {
    let daemon = try daemon()
    #expect(try push(daemon, Self.good).status == 200)
    let refused = try push(daemon, document)
    #expect(refused.status == 422 && refused.json["code"] == "SCHEMA_VIOLATION", "\(refused.text.prefix(500))")
    #expect(refused.json["pointer"] == .string(pointer), "\(refused.text.prefix(500))")
    #expect(try speed(daemon) == 3.0)
    let versions = try daemon.ask("GET", "/v1/games/mine/template/versions", admin: true).json["versions"]?.listValue
    #expect(versions?.count == 1)
  }

  @Test("a template with the maximum numbers of parameters and conditions is accepted")
  func most() throws {
    let daemon = try daemon()
    var parameters: ObjectValue = ["speed": ["defaultValue": ["value": "3"]]]
    for at in 1..<3_000 { parameters["k\(at)"] = Self.parameter }
    let conditions = (0..<2_000).map { at -> Value in ["name": .string("c\(at)"), "expression": "percent('s') <= 50"] }
    let answer = try push(daemon, ["conditions": .list(conditions), "parameters": .object(parameters)])
    #expect(answer.status == 200, "\(answer.text.prefix(500))")
    #expect(try speed(daemon) == 3.0)
  }

  @Test("slow conditions on a long text are aborted only for the client that sent the text")
  func long() throws {
    let daemon = try daemon()
    let conditions = (0..<200).map { at -> Value in
      ["name": .string("c\(at)"), "expression": .string("app.version.matches(['(a|b)*c\(at)'])")]
    }
    var values = ObjectValue()
    for at in 0..<200 { values["c\(at)"] = ["value": "1.5"] }
    let document: Value = [
      "conditions": .list(conditions),
      "parameters": ["speed": ["defaultValue": ["value": "3"], "conditionalValues": .object(values)]],
    ]
    #expect(try push(daemon, document).status == 200)
    let text = Value.string(String(repeating: "a", count: 200_000))
    let answer = try daemon.ask("POST", "/v1/games/mine/config/speed", body: ["context": ["app_version": text]])
    #expect(answer.json["code"] == "EVALUATION_TOO_LONG", "\(answer.text.prefix(500))")
    #expect(try daemon.ask("POST", "/v1/games/mine/config/speed", body: ["context": ["app_version": "aabc7"]]).json["value"] == 1.5)
    #expect(try speed(daemon) == 3.0)
  }
}
