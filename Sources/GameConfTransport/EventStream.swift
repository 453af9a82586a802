// Reads server-sent events from bytes, without I/O.

/// One server-sent event.
public struct ServerSentEvent: Sendable, Hashable {
  /// Its kind; `message` unless the stream says otherwise.
  public var event: String
  /// Its data; lines are joined by newlines.
  public var data: String
  /// The last id the stream gave, to be sent as `Last-Event-ID` when it is opened again.
  public var id: String?

  /// An event.
  public init(event: String = "message", data: String, id: String? = nil) {
    self.event = event
    self.data = data
    self.id = id
  }
}

/// Reads `text/event-stream` as the HTML standard has it.
public struct EventStreamParser: Sendable {
  /// The longest line taken; what is longer is cut off.
  public static let lineBytesMax = 1 << 20

  private var line: [UInt8] = []
  private var previousWasReturn = false
  private var event = ""
  private var data: [String] = []
  private var id: String?

  /// Ready for the first bytes.
  public init() {}

  /// The events that these bytes complete.
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
