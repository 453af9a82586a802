// A call of the contract with the types of its request and answer.

public import GameConfCore

/// The type of a request's or an answer's body.
public protocol CallBody: Sendable {
  /// The media type or schema of the body.
  static var content: Endpoint.Content { get }
  /// The JSON to send; nil for no body, or a body that is not JSON.
  var sent: Value? { get }
  /// Reads the body from the received JSON; nil if no JSON was received.
  static func read(_ sent: Value?) throws(Fault) -> Self
  /// True if the predicate is true of the caller's attributes in the body, none of which are stored.
  func hasContext(_ isMeant: (ObjectValue) -> Bool) -> Bool
  /// The members in which integers beyond 64 bits are accepted and read as doubles.
  static var wideIntegers: JSONLimits.IntegerOverflowPolicy { get }
  /// The example of a request in the documentation; nil if it has no body.
  static var example: Value? { get }
  /// The bodies that the schema refers to.
  static var parts: [any CallBody.Type] { get }
}

extension CallBody {
  /// False: most bodies contain no attributes of the caller.
  public func hasContext(_ isMeant: (ObjectValue) -> Bool) -> Bool { false }
  /// Only in the game's data about the caller, the event and the play.
  public static var wideIntegers: JSONLimits.IntegerOverflowPolicy { .inGameData }
  /// nil, for a call without a request body.
  public static var example: Value? { nil }
  /// Empty, since most bodies refer to no other.
  public static var parts: [any CallBody.Type] { [] }
}

extension JSONLimits.IntegerOverflowPolicy {
  /// The policy for the game's own numbers, in its data about the caller, the event and the play.
  package static let inGameData = Self.within(["context", "details", "state"])
}

package struct NoBody: BytesBody {
  package static let content = Endpoint.Content.none
  package init() {}
}

/// A body that is not JSON: the handler of the call reads or writes its bytes.
package protocol BytesBody: CallBody {
  init()
}

extension BytesBody {
  package var sent: Value? { nil }
  package static func read(_: Value?) throws(Fault) -> Self { Self() }
}

/// The bytes of an SQLite database file.
package struct DatabaseBytes: BytesBody {
  package static let content = Endpoint.Content.bytes(mediaType: "application/vnd.sqlite3", required: false)
  package init() {}
}

/// Metrics in Prometheus' text format.
package struct MetricsText: BytesBody {
  package static let content = Endpoint.Content.bytes(mediaType: "text/plain; version=0.0.4")
  package init() {}
}

/// Server-sent events without frames.
package struct EventStreamText: BytesBody {
  package static let content = Endpoint.Content.bytes(mediaType: "text/event-stream")
  package init() {}
}

/// Server-sent events, or frames of images for a client that accepts those.
package struct WatchStream: BytesBody {
  package static let content = Endpoint.Content.bytes(mediaType: "text/event-stream", or: ImageFrame.streamType)
  package init() {}
}

/// An image: the state of a game, as far as one caller may read it.
package struct ImageBytes: BytesBody {
  package static let content = Endpoint.Content.bytes(mediaType: ImageFrame.imageType)
  package init() {}
}

extension WireShape {
  /// JSON that is required, described by `schemaName`.
  public static var content: Endpoint.Content { .json(schema: schemaName) }
  /// Never nil, since a shape is always JSON.
  public var sent: Value? { wire }
  /// Reads the shape from the received JSON, which is required.
  public static func read(_ sent: Value?) throws(Fault) -> Self {
    guard let sent else { throw Fault("the body is empty; this call needs JSON") }
    return try Self(wire: sent)
  }
}

extension Optional: CallBody where Wrapped: WireShape {
  /// JSON of the type's schema, which is optional.
  public static var content: Endpoint.Content { .json(schema: Wrapped.schemaName, required: false) }
  /// The JSON to send, if there is a body.
  public var sent: Value? { self?.wire }
  /// True if the predicate is true of the body's attributes.
  public func hasContext(_ isMeant: (ObjectValue) -> Bool) -> Bool { self?.hasContext(isMeant) ?? false }
  /// Reads the shape from the received JSON, if any.
  public static func read(_ sent: Value?) throws(Fault) -> Self {
    guard let sent else { return nil }
    return try Wrapped(wire: sent)
  }
  /// The wrapped body's example, though the body may be absent.
  public static var example: Value? { Wrapped.example }
  /// The wrapped body alone; its absence adds no schema.
  public static var parts: [any CallBody.Type] { [Wrapped.self] }
}

/// A call with the types of its bodies, type-erased for lists of all calls.
package protocol DeclaredCall: Sendable {
  /// The call without the types of its bodies.
  var endpoint: Endpoint { get }
  /// The types of the request's and the answer's bodies.
  var bodies: [any CallBody.Type] { get }
}

/// One call, declared once. Its route, the OpenAPI document, the digest of a repeat, the check of the caller's role, gameconfctl with its
/// panel and its tools, and the tests over all calls are made from it:
///
///     public static let putOverride = Call<PutOverride, OverrideAnswer>(
///       "putOverride", .put, "/v1/games/{game}/overrides/{key}", on: admin, needs: .admin, changes: .game, statuses: [200, 201],
///       "Overrides a value for the game, until it is removed or for a window.")
///
///     Route(Calls.putOverride) { asked throws(Problem) in … }                  // asked.body is a PutOverride; answers an OverrideAnswer
///     try await daemon.ask(Calls.putOverride, ["game": game, "key": key], body: PutOverride(…)).answer
package struct Call<Ask: CallBody, Answer: CallBody>: DeclaredCall {
  /// The call without the types of its bodies.
  package let endpoint: Endpoint
  package var bodies: [any CallBody.Type] { [Ask.self, Answer.self] }

  package init(
    _ id: String, _ method: Method, _ path: String, on sockets: Set<SocketKind>, needs: Endpoint.RequiredRole = .anyone,
    changes: Endpoint.Change? = nil, query: [QueryParameter] = [], statuses: [Int] = [200], refusals: Set<Int> = [],
    example: CallExample = CallExample(), offers: Set<Endpoint.Offer> = [], face: Face? = nil, _ summary: String
  ) {
    var example = example
    if example.body == nil { example.body = Ask.example }
    endpoint = Endpoint(
      id, method, path, on: sockets, needs: needs, changes: changes, query: query, request: Ask.content, answer: Answer.content,
      statuses: statuses, refusals: refusals, example: example, offers: offers, face: face, summary: summary)
  }

  /// Returns the target of a request; see ``Endpoint/target(_:query:)``.
  package func target(_ variables: [String: String] = [:], query: [(String, String)] = []) -> String {
    endpoint.target(variables, query: query)
  }
}
