// A datagram socket in the role of the service manager, for tests that run in their own process.

import Glibc

/// Receives notifications sent to `NOTIFY_SOCKET`. It sets that variable, so the test must run in its own process.
struct NotifySocket {
  private let descriptor: Int32

  init() {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // A name in the abstract namespace leaves no file behind.
    let name = "gameconfd-test-\(getpid())"
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      for (index, byte) in name.utf8.enumerated() { path[index + 1] = byte }
    }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + 1 + name.utf8.count)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    demand(bound == 0, "bind: \(errno)")
    setenv("NOTIFY_SOCKET", "@" + name, 1)
  }

  /// Returns the assignments of the next message; nil if no message has arrived.
  func next() -> [String]? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    guard count >= 0 else { return nil }
    return String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

/// Ends the process with a failure unless the condition is true. For tests in their own process, where `#expect` may have no descriptor left.
func demand(_ holds: Bool, _ says: @autoclosure () -> String) {
  guard !holds else { return }
  let line = Array("demanded: \(says())\n".utf8)
  _ = write(2, line, line.count)
  _exit(1)
}
