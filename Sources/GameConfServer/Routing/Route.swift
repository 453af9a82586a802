// One route of the HTTP server: its method and path, its sockets, query parameters and body, and its handler.

/// A method and a path of the HTTP server, with the handler that answers their requests.
///
/// A path is a list of segments, each after a slash. The variable `{name}` matches any one segment, and `{name}:verb` matches one that ends
/// in `:verb`. `{name...}` must be last and matches all remaining segments, at least one. Its value is the decoded segments, joined with
/// slashes.
/// ```swift
/// var route = Route<Greeter>("hello", .get, "/v1/hello/{name}", on: [.games], query: ["loud"]) { request in
///   .now(.text("hello \(request.path("name"))"))
/// }
/// route.admit = { peer throws(ServerFault) in … }
/// ```
package struct Route<App: ServerApp>: Sendable {
  /// The body that requests must have: no body, or one of a media type.
  package enum Content: Sendable, Hashable {
    case none
    case type(String)
  }

  /// The route's unique id, which names it in the counters of requests.
  package let id: String
  package let method: RequestHead.Method
  package let path: String
  package let sockets: [ServerSocket]
  /// The query parameters that the route takes; others are refused unless ``ignoresUnknownQuery`` is set.
  package let query: Set<String>
  package let content: Content
  /// The maximum size of a request's body in bytes; nil for ``ServerLimits/bodyBytesMax``.
  package let bodyBytesMax: Int?
  /// True if unknown query parameters are accepted and ignored.
  package var ignoresUnknownQuery = false
  /// The query parameters that may appear several times; their values are joined with commas.
  package var repeatedQuery: Set<String> = []
  /// The query parameters that may appear without `=`; their value is then `true`.
  package var bareQuery: Set<String> = []
  /// A check of the client that runs before the body is read, and throws the refusal; nil to admit every client.
  package var admit: (@Sendable (Peer<App.Role>) throws(App.Problem) -> Void)?
  /// Renders the problems of this route's requests in another style; nil for the application's style. It also renders the server's refusals
  /// at this path, such as 405, 413, 415 and a malformed query. Its second argument has the values of the path's variables.
  package var refusing: (@Sendable (App.Problem, PathValues) -> Answer)?
  /// A prefix of paths. Requests below it that match no route are refused in this route's style. Nil for no such prefix.
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

  /// Creates a route whose handler reads the body while it arrives. The server stops reading from the socket while the handler is slower
  /// than the client (back-pressure).
  package init(
    _ id: String, _ method: RequestHead.Method, _ path: String, on sockets: [ServerSocket], query: Set<String> = [],
    content: Content, streamedBytesMax: Int,
    _ handler: @escaping @Sendable (Request<App>, IncomingBody<App>) async throws(App.Problem) -> Answer
  ) {
    (self.id, self.method, self.path, self.sockets) = (id, method, path, sockets)
    (self.query, self.content, bodyBytesMax) = (query, content, streamedBytesMax)
    work = .streamed(handler)
  }

  /// Returns the route with a handler that wraps the present one; unchanged if the handler reads the body as a stream.
  package func handled(_ by: (@escaping Handler<App>) -> Handler<App>) -> Route {
    guard case .whole(let handler) = work else { return self }
    var route = self
    route.work = .whole(by(handler))
    return route
  }
}

/// Answers a request. It usually runs on the event loop of the client's connection, so it must not block.
package typealias Handler<App: ServerApp> = @Sendable (Request<App>) throws(App.Problem) -> Reply<App>

/// The percent-decoded values of the variables in a route's path, for one request.
package struct PathValues: Sendable {
  let variables: [RouteVariable]
  let values: [String]

  package subscript(name: String) -> String? { variables.firstIndex { $0.name == name }.map { values[$0] } }
}

struct RouteVariable: Sendable {
  let name: String
  /// The index of the variable's segment in the path.
  let position: Int
  /// True for a variable `{name...}`, which matches all segments from ``position`` on.
  let isRest: Bool
  /// The length in bytes of the fixed ending of the variable's segment, such as `:fetch`.
  var endingBytes = 0
}

/// The function that renders the problems of one request, with the values of its path.
struct RefusalStyle<App: ServerApp>: Sendable {
  let render: @Sendable (App.Problem, PathValues) -> Answer
  let path: PathValues

  func answer(_ problem: App.Problem) -> Answer { render(problem, path) }
}
