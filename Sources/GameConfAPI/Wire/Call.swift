// A call of the HTTP contract, with the types of its request and answer.

public import GameConfCore

/// A type of request or answer body.
public protocol CallBody: Sendable {
  /// The body's media type, or the JSON schema of its content.
  static var content: Endpoint.BodyContent { get }
  /// The JSON of the body; nil if there is no body, or if it is not JSON.
  var sent: Value? { get }
  /// Reads the body from the received JSON. `sent` is nil if no JSON was received.
  static func read(_ sent: Value?) throws(Fault) -> Self
  /// True if the predicate is true of the caller's attributes in this body. Attributes that the call only stores are not passed to it.
  func hasContext(_ isMeant: (ObjectValue) -> Bool) -> Bool
  /// The members in which integers beyond 64 bits are accepted and read as doubles.
  static var wideIntegers: JSONLimits.IntegerOverflowPolicy { get }
  /// A request body for the documentation and for the tests over all calls; nil if the call has no body.
  static var example: Value? { get }
  /// The types of bodies that the schema refers to.
  static var parts: [any CallBody.Type] { get }
}

extension CallBody {
  /// False, because most bodies contain no attributes of the caller.
  public func hasContext(_ isMeant: (ObjectValue) -> Bool) -> Bool { false }
  /// Accepts integers beyond 64 bits only in the game's own data: `context`, `details` and `state`.
  public static var wideIntegers: JSONLimits.IntegerOverflowPolicy { .inGameData }
  /// nil, the value for a call without a request body.
  public static var example: Value? { nil }
  /// Empty, because the schemas of most bodies refer to no other type.
  public static var parts: [any CallBody.Type] { [] }
}

extension JSONLimits.IntegerOverflowPolicy {
  /// Accepts integers beyond 64 bits in the game's own data: about the caller, about an event, and in a play's state.
  package static let inGameData = Self.within(["context", "details", "state"])
}

package struct NoBody: BytesBody {
  package static let content = Endpoint.BodyContent.none
  package init() {}
}

/// A body that is not decoded from JSON. The handler of the call reads or writes its bytes.
package protocol BytesBody: CallBody {
  init()
}

extension BytesBody {
  package var sent: Value? { nil }
  package static func read(_: Value?) throws(Fault) -> Self { Self() }
}

/// The bytes of an SQLite database file, which is a backup to send or to restore.
package struct DatabaseBytes: BytesBody {
  package static let content = Endpoint.BodyContent.bytes(mediaType: "application/vnd.sqlite3", required: false)
  package init() {}
}

/// Metrics in Prometheus' text format.
package struct MetricsText: BytesBody {
  package static let content = Endpoint.BodyContent.bytes(mediaType: "text/plain; version=0.0.4")
  package init() {}
}

/// Server-sent events without the alternative of binary frames.
package struct EventStreamText: BytesBody {
  package static let content = Endpoint.BodyContent.bytes(mediaType: "text/event-stream")
  package init() {}
}

/// Server-sent events, or binary frames of images for a client that accepts those.
package struct WatchStream: BytesBody {
  package static let content = Endpoint.BodyContent.bytes(mediaType: "text/event-stream", or: ImageFrame.streamType)
  package init() {}
}

/// An image file: the state of a game, as far as one caller may read it.
package struct ImageBytes: BytesBody {
  package static let content = Endpoint.BodyContent.bytes(mediaType: ImageFrame.imageType)
  package init() {}
}

extension WireShape {
  /// Required JSON of the schema ``WireShape/schemaName``.
  public static var content: Endpoint.BodyContent { .json(schema: schemaName) }
  /// The JSON of the body; never nil.
  public var sent: Value? { wire }
  /// Reads the body from the received JSON. Throws if no JSON was received.
  public static func read(_ sent: Value?) throws(Fault) -> Self {
    guard let sent else { throw Fault("the body is empty; this call needs JSON") }
    return try Self(wire: sent)
  }
}

extension Optional: CallBody where Wrapped: WireShape {
  /// Optional JSON of the wrapped type's schema.
  public static var content: Endpoint.BodyContent { .json(schema: Wrapped.schemaName, required: false) }
  /// The JSON of the body; nil if the body is absent.
  public var sent: Value? { self?.wire }
  /// True if the predicate is true of the attributes in the body; false if the body is absent.
  public func hasContext(_ isMeant: (ObjectValue) -> Bool) -> Bool { self?.hasContext(isMeant) ?? false }
  /// Reads the body from the received JSON. `sent` is nil if the request has no JSON.
  public static func read(_ sent: Value?) throws(Fault) -> Self {
    guard let sent else { return nil }
    return try Wrapped(wire: sent)
  }
  /// The example of the wrapped type, so that the documentation shows a body although it may be absent.
  public static var example: Value? { Wrapped.example }
  /// The wrapped type. An absent body adds no schema.
  public static var parts: [any CallBody.Type] { [Wrapped.self] }
}

/// A call whose body types are erased, so that lists can contain all calls.
package protocol DeclaredCall: Sendable {
  /// The description of the call, with its method, path, sockets and role.
  var endpoint: Endpoint { get }
  /// The types of the request's and the answer's body.
  var bodies: [any CallBody.Type] { get }
}

/// The declaration of one call. Everything else is made from it: the call's route, the OpenAPI document, the digest by which a repeat is
/// recognized, the check of the caller's role, gameconfctl with its panel and its tools, and the tests over all calls:
///
///     public static let putOverride = Call<PutOverride, OverrideAnswer>(
///       "putOverride", .put, "/v1/games/{game}/overrides/{key}", on: admin, needs: .admin, changes: .game, statuses: [200, 201],
///       "Overrides a value for the game, until it is removed or for a window.")
///
///     CallRoute(Calls.putOverride) { call throws(Problem) in … }               // call.body is a PutOverride; answers an OverrideAnswer
///     try await daemon.ask(Calls.putOverride, ["game": game, "key": key], body: PutOverride(…)).answer
package struct Call<Ask: CallBody, Answer: CallBody>: DeclaredCall {
  /// The description of the call, with its method, path, sockets and role.
  package let endpoint: Endpoint
  package var bodies: [any CallBody.Type] { [Ask.self, Answer.self] }

  package init(
    _ id: String, _ method: Method, _ path: String, on sockets: Set<SocketKind>, needs: Endpoint.RequiredRole = .anyone,
    changes: Endpoint.ChangedObject? = nil, query: [QueryParameter] = [], statuses: [Int] = [200], refusals: Set<Int> = [],
    example: CallExample = CallExample(), offers: Set<Endpoint.CallOffer> = [], face: Face? = nil, _ summary: String
  ) {
    var example = example
    if example.body == nil { example.body = Ask.example }
    endpoint = Endpoint(
      id, method, path, on: sockets, needs: needs, changes: changes, query: query, request: Ask.content, answer: Answer.content,
      statuses: statuses, refusals: refusals, example: example, offers: offers, face: face, summary: summary)
  }

  /// Returns the path and query of a request for this call; see ``Endpoint/target(_:query:)``.
  package func target(_ variables: [String: String] = [:], query: [(String, String)] = []) -> String {
    endpoint.target(variables, query: query)
  }
}
