// Tests that requests and answers are read back as they were written, and report the positions of faults.

import GameConfAPI
import GameConfCore
import Testing

@Suite("Requests and answers")
struct WireShapeTests {
  @Test("every sample request and answer is read back as it was written", arguments: Samples.every.indices)
  func roundTrip(index: Int) throws {
    func check<Shape: WireShape>(_ sample: Shape) throws {
      let bytes = JSONWriter.bytes(sample.wire)
      #expect(try Shape(wire: JSONReader.value(from: bytes)) == sample)
    }
    try check(Samples.every[index])
  }

  @Test("every sample has the members that its schema requires, and only members that it describes", arguments: Samples.every.indices)
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

  @Test("an answer with unknown members is read, and the unknown members are ignored")
  func laterVersion() throws {
    let answer = try GamesAnswer(wire: ["games": [["game": "g", "title": "G", "revision": 1, "later": true]], "more": 1])
    #expect(answer.games.map(\.game) == ["g"])
  }

  @Test(
    "a malformed request is reported with the JSON pointer of the fault",
    arguments: [
      (["value": 1, "until": 5], "/until"), (["reason": "x"], "/value"), (["value": 1, "reasn": "x"], "/reasn"),
      (["value": 1, "from": "2026-01-01T00:00:00Z"], "/until"), (["value": 1, "until": "tomorrow"], "/until"), ([1], ""),
      (["value": 1, "a/b~c": 1], "/a~1b~0c"),
    ] as [(Value, String)])
  func faults(body: Value, pointer: String) {
    let fault = #expect(throws: Fault.self) { try PutOverride(wire: body) }
    #expect(fault?.pointer == pointer)
  }

  @Test("a member without a value is not written in a request or answer")
  func absent() {
    #expect(EvaluateRequest().wire == .object(ObjectValue()))
    #expect(ReasonRequest().wire == .object(ObjectValue()))
    #expect(PutOverride(value: 1).wire == ["value": 1])
  }

  @Test("a fault in one row of an import is reported with a JSON pointer into that row")
  func importFault() {
    let fault = #expect(throws: Fault.self) {
      try ImportRequest(wire: ["overrides": [["key": "a", "value": 1], ["key": "b", "value": 1, "until": 5]]])
    }
    #expect(fault?.pointer == "/overrides/1/until")
  }

  @Test("the document that an export of overrides returns is accepted as the body of an import")
  func exportImport() throws {
    let export = ExportAnswer(game: "g", revision: 7, exportedAt: Instant(seconds: 5), overrides: [Samples.override])
    let request = try ImportRequest(wire: export.wire)
    #expect(
      request.overrides == [
        ImportRow(key: "k", player: "p", value: [1, 2.0], from: Instant(seconds: 100), until: Instant(seconds: 200), reason: "why")
      ])
  }

  @Test(
    "a request to clear overrides names a player if, and only if, its scope is one player",
    arguments: [(["scope": "player"], "/player"), (["scope": "all", "player": "p"], "/player"), (["scope": "everything"], "/scope")]
      as [(Value, String)])
  func scopes(body: Value, pointer: String) {
    #expect(#expect(throws: Fault.self) { try ClearRequest(wire: body) }?.pointer == pointer)
  }
}

@Suite("Problems")
struct ProblemTests {
  @Test("every problem code has an HTTP status in DESIGN's list, and a text of capitals and underscores", arguments: ProblemCode.allCases)
  func statuses(code: ProblemCode) {
    let known = [400, 403, 404, 405, 408, 409, 410, 412, 413, 414, 415, 417, 422, 428, 429, 431, 500, 501, 503, 505, 507]
    #expect(known.contains(code.status))
    #expect(code.rawValue.allSatisfy { $0.isUppercase || $0 == "_" })
  }

  @Test("a problem with status 429, 503 or 507 has the seconds until a retry, and no other problem does", arguments: ProblemCode.allCases)
  func retry(code: ProblemCode) {
    // The code of an event that was not tried has no time: the answer with the list of events has it in its head.
    let isPassing = [429, 503, 507].contains(code.status) && code != .notTried
    #expect((Problem(code, "d").retryAfterSeconds != nil) == isPassing)
    #expect(Problem(code, "d", retryAfterSeconds: 20).retryAfterSeconds == 20)
  }

  @Test("a problem with a code that this version does not know is read with the code as text")
  func laterCode() throws {
    let problem = try Problem(wire: ["status": 409, "code": "LATER", "title": "Later", "detail": "d"])
    #expect(problem.code == nil)
    #expect(problem.codeText == "LATER")
    #expect(problem.status == 409)
  }
}
