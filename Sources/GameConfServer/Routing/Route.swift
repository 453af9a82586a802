// One route: what it is called by, what it takes, and who answers it.

/// A call that is answered: method and path, and the handler.
///
/// A path is segments with slashes before each: `{name}` stands for any one segment, `{name}:verb` for one with that ending, `{name...}` as
/// the last for all that follow, at least one, decoded and joined by slashes again.
/// ```swift
/// var route = Route<Greeter>("hello", .get, "/v1/hello/{name}", on: [.games], query: ["loud"]) { request in
///   .now(.text("hello \(request.path("name"))"))
/// }
/// route.admit = { peer throws(ServerFault) in … }
/// ```
package struct Route<App: ServerApp>: Sendable {
  /// The required content of a body.
  package enum Content: Sendable, Hashable {
    case none
    case type(String)
  }

  /// Unique; names the route in the counters.
  package let id: String
  package let method: RequestHead.Method
  package let path: String
  package let sockets: [ServerSocket]
  /// The query parameters it takes; others are refused, unless it takes any.
  package let query: Set<String>
  package let content: Content
  /// The largest body; nil for the server's limit.
  package let bodyBytesMax: Int?
  /// True if query parameters that it does not know are let pass.
  package var ignoresUnknownQuery = false
  /// The query parameters that may be given several times; their values are joined by commas.
  package var repeatedQuery: Set<String> = []
  /// The query parameters that may stand by themselves, without `=`; they are then `true`.
  package var bareQuery: Set<String> = []
  /// Looks at the peer before the body is read and the handler is called; throws what the peer is refused with.
  package var admit: (@Sendable (Peer<App.Role>) throws(App.Problem) -> Void)?
  /// The style in which problems of this route are answered, its own and the server's: also a 405 at its path, 413, 415 and a bad query; nil for the
  /// application's way. Gets the values of the path's names.
  package var refusing: (@Sendable (App.Problem, PathValues) -> Answer)?
  /// The beginning of the paths without a route whose refusals are in this route's style; nil if none are.
  package var refusingBelow: String?

  private(set) var work: Work

  enum Work: Sendable {
    case whole(Handler<App>)
    case streamed(@Sendable (Request<App>, IncomingBody<App>) async throws(App.Problem) -> Answer)
  }

  /// A route whose handler gets the whole body.
  package init(
    _ id: String, _ method: RequestHead.Method, _ path: String, on sockets: [ServerSocket], query: Set<String> = [],
    content: Content = .none, bodyBytesMax: Int? = nil, _ handler: @escaping Handler<App>
  ) {
    (self.id, self.method, self.path, self.sockets) = (id, method, path, sockets)
    (self.query, self.content, self.bodyBytesMax) = (query, content, bodyBytesMax)
    work = .whole(handler)
  }

  /// A route whose handler reads the body as it arrives, held back when it is slower than the client.
  package init(
    _ id: String, _ method: RequestHead.Method, _ path: String, on sockets: [ServerSocket], query: Set<String> = [],
    content: Content, streamedBytesMax: Int,
    _ handler: @escaping @Sendable (Request<App>, IncomingBody<App>) async throws(App.Problem) -> Answer
  ) {
    (self.id, self.method, self.path, self.sockets) = (id, method, path, sockets)
    (self.query, self.content, bodyBytesMax) = (query, content, streamedBytesMax)
    work = .streamed(handler)
  }

  /// The same route with another handler made of its own, where it has one that gets the whole body.
  package func handled(_ by: (@escaping Handler<App>) -> Handler<App>) -> Route {
    guard case .whole(let handler) = work else { return self }
    var route = self
    route.work = .whole(by(handler))
    return route
  }
}

/// Answers a request; called on the connection's event loop, so it must not wait.
package typealias Handler<App: ServerApp> = @Sendable (Request<App>) throws(App.Problem) -> Reply<App>

/// The values of the names in a route's path in one request, percent-decoded.
package struct PathValues: Sendable {
  let variables: [PathVariable]
  let values: [String]

  package subscript(name: String) -> String? { variables.firstIndex { $0.name == name }.map { values[$0] } }
}

/// A name in a route's path.
struct PathVariable: Sendable {
  let name: String
  /// The position of its segment.
  let position: Int
  /// True if it takes all segments from there on.
  let isRest: Bool
  /// The number of bytes of the segment that follow it.
  var endingBytes = 0
}

/// The style in which the problems of one request are answered.
struct RefusalStyle<App: ServerApp>: Sendable {
  let render: @Sendable (App.Problem, PathValues) -> Answer
  let path: PathValues

  func answer(_ problem: App.Problem) -> Answer { render(problem, path) }
}
