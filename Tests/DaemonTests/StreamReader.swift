// Reads server-sent events from a daemon's socket.

import GameConfCore
import GameConfTransport

/// A client that reads one stream of server-sent events, such as a watch, on its own connection.
final class StreamReader {
  private let connection: RawConnection
  private var parser = EventStreamParser()
  private var events: [ServerSentEvent] = []
  /// The HTTP status with which the daemon opened the stream.
  let status: Int
  /// The last event id that was received, also in a comment of the stream.
  private(set) var lastID: String?

  /// Opens a stream and reads the head of its answer.
  init(_ socket: String, _ target: String, lastEventID: String? = nil, method: String = "GET", body: Value? = nil) throws {
    connection = try RawConnection(socket)
    var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
    if let lastEventID { text += "Last-Event-ID: \(lastEventID)\r\n" }
    let bytes = body.map { JSONWriter.bytes($0) } ?? []
    if !bytes.isEmpty { text += "Content-Type: application/json\r\nContent-Length: \(bytes.count)\r\n" }
    connection.send(Array((text + "\r\n").utf8) + bytes)
    status = connection.beginStream() ?? 0
  }

  /// The connection's descriptor, to poll it together with others.
  var descriptor: Int32 { connection.descriptor }

  /// Reads and drops the available bytes. Events cannot be parsed afterwards.
  func drain() { connection.drain() }

  /// Returns the next event; nil at the end of the stream, or after two minutes without an event.
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

  /// Returns the next event's data as JSON; null without an event.
  func data() -> Value { next().flatMap { try? JSONReader.value(from: $0.data) } ?? .null }
}
