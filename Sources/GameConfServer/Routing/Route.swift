// One route: its method and path, its sockets, parameters and body, and its handler.

/// A method and path with the handler that answers them.
///
/// A path is a list of segments, each after a slash. `{name}` matches any one segment, `{name}:verb` one with that ending. `{name...}` is the last
/// segment and matches all that follow, at least one; its value is the decoded segments, joined with slashes.
/// ```swift
/// var route = Route<Greeter>("hello", .get, "/v1/hello/{name}", on: [.games], query: ["loud"]) { request in
///   .now(.text("hello \(request.path("name"))"))
/// }
/// route.admit = { peer throws(ServerFault) in … }
/// ```
package struct Route<App: ServerApp>: Sendable {
  /// The content that the body must have.
  package enum Content: Sendable, Hashable {
    case none
    case type(String)
  }

  /// The route's unique id, which names it in the counters.
  package let id: String
  package let method: RequestHead.Method
  package let path: String
  package let sockets: [ServerSocket]
  /// The query parameters that the route takes; others are refused unless ``ignoresUnknownQuery`` is set.
  package let query: Set<String>
  package let content: Content
  /// The maximum size of the body; nil for the server's limit.
  package let bodyBytesMax: Int?
  /// True if unknown query parameters are accepted and ignored.
  package var ignoresUnknownQuery = false
  /// The query parameters that may appear several times; their values are joined with commas.
  package var repeatedQuery: Set<String> = []
  /// The query parameters that may appear without `=`; their value is then `true`.
  package var bareQuery: Set<String> = []
  /// Checks the client before the body is read and the handler is called; throws the refusal.
  package var admit: (@Sendable (Peer<App.Role>) throws(App.Problem) -> Void)?
  /// Renders problems of this route in its own style; nil for the application's style. It also renders the server's refusals at this path: 405,
  /// 413, 415 and a malformed query. Its second argument has the values of the path's names.
  package var refusing: (@Sendable (App.Problem, PathValues) -> Answer)?
  /// The prefix of paths without a route whose refusals have this route's style; nil for no such paths.
  package var refusingBelow: String?

  private(set) var work: RouteHandler

  enum RouteHandler: Sendable {
    case whole(Handler<App>)
    case streamed(@Sendable (Request<App>, IncomingBody<App>) async throws(App.Problem) -> Answer)
  }

  /// Creates a route whose handler receives the whole body.
  package init(
    _ id: String, _ method: RequestHead.Method, _ path: String, on sockets: [ServerSocket], query: Set<String> = [],
    content: Content = .none, bodyBytesMax: Int? = nil, _ handler: @escaping Handler<App>
  ) {
    (self.id, self.method, self.path, self.sockets) = (id, method, path, sockets)
    (self.query, self.content, self.bodyBytesMax) = (query, content, bodyBytesMax)
    work = .whole(handler)
  }

  /// Creates a route whose handler reads the body while it arrives. The server stops reading while the handler is slower than the client.
  package init(
    _ id: String, _ method: RequestHead.Method, _ path: String, on sockets: [ServerSocket], query: Set<String> = [],
    content: Content, streamedBytesMax: Int,
    _ handler: @escaping @Sendable (Request<App>, IncomingBody<App>) async throws(App.Problem) -> Answer
  ) {
    (self.id, self.method, self.path, self.sockets) = (id, method, path, sockets)
    (self.query, self.content, bodyBytesMax) = (query, content, streamedBytesMax)
    work = .streamed(handler)
  }

  /// Returns the route with a wrapped handler; unchanged if the handler streams the body.
  package func handled(_ by: (@escaping Handler<App>) -> Handler<App>) -> Route {
    guard case .whole(let handler) = work else { return self }
    var route = self
    route.work = .whole(by(handler))
    return route
  }
}

/// Answers a request. It runs on the connection's event loop, so it must not block.
package typealias Handler<App: ServerApp> = @Sendable (Request<App>) throws(App.Problem) -> Reply<App>

/// The percent-decoded values of the names in a route's path, for one request.
package struct PathValues: Sendable {
  let variables: [RouteVariable]
  let values: [String]

  package subscript(name: String) -> String? { variables.firstIndex { $0.name == name }.map { values[$0] } }
}

struct RouteVariable: Sendable {
  let name: String
  /// The index of its segment in the path.
  let position: Int
  /// True for `{name...}`, which matches all segments from that index on.
  let isRest: Bool
  /// The length in bytes of the fixed ending of the segment, such as `:fetch`.
  var endingBytes = 0
}

/// The renderer for the problems of one request.
struct RefusalStyle<App: ServerApp>: Sendable {
  let render: @Sendable (App.Problem, PathValues) -> Answer
  let path: PathValues

  func answer(_ problem: App.Problem) -> Answer { render(problem, path) }
}
