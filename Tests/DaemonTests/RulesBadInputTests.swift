// Malicious contexts and catalogs: each gets a refusal or a harmless answer, and the daemon responds immediately afterwards.

import GameConfCore
import Testing

@Suite("Malicious input to rules", .serialized)
struct RulesBadInputTests {
  /// The time limit of one request. It is far above the time that the evaluator's limit of steps allows.
  private static let secondsMax = 5.0

  private func daemon() throws -> RunningDaemon {
    try RunningDaemon(catalogs: ["mine.yaml": RulesCatalog.text], arguments: ["--clock", RulesCatalog.clock])
  }

  private func expectAlive(_ daemon: RunningDaemon, _ comment: Comment) throws {
    let start = ContinuousClock.now
    #expect(try daemon.ask("GET", "/v1/games/mine/config/plain").json["value"] == 1, comment)
    #expect(ContinuousClock.now - start < .seconds(Self.secondsMax), comment)
  }

  @Test("malicious contexts get harmless answers")
  func tame() throws {
    let daemon = try daemon()
    let numbers: Value = .list((0..<150_000).map { .integer($0) })
    let long: Value = .string(String(repeating: "ab", count: 160_000))
    let nested = (0..<60).reduce(Value.string("x")) { inner, _ in ["a": inner] }
    let contexts: [(Comment, ObjectValue)] = [
      ("a list of a megabyte", ObjectValue([("list", numbers), ("targetingKey", "p")])),
      ("a text of a megabyte", ObjectValue([("text", long), ("needle", long), ("version", long)])),
      (
        "a needle that nearly fits everywhere",
        ObjectValue([("text", long), ("needle", .string(String(repeating: "ab", count: 200) + "c"))])
      ),
      (
        "lists where texts belong",
        ["platform": ["ios"], "app_version": [1, 4, 0], "country": [["SE"]], "list": ["a": 1], "text": [1], "version": []]
      ),
      (
        "objects where texts belong", ["platform": ["a": "b"], "app_version": ["x": 1], "country": [:], "version": ["a": 1], "needle": [:]]
      ),
      ("names of prototypes", ["__proto__": ["polluted": true], "constructor": ["prototype": ["polluted": true]], "toString": 1]),
      ("division and remainder by zero", ["zero": 0]), ("by a negative zero", ["zero": -0.0]), ("by nothing", ["zero": nil]),
      ("a version of nine parts", ["version": "1.2.3.4.5.6.7.8.9", "app_version": "1.2.3.4.5.6.7.8.9", "platform": "ios"]),
      ("numbers at their ends", ["list": [.integer(.max), .integer(.min), 1e308, 1e308], "zero": .integer(.min)]),
      ("sixty objects deep", ObjectValue([("deep", nested)])),
      ("a false timestamp", ["$flagd": ["timestamp": 1, "flagKey": "x"], "$flagd.timestamp": 5]),
    ].map { ($0.0, $0.1) }
    for (comment, context) in contexts {
      for key in ["heavy", "lives", "layout", "ticking"] {
        let start = ContinuousClock.now
        let answer = try daemon.ask("POST", "/v1/games/mine/config/\(key)", body: ["context": .object(context)])
        // The heaviest contexts exceed a request's limit of steps.
        #expect(answer.json["source"] == "default" || answer.code == "EVALUATION_TOO_LONG" && key == "heavy", comment)
        #expect(ContinuousClock.now - start < .seconds(Self.secondsMax), comment)
      }
      let explained = try daemon.ask("POST", "/v1/games/mine/config/heavy/explain", body: ["context": .object(context)], admin: true)
      #expect(explained.status == 200 || explained.code == "EVALUATION_TOO_LONG", comment)
      try expectAlive(daemon, comment)
    }
    let polluted = try daemon.ask("POST", "/v1/games/mine/config/heavy", body: ["context": ["__proto__": ["polluted": true]]])
    #expect(polluted.json["value"] == 9)
    #expect(try daemon.ask("POST", "/v1/games/mine/config/heavy", body: ["context": [:]]).json["value"] != 9)
  }

