// A request as a handler receives it: matched to a route, with a decoded path and query and a complete body.

package import NIOCore

/// One HTTP request as its route's handler receives it. It is immutable, so a handler may pass it to any task.
package final class Request<App: ServerApp>: Sendable {
  package var route: Route<App> { match.route }
  /// The request's whole body; empty if it has no body, or if the route's handler reads the body as a stream.
  package let body: [UInt8]
  /// The client's connection: its socket, credentials and role.
  package let peer: Peer<App.Role>
  /// The application's state that was published to the event loop when the request was complete.
  package let snapshot: App.Snapshot
  /// The event loop that serves the client's connection.
  package let eventLoop: any EventLoop
  /// The queue by which other threads deliver finished answers to ``eventLoop``.
  package let completions: EventLoopCompletionQueue

  /// The route with the decoded path and query. Code that outlives the request refers to this object alone, so that the body can be freed.
  let match: RouteMatch<App>
  private let text: RequestHeadBytes
  private let marks: ReadMarks
  private let second: Int

  init(_ match: RouteMatch<App>, _ text: RequestHeadBytes, body: [UInt8], peer: Peer<App.Role>, on loop: AppLoop<App>) {
    self.match = match
    self.text = text
    self.body = body
    self.peer = peer
    snapshot = loop.state.snapshot
    eventLoop = loop.eventLoop
    completions = loop.completions
    marks = loop.marks
    second = loop.second
  }

  package var role: App.Role { peer.role }

  /// Returns the percent-decoded value of the variable `{name}` in the route's path; empty if the path has no such variable.
  package func path(_ name: String) -> String { match.path[name] ?? "" }

  package var path: PathValues { match.path }

  /// Returns the percent-decoded value of a query parameter, which is never empty; nil without the parameter.
  package func query(_ name: String) -> String? { match.query[name] }

  /// True if the request counts as a read by a game. It came on a socket for games, and no program of this project sent it.
  package var marksReads: Bool { peer.socket.marksReads && !text.head.traits.contains(.program) }

  /// Marks a key as read at its position of ``ReadMarks``, if the request counts as a read by a game. A negative position has no effect.
  package func mark(_ position: Int, stamp: UInt32) {
    if position >= 0, marksReads { marks.note(AnswerCounterPositions(mark: position, stamp: stamp), second: second) }
  }

  /// True if the request is a GET without query and body, so that the path alone decides the answer.
  package var isBare: Bool { route.method == .get && match.query.isEmpty && body.isEmpty }

  /// Returns the value of a Boolean query parameter; false without the parameter.
  /// - Throws: `MALFORMED_QUERY_PARAMETER` if the value is neither `true` nor `false`.
  package func flag(_ name: String) throws(App.Problem) -> Bool {
    switch query(name) {
    case nil, "false": return false
    case "true": return true
    case let other?:
      throw App.problem(
        ServerFault(
          .malformedQueryParameter, "The query parameter \(name) is “\(other)”; write true or false.", at: .parameter(name)))
    }
  }

  /// Returns the value of a header by its name in lower case; nil without the header.
  /// - Throws: `MALFORMED_HEADER` if the header is repeated or not UTF-8.
  package func header(_ lowercasedName: StaticString) throws(App.Problem) -> String? {
    do throws(ServerFault) { return try text.value(of: lowercasedName) } catch { throw App.problem(error) }
  }

  /// Returns the value of a header that is a list, by its name in lower case; nil without it. Repeated headers are joined with commas.
  package func listHeader(_ lowercasedName: StaticString) -> String? { text.list(lowercasedName) }
}
