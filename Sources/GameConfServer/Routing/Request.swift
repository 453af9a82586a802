// A request as a handler sees it: matched, its path and query decoded, its body whole.

package import NIOCore

/// One request, on its way to an answer; immutable, and free to go to any task.
package final class Request<App: ServerApp>: Sendable {
  /// The route it matched.
  package var route: Route<App> { match.route }
  /// The body; empty where there is none, and where the route takes a stream.
  package let body: [UInt8]
  /// The other end.
  package let peer: Peer<App.Role>
  /// The snapshot that was in force on this event loop when the request was whole.
  package let snapshot: App.Snapshot
  /// The event loop the connection lives on; handlers are called on it.
  package let eventLoop: any EventLoop
  /// Carries answers to that event loop; one for each loop.
  package let completions: EventLoopCompletionQueue

  /// The route with what its path and query say; what outlives the request's body keeps this alone.
  let match: RouteMatch<App>
  private let text: HeadText
  private let marks: ReadMarks
  private let second: Int

  init(_ match: RouteMatch<App>, _ text: HeadText, body: [UInt8], peer: Peer<App.Role>, on loop: AppLoop<App>) {
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

  /// The rights of the peer.
  package var role: App.Role { peer.role }

  /// The percent-decoded value of a `{name}` in the path; empty if the route's path has no such name.
  package func path(_ name: String) -> String { match.path[name] ?? "" }

  /// The values of all names in the path.
  package var path: PathValues { match.path }

  /// The percent-decoded value of a query parameter; never empty.
  package func query(_ name: String) -> String? { match.query[name] }

  /// True if its reads count as a game's.
  package var marksReads: Bool { peer.socket.marksReads && !text.head.traits.contains(.program) }

  /// Marks what is read, unless it is no game that reads.
  package func mark(_ position: Int, stamp: UInt32) {
    if position >= 0, marksReads { marks.note(AnswerCounts(mark: position, stamp: stamp), second: second) }
  }

  /// True if it is a GET without query and body, so that nothing but the path says what is wanted.
  package var isBare: Bool { route.method == .get && match.query.isEmpty && body.isEmpty }

  /// True if a query parameter says `true`; absent is `false`.
  /// - Throws: `MALFORMED_QUERY_PARAMETER` when it is neither `true` nor `false`.
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

  /// The value of a header that may be there once, by its name in lower case.
  /// - Throws: `MALFORMED_HEADER` when it is repeated or not UTF-8.
  package func header(_ lowercasedName: StaticString) throws(App.Problem) -> String? {
    do throws(ServerFault) { return try text.value(of: lowercasedName) } catch { throw App.problem(error) }
  }

  /// The value of a header that is a list, its lines joined by commas.
  package func listHeader(_ lowercasedName: StaticString) -> String? { text.list(lowercasedName) }
}
