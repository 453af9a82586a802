// A loopback port in front of the daemon's socket: a thread for each connection, one request on each.

import Glibc
import Synchronization

/// Listens on 127.0.0.1 and passes what its gate lets through on to a Unix socket.
final class Bridge: Sendable {
  /// Why the bridge cannot listen.
  struct Failure: Error {
    let message: String
  }

  /// Connections at once.
  static let connectionsMax = 256
  private static let pieceBytes = 64 << 10
  private static let headSeconds = 30
  /// How long nothing may pass before a connection is closed; watches show a sign of life each 15 seconds.
  private static let idleMilliseconds: Int32 = 120_000

  let port: Int
  private let listener: Int32
  private let socketPath: String
  private let gate: BridgeGate
  private let open = Atomic(0)

  /// Begins to listen.
  /// - Parameter port: 0 for any.
  init(port: Int, to socketPath: String, token: String, origins: Set<String>) throws(Failure) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var reuse: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(clamping: port)).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 128) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else {
      let reason = String(cString: strerror(errno))
      close(descriptor)
      throw Failure(message: "127.0.0.1:\(port) cannot be listened on: \(reason)")
    }
    listener = descriptor
    self.port = Int(in_port_t(bigEndian: address.sin_port))
    self.socketPath = socketPath
    gate = BridgeGate(token: token, port: self.port, origins: origins)
  }

  deinit { close(listener) }

  /// Serves until the process ends.
  func run() {
    while true {
      let client = accept4(listener)
      if client < 0 {
        if errno == EINTR || errno == ECONNABORTED { continue }
        usleep(10_000)
        continue
      }
      if open.load(ordering: .relaxed) >= Self.connectionsMax {
        Self.send(Array(BridgeGate.refusal(503, "Service Unavailable", "The bridge has as many connections as it may.").utf8), to: client)
        close(client)
        continue
      }
      open.add(1, ordering: .relaxed)
      Self.onThread { [self] in
        serve(client)
        close(client)
        open.subtract(1, ordering: .relaxed)
      }
    }
  }

  private func accept4(_ listener: Int32) -> Int32 {
    let client = accept(listener, nil, nil)
    if client >= 0 { _ = fcntl(client, F_SETFD, FD_CLOEXEC) }
    return client
  }

  private func serve(_ client: Int32) {
    var patience = timeval(tv_sec: Self.headSeconds, tv_usec: 0)
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    guard let (head, rest) = readHead(client) else { return }
    switch gate.judge(head) {
    case .answer(let answer): Self.send(Array(answer.utf8), to: client)
    case .stub(let stub, let bodyBytes, let fields):
      var body = rest
      while body.count < bodyBytes {
        guard let piece = Self.receive(client) else { return }
        body += piece
      }
      Self.send(Array(stub.answer(to: Array(body.prefix(bodyBytes)), fields).utf8), to: client)
    case .pass(let head, let fields):
      let daemon = Self.connect(to: socketPath)
      guard daemon >= 0 else {
        Self.send(Array(BridgeGate.refusal(502, "Bad Gateway", "The daemon does not answer on \(socketPath).", fields).utf8), to: client)
        return
      }
      defer { close(daemon) }
      if Self.send(Array(head.utf8) + rest, to: daemon) { relay(client, daemon, fields) }
    }
  }

  /// The head without its last empty line, and what came after it.
  private func readHead(_ client: Int32) -> (head: String, rest: [UInt8])? {
    var bytes: [UInt8] = []
    while bytes.count <= BridgeGate.headBytesMax {
      guard let piece = Self.receive(client) else { return nil }
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
    Self.send(
      Array(BridgeGate.refusal(431, "Request Header Fields Too Large", "The head is longer than the bridge takes.").utf8), to: client)
    return nil
  }

  /// Passes bytes both ways until one side ends; fields go in behind the answer's first line.
  private func relay(_ client: Int32, _ daemon: Int32, _ fields: String) {
    var first: [UInt8]? = fields.isEmpty ? nil : []
    var isClientOpen = true
    while true {
      var polled = [
        pollfd(fd: daemon, events: Int16(POLLIN), revents: 0), pollfd(fd: isClientOpen ? client : -1, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polled, 2, Self.idleMilliseconds) > 0 else { return }
      if polled[0].revents != 0 {
        guard let piece = Self.receive(daemon) else { return }
        var out = piece
        if var line = first {
          line += piece
          guard let end = line.firstIndex(of: 10) else {
            first = line
            continue
          }
          out = Array(line[...end]) + Array(fields.utf8) + Array(line[(end + 1)...])
          first = nil
        }
        if !Self.send(out, to: client) { return }
      }
      if polled[1].revents != 0 {
        guard let piece = Self.receive(client) else {
          // Whoever closes hears no more; whoever only ends its body still does.
          if polled[1].revents & Int16(POLLHUP) != 0 { return }
          isClientOpen = false
          shutdown(daemon, Int32(SHUT_WR))
          continue
        }
        if !Self.send(piece, to: daemon) { return }
      }
    }
  }

  private static func receive(_ descriptor: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: pieceBytes)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  @discardableResult
  private static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  private static func connect(to path: String) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return -1 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if result == 0 { return descriptor }
    close(descriptor)
    return -1
  }

  private static func onThread(_ work: @escaping @Sendable () -> Void) {
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
