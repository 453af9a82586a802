// A request to a server.

public import GameConfAPI

/// One call over the socket.
public struct OutgoingRequest: Sendable {
  /// The body of a request.
  public enum Body: Sendable {
    /// Nothing.
    case none
    /// These bytes of that media type.
    case bytes([UInt8], mediaType: String)
    /// Piece by piece until nil, taken on the call's own thread; with a length as many bytes as that, else chunked.
    case pieces(mediaType: String, length: Int?, next: @Sendable () throws -> [UInt8]?)
  }

  /// The method.
  public var method: Method
  /// Path and query, percent-encoded; see `Endpoint.target`.
  public var target: String
  /// Further headers, such as `If-Match` and `Idempotency-Key`.
  public var headers: [(name: String, value: String)]
  /// The body of the request.
  public var body: Body
  /// The time for which to wait: for the whole answer, or with a stream for its head.
  public var timeoutSeconds: Double

  /// A call that waits for half a minute.
  public init(
    _ method: Method, _ target: String, headers: [(name: String, value: String)] = [], body: Body = .none, timeoutSeconds: Double = 30
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.timeoutSeconds = timeoutSeconds
  }

  /// The bytes before the body.
  func head() throws(TransportError) -> [UInt8] {
    guard !target.isEmpty, target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw .malformedRequest(detail: "the target must be percent-encoded, without spaces")
    }
    var text = "\(method.rawValue) \(target) HTTP/1.1\r\nHost: localhost\r\n"
    for (name, value) in headers {
      guard Self.isToken(name) else { throw .malformedRequest(detail: "“\(name)” is not the name of a header") }
      guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
        throw .malformedRequest(detail: "the header \(name) has a control character")
      }
      text += "\(name): \(value)\r\n"
    }
    switch body {
    case .none: if method != .get, method != .delete { text += "Content-Length: 0\r\n" }
    case .bytes(let bytes, let mediaType): text += "Content-Type: \(mediaType)\r\nContent-Length: \(bytes.count)\r\n"
    case .pieces(let mediaType, let length?, _): text += "Content-Type: \(mediaType)\r\nContent-Length: \(length)\r\n"
    case .pieces(let mediaType, nil, _): text += "Content-Type: \(mediaType)\r\nTransfer-Encoding: chunked\r\n"
    }
    return Array((text + "\r\n").utf8)
  }

  private static func isToken(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
