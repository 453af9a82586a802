// The requests that the bridge admits, as tables of heads.
import GameConfCore
import Testing

@testable import gameconfctl

@Suite("The bridge's decisions about requests")
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

  /// The end of every head that the bridge forwards to the daemon.
  private static let end = "Host: localhost\r\nConnection: close\r\nX-Forwarded-Prefix: /t/0123456789abcdef\r\n"

  @Test(
    "the bridge's token is accepted in a header, the query and the path; the daemon gets the bridge's path prefix in a header",
    arguments: [
      "GET /v1/games HTTP/1.1\r\nHost: localhost:8014\r\nAuthorization: Bearer 0123456789abcdef",
      "GET /v1/games HTTP/1.1\r\nHost: 127.0.0.1:8014\r\nX-API-Key: 0123456789abcdef",
      "GET /v1/games HTTP/1.1\r\nHost: 127.0.0.1:8014\r\nx-goog-api-key: 0123456789abcdef",
      "GET /v1/games?key=0123456789abcdef HTTP/1.1\r\nHost: 127.0.0.1:8014",
      "GET /t/0123456789abcdef/v1/games HTTP/1.1\r\nHost: 127.0.0.1:8014",
      "GET /t/0123456789abcdef/v1/games HTTP/1.1\r\nHost: 127.0.0.1:8014\r\nX-Forwarded-Prefix: /elsewhere",
    ])
  func token(head: String) throws {
    let out = try #require(passed(head))
    #expect(out.head == "GET /v1/games HTTP/1.1\r\n\(Self.end)\r\n" && out.fields.isEmpty)
  }

  @Test(
    "a malformed or unauthorized request is refused",
    arguments: [
      ("GET /v1/games HTTP/1.1\r\nHost: 127.0.0.1:8014", 401),
      ("GET /v1/games?key=0123456789abcdeX HTTP/1.1\r\nHost: 127.0.0.1:8014", 401),
      ("GET /t/0123456789abcde/v1 HTTP/1.1\r\nHost: 127.0.0.1:8014", 401),
      ("GET /v1/games?key=0123456789abcdef HTTP/1.1\r\nHost: evil.example:8014", 421),
      ("GET /v1/games?key=0123456789abcdef HTTP/1.1\r\nHost: 127.0.0.1:8014\r\nHost: 127.0.0.1:8014", 421),
      ("GET /v1/games?key=0123456789abcdef HTTP/1.1", 421),
      ("GET /v1/games?key=0123456789abcdef HTTP/1.1\r\nHost: 127.0.0.1:8014\r\nOrigin: http://evil.example", 403),
      ("GET /v1/games?key=0123456789abcdef HTTP/1.1\r\nHost: 127.0.0.1:8014\r\nSec-Fetch-Site: cross-site", 403),
      ("GET /v1/games?key=0123456789abcdef HTTP/1.1\r\nHost: 127.0.0.1:8014\r\nSec-Fetch-Site: same-site", 403),
      ("GET /v1/games HTTP/2\r\nHost: 127.0.0.1:8014", 400), ("GET http://x/ HTTP/1.1\r\nHost: 127.0.0.1:8014", 400),
      ("GET / HTTP/1.1\r\n Host: 127.0.0.1:8014", 400), ("", 400),
    ])
  func refused(head: String, expected: Int) { #expect(status(head) == expected) }

  @Test("a page of an allowed origin gets a preflight response and CORS headers, and its origin is not forwarded to the daemon")
  func browser() throws {
    let origin = "Host: 127.0.0.1:8014\r\nOrigin: http://localhost:5173\r\nSec-Fetch-Mode: cors"
    #expect(status("OPTIONS /v1/games HTTP/1.1\r\n\(origin)") == 204)
    let out = try #require(passed("GET /t/0123456789abcdef/v1/games?a=1 HTTP/1.1\r\n\(origin)\r\nAccept: */*"))
    #expect(out.fields.hasPrefix("Access-Control-Allow-Origin: http://localhost:5173\r\n"))
    #expect(out.head == "GET /v1/games?a=1 HTTP/1.1\r\n\(Self.end)accept: */*\r\n\r\n")
  }

  @Test("only the token is cut from a query", arguments: [("?a=1&key=0123456789abcdef&b=2", "?a=1&b=2"), ("?key=0123456789abcdef", "")])
  func query(given: String, left: String) throws {
    #expect(try #require(passed("GET /x\(given) HTTP/1.1\r\nHost: 127.0.0.1:8014")).head.hasPrefix("GET /x\(left) HTTP/1.1\r\n"))
  }
}

