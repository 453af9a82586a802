// The OpenAPI document against the routes of the running daemon.

import GameConfAPI
import GameConfCore
import Testing

@Suite("The contract", .serialized)
struct ContractTests {
  /// Returns a path of the document with its variables replaced by values.
  private func filled(_ path: String) -> String {
    path.replacing("{game}", with: "wheresthedot").replacing("{key}", with: "arcade_difficulty_step")
      .replacing("{player}", with: "p1").replacing("{id}", with: "1")
  }

  /// True if a path of the document matches a target.
  private func matches(_ path: String, _ target: String) -> Bool {
    let (template, segments) = (path.split(separator: "/"), target.split(separator: "/"))
    return template.count == segments.count && zip(template, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
  }

  @Test("every call of the OpenAPI document is routed, and other methods of its path get 405")
  func routed() throws {
    let daemon = try RunningDaemon()
    let document = try daemon.ask("GET", "/openapi.json").json
    let paths = try #require(document["paths"]?.objectValue)
    #expect(paths.count > 20)
    for path in paths.members {
      // `…/overrides/clear` is not a key of `…/overrides/{key}`: at a path that ends in a fixed name only the methods of that name are allowed.
      let isNamed = path.name.split(separator: "/").last?.hasPrefix("{") == false
      let methods = Set(
        paths.members.filter { isNamed ? $0.name == path.name : matches($0.name, filled(path.name)) }
          .flatMap { $0.value.objectValue?.names ?? [] }.filter { ["get", "put", "post", "patch", "delete"].contains($0) })
      let sockets = path.value.objectValue?.members.first?.value["x-gameconf"]?["sockets"]?.listValue ?? []
      for method in ["get", "put", "post", "patch", "delete"] {
        let answer = try daemon.ask(
          method.uppercased(), filled(path.name), headers: ["Expect-Nothing": "1"], admin: sockets.contains("admin"))
        if methods.contains(method) {
          #expect(answer.status != 405 && answer.code != "NOT_FOUND", "\(method) \(path.name) answered \(answer.status)")
        } else {
          #expect(answer.status == 405, "\(method) \(path.name) answered \(answer.status)")
          let allowed = Set((answer.headers["allow"] ?? "").split(separator: ", ").map { $0.lowercased() })
          #expect(allowed.subtracting(["head"]) == methods)
        }
      }
    }
  }

  @Test("a call that is not for games is refused on the games socket with any method")
  func adminOnly() throws {
    let daemon = try RunningDaemon()
    for (method, target) in [
      ("PUT", "/v1/games/wheresthedot/overrides/arcade_difficulty_step"), ("GET", "/v1/games/wheresthedot/overrides"),
      ("GET", "/v1/games/wheresthedot/audit"), ("GET", "/v1/store/backup"), ("POST", "/v1/games/wheresthedot/overrides/clear"),
      ("GET", "/v1/games/wheresthedot/config/arcade_difficulty_step/explain"),
    ] {
      let answer = try daemon.ask(method, target)
      #expect(answer.status == 403, "\(method) \(target)")
      #expect(answer.code == "ADMIN_ONLY")
    }
  }

  private static func operations(of document: Value) -> [(method: String, path: String, operation: Value)] {
    (document["paths"]?.objectValue ?? ObjectValue()).members.flatMap { path in
      (path.value.objectValue ?? ObjectValue()).members.map { ($0.name, path.name, $0.value) }
    }
  }

  private static func file(_ name: String) throws -> Value {
    try JSONReader.value(from: try #require(TemporaryFolder.read(Built.tree + "/Tests/Fixtures/openapi/" + name)))
  }

  // The fixture is the document of 1941aa8, with sentences updated as they change. Every other difference is listed with its reason.
  @Test("the OpenAPI document differs from that of commit 1941aa8 only in the listed ways", .needs(.ofrep, .firebase, .revenueCat))
  func meantDifferences() throws {
    let now = try RunningDaemon().ask("GET", "/openapi.json").json
    let meant = try #require(Self.file("differences.json").listValue).map { each in
      MeantDifference(place: try #require(each["at"]?.stringValue), reason: try #require(each["reason"]?.stringValue))
    }
    let found = OpenAPISnapshot.differences(from: OpenAPISnapshot(try Self.file("1941aa8.json")), to: OpenAPISnapshot(now))
    for place in found where !meant.contains(where: { $0.covers(place) }) {
      Issue.record("differs and is not among Tests/Fixtures/openapi/differences.json: \(place)")
    }
    for each in meant where !found.contains(where: each.covers) { Issue.record("no longer differs: \(each.place)") }
    #expect(meant.allSatisfy { !$0.reason.isEmpty })
  }

  @Test(
    "every call of the OpenAPI document has a unique name, and all but those of optional protocols are in Calls.all",
    .needs(.ofrep, .firebase, .revenueCat))
  func names() throws {
    let document = try RunningDaemon().ask("GET", "/openapi.json").json
    let operations = Self.operations(of: document)
    let names = operations.map { $0.operation["operationId"] }
    #expect(names.count > 80 && Set(names).count == names.count)
    let sockets: Set<Value> = Set(SocketKind.allCases.map { .string($0.rawValue) })
    let own = operations.filter { $0.operation["tags"]?.listValue?.allSatisfy(sockets.contains) == true }
    #expect(own.compactMap { $0.operation["operationId"]?.stringValue }.sorted() == Calls.all.map(\.endpoint.id).sorted())
  }

  // Generators leave unnamed shapes out or generate them twice, as openapi-python-client 0.29 and openapi-generator 7.26 (typescript-fetch) did.
  @Test("the OpenAPI document gives generators one tag for each call, and a unique name for each shape")
  func generators() throws {
    let document = try RunningDaemon().ask("GET", "/openapi.json").json
    for (_, _, operation) in Self.operations(of: document) {
      #expect(operation["tags"]?.listValue?.count == 1 && operation["x-gameconf"]?["sockets"]?.listValue?.isEmpty == false)
    }
    let schemas = try #require(document["components"]?["schemas"]?.objectValue)
    for schema in schemas.members {
      for choice in (schema.value["anyOf"]?.listValue ?? []) + (schema.value["oneOf"]?.listValue ?? []) {
        #expect(choice["properties"] == nil, "\(schema.name) has a shape without a name")
      }
      let references = (schema.value["oneOf"]?.listValue ?? []).map { $0["$ref"] ?? $0["items"]?["$ref"] }
      #expect(Set(references).count == references.count, "\(schema.name) names a shape twice")
    }
    let bodies = Dictionary(
      Self.operations(of: document).map { each in
        let body = each.operation["requestBody"]?["content"]?["application/json"]?["schema"]?["$ref"]?.stringValue
        return (each.operation["operationId"]?.stringValue ?? "", body?.split(separator: "/").last.map(String.init))
      }
    ) { $1 }
    for (name, body) in bodies {
      let parameters = name.prefix(1).uppercased() + name.dropFirst() + "Request"
      // If the body itself has that name, the generator chooses another for the parameters.
      #expect(schemas[parameters] == nil || body == parameters, "\(parameters) is the name of \(name)'s parameters too")
    }
  }

  @Test("every call that changes something declares a role and dry_run, and admins' calls are on the admin socket only")
  func changes() throws {
    let document = try RunningDaemon().ask("GET", "/openapi.json").json
    // These calls are POSTs that only read, or check the database.
    let reading: Set = [
      "evaluateConfig", "evaluateValue", "evaluateExplain", "simulate", "storeCheck", "checkGate", "evaluateImage", "evaluateWatch",
      "ofrepFlag",
      "ofrepFlags",
      "ofrepFlagAtRoot", "ofrepFlagsAtRoot", "firebaseFetch", "firebaseInvalidations",
      // Reports of RevenueCat's libraries are not stored.
      "revenueCatAttributes", "revenueCatAttribution", "revenueCatAdServices", "revenueCatEvents", "revenueCatDiagnostics",
    ]
    for (method, path, operation) in Self.operations(of: document) {
      let name = operation["operationId"]?.stringValue ?? ""
      let rules = operation["x-gameconf"]
      let needs = rules?["needs"]?.stringValue
      let parameters = (operation["parameters"]?.listValue ?? []).compactMap { $0["name"]?.stringValue }
      if method != "get", !reading.contains(name) {
        #expect(rules?["changes"] != nil && needs != nil && needs != "anyone", "\(name) changes something")
        #expect(parameters.contains("dry_run"), "\(name)")
      } else {
        #expect(rules?["changes"] == nil, "\(name) changes nothing")
      }
      if needs == "admin" || needs == "tester_for_player" { #expect(operation["tags"] == ["admin"], "\(name)") }
      if rules?["changes"]?.stringValue == "player" { #expect(path.contains("{player}"), "\(name)") }
      guard rules?["repeatable"] == true else { continue }
      // Beginning a scenario has no earlier revision for If-Match.
      #expect(parameters.contains("Idempotency-Key") && (parameters.contains("If-Match") || name == "beginScenario"), "\(name)")
    }
  }

  @Test("every call that only reads JSON is a tool for assistants, or is in the list of exceptions")
  func tools() throws {
    let document = try RunningDaemon().ask("GET", "/openapi.json").json
    let tools = Set((Calls.tools + Calls.furtherTools).map(\.id))
    // Calls about the daemon itself, duplicates for one game, raw stored data, and templates in their original form.
    let others: Set = [
      "healthLive", "openAPI", "auditAll", "storeCopies", "playerRows", "storedRows", "template", "templateVersion", "firebaseTemplate",
      "firebaseNamespaceTemplate", "firebaseVersions", "firebaseDefaults", "firebaseServerTemplate",
      // Assistants have the calls for entitlements, offerings and products, with the same data.
      "revenueCatSubscriber", "revenueCatOfferings", "revenueCatProducts", "revenueCatMapping",
    ]
    let reading = Self.operations(of: document).filter {
      $0.method == "get" && $0.operation["responses"]?["200"]?["content"]?["application/json"] != nil
    }
    let names = Set(reading.compactMap { $0.operation["operationId"]?.stringValue })
    #expect(names.subtracting(tools) == others.intersection(names), "\(names.subtracting(tools).sorted())")
    #expect(tools.isDisjoint(with: others))
  }

  @Test("every reference of the OpenAPI document resolves, and every schema is used", .needs(.ofrep, .firebase, .revenueCat))
  func references() throws {
    let document = try RunningDaemon().ask("GET", "/openapi.json").json
    var references: Set<String> = []
    func collect(_ value: Value) {
      switch value {
      case .object(let object):
        for member in object.members {
          if member.name == "$ref", let text = member.value.stringValue { references.insert(text) }
          collect(member.value)
        }
      case .list(let list): list.forEach(collect)
      default: break
      }
    }
    collect(document)
    for reference in references {
      var target = document
      for step in reference.split(separator: "/").dropFirst() { target = target[String(step)] ?? .null }
      #expect(target != .null, "\(reference)")
    }
    for name in document["components"]?["schemas"]?.objectValue?.names ?? [] {
      #expect(references.contains("#/components/schemas/\(name)"), "\(name) is not used")
    }
  }
}
