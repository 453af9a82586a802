// Bytes to requests: an incremental HTTP/1.1 parser that knows nothing of channels or buffers.

/// Reads one connection's requests, however their bytes arrive.
///
/// The caller keeps the bytes, hands over all it has not dropped yet, and does as the step says. Nothing is copied and nothing allocated.
/// The rules are RFC 9112's, each option of leniency declined: what two parsers could read in two ways is refused.
struct RequestParser: Sendable {
  enum Step: Equatable, Sendable {
    /// All is used that can be; come again with more bytes behind these.
    case more
    /// A head, described by ``RequestParser/head``, that takes so many bytes. If it has no content the request is over.
    case head(bytes: Int)
    /// Framing that says nothing: drop it and come again.
    case framing(bytes: Int)
    /// Content: the first bytes, so many.
    case content(bytes: Int)
    /// The content is over after these bytes.
    case end(bytes: Int)
    /// This is no request; nothing more can be read.
    case failed(RequestFault)
  }

  private enum Phase: Sendable { case head, length(Int), chunkSize, chunk(Int), chunkEnd, trailers, failed }

  /// The head of the request that is being read, whole since `.head` was said.
  private(set) var head = RequestHead()
  /// True if the head is done and its body is not.
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

  /// Says what the first of these bytes are.
  mutating func next(_ bytes: UnsafeRawBufferPointer) -> Step {
    let step: Step
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

  /// Says how large the body of the present request may be; to be called between its head and the next step.
  mutating func admitContent(bytesMax: Int) -> RequestFault? {
    if let length = head.contentLength, length > bytesMax {
      phase = .failed
      return .bodyTooLarge
    }
    bodyBytesLeft = bytesMax
    return nil
  }

  private mutating func finish(bytes: Int) -> Step {
    phase = .head
    (lineStart, scanned, isPastRequestLine) = (0, 0, false)
    return .end(bytes: bytes)
  }

  private mutating func nextOfHead(_ bytes: UnsafeRawBufferPointer) -> Step {
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
            // RFC 9112, 2.2: one empty line before the request is forgiven, for clients that end a body with one too many.
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

  private mutating func nextOfChunkSize(_ bytes: UnsafeRawBufferPointer) -> Step {
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

  private mutating func nextOfChunkEnd(_ bytes: UnsafeRawBufferPointer) -> Step {
    if bytes.isEmpty { return .more }
    if bytes[0] != UInt8(ascii: "\r") { return .failed(.chunkEnd) }
    if bytes.count < 2 { return .more }
    if bytes[1] != UInt8(ascii: "\n") { return .failed(.chunkEnd) }
    phase = .chunkSize
    return .framing(bytes: 2)
  }

  private mutating func nextOfTrailers(_ bytes: UnsafeRawBufferPointer) -> Step {
    switch lines.next(bytes, from: 0, scanned: &scanned, window: headerBytesMax - trailerBytes) {
    case .more: return .more
    case .tooLong: return .failed(.headTooLarge)
    case .failed(let fault): return .failed(fault)
    case .line(let line, let end):
      scanned = 0
      if line.isEmpty { return finish(bytes: end) }
      // Trailers are read and dropped: nothing here depends on them, and none may change what the head said.
      var dropped = RequestHead()
      if let fault = dropped.readField(line, at: 0), fault.isOfForm { return .failed(lines.worst(line, fault)) }
      trailerBytes += end
      return .framing(bytes: end)
    }
  }
}

extension RequestFault {
  /// True if the line itself is at fault, not what its field means.
  fileprivate var isOfForm: Bool {
    switch self {
    case .controlCharacter, .foldedField, .fieldWithoutColon, .spaceBeforeColon, .fieldName: true
    default: false
    }
  }
}
