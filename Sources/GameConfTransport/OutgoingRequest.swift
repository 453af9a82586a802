// A request that a client sends to the daemon.

public import GameConfAPI

/// An HTTP request that a client sends over the Unix socket.
public struct OutgoingRequest: Sendable {
  /// The ways to send a body: whole, in pieces, or not at all.
  public enum Body: Sendable {
    /// A request without a body.
    case none
    /// Bytes that are sent with a `Content-Length`.
    case bytes([UInt8], mediaType: String)
    /// Pieces that `next` returns until it returns nil; the thread of the call runs `next`. With a length the body has exactly that many
    /// bytes; without one it is sent in chunks.
    case pieces(mediaType: String, length: Int?, next: @Sendable () throws -> [UInt8]?)
  }

  /// The HTTP method. Only a GET is sent again if the daemon has just closed the idle connection.
  public var method: Method
  /// The path and query, percent-encoded; see `Endpoint.target`.
  public var target: String
  /// The headers that the client adds, such as `If-Match` and `Idempotency-Key`.
  public var headers: [(name: String, value: String)]
  /// The body; by default the request has no body.
  public var body: Body
  /// The timeout in seconds: for the whole response, or only for the head of a streamed one. Each uploaded piece of a body restarts the
  /// timeout.
  public var timeoutSeconds: Double

  /// Creates a request, by default with a timeout of 30 seconds.
  public init(
    _ method: Method, _ target: String, headers: [(name: String, value: String)] = [], body: Body = .none, timeoutSeconds: Double = 30
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.timeoutSeconds = timeoutSeconds
  }

  /// Returns the request line and the headers as bytes.
  /// - Throws: `malformedRequest` if the target or a header would break the framing.
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
