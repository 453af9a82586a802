// The parts of a request's head that the connection must know before it looks for an answer.

/// A request's head; every range counts from the head's first byte.
///
/// Field lines are not kept: the bytes are, and ``HeadText`` finds a field in them when somebody asks.
package struct RequestHead: Sendable, Equatable {
  /// The methods the server knows; whatever else is well-formed is `other`.
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
    /// `Connection: close`, or HTTP/1.0.
    static let closes = Traits(rawValue: 4)
    static let expectsContinue = Traits(rawValue: 8)
    /// A browser sent it: `Origin` or a `Sec-Fetch-…` field is there.
    static let browser = Traits(rawValue: 16)
    /// A field that begins with `If-` is there.
    static let conditional = Traits(rawValue: 32)
    /// A program of this project sent it, which says so by `Gameconf-Program`: its reads are no game's.
    static let program = Traits(rawValue: 64)
  }

  var method = Method.other
  var isVersion10 = false
  var traits: Traits = []
  /// The request target from its first slash on, query included.
  var target = 0..<0
  /// The offset of the field lines.
  var fieldsStart = 0
  /// The offset of the body.
  var end = 0
  /// The value of Content-Length, where there is one.
  var contentLength: Int?
  /// The value of Host, where there is one.
  var host = 0..<0

  /// True if a body follows.
  var hasContent: Bool { traits.contains(.chunked) || (contentLength ?? 0) > 0 }

  /// True if the answer is all that depends on this head: no body, no condition, no browser, no program of ours.
  var isPlain: Bool { (method == .get || method == .head) && !hasContent && traits.isDisjoint(with: [.browser, .conditional, .program]) }
}
