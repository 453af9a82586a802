// Accepts connections of this user and of root on 127.0.0.1 or on a private Unix socket. Each connection has its own thread and one
// request.

import GameConfCore
import GameConfTransport
import Glibc
import Synchronization

/// A listening socket that checks which user opened a connection before it reads from the connection.
///
/// The user is looked up on a separate thread, so that a flood of connections from one user does not delay others. A connection of any user
/// except this one and root is closed unread. At most ``waitingMax`` connections may have a request that is not admitted yet. The head of a
/// request must arrive within ``headSeconds``. Admitted requests have a separate limit, ``RequestSlots/countMax``.
final class LoopbackListener: Sendable {
  /// A connection on which the head of a request has arrived.
  struct PendingConnection {
    var client: Int32
    var head: String
    /// The bytes that arrived after the head.
    var rest: [UInt8]
    /// Admits the request; returns false if ``RequestSlots/countMax`` requests are admitted already.
    var admit: () -> Bool
  }

  /// The maximum number of connections whose request has not been admitted yet.
  static let waitingMax = 64
  /// The maximum number of connections whose owner is looked up on separate threads at the same time. Beyond it, the accepting thread looks
  /// owners up itself.
  static let checkingMax = 64
  /// The time in seconds within which the whole head of a request must arrive.
  static let headSeconds = 10

  /// The port on 127.0.0.1; 0 for a Unix socket.
  let port: Int
  private let listener: Int32
  private let owner: SocketOwner
  private let checking = Atomic(0)
  private let waiting = Atomic(0)
  private let slots = RequestSlots()

  /// Listens on 127.0.0.1.
  /// - Parameter port: The port; 0 lets the system choose a free one.
  init(port: Int) throws(Fault) {
    do throws(Fault) {
      (listener, self.port) = try Self.listen(on: 0x7F00_0001, port: port)
    } catch {
      throw Fault(
        "127.0.0.1:\(port) cannot be opened for listening: \(error.message); name another with --port, or leave it out for any free one")
    }
    owner = SocketOwner(listener: listener)
  }

  /// Opens a listening socket on one IPv4 address.
  /// - Parameters:
  ///   - address: The address in host byte order.
  ///   - port: The port; 0 lets the system choose a free one.
  /// - Returns: The socket's descriptor and its port.
  /// - Throws: ``Fault`` with the system's message.
  static func listen(on address: UInt32, port: Int) throws(Fault) -> (descriptor: Int32, port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var reuse: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
    var bound = sockaddr_in()
    bound.sin_family = sa_family_t(AF_INET)
    bound.sin_port = in_port_t(UInt16(clamping: port)).bigEndian
    bound.sin_addr.s_addr = in_addr_t(address).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &bound) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && Glibc.listen(descriptor, 128) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else {
      let reason = String(cString: strerror(errno))
      close(descriptor)
      throw Fault(reason)
    }
    return (descriptor, Int(in_port_t(bigEndian: bound.sin_port)))
  }

  /// Listens on a Unix socket that only this user may open.
  init(socketPath: String) throws(Fault) {
    let descriptor = BlockingSocket.unix()
    let mask = umask(0o177)
    let isBound = BlockingSocket.withAddress(socketPath) { address, length in
      bind(descriptor, address, length) == 0 && Glibc.listen(descriptor, 128) == 0
    }
    let reason = String(cString: strerror(errno))
    umask(mask)
    guard isBound == true else {
      close(descriptor)
      throw Fault("\(socketPath) cannot be opened for listening: \(isBound == nil ? "the path is too long" : reason)")
    }
    listener = descriptor
    owner = SocketOwner(listener: descriptor)
    port = 0
  }

  deinit { close(listener) }

  /// Accepts connections until the process ends.
  /// - Parameter serve: Responds to a request. It is called on the connection's own thread.
  func run(_ serve: @escaping @Sendable (PendingConnection) -> Void) {
    while true {
      let client = accept(listener, nil, nil)
      if client < 0 {
        if errno == EINTR || errno == ECONNABORTED { continue }
        usleep(10_000)
        continue
      }
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      if checking.add(1, ordering: .relaxed).newValue <= Self.checkingMax {
        OwnThread.start { [self] in
          let isTaken = take(client)
          checking.subtract(1, ordering: .relaxed)
          if isTaken { handle(client, serve) }
        }
      } else {
        checking.subtract(1, ordering: .relaxed)
        if take(client) { OwnThread.start { [self] in handle(client, serve) } }
      }
    }
  }

  /// Reads one line from each connection and sends the response to it, one connection after another, until the process ends.
  func runLines(bytesMax: Int, _ answer: ([UInt8]) -> [UInt8]) {
    while true {
      let client = accept(listener, nil, nil)
      guard client >= 0 else {
        if errno != EINTR, errno != ECONNABORTED { usleep(10_000) }
        continue
      }
      defer { close(client) }
      guard owner.isTrusted(client) else { continue }
      BlockingSocket.setTimeout(client, seconds: 1)
      var line: [UInt8] = []
      while line.last != 10, line.count < bytesMax, let piece = BlockingSocket.receive(client) { line += piece }
      if line.last == 10 { BlockingSocket.send(answer(line), to: client) }
    }
  }

  /// Counts a connection of this user or of root towards ``waitingMax``. Closes a connection above that limit or of any other user, and
  /// returns false.
  private func take(_ client: Int32) -> Bool {
    if owner.isTrusted(client) {
      if waiting.add(1, ordering: .relaxed).newValue <= Self.waitingMax { return true }
      waiting.subtract(1, ordering: .relaxed)
    }
    close(client)
    return false
  }

  private func handle(_ client: Int32, _ serve: (PendingConnection) -> Void) {
    slots.handle(client, admitting: { [self] in waiting.subtract(1, ordering: .relaxed) }, serve)
  }

  /// Reads the head of a request. Returns it without the empty line at its end, together with the bytes after it; nil if it is too
  /// long or did not arrive in time.
  static func readHead(_ client: Int32) -> (head: String, rest: [UInt8])? {
    let deadline = ContinuousClock.now + .seconds(headSeconds)
    var bytes: [UInt8] = []
    while bytes.count <= LoopbackHead.bytesMax {
      let left = Int32((deadline - ContinuousClock.now) / .milliseconds(1))
      var polled = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
      guard left > 0, poll(&polled, 1, left) > 0, let piece = BlockingSocket.receive(client) else { return nil }
      let from = max(0, bytes.count - 3)
      bytes += piece
      var at = from
      while at + 3 < bytes.count {
        if bytes[at] == 13, bytes[at + 1] == 10, bytes[at + 2] == 13, bytes[at + 3] == 10 {
          return (String(decoding: bytes[..<at], as: UTF8.self), Array(bytes[(at + 4)...]))
        }
        at += 1
      }
    }
    BlockingSocket.send(
      Array(BridgeGate.refusal(431, "Request Header Fields Too Large", "The head is longer than \(LoopbackHead.bytesMax) bytes.").utf8),
      to: client)
    return nil
  }
}
