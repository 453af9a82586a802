// gameconf-fetch's reports on a game's template source: accepted or refused, and refusals change nothing.

import GameConfAPI
import GameConfCore
import Testing

@Suite("Reports on a template's source")
struct TemplateSourceTests {
  private static let path = "/v1/games/mine/template/source"

  private func put(_ daemon: RunningDaemon, _ body: Value, _ path: String = path, admin: Bool = true) throws -> RawConnection.Answer {
    try daemon.ask("PUT", path, body: body, admin: admin)
  }

  private func source(_ daemon: RunningDaemon) throws -> Value? {
    try daemon.read(at: "/v1/games/mine/template/versions", admin: true)["source"]
  }

  private static func text(_ bytes: Int) -> Value { .string(String(repeating: "x", count: bytes)) }
  private static let textMax = TemplateSourceRequest.textBytesMax
  private static let faultsMax = TemplateSourceRequest.faultsMax
  private static let nextMax = TemplateSourceRequest.nextSecondsMax

  @Test(
    "each member of a source report is accepted up to its limit and refused beyond it, with a pointer",
    arguments: [
      (["source": text(1)], nil), (["source": text(textMax)], nil), (["source": text(textMax + 1)], "/source"), (["source": ""], "/source"),
      (["source": "a", "next_seconds": 0], nil), (["source": "a", "next_seconds": .integer(nextMax)], nil),
      (["source": "a", "next_seconds": .integer(nextMax + 1)], "/next_seconds"), (["source": "a", "next_seconds": -1], "/next_seconds"),
      (["source": "a", "next_seconds": .integer(.max)], "/next_seconds"), (["source": "a", "next_seconds": 1.5], "/next_seconds"),
      (["source": "a", "next_seconds": "9"], "/next_seconds"),
      (["source": "a", "faults": .list(Array(repeating: "x", count: faultsMax))], nil),
      (["source": "a", "faults": .list(Array(repeating: "x", count: faultsMax + 1))], "/faults"),
      (["source": "a", "faults": [text(textMax)]], nil), (["source": "a", "faults": [text(textMax + 1)]], "/faults"),
      (["source": "a", "faults": "x"], "/faults"), (["source": "a", "faults": ["x", 1]], "/faults/1"),
      ([:], "/source"), (["source": 7], "/source"), (["source": "a", "fault": []], "/fault"), ([], ""), ("a", ""),
    ] as [(Value, String?)])
  func bounds(body: Value, pointer: String?) throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    let answer = try put(daemon, body)
    guard let pointer else {
      #expect(answer.status == 200, "\(answer.text)")
      #expect(try source(daemon)?["source"] == body["source"])
      return
    }
    #expect(answer.status == 400 && answer.json["code"] == "MALFORMED_REQUEST", "\(answer.text)")
    #expect(answer.json["pointer"] == .string(pointer), "\(answer.text)")
    #expect(try source(daemon) == nil)
    let ready = try daemon.read(at: "/health/ready")
    #expect(ready["degraded"]?.listValue?.isEmpty ?? true, "\(ready)")
  }

  @Test("a fetch interval of a week with a tenth added is within the limit of source reports")
  func week() {
    #expect(Self.nextMax * 10 >= 7 * 86_400 * 11)
  }

  @Test("a source report on the wrong socket, for an unknown game or one with a template file is refused")
  func elsewhere() throws {
    let folder = try TemporaryFolder()
    let other = Mine.text(game: "other") + "\nsource: {file: \(folder.path)/none.json}\n"
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog, "other.yaml": other])
    let report: Value = ["source": "a", "faults": ["b"], "next_seconds": 60]
    func refused(_ answer: RawConnection.Answer, _ status: Int, _ code: Value, line: Int = #line) {
      #expect(answer.status == status && answer.json["code"] == code, "line \(line): \(answer.text)")
    }
    refused(try put(daemon, report, "/v1/games/nobody/template/source"), 404, "UNKNOWN_GAME")
    refused(try put(daemon, report, "/v1/games/other/template/source"), 409, "TEMPLATE_FROM_FILE")
    refused(try put(daemon, report, Self.path, admin: false), 403, "ADMIN_ONLY")
    refused(try put(daemon, report, Self.path + "?force=true"), 400, "UNKNOWN_QUERY_PARAMETER")
    refused(try put(daemon, report, Self.path + "?dry_run=perhaps"), 400, "MALFORMED_QUERY_PARAMETER")
    refused(try daemon.ask("PUT", Self.path, admin: true), 400, "MALFORMED_JSON")
    for method in ["GET", "POST", "DELETE", "PATCH"] {
      let answer = try daemon.ask(method, Self.path, body: report, admin: true)
      refused(answer, 405, "METHOD_NOT_ALLOWED")
      #expect(answer.headers["allow"] == "PUT")
    }
    let dry = try put(daemon, report, Self.path + "?dry_run=true")
    #expect(dry.status == 200 && dry.json["dry_run"] == true && dry.json["faults"] == ["b"], "\(dry.text)")
    #expect(try source(daemon) == nil)
    #expect(try daemon.control("template", "fetch", "mine").errors.contains("NO_TEMPLATE_SOURCE"), "nothing was told")
  }

  @Test("a failing template source has the time of its first report of faults until a report without faults; its text is escaped")
  func since() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    let first = try put(daemon, ["source": "a", "faults": ["one"], "next_seconds": 60])
    let since = try #require(first.json["failing_since"])
    #expect(try put(daemon, ["source": "a", "faults": ["two"], "next_seconds": 60]).json["failing_since"] == since)
    #expect(try source(daemon)?["faults"] == ["two"])
    #expect(try daemon.control("status").output.contains("a: two"))
    #expect(try put(daemon, ["source": "a", "faults": []]).json["failing_since"] == nil)
    #expect(try !daemon.control("status").output.contains("a: two"))
    let rude = try put(daemon, ["source": "a", "faults": ["\u{1B}[31mred\nline"]])
    #expect(rude.status == 200)
    let shown = try daemon.control("status").output
    #expect(shown.contains("\\u{1B}[31mred\\nline") && !shown.contains("\u{1B}"), "\(shown)")
  }
}
