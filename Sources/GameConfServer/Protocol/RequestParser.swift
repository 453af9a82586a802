// An incremental HTTP/1.1 request parser, independent of channels and buffers.

/// Parses the requests of one connection from bytes that arrive in any pieces.
///
/// The caller stores the bytes, passes all that it has not dropped yet, and follows the returned step. The parser copies and allocates
/// nothing. It applies RFC 9112 without its optional leniency. Bytes that two parsers could understand in two ways are refused, because
/// they would allow request smuggling.
struct RequestParser: Sendable {
  enum ParserEvent: Equatable, Sendable {
    /// All bytes are used; call again with more bytes appended.
    case more
    /// The first `bytes` bytes are a complete head, which ``RequestParser/head`` describes. A request without content ends here.
    case head(bytes: Int)
    /// The first `bytes` bytes are framing of a chunked body. Drop them and call again.
    case framing(bytes: Int)
    /// The first `bytes` bytes belong to the request's body.
    case content(bytes: Int)
    case end(bytes: Int)
    /// The bytes are not a request; the parser stops.
    case failed(RequestFault)
  }

  private enum Phase: Sendable { case head, length(Int), chunkSize, chunk(Int), chunkEnd, trailers, failed }

  /// The head of the present request. It is complete from the step ``ParserEvent/head(bytes:)`` on.
  private(set) var head = RequestHead()
  /// True between a request's head and the end of its body.
  var isInBody: Bool { if case .head = phase { false } else { true } }

  private let lines: LineReader
  private let headerBytesMax: Int
  private let requestLineBytesMax: Int
  private let chunkLineBytesMax: Int
  private var phase = Phase.head
  private var lineStart = 0
  private var scanned = 0
  private var isPastRequestLine = false
  private var bodyBytesLeft = 0
  private var trailerBytes = 0

  init(_ limits: ServerLimits) {
    lines = LineReader()
    headerBytesMax = limits.headerBytesMax
    requestLineBytesMax = limits.requestLineBytesMax
    chunkLineBytesMax = limits.chunkLineBytesMax
  }

  /// Parses bytes from the beginning of those that the caller has not dropped yet. Returns the step that the caller must take.
  mutating func next(_ bytes: UnsafeRawBufferPointer) -> ParserEvent {
    let step: ParserEvent
    switch phase {
    case .head: step = nextOfHead(bytes)
    case .length(let left):
      let count = min(left, bytes.count)
      if left == 0 {
        step = finish(bytes: 0)
      } else if count == 0 {
        step = .more
      } else {
        phase = .length(left - count)
        step = .content(bytes: count)
      }
    case .chunkSize: step = nextOfChunkSize(bytes)
    case .chunk(let left):
      let count = min(left, bytes.count)
      if count == 0 {
        step = .more
      } else {
        phase = count == left ? .chunkEnd : .chunk(left - count)
        step = .content(bytes: count)
      }
    case .chunkEnd: step = nextOfChunkEnd(bytes)
    case .trailers: step = nextOfTrailers(bytes)
    case .failed: step = .more
    }
    if case .failed = step { phase = .failed }
    return step
  }

  /// Sets the maximum size of the present request's body. Call it between the head and the next step. Returns a fault if the body is
  /// longer.
  mutating func admitContent(bytesMax: Int) -> RequestFault? {
    if let length = head.contentLength, length > bytesMax {
      phase = .failed
      return .bodyTooLarge
    }
    bodyBytesLeft = bytesMax
    return nil
  }

  private mutating func finish(bytes: Int) -> ParserEvent {
    phase = .head
    (lineStart, scanned, isPastRequestLine) = (0, 0, false)
    return .end(bytes: bytes)
  }

  private mutating func nextOfHead(_ bytes: UnsafeRawBufferPointer) -> ParserEvent {
    while true {
      let isRequestLine = !isPastRequestLine
      let window = isRequestLine ? min(lineStart + requestLineBytesMax, headerBytesMax) : headerBytesMax
      switch lines.next(bytes, from: lineStart, scanned: &scanned, window: window) {
      case .more: return .more
      case .tooLong: return .failed(isRequestLine ? .requestLineTooLong : .headTooLarge)
      case .failed(let fault): return .failed(fault)
      case .line(let line, let end):
        if isRequestLine {
          if line.isEmpty {
            // RFC 9112, 2.2: one empty line before a request is ignored, because some clients send CR LF after a body.
            if lineStart > 0 { return .failed(.emptyLines) }
          } else {
            head = RequestHead()
            if let fault = head.readRequestLine(line, at: lineStart) { return .failed(lines.worst(line, fault)) }
            head.fieldsStart = end
            isPastRequestLine = true
          }
        } else if line.isEmpty {
          head.end = end
          if let fault = head.settle() { return .failed(fault) }
          begin()
          return .head(bytes: end)
        } else if let fault = head.readField(line, at: lineStart) {
          return .failed(lines.worst(line, fault))
        }
        lineStart = end
      }
    }
  }

  private mutating func begin() {
    (lineStart, scanned, isPastRequestLine, trailerBytes) = (0, 0, false, 0)
    if head.traits.contains(.chunked) {
      phase = .chunkSize
    } else if let length = head.contentLength, length > 0 {
      phase = .length(length)
    } else {
      phase = .head
    }
  }

  private mutating func nextOfChunkSize(_ bytes: UnsafeRawBufferPointer) -> ParserEvent {
    switch lines.next(bytes, from: 0, scanned: &scanned, window: chunkLineBytesMax) {
    case .more: return .more
    case .tooLong: return .failed(.chunkLineTooLong)
    case .failed: return .failed(.chunkSize)
    case .line(let line, let end):
      guard let size = ChunkSize.read(line) else { return .failed(.chunkSize) }
      if size > bodyBytesLeft { return .failed(.bodyTooLarge) }
      bodyBytesLeft -= size
      scanned = 0
      phase = size == 0 ? .trailers : .chunk(size)
      return .framing(bytes: end)
    }
  }

  private mutating func nextOfChunkEnd(_ bytes: UnsafeRawBufferPointer) -> ParserEvent {
    if bytes.isEmpty { return .more }
    if bytes[0] != UInt8(ascii: "\r") { return .failed(.chunkEnd) }
    if bytes.count < 2 { return .more }
    if bytes[1] != UInt8(ascii: "\n") { return .failed(.chunkEnd) }
    phase = .chunkSize
    return .framing(bytes: 2)
  }

  private mutating func nextOfTrailers(_ bytes: UnsafeRawBufferPointer) -> ParserEvent {
    switch lines.next(bytes, from: 0, scanned: &scanned, window: headerBytesMax - trailerBytes) {
    case .more: return .more
    case .tooLong: return .failed(.headTooLarge)
    case .failed(let fault): return .failed(fault)
    case .line(let line, let end):
      scanned = 0
      if line.isEmpty { return finish(bytes: end) }
      // Trailers are parsed and dropped. A trailer must not override a field of the head.
      var dropped = RequestHead()
      if let fault = dropped.readField(line, at: 0), fault.isOfForm { return .failed(lines.worst(line, fault)) }
      trailerBytes += end
      return .framing(bytes: end)
    }
  }
}

extension RequestFault {
  /// True for a malformed header line. False for a well-formed line whose value is refused.
  fileprivate var isOfForm: Bool {
    switch self {
    case .controlCharacter, .foldedField, .fieldWithoutColon, .spaceBeforeColon, .fieldName: true
    default: false
    }
  }
}
