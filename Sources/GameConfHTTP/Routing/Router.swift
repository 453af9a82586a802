// Finds the handler of a request: by path, method and socket, with the query held against what the endpoint takes.

public import GameConfAPI

/// A request's endpoint, with its path and query decoded.
struct RouteMatch: Sendable {
  let call: RoutedCall
  /// The values of the names in the endpoint's path, in their order.
  let values: [String]
  let query: [String: String]

  var ordinal: Int { call.ordinal }
  var endpoint: Endpoint { call.endpoint }
  var route: Route { call.route }

  /// The value of a name in the endpoint's path; nil when its path has no such name.
  func value(of name: String) -> String? { call.variables.firstIndex { $0.name == name }.map { values[$0] } }
}

/// An endpoint with its route; one object for all its requests, which pass it on.
final class RoutedCall: Sendable {
  /// The endpoint's position among those of the router.
  let ordinal: Int
  let endpoint: Endpoint
  let route: Route
  /// The names in the endpoint's path and the positions of their segments.
  let variables: [(name: String, position: Int)]
  let queryNames: Set<String>
  /// The endpoint's sockets, in a form that is searched without hashing.
  let sockets: [SocketKind]

  init(_ ordinal: Int, _ endpoint: Endpoint, _ route: Route, variables: [(name: String, position: Int)]) {
    self.ordinal = ordinal
    self.endpoint = endpoint
    self.route = route
    self.variables = variables
    queryNames = Set(endpoint.query.map(\.name))
    sockets = Array(endpoint.sockets)
  }
}

/// Why a router cannot be built: a fault of the program, found at start.
public enum RouterFault: Error, Sendable, Hashable {
  /// A route for an endpoint that is not in the list.
  case unknownEndpoint(String)
  /// Two routes for one endpoint, or two endpoints with one id.
  case repeatedEndpoint(String)
  /// Two endpoints with the same method and path.
  case samePath(String, String)
}

/// All endpoints that have a handler, found by path.
public struct Router: Sendable {
  /// The endpoints, in the order of the counters.
  public let endpoints: [Endpoint]

  private let calls: [RoutedCall]
  private var nodes = [Node()]

  private struct Node: Sendable {
    var fixed: [(segment: [UInt8], node: Int)] = []
    var variable: Int?
    var calls: [(method: RequestHead.Method, ordinal: Int)] = []

    func ordinal(of method: RequestHead.Method) -> Int? { calls.first { $0.method == method }?.ordinal }
  }

