// The Content-Types that a route accepts, and the lookup of header fields.

import Testing

@testable import GameConfServer

@Suite("Media types and fields")
struct MediaTypeTests {
  private typealias Route = GameConfServer.Route<Greeter>
  private static let takesJSON = Route("a", .post, "/a", on: [.games], content: .type("application/json")) { _ in .now(.noContent()) }
  private static let takesNothing = Route("b", .get, "/b", on: [.games]) { _ in .now(.noContent()) }

  static func head(_ fields: String) -> RequestHeadBytes {
    let bytes = Array("POST / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n".utf8)
    var parser = RequestParser(ServerLimits())
    _ = bytes.withUnsafeBytes { parser.next($0) }
    return RequestHeadBytes(bytes: bytes, head: parser.head)
  }

  @Test(
    "a Content-Type matches a media type regardless of case, spaces, quotes and parameters",
    arguments: [
      "application/json", "Application/JSON", " \tapplication/json \t", "application / json", "\"application/json\"",
      "application/json;", "application/json;;", "application/json; charset=utf-8", "application/json;charset=UTF-8",
      "application/json ; Charset = \"utf-8\" ", "application/json; profile=x", "application/json; profile=x; charset=utf-8; q=1",
      "application/json; charset", "application/json; charsets=latin1", "application/json; charset=utf-8; charset=utf-8",
    ])
  func admitted(value: String) {
    #expect(MediaType.is(Array(value.utf8)[...], "application/json"))
    #expect(MediaType.refusal(of: Self.head("Content-Type: \(value)\r\n"), to: Self.takesJSON) == nil)
  }

  @Test(
    "a body of another media type or charset is refused",
    arguments: [
      "", ";", "application", "application/jso", "application/json2", "application/json/", "text/json", "application/problem+json",
      "; application/json", "application/json, application/json", "application/json; charset=", "application/json; charset=latin1",
      "application/json; charset=utf-16", "application/json; charset=utf-8; charset=latin1", "application/json; charset=utf8",
      "application/json; charset=utf-8x", "application/jsön",
    ])
  func refused(value: String) throws {
    #expect(!MediaType.is(Array(value.utf8)[...], "application/json"))
    let problem = try #require(MediaType.refusal(of: Self.head("Content-Type: \(value)\r\n"), to: Self.takesJSON))
    #expect(problem.code == .unsupportedMediaType)
    #expect(problem.detail == "Send the body with Content-Type: application/json, not \(value).")
  }

  @Test("a body with no or two Content-Types, or at a route without a body, is refused with the remedy")
  func others() {
    let wanted = "Send the body with Content-Type: application/json"
    #expect(MediaType.refusal(of: Self.head(""), to: Self.takesJSON)?.detail == "\(wanted).")
    let twice = Self.head("Content-Type: application/json\r\nContent-Type: text/plain\r\n")
    #expect(MediaType.refusal(of: twice, to: Self.takesJSON)?.detail == "\(wanted), not application/json and text/plain.")
    #expect(MediaType.refusal(of: Self.head("Content-Type: application/json\r\n"), to: Self.takesNothing)?.code == .malformedRequest)
  }

  @Test("a header field is found by its whole name, without case, and its value is trimmed")
  func fields() throws {
    let head = Self.head("X-AB: 1\r\nA: 2\r\nAB:\t3 4 \r\nabc: 5\r\nlist: a\r\nempty:\r\nList: b\r\nlast: z\r\n")
    #expect(try head.value(of: "ab") == "3 4")
    #expect(try head.value(of: "abc") == "5")
    #expect(try head.value(of: "a") == "2")
    #expect(try head.value(of: "empty") == "")
    #expect(try head.value(of: "last") == "z")
    #expect(try head.value(of: "las") == nil)
    #expect(head.list("list") == "a,b")
    #expect(throws: ServerFault.self) { try head.value(of: "list") }
  }
}
