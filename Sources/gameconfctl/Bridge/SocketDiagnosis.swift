// Finds the owner of one TCP socket by netlink's sock_diag(7), whose cost does not depend on the number of sockets.

import Glibc

/// Finds the user of one TCP socket by the two endpoints of its connection.
enum SocketDiagnosis {
  enum LookupResult: Equatable {
    /// The user who owns the socket.
    case user(UInt32)
    /// The socket does not exist, or no process holds it any longer.
    case absent
    /// The kernel does not support the lookup of a socket's user.
    case unavailable
  }

  struct SocketEndpoint: Equatable {
    /// The IPv4 address and the port of an endpoint, both in network byte order.
    var address: UInt32
    var port: UInt16
  }

  // These constants are from <linux/netlink.h>, <linux/sock_diag.h> and <linux/inet_diag.h>, which Swift's Glibc module does not have.
  private static let sockDiag: Int32 = 4
  private static let byFamily: UInt16 = 20
  private static let request: UInt16 = 1
  private static let error: UInt16 = 2
  private static let headerBytes = 16
  private static let requestBytes = 72
  private static let answerBytes = 72
  private static let listening: UInt8 = 10
  private static let anyCookie = UInt32.max

  /// Returns the user who owns the socket at the endpoint `there`, which is connected to the endpoint `here`.
  static func user(at there: SocketEndpoint, connectedTo here: SocketEndpoint) -> LookupResult {
    guard let answer = ask(there, here) else { return .unavailable }
    guard answer.count >= headerBytes + answerBytes, number(answer, at: 4, UInt16.self) == byFamily else { return .absent }
    let body = headerBytes
    // If no such connection exists, the kernel may return a listening socket with the same port, so the state and both ports are compared.
    guard answer[body + 1] != listening, number(answer, at: body + 4, UInt16.self) == there.port,
      number(answer, at: body + 6, UInt16.self) == here.port, number(answer, at: body + 68, UInt32.self) != 0
    else { return .absent }
    return .user(number(answer, at: body + 64, UInt32.self))
  }

  /// True if the kernel supports the lookup of a socket's user. The lookup of a listening socket shows it.
  static func isAvailable(listener: SocketEndpoint) -> Bool {
    guard let answer = ask(listener, SocketEndpoint(address: 0, port: 0)), answer.count >= headerBytes + answerBytes else { return false }
    return number(answer, at: 4, UInt16.self) == byFamily
  }

  /// Returns the bytes of the kernel's response; nil if the request failed.
  private static func ask(_ there: SocketEndpoint, _ here: SocketEndpoint) -> [UInt8]? {
    let netlink = socket(AF_NETLINK, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), sockDiag)
    guard netlink >= 0 else { return nil }
    defer { close(netlink) }
    var message: [UInt8] = []
    func put(_ number: some FixedWidthInteger) { withUnsafeBytes(of: number) { message += $0 } }
    put(UInt32(requestBytes))
    put(byFamily)
    put(request)
    put(UInt32(1))
    put(UInt32(0))
    message += [UInt8(AF_INET), UInt8(IPPROTO_TCP), 0, 0]
    put(UInt32.max)
    put(there.port)
    put(here.port)
    for end in [there, here] {
      put(end.address)
      message += [UInt8](repeating: 0, count: 12)
    }
    put(UInt32(0))
    put(anyCookie)
    put(anyCookie)
    // A netlink socket without a bound address sends to the kernel.
    let sent = send(netlink, message, message.count, 0)
    guard sent == message.count else { return nil }
    var answer = [UInt8](repeating: 0, count: 4_096)
    // The kernel has its response ready before `send` returns, so this never waits.
    let count = recv(netlink, &answer, answer.count, Int32(MSG_DONTWAIT))
    return count >= headerBytes ? Array(answer[..<count]) : nil
  }

  private static func number<NumberResolution: FixedWidthInteger>(_ bytes: [UInt8], at offset: Int, _ type: NumberResolution.Type)
    -> NumberResolution
  {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: NumberResolution.self) }
  }
}
