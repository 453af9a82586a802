// The socket that the bridge forwards requests to.
import Testing

@testable import gameconfctl

@Suite("The bridge's socket")
struct BridgeSocketTests {
  @Test("the bridge forwards to the games socket, and with --admin to the admin socket", arguments: SocketTests.ways.indices)
  func bridge(way: Int) throws {
    let (option, environment) = SocketTests.ways[way]
    let daemon = SocketTests.daemon(option, environment)
    for isAdmin in [false, true] {
      let path = try BridgeRun.socketClient(of: daemon, isAdmin: isAdmin).path
      let named = isAdmin ? environment["GAMECONF_ADMIN_SOCKET"] : environment["GAMECONF_SOCKET"]
      if let expected = option ?? named { #expect(path == expected) }
      if option == nil { #expect(path.contains(isAdmin ? "a" : "g")) }
    }
  }
}
