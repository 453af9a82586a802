// Finds the route of a request by path, method and socket, and checks the query against the route's parameters.

/// A request's route with the decoded path and query. It is a class, so that all code that answers the request refers to one object.
final class RouteMatch<App: ServerApp>: Sendable {
  let call: RoutedCall<App>
  let path: PathValues
  let query: [String: String]

  init(call: RoutedCall<App>, path: PathValues, query: [String: String]) {
    (self.call, self.path, self.query) = (call, path, query)
  }

  var ordinal: Int { call.ordinal }
  var route: Route<App> { call.route }
  var style: RefusalStyle<App>? { call.route.refusing.map { RefusalStyle(render: $0, path: path) } }
}

/// The result of looking up a request's route.
enum RouteLookup<App: ServerApp> {
  case found(RouteMatch<App>)
  /// The request has no route, or its route refuses it. The second value is the style of the closest route, if there is one.
  case refused(ServerFault, RefusalStyle<App>?)
}

/// A route with its position in the router. It is a class, so that all requests to the route refer to one object.
final class RoutedCall<App: ServerApp>: Sendable {
  /// The position of the route in the router.
  let ordinal: Int
  let route: Route<App>
  let variables: [RouteVariable]

  init(_ ordinal: Int, _ route: Route<App>, _ segments: [PathPattern]) {
    self.ordinal = ordinal
    self.route = route
    variables = segments.enumerated().compactMap { position, segment in
      switch segment {
      case .fixed: nil
      case .variable(let name, let ending): RouteVariable(name: name, position: position, isRest: false, endingBytes: ending.count)
      case .rest(let name): RouteVariable(name: name, position: position, isRest: true)
      }
    }
  }

  func values(in path: PathSegments) -> PathValues {
    PathValues(
      variables: variables,
      values: variables.map { $0.isRest ? path.rest(from: $0.position) : path.text(at: $0.position, withoutLast: $0.endingBytes) })
  }
}

/// The reason why a router cannot be built: an error in the program, found at start.
package enum RouterFault: Error, Sendable, Hashable {
  /// Two routes have this id.
  case repeatedRoute(String)
  /// The two routes with these ids have the same method and path.
  case samePath(String, String)
  /// Segments follow a `{name...}` in the path of the route with this id.
  case restIsNotLast(String)
}

