// The start of the bridge without a daemon.

import Glibc
import Testing

@Suite("The bridge's start")
struct BridgeStartTests {
  @Test("a bridge without a daemon warns with the socket's name, and listens")
  func noDaemon() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/none.sock"
    let bridge = try ChildProcess(Built.control, ["bridge"], environment: ["GAMECONF_SOCKET": path])
    #expect(bridge.waitForLine(containing: "no daemon answers on \(path) yet") != nil)
    bridge.signal(SIGTERM)
    #expect(bridge.waitForEnd().output.hasPrefix("http://127.0.0.1:"))
  }
}
