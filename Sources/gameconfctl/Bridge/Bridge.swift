// A port on 127.0.0.1 that forwards to the daemon's socket. Each connection has its own thread and carries one request.

import GameConfCore
import GameConfTransport
import Glibc

/// Forwards HTTP requests from a port on 127.0.0.1 to the daemon's Unix socket, if ``BridgeGate`` admits them.
final class Bridge: Sendable {
  /// The time without traffic in milliseconds after which a connection is closed. It exceeds the 15 seconds between two keep-alives that
  /// the daemon sends to a watcher.
  private static let idleMilliseconds: Int32 = 120_000

  let port: Int
  private let listener: LoopbackListener
  private let socketPath: String
  private let gate: BridgeGate

  /// Starts to listen on 127.0.0.1.
  /// - Parameter port: The port; 0 lets the system choose a free one.
  init(port: Int, to socketPath: String, token: String, origins: Set<String>, revenueCat: RevenueCatKeys) throws(Fault) {
    listener = try LoopbackListener(port: port)
    self.port = listener.port
    self.socketPath = socketPath
    gate = BridgeGate(token: token, port: self.port, origins: origins, revenueCat: revenueCat)
  }

  /// Accepts connections and serves them until the process ends.
  func run() { listener.run { [self] in serve($0) } }

  private func serve(_ arrival: LoopbackListener.PendingConnection) {
    let client = arrival.client
    let verdict = gate.judge(arrival.head)
    if case .answer(let answer) = verdict {
      BlockingSocket.send(Array(answer.utf8), to: client)
      return
    }
    guard arrival.admit() else {
      BlockingSocket.send(
        Array(
          BridgeGate.refusal(503, "Service Unavailable", "The bridge has reached its limit of connections. Close some, or try again.").utf8),
        to: client)
      return
    }
    switch verdict {
    case .answer: break
    case .stub(let stub, let bodyBytes, let fields):
      var body = arrival.rest
      while body.count < bodyBytes {
        guard let piece = BlockingSocket.receive(client) else { return }
        body += piece
      }
      BlockingSocket.send(Array(stub.answer(to: Array(body.prefix(bodyBytes)), fields).utf8), to: client)
    case .pass(let head, let fields):
      guard let daemon = BlockingSocket.connect(to: socketPath) else {
        BlockingSocket.send(
          Array(BridgeGate.refusal(502, "Bad Gateway", "The daemon does not answer on \(socketPath).", fields).utf8), to: client)
        return
      }
      defer { close(daemon) }
      if BlockingSocket.send(Array(head.utf8) + arrival.rest, to: daemon) { Self.relay(client, daemon, fields) }
    }
  }

  /// Copies bytes between client and daemon until one of them closes. Inserts header fields after the first line of the response.
  static func relay(_ client: Int32, _ daemon: Int32, _ fields: String) {
    var first: [UInt8]? = fields.isEmpty ? nil : []
    var isClientOpen = true
    while true {
      var polled = [
        pollfd(fd: daemon, events: Int16(POLLIN), revents: 0), pollfd(fd: isClientOpen ? client : -1, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polled, 2, idleMilliseconds) > 0 else { return }
      if polled[0].revents != 0 {
        guard let piece = BlockingSocket.receive(daemon) else { return }
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
        if !BlockingSocket.send(out, to: client) { return }
      }
      if polled[1].revents != 0 {
        guard let piece = BlockingSocket.receive(client) else {
          // A client that has closed the whole connection receives nothing more. A client that has only ended its request body still gets
          // the response.
          if polled[1].revents & Int16(POLLHUP) != 0 { return }
          isClientOpen = false
          shutdown(daemon, Int32(SHUT_WR))
          continue
        }
        if !BlockingSocket.send(piece, to: daemon) { return }
      }
    }
  }
}
