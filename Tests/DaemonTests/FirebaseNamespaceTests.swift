// Server templates for clients, and times with zones as Firebase's tools write them.

import GameConfCore
import Testing

@Suite("Firebase's namespaces and times")
struct FirebaseNamespaceTests {
  private static let path = "/v1/projects/mine/remoteConfig"
  private static let servers = "/v1/projects/mine/namespaces/firebase-server/remoteConfig"

  private func daemon() throws -> RunningDaemon { try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog]) }

  private func publish(_ daemon: RunningDaemon, _ template: Value) throws -> RawConnection.Answer {
    try daemon.ask("PUT", Self.path, body: template, headers: ["If-Match": "*"], admin: true)
  }

  private static func template(_ condition: [(String, Value)]) -> Value {
    [
      "conditions": [.object(ObjectValue([("name", "c")] + condition))],
      "parameters": ["speed": ["defaultValue": ["value": "3"], "conditionalValues": ["c": ["value": "3.5"]], "valueType": "NUMBER"]],
    ]
  }

  private static func signal(_ word: String, _ targets: Value) -> Value {
    ["customSignal": ["customSignalOperator": .string(word), "customSignalKey": "it's", "targetCustomSignalValues": targets]]
  }

  @Test(
    "Firebase's clients get a server template's condition as an expression with the same meaning",
    arguments: [
      (["true": [:]], "true"), (["false": [:]], "false"),
      (["percent": ["percentOperator": "LESS_OR_EQUAL", "seed": "s", "microPercent": 50_000_000]], "percent('s') <= 50"),
      (["percent": ["percentOperator": "GREATER_THAN", "microPercent": 1]], "percent > 0.000001"),
      (
        [
          "percent": [
            "percentOperator": "BETWEEN", "seed": "a'b",
            "microPercentRange": ["microPercentLowerBound": 12_340_000, "microPercentUpperBound": 100_000_000],
          ]
        ], "percent('a\\'b') between 12.34 and 100"
      ),
      (signal("STRING_EXACTLY_MATCHES", ["a", "b\\c"]), "app.customSignal['it\\'s'].exactlyMatches(['a', 'b\\\\c'])"),
      (signal("STRING_DOES_NOT_CONTAIN", ["a"]), "app.customSignal['it\\'s'].notContains(['a'])"),
      (signal("STRING_CONTAINS_REGEX", ["^a"]), "app.customSignal['it\\'s'].matches(['^a'])"),
      (signal("NUMERIC_GREATER_EQUAL", ["-1.5"]), "app.customSignal['it\\'s'] >= -1.5"),
      (signal("SEMANTIC_VERSION_LESS_THAN", ["1.2"]), "version(app.customSignal['it\\'s']) < '1.2'"),
      (
        ["orCondition": ["conditions": [["andCondition": ["conditions": [["true": [:]], signal("STRING_CONTAINS", ["a"])]]]]]],
        "true && app.customSignal['it\\'s'].contains(['a'])"
      ),
      (["orCondition": ["conditions": []]], "false"), (["andCondition": ["conditions": []]], "true"),
    ] as [(Value, String)])
  func expressions(condition: Value, expression: String) throws {
    let daemon = try daemon()
    #expect(try publish(daemon, Self.template([("condition", condition)])).status == 200)
    let given = try daemon.ask("GET", Self.path, admin: true)
    #expect(given.json["conditions"]?.listValue?.first?["expression"] == .string(expression), "\(given.text)")
    #expect(given.json["conditions"]?.listValue?.first?["condition"] == condition)
    #expect(try daemon.ask("GET", Self.servers, admin: true).json["conditions"]?.listValue?.first?["expression"] == nil)
    // The expression alone gives the same players the same values.
    func values() throws -> [Value?] {
      try (0..<12).map {
        try daemon.ask(
          "POST", "/v1/games/mine/config/speed",
          body: ["player": .string("p\($0)"), "context": ["it's": .string(["a", "-1", "1.1", "b\\c"][$0 % 4])]]
        ).json["value"]
      }
    }
    let before = try values()
    #expect(try publish(daemon, Self.template([("expression", .string(expression))])).status == 200)
    #expect(try values() == before)
  }

  @Test("a condition that clients have no expression for is refused to Firebase's clients with its place, and returned to servers")
  func noExpression() throws {
    let daemon = try daemon()
    let either: Value = ["orCondition": ["conditions": [["true": [:]], ["false": [:]]]]]
    for condition in [either, Self.signal("NUMERIC_EQUAL", ["one"])] {
      #expect(try publish(daemon, Self.template([("condition", condition)])).status == 200)
      let refused = try daemon.ask("GET", Self.path, admin: true)
      let message = refused.json["error"]?["message"]?.stringValue ?? ""
      #expect(refused.status == 400 && message.contains("/conditions/0") && message.contains("firebase-server"), "\(refused.text)")
      #expect(try daemon.ask("GET", Self.servers, admin: true).status == 200)
    }
  }

  @Test("a server template that a client reads and writes back is byte for byte the same except for its conditions")
  func writtenBack() throws {
    let daemon = try daemon()
    let condition: Value = ["orCondition": ["conditions": [["percent": ["percentOperator": "LESS_OR_EQUAL", "microPercent": 0]]]]]
    #expect(try publish(daemon, Self.template([("condition", condition)])).status == 200)
    let given = try daemon.ask("GET", Self.path, admin: true)
    #expect(try publish(daemon, given.json).status == 200)
    let server = try daemon.ask("GET", "/v1/projects/mine/namespaces/firebase-server/serverRemoteConfig")
    #expect(server.status == 200 && server.json["conditions"]?.listValue?.first?["condition"] == condition, "\(server.text)")
  }

  @Test("the template of firebase-tools' tests is accepted, and its time is in the zone of Los Angeles")
  func zone() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog], arguments: ["--clock", "2020-07-24T00:30:00Z"])
    let written = Self.template([("expression", "dateTime < dateTime('2020-07-24T00:00:00', 'America/Los_Angeles')")])
    let pushed = try daemon.ask("PUT", "/v1/games/mine/template", body: written, admin: true)
    #expect(pushed.status == 200 && pushed.json["remarks"]?.listValue?.isEmpty != false, "\(pushed.text)")
    func value(at instant: String) throws -> Value? {
      #expect(try daemon.ask("PUT", "/v1/games/mine/clock", body: ["now": .string(instant)], admin: true).status == 200)
      return try daemon.ask("GET", "/v1/games/mine/config/speed").json["value"]
    }
    #expect(try value(at: "2020-07-24T06:59:00Z") == 3.5)
    #expect(try value(at: "2020-07-24T07:00:00Z") == 3.0)
  }

  @Test("a push reports a time zone that the host does not have, and its condition never matches")
  func noZone() throws {
    let daemon = try daemon()
    for zone in ["Mars/Olympus", "../../../etc/passwd"] {
      let written = Self.template([("expression", .string("dateTime < dateTime('2099-01-01T00:00:00', '\(zone)')"))])
      let pushed = try daemon.ask("PUT", "/v1/games/mine/template", body: written, admin: true)
      #expect(pushed.status == 200, "\(pushed.text)")
      let remark = pushed.json["remarks"]?.listValue?.first?["message"]?.stringValue ?? ""
      #expect(remark.contains("“\(zone)”") && remark.contains("never fulfilled"), "\(pushed.text)")
      #expect(try daemon.ask("GET", "/v1/games/mine/config/speed").json["value"] == 3.0)
    }
  }
}
