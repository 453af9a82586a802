// A call of the contract with the types of its request and answer.

public import GameConfCore

/// A body of a request or an answer.
public protocol CallBody: Sendable {
  /// The declaration of the body.
  static var content: Endpoint.Content { get }
  /// The JSON that is sent for it; nil when nothing is, or no JSON.
  var sent: Value? { get }
  /// Reads it from the JSON that came; nil when none did.
  static func read(_ sent: Value?) throws(Fault) -> Self
  /// True if that is so of attributes of the caller that it has, none of which are stored.
  func hasContext(_ isMeant: (ObjectValue) -> Bool) -> Bool
  /// The places of integers that do not fit 64 bits and are read as doubles.
  static var wideIntegers: JSONLimits.IntegerOverflowPolicy { get }
  /// The example of it in the documentation, where it is asked for; nil when nothing is.
  static var example: Value? { get }
  /// The bodies that its schema refers to.
  static var parts: [any CallBody.Type] { get }
}

extension CallBody {
  /// False: most bodies say nothing of the caller.
  public func hasContext(_ isMeant: (ObjectValue) -> Bool) -> Bool { false }
  /// In what a game says of its caller, its event and its play.
  public static var wideIntegers: JSONLimits.IntegerOverflowPolicy { .inGameData }
  /// Nothing.
  public static var example: Value? { nil }
  /// None.
  public static var parts: [any CallBody.Type] { [] }
}

extension JSONLimits.IntegerOverflowPolicy {
  /// In what a game says of its caller, its event and its play, which are its own numbers.
  package static let inGameData = Self.within(["context", "details", "state"])
}

/// No body.
package struct NoBody: BytesBody {
  package static let content = Endpoint.Content.none
  package init() {}
}

/// A body that is no JSON: a call's handler reads or writes its bytes by itself.
package protocol BytesBody: CallBody {
  init()
}

extension BytesBody {
  package var sent: Value? { nil }
  package static func read(_: Value?) throws(Fault) -> Self { Self() }
}

/// The bytes of a database.
package struct DatabaseBytes: BytesBody {
  package static let content = Endpoint.Content.bytes(mediaType: "application/vnd.sqlite3", required: false)
  package init() {}
}

/// Measurements in Prometheus' text format.
package struct MetricsText: BytesBody {
  package static let content = Endpoint.Content.bytes(mediaType: "text/plain; version=0.0.4")
  package init() {}
}

/// Server-sent events.
package struct EventStreamText: BytesBody {
  package static let content = Endpoint.Content.bytes(mediaType: "text/event-stream")
  package init() {}
}

/// Server-sent events, or frames of images for who accepts those.
package struct WatchStream: BytesBody {
  package static let content = Endpoint.Content.bytes(mediaType: "text/event-stream", or: ImageFrame.streamType)
  package init() {}
}

/// An image: everything one caller may know of a game.
package struct ImageBytes: BytesBody {
  package static let content = Endpoint.Content.bytes(mediaType: ImageFrame.imageType)
  package init() {}
}

extension WireShape {
  /// JSON after the type's schema.
  public static var content: Endpoint.Content { .json(schema: schemaName) }
  /// Its JSON.
  public var sent: Value? { wire }
  /// Reads it from the JSON that came.
  public static func read(_ sent: Value?) throws(Fault) -> Self {
    guard let sent else { throw Fault("the body is empty; this call needs JSON") }
    return try Self(wire: sent)
  }
}

extension Optional: CallBody where Wrapped: WireShape {
  /// JSON after the type's schema, which may be left out.
  public static var content: Endpoint.Content { .json(schema: Wrapped.schemaName, required: false) }
  /// Its JSON, where there is any.
  public var sent: Value? { self?.wire }
  /// True if that is so of attributes that it has.
  public func hasContext(_ isMeant: (ObjectValue) -> Bool) -> Bool { self?.hasContext(isMeant) ?? false }
  /// Reads it from the JSON that came, if any did.
  public static func read(_ sent: Value?) throws(Fault) -> Self {
    guard let sent else { return nil }
    return try Wrapped(wire: sent)
  }
  /// That of what it may hold.
  public static var example: Value? { Wrapped.example }
  /// The body that it may hold.
  public static var parts: [any CallBody.Type] { [Wrapped.self] }
}

/// A call with the types of its bodies, as the lists of all calls have it.
package protocol DeclaredCall: Sendable {
  /// The call without its types.
  var endpoint: Endpoint { get }
  /// The bodies of its request and of its answer.
  var bodies: [any CallBody.Type] { get }
}

/// One call, declared once. Its route, the OpenAPI document, the digest of a repeat, the check of the caller's role, gameconfctl with its panel and
/// its tools, and the tests over all calls are made from it:
///
///     public static let putOverride = Call<PutOverride, OverrideAnswer>(
///       "putOverride", .put, "/v1/games/{game}/overrides/{key}", on: admin, needs: .admin, changes: .game, statuses: [200, 201],
///       "Overrides a value for the game, until it is removed or for a window.")
///
///     Route(Calls.putOverride) { asked throws(Problem) in … }                  // asked.body is a PutOverride; answers an OverrideAnswer
///     try await daemon.ask(Calls.putOverride, ["game": game, "key": key], body: PutOverride(…)).answer
package struct Call<Ask: CallBody, Answer: CallBody>: DeclaredCall {
  /// The call without its types.
  package let endpoint: Endpoint
  /// The bodies of its request and of its answer.
  package var bodies: [any CallBody.Type] { [Ask.self, Answer.self] }

  /// A call.
  package init(
    _ id: String, _ method: Method, _ path: String, on sockets: Set<SocketKind>, needs: Endpoint.RequiredRole = .anyone,
    changes: Endpoint.Change? = nil, query: [QueryParameter] = [], statuses: [Int] = [200], example: CallExample = CallExample(),
    offers: Set<Endpoint.Offer> = [], face: Face? = nil, _ summary: String
  ) {
    var example = example
    if example.body == nil { example.body = Ask.example }
    endpoint = Endpoint(
      id, method, path, on: sockets, needs: needs, changes: changes, query: query, request: Ask.content, answer: Answer.content,
      statuses: statuses, example: example, offers: offers, face: face, summary: summary)
  }

  /// The target of a request; see ``Endpoint/target(_:query:)``.
  package func target(_ variables: [String: String] = [:], query: [(String, String)] = []) -> String {
    endpoint.target(variables, query: query)
  }
}
