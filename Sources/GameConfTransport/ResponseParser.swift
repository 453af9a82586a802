// Parses HTTP/1.1 responses without I/O.

package struct ResponseParser {
  package enum Event: Sendable, Hashable {
    case head(ResponseHead)
    case body([UInt8])
    /// The response is complete; `isReusable` is true if the connection can carry another call.
    case end(isReusable: Bool)
  }

  package struct Fault: Error, Hashable {
    package var detail: String
  }

  static let headBytesMax = 64 << 10
  private static let lineBytesMax = 1 << 10

  private enum State {
    case head
    case length(left: Int)
    case chunkSize
    case chunk(left: Int)
    case chunkEnd
    case trailers
    case untilClose
    case end
    case done
  }

  private var state = State.head
  private var buffer: [UInt8] = []
  private var at = 0
  private var isReusable = true
  /// True if any byte of the response has arrived.
  private(set) var hasBegun = false

  package init() {}

  /// Prepares for the next response on the same connection.
  mutating func begin() {
    state = .head
    isReusable = true
    hasBegun = false
  }

  package mutating func feed(_ bytes: some Sequence<UInt8>) {
    if at > 0 {
      buffer.removeFirst(at)
      at = 0
    }
    buffer.append(contentsOf: bytes)
    if !buffer.isEmpty { hasBegun = true }
  }

  /// Returns the next part of the response that the bytes so far complete; nil if the parser needs more bytes.
  package mutating func next() throws(Fault) -> Event? {
    while true {
      switch state {
      case .head:
        guard let head = try readHead() else { return nil }
        if head.status < 200 { continue }
        state = try framing(of: head)
        return .head(head)
      case .length(let left):
        if left == 0 {
          state = .end
          continue
        }
        guard let piece = take(atMost: left) else { return nil }
        state = .length(left: left - piece.count)
        return .body(piece)
      case .chunkSize:
        guard let line = try readLine() else { return nil }
        let size = try chunkSize(line)
        state = size == 0 ? .trailers : .chunk(left: size)
      case .chunk(let left):
        guard let piece = take(atMost: left) else { return nil }
        state = left == piece.count ? .chunkEnd : .chunk(left: left - piece.count)
        return .body(piece)
      case .chunkEnd:
        guard let line = try readLine() else { return nil }
        guard line.isEmpty else { throw Fault(detail: "a chunk is longer than its size") }
        state = .chunkSize
      case .trailers:
        guard let line = try readLine() else { return nil }
        if line.isEmpty { state = .end }
      case .untilClose:
        guard let piece = take(atMost: .max) else { return nil }
        return .body(piece)
      case .end:
        state = .done
        return .end(isReusable: isReusable && at == buffer.count)
      case .done: return nil
      }
    }
  }

  /// Returns the event at the end of the connection, after ``next()`` has returned nil. Returns nil if the response was cut off.
  package mutating func close() -> Event? {
    guard case .untilClose = state else { return nil }
    state = .done
    return .end(isReusable: false)
  }

  private mutating func readHead() throws(Fault) -> ResponseHead? {
    guard let end = endOfHead() else {
      if buffer.count - at > Self.headBytesMax { throw Fault(detail: "the head is longer than \(Self.headBytesMax) bytes") }
      return nil
    }
    let text = buffer[at..<end]
    at = end + 4
    if text.count > Self.headBytesMax { throw Fault(detail: "the head is longer than \(Self.headBytesMax) bytes") }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
    guard let first = lines.first else { throw Fault(detail: "there is no status line") }
    let words = first.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count >= 2, words[0] == "HTTP/1.1" || words[0] == "HTTP/1.0", words[1].utf8.count == 3, let status = Int(words[1]),
      (100..<600).contains(status)
    else { throw Fault(detail: "the first line is not an HTTP/1.1 status line") }
    isReusable = words[0] == "HTTP/1.1"
    var head = ResponseHead(status: status)
    for line in lines.dropFirst() {
      guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
        throw Fault(detail: "a header has no colon")
      }
      let value = line[line.utf8.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      let trimmed = value.reversed().drop { $0 == " " || $0 == "\t" }.reversed()
      head.fields.append(.init(name: String(line[..<colon]), value: String(trimmed)))
    }
    return head
  }

  private func endOfHead() -> Int? {
    var at = at
    while at + 3 < buffer.count {
      if buffer[at] == 13, buffer[at + 1] == 10, buffer[at + 2] == 13, buffer[at + 3] == 10 { return at }
      at += 1
    }
    return nil
  }

  private mutating func framing(of head: ResponseHead) throws(Fault) -> State {
    if head["Connection"]?.lowercased() == "close" { isReusable = false }
    if head.status == 204 || head.status == 304 { return .end }
    if let coding = head["Transfer-Encoding"] {
      guard coding.lowercased() == "chunked" else { throw Fault(detail: "the transfer coding \(coding) is not known") }
      return .chunkSize
    }
    guard let length = head["Content-Length"] else {
      isReusable = false
      return .untilClose
    }
    guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(length) else {
      throw Fault(detail: "the length \(length) is not a number")
    }
    return .length(left: count)
  }

  private func chunkSize(_ line: [UInt8]) throws(Fault) -> Int {
    let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
    guard !digits.isEmpty, digits.count <= 15, let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0,
      digits.first != UInt8(ascii: "+")
    else { throw Fault(detail: "the size of a chunk is not a number") }
    return size
  }

  private mutating func readLine() throws(Fault) -> [UInt8]? {
    guard let newline = buffer[at...].firstIndex(of: 10) else {
      if buffer.count - at > Self.lineBytesMax { throw Fault(detail: "a line in the body is longer than \(Self.lineBytesMax) bytes") }
      return nil
    }
    guard newline > at, buffer[newline - 1] == 13 else { throw Fault(detail: "a line in the body ends without a carriage return") }
    defer { at = newline + 1 }
    return Array(buffer[at..<newline - 1])
  }

  private mutating func take(atMost count: Int) -> [UInt8]? {
    if at == buffer.count { return nil }
    let end = count < buffer.count - at ? at + count : buffer.count
    defer { at = end }
    return Array(buffer[at..<end])
  }
}
