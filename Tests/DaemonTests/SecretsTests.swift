// Secrets: the daemon's whole output during a run that provokes it is searched for their values.

import GameConfCore
import Glibc
import Testing

@Suite("Secrets appear nowhere", .serialized)
struct SecretsTests {
  /// A word that is in every secret text, and in no other text.
  private static let word = "HUSH"
  /// The numbers that are secret, and the values that the run tries to give them.
  private static let numbers = ["471147114", "471147999", "471148555"]

  private static func catalog(
    key: String = "HUSHalpha", pattern: String = "^[A-Z]+[a-z]*$", bound: String = "471147999", more: String = "", drop: Set<String> = []
  ) -> String {
    let parameters = [
      ("api_key", "{type: string, secret: true, pattern: \"\(pattern)\", default: \(key), section: s, description: d}"),
      ("number", "{type: integer, secret: true, default: 471147114, section: s, description: d}"),
      ("bound", "{type: integer, secret: true, range: {min: {parameter: number}}, default: \(bound), section: s, description: d}"),
      ("words", "{type: list, secret: true, default: [HUSHone, HUSHtwo], section: s, description: d}"),
      (
        "wide",
        "{type: string, secret: true, flagd: {state: ENABLED, variants: {HUSHwide: HUSHwide, HUSHtall: HUSHtall}, defaultVariant: HUSHwide, targeting: {\"if\": [{\"==\": [{var: a}, 1]}, HUSHtall]}}, section: s, description: d}"
      ),
      ("compares", reading("{\">\": [{parameter: number}, 5]}")), ("whole", reading("{parameter: api_key}")),
      ("joined", reading("{\"==\": [{cat: [{parameter: api_key}, x]}, y]}")),
      ("added", reading("{\">\": [{\"+\": [{parameter: number}, 0]}, {\"-\": [{parameter: bound}, 0]}]}")),
      ("mapped", reading("{some: [{map: [{parameter: words}, {cat: [{var: \"\"}, x]}]}, {\"==\": [{var: \"\"}, q]}]}")),
      ("reduced", reading("{\"==\": [{reduce: [{parameter: words}, {cat: [{var: accumulator}, {var: current}]}, \"\"]}, q]}")),
      ("computed", reading("{\"==\": [{var: [{parameter: api_key}]}, q]}")),
      ("missed", reading("{missing: [{parameter: words}]}")),
      ("chosen", reading("{\"if\": [{var: a}, {parameter: api_key}, {parameter: words}]}")),
      (
        "named",
        "{type: string, flagd: {state: ENABLED, variants: {a: x}, defaultVariant: a, targeting: {parameter: api_key}}, section: s, description: d}"
      ),
      ("ceiling", "{type: integer, default: 500000000, section: s, description: d}"),
      ("plain", "{type: integer, default: 1, section: s, description: d}"),
    ]
    return """
      gameconf: 1
      game: vault
      title: Vault
      locales: [en]
      constraints:
        roof: {require: {"<": [{parameter: number}, {parameter: ceiling}]}, message: The number must stay below the ceiling.}
      gates:
        door: {locked_when: {"==": [{parameter: api_key}, {var: guess}]}, args: {guess: string}}
      parameters:

      """
        + parameters.filter { !drop.contains($0.0) }.map { "  \($0.0): \($0.1)\n" }.joined() + more
  }

  private static func reading(_ condition: String) -> String {
    "{type: integer, default: 1, rules: [{when: \(condition), value: 2}], section: s, description: d}"
  }

