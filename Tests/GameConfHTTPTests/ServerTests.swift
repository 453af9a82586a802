// The server on real Unix sockets.

import GameConfAPI
import Testing

@testable import GameConfHTTP

@Suite("Server on real sockets")
struct ServerTests {
  @Test("a GET is answered over a Unix socket, by the router and from what lies ready")
  func get() async throws {
    try await RunningServer.run(ready: Fixture.ready(["ada"])) { running in
      let client = try running.client()
      let ready = try client.ask("GET", "/v1/hello/ada")
      let routed = try client.ask("GET", "/v1/hello/bob")
      #expect(ready.status == 200 && ready.text == #"{"hello":"ada"}"#)
      #expect(routed.status == 200 && routed.text == #"{"hello":"bob"}"#)
      #expect(Set(ready.fields.keys) == Set(routed.fields.keys))
      #expect(ready.fields["date"]?.count == 29)
      let counters = await running.server.counters()
      #expect(counters.readyAnswers == 1)
      #expect(counters.requests(to: "hello", status: 200) == 2)
    }
  }
}
