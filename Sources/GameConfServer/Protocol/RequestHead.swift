// The parts of an HTTP request's head that the connection needs before it routes the request.

/// A parsed request head. Ranges and offsets count from the head's first byte.
///
/// It does not store the header fields. ``RequestHeadBytes`` looks them up in the head's bytes on demand.
package struct RequestHead: Sendable, Equatable {
  /// The methods that the server knows; `other` is any other well-formed method.
  package enum Method: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
    case trace = "TRACE"
    case connect = "CONNECT"
    case other = ""
  }

  struct Traits: OptionSet, Sendable {
    let rawValue: UInt8
    static let host = Traits(rawValue: 1)
    static let chunked = Traits(rawValue: 2)
    /// The request has the header `Connection: close` or is of HTTP/1.0, so that the connection closes after its answer.
    static let closes = Traits(rawValue: 4)
    static let expectsContinue = Traits(rawValue: 8)
    /// The request has the header `Origin` or a header `Sec-Fetch-…`, which browsers send.
    static let browser = Traits(rawValue: 16)
    /// The request has a header whose name begins with `If-`.
    static let conditional = Traits(rawValue: 32)
    /// The request has the header `Gameconf-Program`. A program of this project sent it, so it does not count as a read by a game.
    static let program = Traits(rawValue: 64)
  }

  var method = Method.other
  var isVersion10 = false
  var traits: Traits = []
  /// The range of the request target's path and query in the head's bytes.
  var target = 0..<0
  var fieldsStart = 0
  /// The offset of the body, which is the length of the head.
  var end = 0
  /// The value of the header Content-Length; nil without that header.
  var contentLength: Int?
  /// The range of the header Host's value in the head's bytes; empty without that header.
  var host = 0..<0

  /// True if the request has a body that is not empty.
  var hasContent: Bool { traits.contains(.chunked) || (contentLength ?? 0) > 0 }

  /// True if the target alone decides the answer: a GET or HEAD without body and conditions, which neither a browser nor a program of this
  /// project sent.
  var isPlain: Bool { (method == .get || method == .head) && !hasContent && traits.isDisjoint(with: [.browser, .conditional, .program]) }
}
