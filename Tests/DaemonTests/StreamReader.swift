// Reads server-sent events from a daemon's real socket, blocking for the next one.

import GameConfCore
import GameConfTransport

/// A watch on a connection of its own.
final class StreamReader {
  private let connection: RawConnection
  private var parser = EventStreamParser()
  private var events: [ServerSentEvent] = []
  /// The status of the answer.
  let status: Int
  /// Every id that came, with comments too.
  private(set) var lastID: String?

  /// Opens a stream.
  init(_ socket: String, _ target: String, lastEventID: String? = nil, method: String = "GET", body: Value? = nil) throws {
    connection = try RawConnection(socket)
    var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
    if let lastEventID { text += "Last-Event-ID: \(lastEventID)\r\n" }
    let bytes = body.map { JSONWriter.bytes($0) } ?? []
    if !bytes.isEmpty { text += "Content-Type: application/json\r\nContent-Length: \(bytes.count)\r\n" }
    connection.send(Array((text + "\r\n").utf8) + bytes)
    status = connection.beginStream() ?? 0
  }

  /// The connection's, to poll it beside others.
  var descriptor: Int32 { connection.descriptor }

  /// Takes what has come and drops it; nothing can be read in order after that.
  func drain() { connection.drain() }

  /// The next event; nil when the stream has ended, and when for two minutes nothing came but comments.
  func next() -> ServerSentEvent? {
    let patience = ContinuousClock.now + .seconds(120)
    while events.isEmpty {
      guard .now < patience, let piece = connection.nextChunk(), !piece.isEmpty else { return nil }
      events += parser.feed(piece)
    }
    let event = events.removeFirst()
    lastID = event.id ?? lastID
    return event
  }

  /// The next event's data as JSON.
  func data() -> Value { next().flatMap { try? JSONReader.value(from: $0.data) } ?? .null }
}
