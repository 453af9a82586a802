// Connects the daemon to the generic HTTP server: the types of a client's role, of the served world and of problems, and the sockets.

package import GameConfAPI
package import GameConfServer

package enum DaemonApp: ServerApp {
  package typealias Role = PeerRole
  package typealias Snapshot = ServedWorld

  package static func problem(_ fault: ServerFault) -> GameConfAPI.Problem { GameConfAPI.Problem(fault) }
  package static func answer(_ problem: GameConfAPI.Problem) -> Answer { problem.answer }
}

package typealias Request = GameConfServer.Request<DaemonApp>
package typealias Reply = GameConfServer.Reply<DaemonApp>
package typealias Route = GameConfServer.Route<DaemonApp>
package typealias Router = GameConfServer.Router<DaemonApp>
/// A request body that a handler reads while it arrives.
typealias IncomingBody = GameConfServer.IncomingBody<DaemonApp>

extension ServerSocket {
  package static let games = ServerSocket(SocketKind.games.rawValue, marksReads: true)
  package static let admin = ServerSocket(SocketKind.admin.rawValue, hasReservedMemory: true)
  package static let metrics = ServerSocket(SocketKind.metrics.rawValue, mayBeTCP: true)

  init(_ kind: SocketKind) {
    switch kind {
    case .games: self = .games
    case .admin: self = .admin
    case .metrics: self = .metrics
    }
  }
}

extension Route {
  /// Creates a route whose handler receives the whole body.
  /// - Parameter path: The path to match, if it differs from the endpoint's.
  package init(_ endpoint: Endpoint, path: String? = nil, bodyBytesMax: Int? = nil, _ handler: @escaping Handler<DaemonApp>) {
    self.init(
      endpoint.id, RequestHead.Method(endpoint.method), path ?? endpoint.path, on: endpoint.served, query: Set(endpoint.query.map(\.name)),
      content: endpoint.content, bodyBytesMax: bodyBytesMax, handler)
    bareQuery = endpoint.flags
  }

  /// Creates a route whose handler reads the body while it arrives.
  package init(
    _ endpoint: Endpoint, streamedBytesMax: Int,
    _ handler: @escaping @Sendable (Request, GameConfServer.IncomingBody<DaemonApp>) async throws(Problem) -> Answer
  ) {
    self.init(
      endpoint.id, RequestHead.Method(endpoint.method), endpoint.path, on: endpoint.served, query: Set(endpoint.query.map(\.name)),
      content: endpoint.content, streamedBytesMax: streamedBytesMax, handler)
    bareQuery = endpoint.flags
  }
}

extension Endpoint {
  fileprivate var served: [ServerSocket] { SocketKind.allCases.filter(sockets.contains).map { ServerSocket($0) } }

  fileprivate var flags: Set<String> { Set(query.filter { $0.kind == .flag }.map(\.name)) }

  fileprivate var content: Route.Content {
    switch request {
    case .none: .none
    case .json: .type("application/json")
    case .bytes(let mediaType, _, _): .type(mediaType)
    }
  }
}

extension RequestHead.Method {
  init(_ method: GameConfAPI.Method) {
    switch method {
    case .get: self = .get
    case .post: self = .post
    case .put: self = .put
    case .patch: self = .patch
    case .delete: self = .delete
    }
  }
}
