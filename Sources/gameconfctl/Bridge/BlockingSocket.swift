// Blocking reads and writes on sockets, for threads that serve one connection each.

import Glibc

enum BlockingSocket {
  private static let pieceBytes = 64 << 10

  /// The bytes that have come; nil at the end, after an error, and when nothing came in time.
  static func receive(_ descriptor: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: pieceBytes)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  @discardableResult
  static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  static func setTimeout(_ descriptor: Int32, seconds: Int) {
    var patience = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  /// A new Unix socket.
  static func unix() -> Int32 { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0) }

  /// Connects to a Unix socket; nil when nobody listens there.
  static func connect(to path: String) -> Int32? {
    let descriptor = unix()
    if withAddress(path, { Glibc.connect(descriptor, $0, $1) == 0 }) == true { return descriptor }
    close(descriptor)
    return nil
  }

  /// Calls with the address of a Unix socket; nil when the path is too long for one.
  static func withAddress<Answer>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Answer) -> Answer? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  /// Runs on a thread of its own; on this one where none can be had.
  static func onThread(_ work: @escaping @Sendable () -> Void) {
    final class Box {
      let work: @Sendable () -> Void
      init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(work))
    let failed = pthread_create(
      &thread, nil,
      { box in
        box.map { Unmanaged<Box>.fromOpaque($0).takeRetainedValue() }?.work()
        return nil
      }, box.toOpaque())
    if failed == 0 { pthread_detach(thread) } else { box.takeRetainedValue().work() }
  }
}