package struct Router<App: ServerApp>: Sendable {
  /// The ids of the routes. Their order is that of the rows in ``ServerCounters``.
  package let ids: [String]

  private let calls: [RoutedCall<App>]
  private var tree = RouteTree()

  package init(_ routes: [Route<App>]) throws(RouterFault) {
    var known: Set<String> = []
    for route in routes where !known.insert(route.id).inserted { throw .repeatedRoute(route.id) }
    ids = routes.map(\.id)
    let segments = routes.map { $0.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(PathPattern.init) }
    calls = routes.indices.map { RoutedCall($0, routes[$0], segments[$0]) }
    for call in calls {
      switch tree.add(call.ordinal, call.route.method, segments[call.ordinal]) {
      case nil: break
      case .samePath(let other): throw .samePath(ids[other], call.route.id)
      case .restIsNotLast: throw .restIsNotLast(call.route.id)
      }
    }
  }

  /// Returns the position in ``ids`` of the route with an id; nil without such a route.
  package func ordinal(of id: String) -> Int? { ids.firstIndex(of: id) }

  /// Looks up the route of a request that arrived on a socket.
  func match(_ text: RequestHeadBytes, on socket: ServerSocket) -> RouteLookup<App> {
    let method = text.head.method == .head ? .get : text.head.method
    if method == .other {
      return .refused(ServerFault(.notImplemented, "This method is not known here; \(Self.methodsWords)"), strayStyle(of: text.target))
    }
    let target = text.head.target
    let mark = text.target.firstIndex(of: UInt8(ascii: "?"))
    let path: PathSegments
    do throws(ServerFault) {
      path = try PathSegments(of: target.lowerBound..<(mark ?? target.upperBound), in: text.bytes)
    } catch { return .refused(error, strayStyle(of: text.target)) }
    var beside: [Int] = []
    guard let ordinal = tree.ordinal(of: method, at: path, beside: &beside) else {
      if beside.isEmpty {
        return .refused(ServerFault(.notFound, "There is nothing at this path."), strayStyle(of: text.target))
      }
      return notAllowed(beside.map { calls[$0] }, at: path, on: socket)
    }
    let call = calls[ordinal]
    var match = RouteMatch(call: call, path: call.values(in: path), query: [:])
    if !call.route.sockets.contains(socket) { return .refused(Self.elsewhere(call.route, socket), match.style) }
    if let mark {
      do throws(ServerFault) {
        let query = try QueryParser.read(
          text.bytes[(mark + 1)..<target.upperBound], admitted: call.route.query, bare: call.route.bareQuery,
          repeated: call.route.repeatedQuery, ignoresUnknown: call.route.ignoresUnknownQuery)
        match = RouteMatch(call: call, path: match.path, query: query)
      } catch { return .refused(error, match.style) }
    }
    return .found(match)
  }

  /// Returns the style in which a request is refused before it is routed; nil for the application's style.
  func style(of text: RequestHeadBytes, on socket: ServerSocket) -> RefusalStyle<App>? {
    // The head of a malformed request was not parsed, so it has no target.
    if text.target.isEmpty { return nil }
    switch match(text, on: socket) {
    case .found(let match): return match.style
    case .refused(_, let style): return style
    }
  }

  /// Returns the style in which a path without a route is refused; nil for the application's style.
  private func strayStyle(of target: some Sequence<UInt8>) -> RefusalStyle<App>? {
    let owner = calls.first { call in call.route.refusingBelow.map { Self.isBelow($0, target) } ?? false }
    return owner?.route.refusing.map { RefusalStyle(render: $0, path: PathValues(variables: [], values: [])) }
  }

  /// True if a request target begins with the path of a route, in which `{name}` matches any one segment.
  private static func isBelow(_ path: String, _ target: some Sequence<UInt8>) -> Bool {
    var rest = Array(target)[...]
    for part in path.split(separator: "{", omittingEmptySubsequences: false) {
      let fixed = part.firstIndex(of: "}").map { part[part.index(after: $0)...] } ?? part
      if fixed.startIndex != part.startIndex { rest = rest.drop { $0 != UInt8(ascii: "/") } }
      guard rest.starts(with: fixed.utf8) else { return false }
      rest = rest.dropFirst(fixed.utf8.count)
    }
    return true
  }

  private static var methodsWords: String { "the methods are GET, HEAD, POST, PUT, PATCH and DELETE." }

  private func notAllowed(_ calls: [RoutedCall<App>], at path: PathSegments, on socket: ServerSocket) -> RouteLookup<App> {
    let here = calls.filter { $0.route.sockets.contains(socket) }
    let meant = (here + calls).first { $0.route.refusing != nil }
    let style = meant.flatMap { call in call.route.refusing.map { RefusalStyle<App>(render: $0, path: call.values(in: path)) } }
    // Methods that only another socket answers are not listed, because this client cannot use them.
    if here.isEmpty { return .refused(ServerFault(.notFound, "There is nothing at this path."), style) }
    var methods = Set(here.map(\.route.method.rawValue))
    if methods.contains("GET") { methods.insert("HEAD") }
    return .refused(.methodNotAllowed(allowed: methods.sorted()), style)
  }

  private static func elsewhere(_ route: Route<App>, _ socket: ServerSocket) -> ServerFault {
    let others = route.sockets.map(\.name).sorted()
    var fault = ServerFault(
      .notPermitted,
      "\(route.method.rawValue) \(route.path) is answered on the \(others.joined(separator: " or ")) socket, not on the \(socket.name) socket."
    )
    fault.sockets = others
    return fault
  }
}
