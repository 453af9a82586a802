// Finds the handler of a request: by path, method and socket, with the query held against what the route takes.

/// A request's route, with its path and query decoded.
struct RouteMatch<App: ServerApp>: Sendable {
  let call: RoutedCall<App>
  let path: PathValues
  let query: [String: String]

  var ordinal: Int { call.ordinal }
  var route: Route<App> { call.route }
  var style: RefusalStyle<App>? { call.route.refusing.map { RefusalStyle(render: $0, path: path) } }
}

/// What a router says to a request.
enum RouteFinding<App: ServerApp> {
  case found(RouteMatch<App>)
  /// With the style of the route that was meant, where one was.
  case refused(ServerFault, RefusalStyle<App>?)
}

/// A route with its place; one object for all its requests, which pass it on.
final class RoutedCall<App: ServerApp>: Sendable {
  /// The route's position among those of the router.
  let ordinal: Int
  let route: Route<App>
  let variables: [PathVariable]

  init(_ ordinal: Int, _ route: Route<App>, _ segments: [PathPattern]) {
    self.ordinal = ordinal
    self.route = route
    variables = segments.enumerated().compactMap { position, segment in
      switch segment {
      case .fixed: nil
      case .variable(let name, let ending): PathVariable(name: name, position: position, isRest: false, endingBytes: ending.count)
      case .rest(let name): PathVariable(name: name, position: position, isRest: true)
      }
    }
  }

  func values(in path: PathSegments) -> PathValues {
    PathValues(
      variables: variables,
      values: variables.map { $0.isRest ? path.rest(from: $0.position) : path.text(at: $0.position, withoutLast: $0.endingBytes) })
  }
}

/// A segment of a route's path.
enum PathPattern: Sendable, Equatable {
  case fixed([UInt8])
  /// A name, and what the segment ends with after it: `{namespace}:fetch`.
  case variable(String, ending: [UInt8])
  case rest(String)

  init(_ segment: Substring) {
    if segment.hasPrefix("{"), segment.hasSuffix("...}") {
      self = .rest(String(segment.dropFirst().dropLast(4)))
    } else if segment.hasPrefix("{"), let close = segment.firstIndex(of: "}") {
      self = .variable(String(segment[..<close].dropFirst()), ending: Array(segment[segment.index(after: close)...].utf8))
    } else {
      self = .fixed(Array(segment.utf8))
    }
  }
}

/// Why a router cannot be built: a fault of the program, found at start.
package enum RouterFault: Error, Sendable, Hashable {
  /// Two routes with one id.
  case repeatedRoute(String)
  /// Two routes with the same method and path.
  case samePath(String, String)
  /// More segments follow one that takes all.
  case restIsNotLast(String)
}

