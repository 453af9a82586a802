// Parses server-sent events without I/O.

/// One event of a stream in the format `text/event-stream`.
public struct ServerSentEvent: Sendable, Hashable {
  /// The kind of event; `message` unless the stream names another.
  public var event: String
  /// The data; its lines are joined by newlines.
  public var data: String
  /// The id that the stream last sent, for the header `Last-Event-ID` of a reconnection.
  public var id: String?

  /// Creates an event; by default its kind is `message` and it has no id.
  public init(event: String = "message", data: String, id: String? = nil) {
    self.event = event
    self.data = data
    self.id = id
  }
}

/// Parses `text/event-stream` as the HTML standard specifies it.
public struct EventStreamParser: Sendable {
  /// The maximum size of a line in bytes; a longer line is cut.
  public static let lineBytesMax = 1 << 20

  private var line: [UInt8] = []
  private var previousWasReturn = false
  private var event = ""
  private var data: [String] = []
  private var id: String?

  /// Creates a parser at the beginning of a stream.
  public init() {}

  /// Returns the events that these bytes complete.
  public mutating func feed(_ bytes: some Sequence<UInt8>) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    for byte in bytes {
      switch byte {
      case 10 where previousWasReturn: previousWasReturn = false
      case 10, 13:
        previousWasReturn = byte == 13
        if let complete = endLine() { events.append(complete) }
      default:
        previousWasReturn = false
        if line.count < Self.lineBytesMax { line.append(byte) }
      }
    }
    return events
  }

  private mutating func endLine() -> ServerSentEvent? {
    defer { line.removeAll(keepingCapacity: true) }
    if line.isEmpty { return dispatch() }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    var value = line[colon...].dropFirst()
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    let text = String(decoding: value, as: UTF8.self)
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "event": event = text
    case "data": data.append(text)
    case "id": if !text.contains("\0") { id = text }
    default: break
    }
    return nil
  }

  private mutating func dispatch() -> ServerSentEvent? {
    defer {
      event = ""
      data = []
    }
    if data.isEmpty { return nil }
    return ServerSentEvent(event: event.isEmpty ? "message" : event, data: data.joined(separator: "\n"), id: id)
  }
}