  /// Catalogs that are refused, each with a fault whose message could quote a secret.
  private static let bad: [String] = [
    catalog(key: "12HUSH"), catalog(pattern: "^[0-9]+$"), catalog(bound: "471147000"), catalog(bound: "HUSHnumber"),
    catalog(key: "[HUSHlist]"), catalog(key: "{HUSHname: HUSHvalue}"), catalog(key: "{HUSHname:HUSHvalue}"),
    catalog(key: "{HUSHname, HUSHother}"), catalog(key: "HUSHalpha, enum: [HUSHbeta, HUSHbeta]"),
    catalog(key: "HUSHalpha, max_length: 3"), catalog(key: "HUSHalpha, one_of: {themes: all}"),
    catalog(key: "HUSHalpha, one_of: {products: all}"),
    catalog(key: "HUSHalpha, rules: [{when: {HUSHoperator: 1}, value: HUSHrule}]"), catalog(key: "HUSHalpha, rules: [{value: [HUSHrule]}]"),
    catalog(key: "HUSHalpha, rules: [{value: {parameter: HUSHparameter}}]"),
    catalog(more: "  typed: {type: integer, secret: true, default: HUSHtyped, section: s, description: d}\n"),
    catalog(more: "  flag: {type: boolean, secret: true, default: HUSHflag, section: s, description: d}\n"),
    catalog(more: "  text: {type: localized, secret: true, default: {HUSHlocale: HUSHtext}, section: s, description: d}\n"),
    catalog(
      more:
        "  shaped: {type: object, secret: true, default: {HUSHfield: HUSHvalue}, schema: {properties: {a: {type: string}}, additionalProperties: false}, section: s, description: d}\n"
    ),
    catalog(
      more: "  listed: {type: list, secret: true, default: [HUSHa, HUSHb], schema: {items: {enum: [HUSHc]}}, section: s, description: d}\n"),
    catalog(
      more:
        "  variant: {type: integer, secret: true, flagd: {state: ENABLED, variants: {HUSHv: HUSHx}, defaultVariant: HUSHw}, section: s, description: d}\n"
    ),
    catalog(more: "  open: {type: integer, default: 1, range: {min: {parameter: number}}, section: s, description: d}\n"),
    catalog(more: "  taken: {type: integer, default: {parameter: number}, range: {max: 5}, section: s, description: d}\n"),
    catalog(more: "  roofed: {type: integer, secret: yes, default: HUSHyes, section: s, description: d}\n"),
    catalog(drop: ["ceiling"], more: "  ceiling: {type: integer, default: 4, section: s, description: d}\n"),
  ]

  private static func catalog(drop: Set<String>, more: String) -> String { catalog(more: more, drop: drop) }

  /// Collects the daemon's output that contains a secret, with its source.
  private final class SecretSearch {
    private(set) var found: [String] = []
    private(set) var count = 0

    func scan(_ text: String, _ place: String) {
      count += 1
      for secret in [SecretsTests.word] + SecretsTests.numbers {
        guard let at = text.firstRange(of: secret) else { continue }
        found.append("\(place): …\(text[..<at.lowerBound].suffix(80))\(text[at.lowerBound...].prefix(60))…")
      }
    }
  }

