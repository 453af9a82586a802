// A request as a handler sees it: matched, its path and query decoded, its body whole.

public import GameConfAPI
public import GameConfCore
public import NIOCore

/// One request, on its way to an answer; immutable, and free to go to any task.
public final class Request: Sendable {
  /// The call it matched.
  public var endpoint: Endpoint { match.endpoint }
  /// The body; empty where there is none, and where the route takes a stream.
  public let body: [UInt8]
  /// The other end.
  public let peer: Peer
  /// The snapshot that was in force on this event loop when the request was whole.
  public let snapshot: any Sendable
  /// The event loop the connection lives on; handlers are called on it.
  public let eventLoop: any EventLoop

  /// Carries the store's answers to that event loop.
  let courier: LoopCourier
  /// What the peer may do; a peer without a role may read what is open to all.
  let role: PeerRole
  /// The world of this connection's event loop.
  let served: ServedWorld

  private let match: RouteMatch
  private let text: HeadText

  init(_ match: RouteMatch, _ text: HeadText, body: [UInt8], peer: Peer, on loop: ServingLoop) {
    self.match = match
    self.text = text
    self.body = body
    self.peer = peer
    snapshot = loop.state.snapshot
    eventLoop = loop.eventLoop
    courier = loop.courier
    // Looked at by most handlers several times, and a cast looks types up each time.
    role = peer.role as? PeerRole ?? PeerRole(uid: .max, pid: 0, rank: .game)
    served = snapshot as? ServedWorld ?? ServedWorld()
  }

  /// The percent-decoded value of a `{name}` in the path; empty if the endpoint's path has no such name.
  public func path(_ name: String) -> String { match.value(of: name) ?? "" }

  /// The percent-decoded value of a query parameter; never empty.
  public func query(_ name: String) -> String? { match.query[name] }

  /// Whether it is a GET without query and body, so that nothing but the path says what is wanted.
  var isBare: Bool { endpoint.method == .get && match.query.isEmpty && body.isEmpty }

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
