// Pushing a template: the confirmation before remote values are removed, and the push of a file's valid part.

import GameConfAPI
import GameConfCore
import GameConfTransport
import Glibc
import Testing

@testable import gameconfctl

@Suite("Pushing a template")
struct TemplatePushTests {
  private static let trial = "PUT /v1/games/g/template?dry_run=true"
  private static let push = "PUT /v1/games/g/template"

  private static func answer(removed: [String] = []) -> Response {
    var answer = TemplateAnswer()
    answer.version = TemplateVersion()
    (answer.removed, answer.active, answer.version.version) = (removed, 1, 1)
    return .json(answer)
  }

  private static func file(_ text: String) throws -> String {
    var name = Array("/tmp/gameconf-template-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    try #require(descriptor >= 0 && write(descriptor, text, text.utf8.count) == text.utf8.count && close(descriptor) == 0)
    return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  @Test("template push names the remote values that it would remove and asks, unless --yes is given")
  func removal() async throws {
    let file = try Self.file(#"{"parameters": {}}"#)
    defer { unlink(file) }
    func daemon() -> RecordedDaemon { RecordedDaemon([Self.trial: Self.answer(removed: ["a", "b"]), Self.push: Self.answer()]) }
    let declining = daemon()
    let no = await run("template", "push", "g", file, admin: declining, isTerminal: true, answering: ["n"])
    #expect(no.status == 1 && no.err.contains("no longer in the template: a, b") && declining.calls == [Self.trial], "\(no)")
    let agreeing = daemon()
    let yes = await run("template", "push", "g", file, admin: agreeing, isTerminal: true, answering: ["y"])
    #expect(yes.status == 0 && agreeing.calls == [Self.trial, Self.push], "\(yes)")
    let program = daemon()
    let unasked = await run("template", "push", "g", file, admin: program)
    #expect(unasked.status == 2 && unasked.err.contains("--yes") && program.calls == [Self.trial], "\(unasked)")
    let sure = daemon()
    #expect(await run("template", "push", "g", file, "--yes", admin: sure).status == 0)
    #expect(sure.calls == [Self.push])
    let stored = daemon()
    // The recorded daemon refuses the call with activate=manual. The test only needs that no dry run comes before it.
    #expect(await run("template", "push", "g", file, "--manual", admin: stored).status == 5)
    #expect(stored.calls == ["PUT /v1/games/g/template?activate=manual"])
  }

  @Test("template push refuses an empty file before a request, with the form of an empty template", arguments: ["", " \n", "\u{FEFF}"])
  func empty(text: String) async throws {
    let file = try Self.file(text)
    defer { unlink(file) }
    let daemon = RecordedDaemon()
    let outcome = await run("template", "push", "g", file, admin: daemon)
    #expect(outcome.status == 1 && outcome.err.contains("\(file) is empty") && daemon.calls.isEmpty, "\(outcome)")
  }

  @Test("template push --skip-invalid removes and lists faulty flags, and fails if no flag is left or if the document itself is faulty")
  func skipping() async throws {
    let file = try Self.file(#"{"flags": {"a": {}, "b": {"state": "ENABLED"}, "c": 1}}"#)
    defer { unlink(file) }
    func refusal(_ faults: [(String, String)]) -> Response {
      .problem(Problem(.schemaViolation, "faults", errors: faults.map { Problem.Item(.schemaViolation, $0.1, pointer: $0.0) }))
    }
    let faults = [("/flags/a/variants", "no variants"), ("/flags/a", "no state"), ("/flags/c", "no object")]
    let daemon = RecordedDaemon([Self.push: Self.answer()], later: [Self.trial: [refusal(faults), Self.answer()]])
    let pushed = await run("template", "push", "g", file, "--skip-invalid", admin: daemon)
    #expect(pushed.status == 0, "\(pushed)")
    #expect(pushed.err == "left out: /flags/a/variants: no variants\nleft out: /flags/c: no object\n")
    #expect(daemon.changes.last?.call == Self.push && daemon.changes.last?.body == ["flags": ["b": ["state": "ENABLED"]]])
    let json = RecordedDaemon([Self.push: Self.answer()], later: [Self.trial: [refusal(faults), Self.answer()]])
    let printed = try JSONReader.value(from: await run("template", "push", "g", file, "--skip-invalid", "--json", admin: json).out.utf8)
    #expect(printed["left_out"]?.listValue?.map { $0["name"] } == ["a", "c"], "\(printed)")

    let whole = RecordedDaemon([Self.trial: refusal([("/flags/a", "no state"), ("/metadata", "no object")])])
    #expect(await run("template", "push", "g", file, "--skip-invalid", admin: whole).status == 1)
    let none = RecordedDaemon([Self.trial: refusal([("/flags/a", "x"), ("/flags/b", "y"), ("/flags/c", "z")])])
    let empty = await run("template", "push", "g", file, "--skip-invalid", admin: none)
    #expect(empty.status == 1 && empty.err.contains("nothing of it holds") && none.calls == [Self.trial], "\(empty)")
  }
}
