// What the bridge lets through: tables of heads.
import Testing

@testable import gameconfctl

@Suite("The bridge's gate")
struct BridgeGateTests {
  private let gate = BridgeGate(token: "0123456789abcdef", port: 8014, origins: ["http://localhost:5173"])

  private func status(_ head: String) -> Int? {
    guard case .answer(let text) = gate.judge(head) else { return nil }
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
  }

  private func passed(_ head: String) -> (head: String, fields: String)? {
    guard case .pass(let head, let fields) = gate.judge(head) else { return nil }
    return (head, fields)
  }

  @Test(
    "the token is taken in each of its places and does not reach the daemon",
    arguments: [
      "GET /v1/games HTTP/1.1\r\nHost: localhost:8014\r\nAuthorization: Bearer 0123456789abcdef",
      "GET /v1/games HTTP/1.1\r\nHost: 127.0.0.1:8014\r\nX-API-Key: 0123456789abcdef",
      "GET /v1/games HTTP/1.1\r\nHost: 127.0.0.1:8014\r\nx-goog-api-key: 0123456789abcdef",
      "GET /v1/games?key=0123456789abcdef HTTP/1.1\r\nHost: 127.0.0.1:8014",
      "GET /t/0123456789abcdef/v1/games HTTP/1.1\r\nHost: 127.0.0.1:8014",
    ])
  func token(head: String) throws {
    let out = try #require(passed(head))
    #expect(out.head == "GET /v1/games HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" && out.fields.isEmpty)
  }

  @Test(
    "what is not asked rightly is refused",
    arguments: [
      ("GET /v1/games HTTP/1.1\r\nHost: 127.0.0.1:8014", 401),
      ("GET /v1/games?key=0123456789abcdeX HTTP/1.1\r\nHost: 127.0.0.1:8014", 401),
      ("GET /t/0123456789abcde/v1 HTTP/1.1\r\nHost: 127.0.0.1:8014", 401),
      ("GET /v1/games?key=0123456789abcdef HTTP/1.1\r\nHost: evil.example:8014", 421),
      ("GET /v1/games?key=0123456789abcdef HTTP/1.1\r\nHost: 127.0.0.1:8014\r\nHost: 127.0.0.1:8014", 421),
      ("GET /v1/games?key=0123456789abcdef HTTP/1.1", 421),
      ("GET /v1/games?key=0123456789abcdef HTTP/1.1\r\nHost: 127.0.0.1:8014\r\nOrigin: http://evil.example", 403),
      ("GET /v1/games?key=0123456789abcdef HTTP/1.1\r\nHost: 127.0.0.1:8014\r\nSec-Fetch-Site: cross-site", 403),
      ("GET /v1/games HTTP/2\r\nHost: 127.0.0.1:8014", 400), ("GET http://x/ HTTP/1.1\r\nHost: 127.0.0.1:8014", 400),
      ("GET / HTTP/1.1\r\n Host: 127.0.0.1:8014", 400), ("", 400),
    ])
  func refused(head: String, expected: Int) { #expect(status(head) == expected) }

  @Test("a browser of a named origin gets its preflight and its fields, and the daemon hears of none of it")
  func browser() throws {
    let origin = "Host: 127.0.0.1:8014\r\nOrigin: http://localhost:5173\r\nSec-Fetch-Mode: cors"
    #expect(status("OPTIONS /v1/games HTTP/1.1\r\n\(origin)") == 204)
    let out = try #require(passed("GET /t/0123456789abcdef/v1/games?a=1 HTTP/1.1\r\n\(origin)\r\nAccept: */*"))
    #expect(out.fields.hasPrefix("Access-Control-Allow-Origin: http://localhost:5173\r\n"))
    #expect(out.head == "GET /v1/games?a=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\naccept: */*\r\n\r\n")
  }

  @Test("the other parameters of a query stay", arguments: [("?a=1&key=0123456789abcdef&b=2", "?a=1&b=2"), ("?key=0123456789abcdef", "")])
  func query(given: String, left: String) throws {
    #expect(try #require(passed("GET /x\(given) HTTP/1.1\r\nHost: 127.0.0.1:8014")).head.hasPrefix("GET /x\(left) HTTP/1.1\r\n"))
  }
}
