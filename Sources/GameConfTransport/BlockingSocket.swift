// Blocking reads and writes on sockets, for threads that each wait on one connection.

package import Glibc

package enum BlockingSocket {
  private static let pieceBytes = 64 << 10

  /// Waits for bytes on a socket and returns them; nil if the peer has closed the connection, after an error, and after the socket's
  /// timeout.
  package static func receive(_ descriptor: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: pieceBytes)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  @discardableResult
  package static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  package static func setTimeout(_ descriptor: Int32, seconds: Int) {
    var patience = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Returns a new Unix stream socket that is closed on exec; -1, with the reason in `errno`, on failure.
  package static func unix() -> Int32 { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0) }

  /// Connects to a Unix socket; returns nil if that fails, for example because no process listens on the socket.
  package static func connect(to path: String) -> Int32? { try? connect(to: path, until: CallDeadline(seconds: connectSeconds)) { false } }

  private static let connectSeconds = 30.0

  /// Connects to a Unix socket. Retries until the deadline while the server's backlog of connections is full.
  /// - Parameter isCancelled: Called before each retry; the result true ends the wait with `cancelled`.
  static func connect(to path: String, until deadline: CallDeadline, isCancelled: () -> Bool) throws(TransportError) -> Int32 {
    let descriptor = unix()
    guard descriptor >= 0 else { throw .system(path: path, detail: String(cString: strerror(errno))) }
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    do throws(TransportError) {
      while true {
        guard let reason = withAddress(path, { Glibc.connect(descriptor, $0, $1) == 0 ? 0 : errno }) else { throw .pathTooLong(path: path) }
        switch reason {
        case 0:
          _ = fcntl(descriptor, F_SETFL, flags)
          return descriptor
        case ENOENT, ENOTDIR: throw .noSocket(path: path)
        case ECONNREFUSED: throw .refused(path: path)
        case EACCES, EPERM: throw .permissionDenied(path: path)
        // A non-blocking connect() fails with EAGAIN while the server's backlog is full, and poll() cannot wait for space in it.
        case EAGAIN, EINTR:
          if isCancelled() { throw .cancelled }
          if deadline.milliseconds == 0 { throw .timedOut(seconds: deadline.seconds) }
          poll(nil, 0, backlogMilliseconds)
        default: throw .system(path: path, detail: String(cString: strerror(reason)))
        }
      }
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static let backlogMilliseconds: Int32 = 5

  /// Calls `body` with the socket address of a path; returns nil if the path is longer than such an address allows (107 bytes).
  package static func withAddress<Answer>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Answer) -> Answer? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }
}