  @Test("a body with an invalid context is refused with a pointer to the invalid member")
  func refused() throws {
    let daemon = try daemon()
    let long = Value.string(String(repeating: "k", count: 10_000))
    let bodies: [(Comment, Value, Int, String?)] = [
      ("a list for a body", [1, 2], 400, ""), ("a list for a context", ["context": [1]], 400, "/context"),
      ("a text for a context", ["context": "x"], 400, "/context"), ("a number for a player", ["player": 7], 400, "/player"),
      ("a key of ten thousand characters", ["context": ["targetingKey": long]], 400, "/context/targetingKey"),
      ("a player of ten thousand characters", ["player": long], 400, "/player"),
      ("a list for a key", ["context": ["targetingKey": ["p"]]], 400, "/context/targetingKey"),
      ("an empty key", ["context": ["targetingKey": ""]], 400, "/context/targetingKey"),
      ("an object for a locale", ["context": ["locale": [:]]], 400, "/context/locale"),
      ("a body of more than a megabyte", ["context": ["text": .string(String(repeating: "x", count: 1_048_576))]], 413, nil),
      ("seventy objects deep", ["context": (0..<70).reduce(Value.integer(1)) { inner, _ in ["a": inner] }], 400, nil),
    ]
    for (comment, body, status, pointer) in bodies {
      let answer = try daemon.ask("POST", "/v1/games/mine/config/lives", body: body)
      #expect(answer.status == status, comment)
      #expect(answer.detail?.isEmpty == false, comment)
      if let pointer { #expect((answer.json["pointer"]?.stringValue ?? "") == pointer, comment) }
      try expectAlive(daemon, comment)
    }
    for (comment, body) in [
      ("no players", ["players": 0]), ("too many", ["players": 1_000_001]),
      ("a long prefix", ["players": 1, "prefix": .string(String(repeating: "p", count: 256))]),
      ("a key for all", ["players": 1, "context": ["targetingKey": "p"]]), ("a list", ["players": 1, "context": [1]]),
    ] as [(Comment, Value)] {
      let answer = try daemon.ask("POST", "/v1/games/mine/config/lives/simulate", body: body, admin: true)
      #expect(answer.status == 400 && answer.detail?.isEmpty == false, comment)
    }
  }

  @Test("catalogs with malicious rules are refused with file, line and reason")
  func catalogs() throws {
    let daemon = try daemon()
    func deep(_ levels: Int) -> String { String(repeating: "{\"!\": ", count: levels) + "true" + String(repeating: "}", count: levels) }
    let buckets = "[" + (0..<10_000).map { "[a, \($0)]" }.joined(separator: ", ") + "]"
    let rules = [
      ("a thousand deep", "{when: \(deep(1_000)), value: 1}", "deep"),
      ("ten thousand buckets", "{when: {fractional: \(buckets)}, value: 1}", "buckets"),
      ("an unknown operator", "{when: {iff: [1]}, value: 1}", "iff"),
      ("an unknown reference", "{when: {$ref: gone}, value: 1}", "gone"),
      ("an unknown parameter", "{when: {parameter: livs}, value: 1}", "livs"),
      ("itself", "{when: {parameter: bad}, value: 1}", "circle"),
      ("a list for match", "{match: [1], value: 1}", "match"),
      ("a share of 101 percent", "{percent: 101, value: 1}", "100"),
      ("a rule without a value", "{percent: 5}", "value"),
    ]
    for (name, rule, said) in rules {
      let added = "  bad: {type: integer, default: 0, section: Play, description: Bad., rules: [\(rule)]}\n"
      try daemon.folder.write(RulesCatalog.text + "\n" + added, to: "games/mine.yaml")
      let reload = try daemon.ask("POST", "/v1/reload", admin: true)
      #expect(reload.text.contains("mine.yaml:") && reload.text.contains(said), "\(name): \(reload.text.prefix(400))")
      try expectAlive(daemon, "\(name)")
    }
    let many = String(repeating: "{percent: 1, value: 1}, ", count: 1_001)
    let added = "  bad: {type: integer, default: 0, section: Play, description: Bad., rules: [\(many)]}\n"
    try daemon.folder.write(RulesCatalog.text + "\n" + added, to: "games/mine.yaml")
    #expect(try daemon.ask("POST", "/v1/reload", admin: true).text.contains("1001 rules"))
    try expectAlive(daemon, "1 001 rules")
  }
}
