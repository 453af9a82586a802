// gameconf-fetch behind a proxy: the requests through it, the direct ones, and a proxy that refuses.

import GameConfCore
import Testing

@Suite("gameconf-fetch behind a proxy")
struct FetchProxyTests {
  private static let web = "https: \"https://localhost:PORT/t.json\", "
  private static let firebase =
    "firebase: client, project: my-game, key: FOLDER/key.json, base_url: \"https://localhost:PORT\", token_url: \"https://localhost:PORT/token\", "

  @Test(
    "gameconf-fetch gets documents and tokens through a proxy tunnel, set in its settings or environment",
    arguments: [
      (web + "proxy: \"http://127.0.0.1:PROXY\", ", [:]), (firebase + "proxy: \"http://127.0.0.1:PROXY\", ", [:]),
      (web, ["https_proxy": "http://me:hush@127.0.0.1:PROXY"]), (firebase, ["https_proxy": "http://127.0.0.1:PROXY"]),
    ] as [(String, [String: String])])
  func tunnel(source: String, environment: [String: String]) throws {
    let world = try FetchWorld(source, environment: environment)
    try world.waits(for: 3.0)
    // The ETag in the second request is the source's, and 3.0 can only come from the source, so the proxy's own answers were not used.
    #expect(try world.waits { try world.server.requests().contains { $0["status"] == 304 } })
    let (requests, tunnels) = (try world.server.requests(), try world.server.tunnels())
    #expect(tunnels.allSatisfy { $0["method"] == "CONNECT" && $0["target"] == .string("localhost:\(world.server.port)") }, "\(tunnels)")
    #expect(tunnels.count >= requests.count && !requests.isEmpty, "none goes beside it")
    #expect(tunnels.allSatisfy { !($0["head"]?.stringValue ?? "Bearer").contains("Bearer") })

    try world.server.does(["do": "status", "status": 500, "proxy": 407])
    try world.fails("407", "a proxy that refuses")
    #expect(try world.speed() == 3.0 && !world.wrong().contains { $0.contains("hush") }, "no password is told")
    #expect(try (world.source()["next_seconds"]?.integerValue ?? 7_000) < 6_000, "the proxy's Retry-After is not the source's")
    try world.server.gives("3.5")
    try world.recovers("the proxy")
    try world.waits(for: 3.5)
  }

  @Test(
    "gameconf-fetch requests unencrypted sources and hosts in no_proxy directly",
    arguments: [
      ("https: \"http://localhost:PLAIN/t.json\", ", ["http_proxy": "http://127.0.0.1:PROXY", "all_proxy": "http://127.0.0.1:PROXY"]),
      (web, ["https_proxy": "http://127.0.0.1:PROXY", "no_proxy": "localhost"]),
      (web + "proxy: \"http://127.0.0.1:PROXY\", ", ["no_proxy": "localhost"]),
    ])
  func direct(source: String, environment: [String: String]) throws {
    let world = try FetchWorld(source, environment: environment)
    try world.waits(for: 3.0)
    #expect(try world.server.tunnels().isEmpty)
  }

  @Test("gameconf-fetch reports an unreachable proxy and removes no value")
  func gone() throws {
    let world = try FetchWorld(Self.web + "proxy: \"http://127.0.0.1:1\", ")
    try world.fails("127.0.0.1 port 1 ", "no proxy")
    #expect(try world.speed() == 2.0)
    #expect(try world.server.requests().isEmpty, "nothing goes around it")
  }
}
