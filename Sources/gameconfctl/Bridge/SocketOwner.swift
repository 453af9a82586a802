// Finds the owner of a loopback connection: the user whose program opened it.

import Glibc

/// Finds the user whose program opened a connection, by ``SocketDiagnosis`` or else in the kernel's tables of TCP sockets.
///
/// `SO_PEERCRED` returns −1 for TCP. A program that sends and closes immediately leaves a socket of user 0 with inode 0, which proves
/// nothing.
struct SocketOwner: Sendable {
  /// The kernel's tables of IPv4 sockets and of IPv6 sockets. The latter may contain mapped IPv4 addresses.
  private static let tables = ["/proc/net/tcp", "/proc/net/tcp6"]
  private static let pieceBytes = 256 << 10

  /// True if the kernel supports the lookup of single sockets.
  let hasDiagnosis: Bool

  /// Prepares to find the owners of connections to a listening socket, and checks whether the kernel supports ``SocketDiagnosis``.
  init(listener: Int32) {
    hasDiagnosis = Self.end(of: listener, getsockname).map(SocketDiagnosis.isAvailable) ?? false
  }

  /// True if the program at the other end of the connection belongs to this user or to root.
  func isTrusted(_ client: Int32) -> Bool {
    var domain: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(client, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0 else { return false }
    if domain == AF_UNIX {
      // These are the fields of `struct ucred`: pid, uid and gid.
      var words: [UInt32] = [0, .max, .max]
      length = socklen_t(words.count * MemoryLayout<UInt32>.size)
      return getsockopt(client, SOL_SOCKET, SO_PEERCRED, &words, &length) == 0 && Self.isTrusted(user: words[1])
    }
    guard let there = Self.end(of: client, getpeername), let here = Self.end(of: client, getsockname) else { return false }
    if hasDiagnosis {
      guard case .user(let user) = SocketDiagnosis.user(at: there, connectedTo: here) else { return false }
      return Self.isTrusted(user: user)
    }
    return Self.tables.contains { table in
      guard let text = Self.contents(of: table), let user = Self.owner(of: Self.text(there), to: Self.text(here), in: text) else {
        return false
      }
      return Self.isTrusted(user: user)
    }
  }

  private static func isTrusted(user: UInt32) -> Bool { user == getuid() || user == 0 }

  /// Returns the user in the row of a socket. Returns nil if the table has no such row, or if no process holds the socket any longer.
  /// - Parameters:
  ///   - there: The local endpoint of that socket as the tables write it, such as `0100007F:1F90`.
  ///   - here: The remote endpoint of that socket.
  static func owner(of there: String, to here: String, in table: [UInt8]) -> UInt32? {
    let mapped = "0000000000000000FFFF0000"
    for wanted in [there + " " + here + " ", mapped + there + " " + mapped + here + " "] {
      if let line = line(with: Array(wanted.utf8), in: table) { return owner(line) }
    }
    return nil
  }

  /// Returns the table's line for a socket with these two endpoints, from the endpoints to the line's end. The search uses memchr(),
  /// because the table has a line for each socket of the host.
  private static func line(with wanted: [UInt8], in table: [UInt8]) -> [UInt8]? {
    table.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return nil }
      var at = 0
      while at < bytes.count {
        let newline = memchr(start + at, 10, bytes.count - at)
        let end = newline.map { start.distance(to: UnsafeRawPointer($0)) } ?? bytes.count
        // A line begins “  12: 0100007F:1F90 0100007F:A2C4 01 …”. The two endpoints follow the row's number.
        if let colon = memchr(start + at, 58, end - at) {
          let ends = start.distance(to: colon) + 2
          if end - ends > wanted.count, memcmp(start + ends, wanted, wanted.count) == 0 { return Array(bytes[ends..<end]) }
        }
        at = end + 1
      }
      return nil
    }
  }

  private static func owner(_ line: [UInt8]) -> UInt32? {
    // From here on a line is "0100007F:1F90 0100007F:A2C4 01 00000000:00000000 00:00000000 00000000  1000        0 52113 …". The seventh
    // word is the user, and the ninth is the inode.
    let words = line.split(separator: 32)
    guard words.count > 8, let user = UInt32(String(decoding: words[6], as: UTF8.self)),
      let inode = UInt64(String(decoding: words[8], as: UTF8.self)), inode != 0
    else { return nil }
    return user
  }

  private static func end(
    of client: Int32, _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> SocketDiagnosis.SocketEndpoint? {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isNamed = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(client, $0, &length) == 0 }
    }
    guard isNamed, address.sin_family == sa_family_t(AF_INET) else { return nil }
    return SocketDiagnosis.SocketEndpoint(address: address.sin_addr.s_addr, port: address.sin_port)
  }

  /// Returns an endpoint as the kernel's tables write it, such as `0100007F:1F90`.
  private static func text(_ end: SocketDiagnosis.SocketEndpoint) -> String {
    hex(end.address, digits: 8) + ":" + hex(UInt32(UInt16(bigEndian: end.port)), digits: 4)
  }

  private static func hex(_ number: UInt32, digits: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  private static func contents(of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: pieceBytes)
    while true {
      let count = read(file, &piece, piece.count)
      if count <= 0 { return bytes }
      bytes += piece[..<count]
    }
  }
}