  @Test("no answer, journal line or metric contains a secret, whatever is requested and fails", .needs(.ofrep))
  func nowhere() throws {
    let daemon = try RunningDaemon(catalogs: ["vault.yaml": Self.catalog()])
    let search = SecretSearch()

    @discardableResult
    func ask(_ method: String, _ path: String, _ body: Value? = nil, admin: Bool = true, echoes: Bool = false) throws
      -> RawConnection.Answer
    {
      let answer = try daemon.ask(method, path, body: body, admin: admin)
      // The answer of a change shows the value to its author only.
      if !echoes { search.scan(String(decoding: answer.body, as: UTF8.self), "\(method) \(path)") }
      for (name, value) in answer.headers { search.scan(value, "\(method) \(path) \(name)") }
      return answer
    }
    let keys = ["api_key", "number", "bound", "words", "wide", "compares", "whole", "joined", "added", "mapped", "reduced", "computed"]
    let moreKeys = ["missed", "chosen", "named", "ceiling", "plain"]
    let context: Value = ["context": ["a": 1, "HUS": "x"]]
    var states = 0

    func readAll() throws {
      for admin in [false, true] {
        for path in ["/health/ready", "/health/ready?strict=true", "/v1/games", "/v1/games/vault/catalog", "/openapi.json"] {
          try ask("GET", path, admin: admin)
        }
        for query in ["", "?detail=full", "?player=p", "?detail=full&player=p", "?locale=*"] {
          try ask("GET", "/v1/games/vault/config" + query, admin: admin)
        }
        try ask("POST", "/v1/games/vault/config", context, admin: admin)
        try ask("POST", "/v1/games/vault/config?detail=full", context, admin: admin)
        for key in keys + moreKeys {
          try ask("GET", "/v1/games/vault/config/\(key)", admin: admin)
          try ask("POST", "/v1/games/vault/config/\(key)", context, admin: admin)
        }
        for flag in [""] + keys.map({ "/" + $0 }) {
          try ask("POST", "/v1/games/vault/ofrep/v1/evaluate/flags\(flag)", ["context": ["targetingKey": "p", "a": 1]], admin: admin)
        }
        for query in ["", "?player=p", "?keys=whole,api_key", "?locale=*", "?values=none"] {
          let stream = try StreamReader(admin ? daemon.adminSocket : daemon.gamesSocket, "/v1/games/vault/watch" + query)
          guard stream.status == 200, let state = stream.next() else { continue }
          search.scan(state.data, "watch\(query)")
          states += 1
        }
        try ask("GET", "/v1/games/vault/config/image", admin: admin)
        try ask("GET", "/v1/games/vault/config/image?player=p", admin: admin)
        try ask("GET", "/v1/games/vault/players/p", admin: admin)
        try ask("POST", "/v1/games/vault/players/p/gates/door", ["args": ["guess": "x"]], admin: admin)
      }
      for key in keys + moreKeys {
        try ask("GET", "/v1/games/vault/config/\(key)/explain")
        try ask("GET", "/v1/games/vault/config/\(key)/explain?player=p")
        try ask("POST", "/v1/games/vault/config/\(key)/explain", context)
        try ask("POST", "/v1/games/vault/config/\(key)/simulate", ["players": 20])
        try ask("GET", "/v1/games/vault/overrides/\(key)")
        try ask("GET", "/v1/games/vault/players/p/overrides/\(key)")
      }
      for path in [
        "overrides", "overrides?players=all", "overrides/export", "audit?limit=1000", "template", "template/versions",
        "template/versions/1",
      ] {
        try ask("GET", "/v1/games/vault/\(path)")
      }
      for line in try daemon.audit(game: "vault") { try ask("GET", "/v1/games/vault/audit/\(line["id"]?.integerValue ?? 0)") }
      for path in ["/v1/status", "/metrics"] { try ask("GET", path) }
    }
    try readAll()

    // The run sets, refuses, reverts and forgets values, also in windows.
    for (key, value) in [("api_key", "HUSHforced"), ("number", 471_148_555), ("bound", 471_148_555), ("wide", "HUSHother")]
      as [(String, Value)]
    {
      for player in ["", "/players/p"] {
        let put = try ask("PUT", "/v1/games/vault\(player)/overrides/\(key)", ["value": value, "reason": "r"], echoes: true)
        #expect(put.status == 201 || key == "bound" || key == "number", "\(key): \(put.json)")
      }
    }
    let refusals: [(String, Value)] = [
      ("api_key", "12HUSH"), ("api_key", ["HUSHlist"]), ("number", "HUSHtext"), ("number", 600_000_000), ("bound", 5),
      ("bound", 471_147_000),
      ("words", "HUSHtext"), ("ceiling", 5),
    ]
    for (key, value) in refusals {
      for player in ["", "/players/p", "/players/q"] {
        for query in ["", "?dry_run=true"] {
          let answer = try ask("PUT", "/v1/games/vault\(player)/overrides/\(key)\(query)", ["value": value])
          #expect(answer.status == 422, "\(key) \(value): \(answer.json)")
        }
      }
    }
    let rows = refusals.map { Value.object(ObjectValue([("key", .string($0.0)), ("player", "z"), ("value", $0.1)])) }
    try ask("POST", "/v1/games/vault/overrides/import", ["overrides": .list(rows)])
    try readAll()

    // A template's refusal must not quote its secrets. Its publisher may read the pushed template back.
    for (key, value) in [("plain", "3"), ("number", "HUSHtext"), ("words", "HUSHword"), ("api_key", "12HUSH"), ("ceiling", "5")] {
      let parameter: Value = ["defaultValue": ["value": .string(value)]]
      let document: Value = ["parameters": .object(ObjectValue([(key, parameter)]))]
      for query in key == "plain" ? ["?validate_only=true", ""] : ["?validate_only=true"] {
        let answer = try ask("PUT", "/v1/games/vault/template\(query)", document)
        #expect(answer.status < 500, "\(key): \(answer.text)")
      }
    }
    // Watchers on both sockets are notified of the changes.
    for admin in [false, true] {
      let stream = try StreamReader(admin ? daemon.adminSocket : daemon.gamesSocket, "/v1/games/vault/watch?player=p")
      #expect(stream.next()?.event == "state")
      for (key, value) in [("api_key", admin ? "HUSHlater" : "HUSHsooner"), ("plain", admin ? 7 : 8)] as [(String, Value)] {
        try ask("PUT", "/v1/games/vault/overrides/\(key)", ["value": value, "reason": "r"], echoes: true)
      }
      var received = ""
      while let change = stream.next() {
        let text = change.data
        received += text
        search.scan(text, "watch's change")
        if text.contains("\"plain\"") { break }
      }
      #expect(received.contains("plain"))
    }
    try readAll()

    // A catalog that refuses the values quarantines them, and they cannot be released.
    try daemon.folder.write(Self.catalog(key: "hush", pattern: "^[a-z]+$"), to: "games/vault.yaml")
    try ask("POST", "/v1/reload")
    for player in ["", "/players/p"] {
      let release = try ask("POST", "/v1/games/vault\(player)/overrides/api_key/release", [:])
      #expect(release.status == 422, "\(release.json)")
    }
    try readAll()
    for line in try daemon.audit(game: "vault") {
      for query in ["", "?force=true", "?dry_run=true"] {
        try ask("POST", "/v1/games/vault/audit/\(line["id"]?.integerValue ?? 0)/revert\(query)", [:])
      }
    }
    // A catalog without the key also quarantines the key's override.
    try daemon.folder.write(Self.catalog(drop: ["wide"]), to: "games/vault.yaml")
    try ask("POST", "/v1/reload")
    try ask("POST", "/v1/games/vault/overrides/wide/release", [:])
    try readAll()

    for text in Self.bad {
      try daemon.folder.write(text, to: "games/vault.yaml")
      let reload = try ask("POST", "/v1/reload")
      #expect(reload.json["games"]?.listValue?.first?["outcome"] == "degraded", "\(reload.json) of \(text)")
      for path in ["/health/ready", "/health/ready?strict=true", "/v1/games"] { try ask("GET", path, admin: false) }
      try ask("GET", "/v1/status")
    }
    try ask("POST", "/v1/games/vault/overrides/clear", ["scope": "all"])
    try readAll()

    // A start with faulty catalogs logs the faults again.
    let first = daemon.stop()
    search.scan(first.errors + first.output, "the journal")
    try daemon.start()
    search.scan(daemon.startLines.joined(separator: "\n"), "the second start")
    try readAll()
    let second = daemon.stop()
    search.scan(second.errors + second.output, "the second journal")
    #expect(search.found.isEmpty, "\(search.found.count) of \(search.count): \(search.found.prefix(20).joined(separator: "\n"))")
    #expect(search.count > 1_000 && states > 20)
  }
}
