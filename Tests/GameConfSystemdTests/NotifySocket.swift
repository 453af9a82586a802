// A datagram socket that plays the service manager's part, for tests that run in a process of their own.

import Glibc

/// Receives what is sent to `NOTIFY_SOCKET`. Sets the variable, so only a process that does nothing else may use it.
struct NotifySocket {
  private let descriptor: Int32

  init() {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // The abstract name space leaves nothing behind.
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

  /// The next message's assignments, nil when none is waiting.
  func next() -> [String]? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    guard count >= 0 else { return nil }
    return String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

/// Ends the process with a failure unless it holds; for bodies that run as a process of their own, which may close any descriptor.
func demand(_ holds: Bool, _ says: @autoclosure () -> String) {
  guard !holds else { return }
  let line = Array("demanded: \(says())\n".utf8)
  _ = write(2, line, line.count)
  _exit(1)
}
