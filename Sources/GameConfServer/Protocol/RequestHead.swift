// The parts of a request's head that the connection needs before routing.

/// A parsed request head. Ranges and offsets count from the head's first byte.
///
/// It does not store the fields. ``HeadText`` looks them up in the head's bytes on demand.
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
    /// `Connection: close`, or HTTP/1.0.
    static let closes = Traits(rawValue: 4)
    static let expectsContinue = Traits(rawValue: 8)
    /// The request has `Origin` or a `Sec-Fetch-…` field, which browsers send.
    static let browser = Traits(rawValue: 16)
    /// The request has a field that begins with `If-`.
    static let conditional = Traits(rawValue: 32)
    /// The request has the header `Gameconf-Program`: a program of this project sent it, and its reads do not count as a game's.
    static let program = Traits(rawValue: 64)
  }

  var method = Method.other
  var isVersion10 = false
  var traits: Traits = []
  /// The range of the path and the query.
  var target = 0..<0
  var fieldsStart = 0
  /// The offset of the body, which is the length of the head.
  var end = 0
  /// The value of Content-Length; nil without that field.
  var contentLength: Int?
  /// The range of Host's value; empty without that field.
  var host = 0..<0

  /// True if the request has a body that is not empty.
  var hasContent: Bool { traits.contains(.chunked) || (contentLength ?? 0) > 0 }

  /// True for a GET or HEAD without body and conditions, not from a browser or a program of ours, so that the target alone decides the answer.
  var isPlain: Bool { (method == .get || method == .head) && !hasContent && traits.isDisjoint(with: [.browser, .conditional, .program]) }
}
