// The address of a Unix socket, and the lock file beside its path.

internal import Glibc

/// The kernel's form (`sockaddr_un`) of a Unix socket's path.
struct UnixAddress {
  /// The maximum length of a socket's path in bytes: `sun_path` has 108 bytes, with the final zero.
  static let pathBytesMax = 107

  private var address = sockaddr_un()

  init(_ path: String) throws(ListenFault) {
    let bytes = Array(path.utf8)
    if bytes.count > Self.pathBytesMax { throw .pathTooLong(path) }
    if bytes.isEmpty || bytes.contains(0) { throw .system(path, "bind", EINVAL) }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
  }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  /// Creates a stream socket that is non-blocking and close-on-exec.
  static func open(_ path: String) throws(ListenFault) -> Int32 {
    let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let descriptor = socket(AF_UNIX, Int32(flags), 0)
    if descriptor < 0 { throw .system(path, "socket", errno) }
    return descriptor
  }

  /// Returns the size of the kernel's buffers with bytes that the client has not read (SIOCOUTQ); 0 if it is unknown.
  static func unreadBytes(of descriptor: Int32) -> Int {
    var bytes: Int32 = 0
    return ioctl(descriptor, UInt(TIOCOUTQ), &bytes) == 0 ? Int(bytes) : 0
  }

  static func hasInput(_ descriptor: Int32) -> Bool {
    var bytes: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &bytes) == 0 && bytes > 0
  }

  /// Returns the path to which a descriptor's socket is bound; a text with the descriptor's number if it has no path.
  static func name(of descriptor: Int32) -> String {
    var storage = sockaddr_un()
    var size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let found = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    guard found == 0 else { return "descriptor \(descriptor)" }
    guard storage.sun_family == sa_family_t(AF_UNIX) else { return "TCP, descriptor \(descriptor)" }
    let path = withUnsafeBytes(of: storage.sun_path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return path.isEmpty ? "descriptor \(descriptor)" : path
  }
}

/// A lock on the file `PATH.lock`, held while a socket's path is checked and bound.
///
/// Only the owner can open the file, so that no other user can hold the lock and keep the daemon from starting.
struct PathLock {
  private static let attempts = 40
  private static let pauseMicroseconds: UInt32 = 50_000

  private let descriptor: Int32

  init(_ path: String) throws(ListenFault) {
    let descriptor = Glibc.open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    if descriptor < 0 { throw .system("\(path).lock", "open", errno) }
    for attempt in 1...Self.attempts where flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno != EWOULDBLOCK || attempt == Self.attempts {
        close(descriptor)
        throw .locked(path)
      }
      usleep(Self.pauseMicroseconds)
    }
    self.descriptor = descriptor
  }

  func release() { close(descriptor) }
}
