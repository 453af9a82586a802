// Requests and answers are read back unchanged, and report the positions of faults.

import GameConfAPI
import GameConfCore
import Testing

@Suite("Requests and answers")
struct WireShapeTests {
  @Test("every sample is read back unchanged", arguments: Samples.every.indices)
  func roundTrip(index: Int) throws {
    func check<Shape: WireShape>(_ sample: Shape) throws {
      let bytes = JSONWriter.bytes(sample.wire)
      #expect(try Shape(wire: JSONReader.value(from: bytes)) == sample)
    }
    try check(Samples.every[index])
  }

  @Test("every sample has only members that its schema describes, and those it requires", arguments: Samples.every.indices)
  func schemas(index: Int) throws {
    let sample = Samples.every[index]
    var schema = type(of: sample).schema
    var names = Set(schema["properties"]?.object.names ?? [])
    for part in schema["allOf"]?.listValue ?? [] where part["properties"] != nil { schema = part }
    guard type(of: sample).schema["allOf"] == nil else { return }
    if sample is Problem { names.insert("window") }
    let members = sample.wire.object.names
    for name in members { #expect(names.contains(name), "\(type(of: sample)).\(name) is not in the schema") }
    for name in schema["required"]?.listValue ?? [] { #expect(members.contains(name.stringValue ?? "")) }
  }

  @Test("an answer with unknown members is read")
  func laterVersion() throws {
    let answer = try GamesAnswer(wire: ["games": [["game": "g", "title": "G", "revision": 1, "later": true]], "more": 1])
    #expect(answer.games.map(\.game) == ["g"])
  }

  @Test(
    "a malformed request is reported with the position",
    arguments: [
      (["value": 1, "until": 5], "/until"), (["reason": "x"], "/value"), (["value": 1, "reasn": "x"], "/reasn"),
      (["value": 1, "from": "2026-01-01T00:00:00Z"], "/until"), (["value": 1, "until": "tomorrow"], "/until"), ([1], ""),
      (["value": 1, "a/b~c": 1], "/a~1b~0c"),
    ] as [(Value, String)])
  func faults(body: Value, pointer: String) {
    let fault = #expect(throws: Fault.self) { try PutOverride(wire: body) }
    #expect(fault?.pointer == pointer)
  }

  @Test("an absent member is not written")
  func absent() {
    #expect(EvaluateRequest().wire == .object(ObjectValue()))
    #expect(ReasonRequest().wire == .object(ObjectValue()))
    #expect(PutOverride(value: 1).wire == ["value": 1])
  }

  @Test("a row deep in an import is reported with its position")
  func importFault() {
    let fault = #expect(throws: Fault.self) {
      try ImportRequest(wire: ["overrides": [["key": "a", "value": 1], ["key": "b", "value": 1, "until": 5]]])
    }
    #expect(fault?.pointer == "/overrides/1/until")
  }

  @Test("an export is accepted as an import")
  func exportImport() throws {
    let export = ExportAnswer(game: "g", revision: 7, exportedAt: Instant(seconds: 5), overrides: [Samples.override])
    let request = try ImportRequest(wire: export.wire)
    #expect(
      request.overrides == [
        ImportRow(key: "k", player: "p", value: [1, 2.0], from: Instant(seconds: 100), until: Instant(seconds: 200), reason: "why")
      ])
  }

  @Test(
    "a scope has a player exactly if it is about one",
    arguments: [(["scope": "player"], "/player"), (["scope": "all", "player": "p"], "/player"), (["scope": "everything"], "/scope")]
      as [(Value, String)])
  func scopes(body: Value, pointer: String) {
    #expect(#expect(throws: Fault.self) { try ClearRequest(wire: body) }?.pointer == pointer)
  }
}

@Suite("Problems")
struct ProblemTests {
  @Test("every code has a status that DESIGN's list contains, and no two codes have the same text", arguments: ProblemCode.allCases)
  func statuses(code: ProblemCode) {
    let known = [400, 403, 404, 405, 408, 409, 410, 412, 413, 414, 415, 417, 422, 428, 429, 431, 500, 501, 503, 505, 507]
    #expect(known.contains(code.status))
    #expect(code.rawValue.allSatisfy { $0.isUppercase || $0 == "_" })
  }

  @Test("a 429, 503 or 507 has a time to retry, and no other problem does", arguments: ProblemCode.allCases)
  func retry(code: ProblemCode) {
    // A list's answer contains the events that were not tried; the time to retry is in its head.
    let isPassing = [429, 503, 507].contains(code.status) && code != .notTried
    #expect((Problem(code, "d").retryAfterSeconds != nil) == isPassing)
    #expect(Problem(code, "d", retryAfterSeconds: 20).retryAfterSeconds == 20)
  }

  @Test("an unknown code is read as text")
  func laterCode() throws {
    let problem = try Problem(wire: ["status": 409, "code": "LATER", "title": "Later", "detail": "d"])
    #expect(problem.code == nil)
    #expect(problem.codeText == "LATER")
    #expect(problem.status == 409)
  }
}
