// A listening socket, which the daemon binds after it has removed a stale one, or adopts from systemd.

internal import Glibc

/// A listening socket of the HTTP server. If this process has bound the socket, it removes the socket's path when it stops listening.
package struct Listener: Sendable {
  package let socket: ServerSocket
  /// The path of the socket, or a text with the descriptor's number if it has no path, as `gameconfctl status` shows it.
  package let name: String
  /// The maximum number of connections that the kernel queues until the server accepts them.
  package static let backlog: Int32 = 4_096

  let descriptor: Int32
  private let inode: Inode?

  private struct Inode: Sendable, Equatable {
    var device: UInt
    var number: UInt
  }

  /// Binds a Unix socket at a path and listens on it.
  ///
  /// An existing socket is removed only if it refuses a connection, while the lock `PATH.lock` is held. Two daemons that start at the same
  /// time therefore cannot remove each other's socket. A file that is not a socket is never removed.
  /// - Parameter mode: The socket's permissions, such as `0o666`, independent of the umask.
  package static func bind(_ path: String, mode: UInt32, as socket: ServerSocket) throws(ListenFault) -> Listener {
    let address = try UnixAddress(path)
    let lock = try PathLock(path)
    defer { lock.release() }
    try removeStale(path, address)
    let descriptor = try UnixAddress.open(path)
    do throws(ListenFault) {
      // The mode is set before listen(): the kernel refuses every connection until listen() is called.
      guard address.withPointer({ Glibc.bind(descriptor, $0, $1) }) == 0 else { throw .system(path, "bind", errno) }
      guard chmod(path, mode) == 0 else { throw .system(path, "chmod", errno) }
      guard listen(descriptor, backlog) == 0 else { throw .system(path, "listen", errno) }
    } catch {
      close(descriptor)
      throw error
    }
    return Listener(socket: socket, name: path, descriptor: descriptor, inode: inode(of: path))
  }

  /// Adopts a listening descriptor from systemd or another parent process, and sets close-on-exec. The socket's path is not removed when
  /// the server stops.
  /// - Throws: `ListenFault.notListening` unless it is a listening stream socket. A TCP socket is accepted only if `socket` allows TCP.
  package static func adopt(_ descriptor: Int32, as socket: ServerSocket) throws(ListenFault) -> Listener {
    func option(_ name: Int32) -> Int32? {
      var value: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }
    guard let domain = option(SO_DOMAIN) else { throw .notListening(descriptor, "it is not a socket") }
    if option(SO_TYPE) != Int32(SOCK_STREAM.rawValue) { throw .notListening(descriptor, "it is not a stream socket") }
    if option(SO_ACCEPTCONN) != 1 { throw .notListening(descriptor, "it is not listening") }
    if domain != AF_UNIX, !socket.mayBeTCP { throw .notListening(descriptor, "the \(socket.name) socket must be a Unix socket") }
    guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw .notListening(descriptor, String(cString: strerror(errno))) }
    return Listener(socket: socket, name: UnixAddress.name(of: descriptor), descriptor: descriptor, inode: nil)
  }

  /// Removes the socket's path if this process has bound it and the file there is still the same.
  func unlinkIfOurs() {
    guard let inode, let lock = try? PathLock(name) else { return }
    defer { lock.release() }
    if Self.inode(of: name) == inode { unlink(name) }
  }

  /// Sets the kernel's queue of connections to ``backlog`` again, because NIO calls listen() with another queue length when it takes the
  /// descriptor.
  func raiseBacklog() { _ = listen(descriptor, Self.backlog) }

  private static func inode(of path: String) -> Inode? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return Inode(device: UInt(status.st_dev), number: UInt(status.st_ino))
  }

  private static func removeStale(_ path: String, _ address: UnixAddress) throws(ListenFault) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw .system(path, "stat", errno)
    }
    switch status.st_mode & S_IFMT {
    case S_IFSOCK: break
    case S_IFDIR: throw .notASocket(path, "a directory")
    case S_IFREG: throw .notASocket(path, "a file")
    case S_IFLNK: throw .notASocket(path, "a symbolic link")
    default: throw .notASocket(path, "of another kind")
    }
    let probe = try UnixAddress.open(path)
    defer { close(probe) }
    if address.withPointer({ connect(probe, $0, $1) }) == 0 { throw .inUse(path) }
    switch errno {
    case ECONNREFUSED: break
    case ENOENT: return
    case EAGAIN, EINPROGRESS: throw .inUse(path)
    case let code: throw .system(path, "connect", code)
    }
    guard unlink(path) == 0 || errno == ENOENT else { throw .system(path, "unlink", errno) }
  }
}

/// The reason why a socket cannot be bound or adopted for listening.
package enum ListenFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// The path is too long for a socket's address.
  case pathTooLong(String)
  /// The path exists and is not a socket.
  case notASocket(String, String)
  /// Another process listens on the path.
  case inUse(String)
  /// Another process holds the lock file of the path.
  case locked(String)
  /// The adopted descriptor is not a usable listening socket.
  case notListening(Int32, String)
  /// A system call failed; with the path, the call and errno.
  case system(String, String, Int32)

  /// The fault and its correction, as a sentence.
  package var description: String {
    switch self {
    case .pathTooLong(let path):
      "the socket path \(path) has \(path.utf8.count) bytes; at most \(UnixAddress.pathBytesMax) fit: choose a shorter directory"
    case .notASocket(let path, let what): "\(path) is \(what), not a socket; it is left unchanged: move it away or choose another path"
    case .inUse(let path): "a daemon answers on \(path); stop it first, or choose another path"
    case .locked(let path): "another daemon is starting or stopping on \(path) (\(path).lock is held)"
    case .notListening(let descriptor, let why): "descriptor \(descriptor) cannot be served: \(why)"
    case .system(let path, let call, let code): "\(path): \(call): \(String(cString: strerror(code)))"
    }
  }
}