@Suite("The bridge's responses in place of Firebase Installations")
struct InstallationStubTests {
  private let gate = BridgeGate(token: "0123456789abcdef", port: 8014, origins: [])

  private func verdict(_ line: String, _ more: String = "") -> BridgeGate.BridgeDecision {
    gate.judge("\(line) HTTP/1.1\r\nHost: 127.0.0.1:8014\r\nx-goog-api-key: 0123456789abcdef\(more)")
  }

  private func json(_ stub: InstallationStub, _ body: String) throws -> Value {
    let text = stub.answer(to: Array(body.utf8), "")
    let end = try #require(text.firstRange(of: "\r\n\r\n"))
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
    return try JSONReader.value(from: String(text[end.upperBound...]))
  }

  @Test("the bridge itself answers only calls of Firebase Installations, and refuses a wrong length and a missing token")
  func calls() {
    #expect(
      verdict("POST /v1/projects/mine/installations", "\r\nContent-Length: 9")
        == .stub(.create(project: "mine"), bodyBytes: 9, fields: ""))
    #expect(verdict("POST /v1/projects/mine/installations/cA/authTokens:generate?x=1") == .stub(.renew, bodyBytes: 0, fields: ""))
    #expect(verdict("DELETE /v1/projects/mine/installations/cA") == .stub(.forget, bodyBytes: 0, fields: ""))
    for line in ["GET /v1/projects/mine/installations", "POST /v1/projects//installations", "POST /v1/projects/mine/installations/cA"] {
      guard case .pass = verdict(line) else {
        Issue.record("\(line) is not for the daemon")
        continue
      }
    }
    for length in ["-1", "x", "65537"] {
      guard case .answer(let text) = verdict("POST /v1/projects/mine/installations", "\r\nContent-Length: \(length)") else {
        Issue.record("\(length) bytes are taken")
        continue
      }
      #expect(text.hasPrefix("HTTP/1.1 413 "))
    }
    guard case .answer(let text) = gate.judge("POST /v1/projects/mine/installations HTTP/1.1\r\nHost: 127.0.0.1:8014") else {
      Issue.record("no token is needed")
      return
    }
    #expect(text.hasPrefix("HTTP/1.1 401 "))
  }

  @Test("an installation gets the caller's valid id, and for any other body a new id")
  func ids() throws {
    let own = "dAbCdEfGhIjKlMnOpQrS-_"
    #expect(try json(.create(project: "mine"), "{\"fid\": \"\(own)\"}")["fid"]?.stringValue == own)
    for body in ["", "{", "[]", "{\"fid\": 7}", "{\"fid\": \"gAbCdEfGhIjKlMnOpQrS-_\"}", "{\"fid\": \"short\"}"] {
      let said = try json(.create(project: "mine"), body)
      let id = try #require(said["fid"]?.stringValue)
      #expect(id.count == 22 && id != own && said["authToken"]?["expiresIn"] == "604800s", "\(body)")
      #expect(said["name"]?.stringValue == "projects/mine/installations/\(id)")
    }
    #expect(try json(.renew, "{}")["token"]?.stringValue?.contains("simulated") == true)
  }
}

@Suite("RevenueCat's API keys at the bridge")
struct RevenueCatKeysTests {
  private static let key = "test_0123456789abcdef0123"
  private let host = "Host: 127.0.0.1:8014"

  private func gate(_ keys: [(game: String, key: String)] = [("kidsdoku2", key), ("other", key + "4")]) throws -> BridgeGate {
    var gate = BridgeGate(token: "0123456789abcdef", port: 8014, origins: ["http://localhost:5173"])
    for each in keys { try gate.revenueCat.add(each.key, of: each.game, from: "key") }
    return gate
  }

