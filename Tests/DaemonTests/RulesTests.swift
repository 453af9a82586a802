// Rules on the built daemon: their values, reasons, and changes with time.

import GameConfCore
import Testing

@Suite("Rules decide values", .serialized)
struct RulesTests {
  private func daemon() throws -> RunningDaemon {
    try RunningDaemon(catalogs: ["mine.yaml": RulesCatalog.text], arguments: ["--clock", RulesCatalog.clock])
  }

  private func value(_ daemon: RunningDaemon, _ key: String, _ context: Value = [:], player: String? = nil) throws -> Value {
    var body = ObjectValue([("context", context)])
    body["player"] = player.map(Value.string)
    return try daemon.ask("POST", "/v1/games/mine/config/\(key)", body: .object(body)).json
  }

  @Test("the first matching rule gives the value and its reason")
  func reasons() throws {
    let daemon = try daemon()
    let old = try value(daemon, "lives", ["platform": "ios", "app_version": "1.3.9"])
    #expect(old["value"] == 5 && old["reason"] == "TARGETING_MATCH" && old["source"] == "default")
    let swede = try value(daemon, "lives", ["country": "SE"], player: "p")
    #expect(swede["value"] == 7 && swede["reason"] == "TARGETING_MATCH")
    let players = try (1...200).map { try value(daemon, "lives", player: "p\($0)") }
    let split = players.filter { $0["reason"] == "SPLIT" }
    #expect(split.allSatisfy { $0["value"] == 4 } && (5...40).contains(split.count))
    #expect(players.filter { $0["reason"] == "DEFAULT" && $0["value"] == 3 }.count == 200 - split.count)
    #expect(try value(daemon, "lives")["reason"] == "DEFAULT")
    #expect(try value(daemon, "plain")["reason"] == "STATIC")
  }

  @Test("a flag in flagd's form gives its variant and metadata, or the default if it cannot be evaluated")
  func flags() throws {
    let daemon = try daemon()
    let anyone = try value(daemon, "layout")
    #expect(anyone["value"] == "w" && anyone["variant"] == "wide" && anyone["reason"] == "DEFAULT" && anyone["source"] == "default")
    #expect(anyone["metadata"] == ["owner": "board"])
    let player = try value(daemon, "layout", ["platform": "ios"], player: "p1")
    #expect(player["reason"] == "TARGETING_MATCH" && (player["variant"] == "wide" || player["variant"] == "tall"))
    let broken = try value(daemon, "broken", ["platform": "ios"])
    #expect(broken["value"] == true && broken["reason"] == "DEFAULT" && broken["variant"] == nil)
    let explained = try daemon.ask(
      "POST", "/v1/games/mine/config/broken/explain", body: ["context": ["platform": "ios"]], admin: true)
    #expect(explained.json["layers"]?.listValue?.last?["targeting"]?["error"] == "GENERAL")
    #expect(explained.json["layers"]?.listValue?.last?["why"]?.stringValue?.contains("sideways") == true)
  }

