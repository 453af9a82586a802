// A request as a handler sees it: matched, its path and query decoded, its body whole.

public import GameConfAPI
public import GameConfCore
public import NIOCore

/// One request, on its way to an answer; immutable, and free to go to any task.
public final class Request: Sendable {
  /// The call it matched.
  public let endpoint: Endpoint
  /// The body; empty where there is none, and where the route takes a stream.
  public let body: [UInt8]
  /// The other end.
  public let peer: Peer
  /// The snapshot that was in force on this event loop when the request was whole.
  public let snapshot: any Sendable
  /// The event loop the connection lives on; handlers are called on it.
  public let eventLoop: any EventLoop

  private let path: [String: String]
  private let queries: [String: String]
  private let text: HeadText

  init(_ match: RouteMatch, _ text: HeadText, body: [UInt8], peer: Peer, snapshot: any Sendable, eventLoop: any EventLoop) {
    endpoint = match.endpoint
    path = match.path
    queries = match.query
    self.text = text
    self.body = body
    self.peer = peer
    self.snapshot = snapshot
    self.eventLoop = eventLoop
  }

  /// The percent-decoded value of a `{name}` in the path; empty if the endpoint's path has no such name.
  public func path(_ name: String) -> String { path[name] ?? "" }

  /// The percent-decoded value of a query parameter; never empty.
  public func query(_ name: String) -> String? { queries[name] }

  /// Whether it is a GET without query and body, so that nothing but the path says what is wanted.
  var isBare: Bool { endpoint.method == .get && queries.isEmpty && body.isEmpty }

  /// Whether a query parameter says `true`; absent is `false`.
  /// - Throws: `MALFORMED_QUERY_PARAMETER` when it is neither `true` nor `false`.
  public func flag(_ name: String) throws(Problem) -> Bool {
    switch query(name) {
    case nil, "false": return false
    case "true": return true
    case let other?: throw .query(.malformedQueryParameter, name, "The query parameter \(name) is “\(other)”; write true or false.")
    }
  }

  /// The value of a header that may be there once, by its name in lower case.
  /// - Throws: `MALFORMED_HEADER` when it is repeated or not UTF-8.
  public func header(_ lowercasedName: StaticString) throws(Problem) -> String? { try text.value(of: lowercasedName) }

  /// The value of a header that is a list, its lines joined by commas.
  public func listHeader(_ lowercasedName: StaticString) -> String? { text.list(lowercasedName) }

  /// The body as JSON; nil when there is none.
  /// - Throws: `MALFORMED_JSON`. That it says it is JSON was seen before the handler was called.
  public func jsonIfPresent() throws(Problem) -> Value? {
    if body.isEmpty { return nil }
    var limits = JSONLimits()
    // How many bytes a body may have was decided as it came.
    limits.bytesMax = body.count
    do {
      return try JSONReader.value(from: body, limits: limits)
    } catch {
      throw Problem(.malformedJSON, "\(error.message) (byte \(error.offset))", pointer: error.pointer)
    }
  }

  /// The body as JSON.
  /// - Throws: `MALFORMED_JSON`, also when there is none.
  public func json() throws(Problem) -> Value {
    guard let value = try jsonIfPresent() else { throw Problem(.malformedJSON, "The body is empty; this call needs JSON.", pointer: "") }
    return value
  }
}

/// Judges a body before any handler sees it.
enum MediaType {
  /// Why a body is not what the endpoint takes, if it is not.
  static func refusal(of text: HeadText, to endpoint: Endpoint) -> Problem? {
    let wanted: String
    switch endpoint.request {
    case .none: return Problem(.malformedRequest, "\(endpoint.method.rawValue) \(endpoint.path) takes no body; send none.")
    case .json: wanted = "application/json"
    case .bytes(let mediaType): wanted = mediaType
    }
    let given = text.values(of: "content-type").map { String(decoding: $0, as: UTF8.self) }
    if given.count == 1, Self.is(given[0], wanted) { return nil }
    let instead = given.isEmpty ? "" : ", not \(given.joined(separator: " and "))"
    return Problem(.unsupportedMediaType, "Send the body with Content-Type: \(wanted)\(instead).")
  }

  /// Whether it is that media type, in UTF-8 if it says so.
  private static func `is`(_ type: String, _ wanted: String) -> Bool {
    let parts = type.split(separator: ";", omittingEmptySubsequences: false).map { part in
      String(part.filter { $0 != " " && $0 != "\t" && $0 != "\"" }).lowercased()
    }
    return parts.first == wanted && parts.dropFirst().allSatisfy { !$0.hasPrefix("charset=") || $0 == "charset=utf-8" }
  }
}