  private func passed(_ verdict: BridgeGate.BridgeDecision) -> String? { if case .pass(let head, _) = verdict { head } else { nil } }

  private func answer(_ verdict: BridgeGate.BridgeDecision) -> String { if case .answer(let text) = verdict { text } else { "" } }

  @Test(
    "a request with a RevenueCat key is forwarded without the key and the token's prefix, to a path below the key's game",
    arguments: [
      ("/v1/subscribers/a%20b?x=1", "/v1/games/kidsdoku2/revenuecat/v1/subscribers/a%20b?x=1"),
      ("/t/0123456789abcdef/v1/receipts", "/v1/games/kidsdoku2/revenuecat/v1/receipts"),
      ("/t/another/v1/receipts", "/v1/games/kidsdoku2/revenuecat/t/another/v1/receipts"),
      ("/v1/games/kidsdoku2/config", "/v1/games/kidsdoku2/revenuecat/v1/games/kidsdoku2/config"),
    ])
  func paths(target: String, below: String) throws {
    let head = try #require(passed(try gate().judge("GET \(target) HTTP/1.1\r\n\(host)\r\nAuthorization: Bearer \(Self.key)")))
    #expect(head == "GET \(below) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Forwarded-Prefix: /t/0123456789abcdef\r\n\r\n")
  }

  @Test("a RevenueCat key determines the game, and an unknown key is refused in RevenueCat's form")
  func games() throws {
    let other = passed(try gate().judge("GET /v1/x HTTP/1.1\r\n\(host)\r\nAuthorization: Bearer \(Self.key)4"))
    #expect(other?.hasPrefix("GET /v1/games/other/revenuecat/v1/x ") == true)
    let wrong = answer(try gate().judge("GET /v1/x HTTP/1.1\r\n\(host)\r\nAuthorization: Bearer \(Self.key)5"))
    #expect(wrong.hasPrefix("HTTP/1.1 401 ") && wrong.contains("\"code\":7225"))
    let without = answer(try gate([]).judge("GET /v1/x HTTP/1.1\r\n\(host)\r\nAuthorization: Bearer \(Self.key)"))
    #expect(without.hasPrefix("HTTP/1.1 401 ") && !without.contains("7225"))
    // A bridge with RevenueCat keys still accepts its own token.
    let token = passed(try gate().judge("GET /v1/games HTTP/1.1\r\n\(host)\r\nAuthorization: Bearer 0123456789abcdef"))
    #expect(token?.hasPrefix("GET /v1/games HTTP/1.1\r\n") == true)
  }

  @Test("the two calls that RevenueCat's clients make without a key are answered if the bridge has any key")
  func health() throws {
    for target in ["/v1/health", "/v1/health?x", "/v1/subscribers/a/health_report_availability"] {
      #expect(answer(try gate().judge("GET \(target) HTTP/1.1\r\n\(host)")).hasPrefix("HTTP/1.1 200 "), "\(target)")
      #expect(answer(try gate([]).judge("GET \(target) HTTP/1.1\r\n\(host)")).hasPrefix("HTTP/1.1 401 "), "\(target)")
    }
    #expect(answer(try gate().judge("POST /v1/health HTTP/1.1\r\n\(host)")).hasPrefix("HTTP/1.1 401 "))
    #expect(answer(try gate().judge("GET /v1/health HTTP/1.1\r\nHost: evil.example:8014")).hasPrefix("HTTP/1.1 421 "))
  }

  @Test("with a RevenueCat key too, only pages of an allowed origin are admitted, and the response names the origin")
  func browser() throws {
    let authorization = "Authorization: Bearer \(Self.key)"
    let verdict = try gate().judge("GET /v1/x HTTP/1.1\r\n\(host)\r\nOrigin: http://localhost:5173\r\n\(authorization)")
    guard case .pass(_, let fields) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(fields.hasPrefix("Access-Control-Allow-Origin: http://localhost:5173\r\n"))
    let other = answer(try gate().judge("GET /v1/x HTTP/1.1\r\n\(host)\r\nOrigin: http://evil.example\r\n\(authorization)"))
    #expect(other.hasPrefix("HTTP/1.1 403 ") && !other.contains("Allow-Origin"))
  }
}
