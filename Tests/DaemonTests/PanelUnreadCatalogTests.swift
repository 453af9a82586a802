// The panel with a daemon that does not send its catalogs, so that nobody knows which values are secret.

import GameConfCore
import Testing

@testable import gameconfctl

@Suite("The panel while no catalog can be read")
struct PanelUnreadCatalogTests {
  private static let proof = "Host: 127.0.0.1:8014\r\nAuthorization: Bearer "

  /// Returns the panel's answer to a call, from a daemon that answers it so and refuses to send catalogs.
  private func answer(_ line: String, _ status: Int, _ body: String) throws -> (status: Int, body: Value) {
    let folder = try TemporaryFolder()
    let daemon = try UnhelpfulDaemon(at: folder.path + "/admin.sock") { _, target in
      target.hasSuffix("/catalog") ? UnhelpfulDaemon.answer(503, "{}") : UnhelpfulDaemon.answer(status, body)
    }
    defer { withExtendedLifetime(daemon) {} }
    let panel = Panel(
      try LoopbackListener(port: 0), port: 8014, adminSocket: folder.path + "/admin.sock",
      console: try ConnectionOptions.parse([]).console())
    let gate = PanelGate(token: "0123456789abcdef", host: "127.0.0.1:8014")
    guard case .call(let call) = gate.judge("\(line) HTTP/1.1\r\n\(Self.proof)0123456789abcdef") else {
      Issue.record("\(line) is no call of the page")
      return (0, .null)
    }
    let answer = panel.answer(to: call, [])
    return (answer.status, try JSONReader.value(from: answer.body ?? []))
  }

  @Test("a value is not shown, and the page is asked to try again")
  func read() throws {
    let (status, body) = try answer("GET /v1/games/g/config", 200, #"{"game":"g","revision":1,"values":{"api":"HUSH"}}"#)
    #expect(status == 502 && !JSONWriter.text(body).contains("HUSH"))
    #expect(body["detail"]?.stringValue?.hasSuffix("Try again.") == true)
  }

  @Test("a change that was made is called made, a dry run is not")
  func change() throws {
    let path = "DELETE /v1/games/g/overrides/api?reason=r"
    let (made, body) = try answer(path, 200, #"{"key":"api","was":"HUSH"}"#)
    #expect(made == 502 && body["detail"]?.stringValue?.contains("The change is made.") == true)
    let (_, dry) = try answer(path + "&dry_run=true", 200, #"{"key":"api","was":"HUSH","dry_run":true}"#)
    #expect(dry["detail"]?.stringValue?.contains("The change is made.") == false)
    #expect(!JSONWriter.text(body).contains("HUSH") && !JSONWriter.text(dry).contains("HUSH"))
  }

  @Test("a refusal has the daemon's status and code, without its detail")
  func refused() throws {
    let (status, body) = try answer(
      "GET /v1/games/g/config", 409, #"{"title":"Conflict","status":409,"code":"OVERLAP","detail":"HUSH overlaps"}"#)
    #expect(status == 409 && body["code"] == "OVERLAP" && !JSONWriter.text(body).contains("HUSH"))
  }
}