  @Test("a time-dependent value has the time of its next change, or reports that it is unknown")
  func time() throws {
    let daemon = try daemon()
    for key in ["later", "after_later", "if_later"] {
      let answer = try value(daemon, key)
      #expect(answer["value"] == false && answer["next_change_at"] == "2026-11-21T12:00:00Z" && answer["time_dependent"] == nil, "\(key)")
    }
    #expect(try value(daemon, "today")["next_change_at"] == "2026-11-22T00:00:00Z")
    let ticking = try value(daemon, "ticking")
    #expect(ticking["time_dependent"] == true && ticking["next_change_at"] == nil && ticking["value"] == true)
    let outside = try (1...50).lazy.map { try self.value(daemon, "opening", player: "p\($0)") }.first { $0["value"] == 0 }
    let change = try Instant(parsing: try #require(outside?["next_change_at"]?.stringValue))
    let after = try RunningDaemon(catalogs: ["mine.yaml": RulesCatalog.text], arguments: ["--clock", change.text])
    let player = try (1...50).first { try value(daemon, "opening", player: "p\($0)")["value"] == 0 }
    #expect(try value(after, "opening", player: "p\(player ?? 0)")["value"] == 1)
    #expect(try value(after, "opening", player: "p\(player ?? 0)")["next_change_at"] == nil)
  }

  @Test("the rules in the guide are accepted and give the described values")
  func guide() throws {
    let path = Built.tree + "/Sources/gameconfd/Documentation.docc/Guides/Rules.md"
    let guide = String(decoding: try #require(TemporaryFolder.read(path)), as: UTF8.self)
    let block = try #require(guide.split(separator: "```yaml\n").dropFirst().first?.split(separator: "```").first)
    let header = "gameconf: 1\ngame: mine\ntitle: Mine\nlocales: [en]\n"
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": header + block], arguments: ["--clock", "2026-12-08T00:00:00Z"])
    #expect(try value(daemon, "lives", ["platform": "mac", "app_version": "1.3"])["value"] == 5)
    #expect(try value(daemon, "lives", ["country": "NO"], player: "p")["value"] == 4)
    #expect(try value(daemon, "events_on", player: "p")["reason"] == "SPLIT")
    #expect(try value(daemon, "grid_layout", ["platform": "tv"])["variant"] == "wide")
  }

  @Test("the locale of a query is an attribute for rules")
  func locale() throws {
    let daemon = try daemon()
    #expect(try daemon.ask("GET", "/v1/games/mine/config/french?locale=fr").json["value"] == true)
    #expect(try daemon.ask("GET", "/v1/games/mine/config/french?locale=*").json["value"] == false)
    #expect(try daemon.ask("GET", "/v1/games/mine/config/title?locale=fr").json["value"] == "Grotte")
  }

  @Test("an explanation shows each rule, its conditions with their inputs, and the bucket of a percentage")
  func explain() throws {
    let daemon = try daemon()
    let answer = try daemon.ask(
      "POST", "/v1/games/mine/config/lives/explain", body: ["player": "p1", "context": ["platform": "ios", "app_version": "1.5.0"]],
      admin: true)
    let rules = try #require(answer.json["layers"]?.listValue?.last?["rules"]?.listValue)
    #expect(rules.count == 3)
    let conditions = try #require(rules[0]["conditions"]?.listValue)
    #expect(conditions.map { $0["outcome"] } == [false, true, false])
    #expect(conditions[1]["expression"] == #"platform in ["ios", "mac"]"#)
    #expect(conditions[1]["read"] == ["platform": "ios"])
    #expect(conditions[2]["read"] == ["app_version": "1.5.0"])
    let bucket = Percent.bucket(seed: "lives", targetingKey: "p1")
    #expect(rules[2]["percent"]?["bucket"] == .double(Double(bucket) / 1_000_000))
    #expect(rules[2]["percent"]?["in"] == .bool(bucket < 10_000_000))
    let flag = try daemon.ask(
      "POST", "/v1/games/mine/config/layout/explain", body: ["player": "p1", "context": ["platform": "ios"]], admin: true)
    let targeting = flag.json["layers"]?.listValue?.last?["targeting"]
    #expect(targeting?["conditions"]?.listValue?.contains { $0["bucket"]?["of"] == 100 } == true)
    let get = try daemon.ask("GET", "/v1/games/mine/config/lives/explain?player=p1", admin: true)
    #expect(get.json["player"] == "p1" && get.json["layers"]?.listValue?.count == 5)
  }

  @Test("without a targetingKey a percentage never matches, and the explanation says why")
  func withoutTargetingKey() throws {
    let daemon = try daemon()
    #expect(try value(daemon, "lives", ["country": "SE"])["value"] == 3)
    for (key, context) in [("lives", ["country": "SE"]), ("layout", ["platform": "ios"])] as [(String, Value)] {
      let answer = try daemon.ask("POST", "/v1/games/mine/config/\(key)/explain", body: ["context": context], admin: true)
      #expect(answer.json["layers"]?.listValue?.last?["why"]?.stringValue?.contains("targetingKey") == true, "\(answer.text)")
    }
    let page = try daemon.control("config", "explain", "mine", "lives", "--context", #"{"country": "SE"}"#, "--json")
    #expect(page.status == 0 && page.output.contains("the context has no targetingKey"))
  }

  @Test("gameconfctl explains a value for a player and context, and shows a key's distribution")
  func control() throws {
    let daemon = try daemon()
    let explained = try daemon.control(
      "config", "explain", "mine", "lives", "--player", "p", "--context", #"{"platform":"ios","app_version":"1.2.0"}"#)
    #expect(explained.status == 0)
    #expect(explained.output.contains("default\t5\tapplied\tthe highest layer that has a value: rule 1 matched"))
    let simulated = try daemon.control("config", "simulate", "mine", "lives", "--players", "20000")
    let rows = simulated.output.split(separator: "\n").map { $0.split(separator: "\t") }
    #expect(rows.count == 2 && rows[0][0] == "3" && rows[1][0] == "4" && rows[1][3] == "SPLIT")
    let share = try #require(Double(rows[1][5]))
    #expect(share > 9.3 && share < 10.7)
    let swedes = try daemon.control("config", "simulate", "mine", "lives", "--players", "100", "--context", #"{"country":"SE"}"#)
    #expect(swedes.output == "7\t-\tdefault\tTARGETING_MATCH\t100\t100.00\n")
  }
}