  /// A router over the endpoints that have a route; the others answer 404 until they have one.
  public init(_ all: [Endpoint], _ routes: [Route]) throws(RouterFault) {
    var byID: [String: Route] = [:]
    for route in routes where byID.updateValue(route, forKey: route.endpoint) != nil { throw .repeatedEndpoint(route.endpoint) }
    var (endpoints, kept): ([Endpoint], [Route]) = ([], [])
    for endpoint in all {
      if endpoints.contains(where: { $0.id == endpoint.id }) { throw .repeatedEndpoint(endpoint.id) }
      guard let route = byID.removeValue(forKey: endpoint.id) else { continue }
      endpoints.append(endpoint)
      kept.append(route)
    }
    if let left = byID.keys.min() { throw .unknownEndpoint(left) }
    self.endpoints = endpoints
    let segments = endpoints.map { $0.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init) }
    calls = endpoints.indices.map { ordinal in
      let variables = segments[ordinal].enumerated().filter { Self.isVariable($0.element) }
      return RoutedCall(
        ordinal, endpoints[ordinal], kept[ordinal],
        variables: variables.map { (name: String($0.element.dropFirst().dropLast()), position: $0.offset) })
    }
    for call in calls { try add(call, segments[call.ordinal]) }
  }

  /// The position of an endpoint in ``endpoints``; nil when it has no route.
  public func ordinal(of id: String) -> Int? { endpoints.firstIndex { $0.id == id } }

  private static func isVariable(_ segment: String) -> Bool { segment.hasPrefix("{") && segment.hasSuffix("}") }

  private mutating func add(_ call: RoutedCall, _ segments: [String]) throws(RouterFault) {
    var at = 0
    for segment in segments {
      let bytes = Array(segment.utf8)
      let known = Self.isVariable(segment) ? nodes[at].variable : nodes[at].fixed.first { $0.segment == bytes }?.node
      if known == nil {
        if Self.isVariable(segment) { nodes[at].variable = nodes.count } else { nodes[at].fixed.append((bytes, nodes.count)) }
        nodes.append(Node())
      }
      at = known ?? nodes.count - 1
    }
    let endpoint = call.endpoint
    guard let method = RequestHead.Method(rawValue: endpoint.method.rawValue) else { throw .unknownEndpoint(endpoint.id) }
    if let other = nodes[at].ordinal(of: method) { throw .samePath(endpoints[other].id, endpoint.id) }
    nodes[at].calls.append((method, call.ordinal))
  }

  /// The endpoint of a request that came by that socket, or why there is none.
  func match(_ text: HeadText, on socket: SocketKind) -> Result<RouteMatch, Problem> {
    do throws(Problem) {
      return .success(try find(text, on: socket))
    } catch {
      return .failure(error)
    }
  }

  private func find(_ text: HeadText, on socket: SocketKind) throws(Problem) -> RouteMatch {
    let method = text.head.method == .head ? .get : text.head.method
    if method == .other { throw Problem(.notImplemented, "This method is not known here; \(Self.methodsWords)") }
    let target = text.head.target
    let mark = text.target.firstIndex(of: UInt8(ascii: "?"))
    let path = try PathSegments(of: target.lowerBound..<(mark ?? target.upperBound), in: text.bytes)
    var found: [Int] = []
    guard let ordinal = ordinal(of: method, at: path, from: 0, beside: &found) else {
      if found.isEmpty { throw Problem(.notFound, "There is nothing at this path. GET /openapi.json lists every call.") }
      throw notAllowed(found, on: socket)
    }
    let call = calls[ordinal]
    if !call.sockets.contains(socket) { throw Self.elsewhere(call.endpoint, socket) }
    let query = try mark.map { mark throws(Problem) in
      try Query.read(text.bytes[(mark + 1)..<target.upperBound], admitted: call.queryNames)
    }
    return RouteMatch(call: call, values: call.variables.map { path[$0.position] }, query: query ?? [:])
  }

  private static let methodsWords = "the methods are GET, HEAD, POST, PUT, PATCH and DELETE."

  /// The call of that method that the path leads to; a fixed segment before a variable one.
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
    }
    guard let next = nodes[node].variable, !path.isEmpty(position) else { return nil }
    return ordinal(of: method, at: path, from: next, position: position + 1, beside: &found)
  }

  private func notAllowed(_ found: [Int], on socket: SocketKind) -> Problem {
    let calls = found.flatMap { nodes[$0].calls.map(\.ordinal) }
    let here = calls.map { endpoints[$0] }.filter { $0.sockets.contains(socket) }
    guard !here.isEmpty || calls.isEmpty else { return Self.elsewhere(endpoints[calls[0]], socket) }
    var methods = Set(here.map(\.method.rawValue))
    if methods.contains("GET") { methods.insert("HEAD") }
    return .methodNotAllowed(allowed: methods.sorted())
  }

  private static func elsewhere(_ endpoint: Endpoint, _ socket: SocketKind) -> Problem {
    let others = endpoint.sockets.map(\.rawValue).sorted().joined(separator: " or ")
    return Problem(
      endpoint.sockets.contains(.games) ? .notPermitted : .adminOnly,
      "\(endpoint.method.rawValue) \(endpoint.path) is answered on the \(others) socket, not on the \(socket.rawValue) socket.")
  }
}
