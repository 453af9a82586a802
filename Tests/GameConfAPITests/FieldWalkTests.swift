// Tests that readers, writers and schemas agree about the members of every request and answer.

import GameConfAPI
import GameConfCore
import Testing

@Suite("The members of requests and answers")
struct FieldWalkTests {
  @Test("the JSON that a request or answer writes directly equals the JSON of its value in memory", arguments: Samples.every.indices)
  func text(index: Int) {
    let sample = Samples.every[index]
    #expect(String(decoding: sample.json, as: UTF8.self) == JSONWriter.text(sample.wire))
  }

  @Test("every type reads a body that has all of its members, and writes the same body", arguments: OpenAPIDocument.shapes.indices)
  func everyMember(index: Int) throws {
    func check<Shape: WireShape>(_ type: Shape.Type) throws {
      let body = FilledBody.value(of: ["$ref": .string("#/components/schemas/\(type.schemaName)")])
      guard !Self.choices.contains(type.schemaName) else {
        #expect(throws: Fault.self) { try type.init(wire: body) }
        return
      }
      let shape = try type.init(wire: body)
      #expect(JSONWriter.text(shape.wire) == String(decoding: shape.json, as: UTF8.self))
      #expect(try type.init(wire: shape.wire) == shape)
      if !Self.written.contains(type.schemaName) { #expect(shape.wire == body) }
    }
    try check(OpenAPIDocument.shapes[index])
  }

  /// The request types with members that exclude each other, so that no body has all members.
  private static let choices: Set<String> = [
    "ClearRequest", "PutClock", "PutPlayerClock", "NewScenario", "ScenarioGame", "ScenarioPlayer", "CopyPlayerRequest",
  ]
  /// The types that write members that they do not read, or accept members that they do not write.
  private static let written: Set<String> = ["Problem", "ImportRow", "ImportRequest", "ExportAnswer", "ListedEventAnswer"]

  @Test("every member in the schema of a request or answer has a description that is a sentence", arguments: OpenAPIDocument.shapes.indices)
  func sentences(index: Int) {
    let type = OpenAPIDocument.shapes[index]
    func check(_ schema: Value, at path: String) {
      for member in schema["properties"]?.object.members ?? [] {
        let says = member.value["description"]?.stringValue ?? ""
        #expect(says.count > 3 && says.hasSuffix(".") || says.hasSuffix("…"), "\(path).\(member.name)")
        #expect(!says.contains("`") && !says.contains("nil"), "\(path).\(member.name)")
        check(member.value, at: "\(path).\(member.name)")
      }
      for part in schema["allOf"]?.listValue ?? [] { check(part, at: path) }
    }
    check(type.schema, at: type.schemaName)
  }

  @Test(
    "only the first fault of a request is reported, with its JSON pointer, and an unknown member before a missing one",
    arguments: [
      (["vaule": 1], "/vaule", "“vaule” is not known here; admitted are value, reason, from, until"),
      ([:], "/value", "“value” is missing"),
      (["value": 1, "reason": 3], "/reason", "expected a string, found integer"),
      (["value": 1, "reason": 3, "from": 4], "/reason", "expected a string, found integer"),
      (
        ["value": 1, "until": "tomorrow", "resaon": ""], "/resaon", "“resaon” is not known here; admitted are value, reason, from, until"
      ),
      (["value": 1, "from": "2026-01-01T00:00:00Z"], "/until", "a window that has “from” needs “until” too"),
      ("x", "", "expected an object, found string"),
    ] as [(Value, String, String)])
  func faults(body: Value, pointer: String, message: String) {
    let fault = #expect(throws: Fault.self) { try PutOverride(wire: body) }
    #expect(fault == Fault(message, at: pointer))
  }

  @Test("the pointer of a fault deep in a body begins at the body's root, or at the pointer given for the body")
  func depth() {
    let entry: Value = ["at": "2026-01-01T00:00:00Z", "id": 1, "action": "a", "author": ["uid": "x"]]
    let fault = #expect(throws: Fault.self) { try AuditList(wire: ["entries": [entry]]) }
    #expect(fault?.pointer == "/entries/0/author/uid")
    #expect(#expect(throws: Fault.self) { try AuditList(wire: ["entries": [entry]], at: "/a") }?.pointer == "/a/entries/0/author/uid")
    let scores: Value = ["lifetime_score": 1, "games_played": 1, "best_scores": ["a/b": "x"]]
    #expect(#expect(throws: Fault.self) { try WireScores(wire: scores) }?.pointer == "/best_scores/a~1b")
  }

  @Test("null in a request is the same as an absent member, unless the member admits null as a value")
  func null() throws {
    #expect(try PutOverride(wire: ["value": nil, "reason": nil, "from": nil]) == PutOverride(value: .null))
    #expect(try PutBehaviour(wire: ["fail": nil, "grace": nil]) == PutBehaviour(behaviour: WireBehaviour()))
    #expect(try ExplainedLayer(wire: ["layer": "l", "applied": true, "why": "w", "value": nil]).value == .some(.null))
    #expect(throws: Fault.self) { try PremiumRequest(wire: ["on": nil]) }
  }

  @Test("members that belong together are written and read together, or not at all")
  func parts() throws {
    var product = StoreSamples.all.lazy.compactMap { $0 as? ProductList }.flatMap(\.products).first { $0.renewal != nil }
    #expect(product?.wire["level"] != nil)
    product?.renewal = nil
    #expect(product?.wire["group"] == nil && product?.wire["level"] == nil)
    let half = #expect(throws: Fault.self) {
      try WireProduct(wire: [
        "id": "p", "store_id": "s", "type": "t", "name": "n", "price": [:], "grants": [], "family_shareable": true, "group": "g",
      ])
    }
    #expect(half?.pointer == "/level")
  }

  @Test("an answer is read correctly with its members in any order")
  func order() throws {
    let written = Samples.override.wire
    let turned = Value.object(ObjectValue(written.object.members.reversed().map { ($0.name, $0.value) }))
    #expect(try WireOverride(wire: turned) == Samples.override)
  }
}

/// Generates bodies that have every member that a schema declares.
private enum FilledBody {
  private static let components = OpenAPIDocument.build(version: "1", endpoints: [])["components"]?["schemas"] ?? .null

  static func value(of schema: Value) -> Value {
    if let name = schema["$ref"]?.stringValue?.split(separator: "/").last { return value(of: components[String(name)] ?? .null) }
    if let first = schema["oneOf"]?.listValue?.first { return value(of: first) }
    var members = ObjectValue()
    for part in schema["allOf"]?.listValue ?? [] {
      for member in value(of: part).object.members { members[member.name] = member.value }
    }
    for member in schema["properties"]?.object.members ?? [] { members[member.name] = value(of: member.value) }
    if !members.isEmpty { return .object(members) }
    if let word = (schema["enum"] ?? schema[SchemaFragments.openList])?.listValue?.last { return word }
    switch schema["type"]?.stringValue ?? schema["type"]?.listValue?.first?.stringValue {
    case "string": return schema["format"] == "date-time" ? "2026-01-02T03:04:05.006Z" : "\"é/~\\\n"
    case "integer": return schema["minimum"] ?? -7
    case "number": return 0.25
    case "boolean": return true
    case "array": return [value(of: schema["items"] ?? [:])]
    case "object": return ["a": value(of: schema["additionalProperties"].flatMap { $0.objectValue.map(Value.object) } ?? [:])]
    default: return ["any", 1.0]
    }
  }
}