/// All routes, found by path.
package struct Router<App: ServerApp>: Sendable {
  /// The routes' ids, in the order of the counters.
  package let ids: [String]

  private let calls: [RoutedCall<App>]
  private var nodes = [Node()]

  private struct Node: Sendable {
    var fixed: [(segment: [UInt8], node: Int)] = []
    /// Variables of which a segment's ending tells that they are meant.
    var ended: [(ending: [UInt8], node: Int)] = []
    var variable: Int?
    var rest: Int?
    var calls: [(method: RequestHead.Method, ordinal: Int)] = []

    func ordinal(of method: RequestHead.Method) -> Int? { calls.first { $0.method == method }?.ordinal }
  }

  package init(_ routes: [Route<App>]) throws(RouterFault) {
    var known: Set<String> = []
    for route in routes where !known.insert(route.id).inserted { throw .repeatedRoute(route.id) }
    ids = routes.map(\.id)
    let segments = routes.map { $0.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(PathPattern.init) }
    calls = routes.indices.map { RoutedCall($0, routes[$0], segments[$0]) }
    for call in calls { try add(call, segments[call.ordinal]) }
  }

  /// The position of a route in ``ids``; nil when there is none of that id.
  package func ordinal(of id: String) -> Int? { ids.firstIndex(of: id) }

  private mutating func add(_ call: RoutedCall<App>, _ segments: [PathPattern]) throws(RouterFault) {
    var at = 0
    for (position, segment) in segments.enumerated() {
      switch segment {
      case .fixed(let bytes):
        let known = nodes[at].fixed.first { $0.segment == bytes }?.node
        if known == nil { nodes[at].fixed.append((bytes, nodes.count)) }
        at = known ?? addNode()
      case .variable(_, let ending) where !ending.isEmpty:
        let known = nodes[at].ended.first { $0.ending == ending }?.node
        if known == nil { nodes[at].ended.append((ending, nodes.count)) }
        at = known ?? addNode()
      case .variable:
        let known = nodes[at].variable
        if known == nil { nodes[at].variable = nodes.count }
        at = known ?? addNode()
      case .rest:
        if position != segments.count - 1 { throw .restIsNotLast(call.route.id) }
        let known = nodes[at].rest
        if known == nil { nodes[at].rest = nodes.count }
        at = known ?? addNode()
      }
    }
    if let other = nodes[at].ordinal(of: call.route.method) { throw .samePath(ids[other], call.route.id) }
    nodes[at].calls.append((call.route.method, call.ordinal))
  }

  private mutating func addNode() -> Int {
    nodes.append(Node())
    return nodes.count - 1
  }

  /// The route of a request that came by that socket, or why there is none.
  func match(_ text: HeadText, on socket: ServerSocket) -> RouteFinding<App> {
    let method = text.head.method == .head ? .get : text.head.method
    if method == .other {
      return .refused(ServerFault(.notImplemented, "This method is not known here; \(Self.methodsWords)"), nil)
    }
    let target = text.head.target
    let mark = text.target.firstIndex(of: UInt8(ascii: "?"))
    let path: PathSegments
    do throws(ServerFault) {
      path = try PathSegments(of: target.lowerBound..<(mark ?? target.upperBound), in: text.bytes)
    } catch { return .refused(error, nil) }
    var beside: [Int] = []
    guard let ordinal = ordinal(of: method, at: path, from: 0, beside: &beside) else {
      if beside.isEmpty {
        return .refused(ServerFault(.notFound, "There is nothing at this path."), nil)
      }
      return notAllowed(beside.flatMap { nodes[$0].calls.map { calls[$0.ordinal] } }, at: path, on: socket)
    }
    let call = calls[ordinal]
    var match = RouteMatch(call: call, path: call.values(in: path), query: [:])
    if !call.route.sockets.contains(socket) { return .refused(Self.elsewhere(call.route, socket), match.style) }
    if let mark {
      do throws(ServerFault) {
        let query = try Query.read(
          text.bytes[(mark + 1)..<target.upperBound], admitted: call.route.query, bare: call.route.bareQuery,
          ignoresUnknown: call.route.ignoresUnknownQuery)
        match = RouteMatch(call: call, path: match.path, query: query)
      } catch { return .refused(error, match.style) }
    }
    return .found(match)
  }

  private static var methodsWords: String { "the methods are GET, HEAD, POST, PUT, PATCH and DELETE." }

  /// The call of that method that the path leads to; a fixed segment before a variable one with an ending, that before one without, and that
  /// before one that takes all.
  /// - Parameters:
  ///   - position: which segment of the path leads on from this node.
  ///   - found: takes the nodes at the path's end that have calls, but none of that method.
  private func ordinal(
    of method: RequestHead.Method, at path: PathSegments, from node: Int, position: Int = 0, beside found: inout [Int]
  ) -> Int? {
    guard position < path.count else {
      if let ordinal = nodes[node].ordinal(of: method) { return ordinal }
      if !nodes[node].calls.isEmpty { found.append(node) }
      return nil
    }
    for (segment, next) in nodes[node].fixed where path.is(position, segment) {
      if let ordinal = ordinal(of: method, at: path, from: next, position: position + 1, beside: &found) { return ordinal }
      // The path of a call is no variable's value: another method is refused there, with the methods that the call takes.
      if position == path.count - 1, !nodes[next].calls.isEmpty { return nil }
    }
    if path.isEmpty(position) { return nil }
    for (ending, next) in nodes[node].ended where path.is(position, endingIn: ending) {
      if let ordinal = ordinal(of: method, at: path, from: next, position: position + 1, beside: &found) { return ordinal }
    }
    if let next = nodes[node].variable,
      let ordinal = ordinal(of: method, at: path, from: next, position: position + 1, beside: &found)
    {
      return ordinal
    }
    guard let next = nodes[node].rest else { return nil }
    if let ordinal = nodes[next].ordinal(of: method) { return ordinal }
    found.append(next)
    return nil
  }

  private func notAllowed(_ calls: [RoutedCall<App>], at path: PathSegments, on socket: ServerSocket) -> RouteFinding<App> {
    let here = calls.filter { $0.route.sockets.contains(socket) }
    let meant = (here + calls).first { $0.route.refusing != nil }
    let style = meant.flatMap { call in call.route.refusing.map { RefusalStyle<App>(render: $0, path: call.values(in: path)) } }
    if here.isEmpty, let other = calls.first { return .refused(Self.elsewhere(other.route, socket), style) }
    var methods = Set(here.map(\.route.method.rawValue))
    if methods.contains("GET") { methods.insert("HEAD") }
    return .refused(.methodNotAllowed(allowed: methods.sorted()), style)
  }

  private static func elsewhere(_ route: Route<App>, _ socket: ServerSocket) -> ServerFault {
    let others = route.sockets.map(\.name).sorted()
    var fault = ServerFault(
      .otherSocket,
      "\(route.method.rawValue) \(route.path) is answered on the \(others.joined(separator: " or ")) socket, not on the \(socket.name) socket."
    )
    fault.sockets = others
    return fault
  }
}
