// Finds the handler of a request: by path, method and socket, with the query held against what the endpoint takes.

public import GameConfAPI

/// A request's endpoint, with its path and query decoded.
struct RouteMatch: Sendable {
  let ordinal: Int
  let endpoint: Endpoint
  let route: Route
  let path: [String: String]
  let query: [String: String]
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

  private let routes: [Route]
  private let variables: [[(position: Int, name: String)]]
  private let queryNames: [Set<String>]
  private var nodes = [Node()]

  private struct Node: Sendable {
    var fixed: [String: Int] = [:]
    var variable: Int?
    var calls: [RequestHead.Method: Int] = [:]
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
    self.routes = kept
    let segments = endpoints.map { $0.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init) }
    variables = segments.map { segments in
      segments.enumerated().filter { Self.isVariable($0.element) }.map { ($0.offset, String($0.element.dropFirst().dropLast())) }
    }
    queryNames = endpoints.map { Set($0.query.map(\.name)) }
    for (ordinal, endpoint) in endpoints.enumerated() { try add(endpoint, ordinal, segments[ordinal]) }
  }

  /// The position of an endpoint in ``endpoints``; nil when it has no route.
  public func ordinal(of id: String) -> Int? { endpoints.firstIndex { $0.id == id } }

  private static func isVariable(_ segment: String) -> Bool { segment.hasPrefix("{") && segment.hasSuffix("}") }

  private mutating func add(_ endpoint: Endpoint, _ ordinal: Int, _ segments: [String]) throws(RouterFault) {
    var at = 0
    for segment in segments {
      let known = Self.isVariable(segment) ? nodes[at].variable : nodes[at].fixed[segment]
      if known == nil {
        if Self.isVariable(segment) { nodes[at].variable = nodes.count } else { nodes[at].fixed[segment] = nodes.count }
        nodes.append(Node())
      }
      at = known ?? nodes.count - 1
    }
    guard let method = RequestHead.Method(rawValue: endpoint.method.rawValue) else { throw .unknownEndpoint(endpoint.id) }
    if let other = nodes[at].calls.updateValue(ordinal, forKey: method) { throw .samePath(endpoints[other].id, endpoint.id) }
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
    let target = text.target
    let mark = target.firstIndex(of: UInt8(ascii: "?"))
    let segments = try Self.segments(target[..<(mark ?? target.endIndex)])
    var found: [Int] = []
    collect(segments[...], from: 0, into: &found)
    guard let node = found.first(where: { nodes[$0].calls[method] != nil }) ?? found.first else {
      throw Problem(.notFound, "There is nothing at this path. GET /openapi.json lists every call.")
    }
    guard let ordinal = nodes[node].calls[method] else { throw notAllowed(found, on: socket) }
    let endpoint = endpoints[ordinal]
    if !endpoint.sockets.contains(socket) { throw Self.elsewhere(endpoint, socket) }
    var path: [String: String] = [:]
    for variable in variables[ordinal] { path[variable.name] = segments[variable.position] }
    let query = try mark.map { mark throws(Problem) in try Query.read(target[(mark + 1)...], admitted: queryNames[ordinal]) } ?? [:]
    return RouteMatch(ordinal: ordinal, endpoint: endpoint, route: routes[ordinal], path: path, query: query)
  }

  private static let methodsWords = "the methods are GET, HEAD, POST, PUT, PATCH and DELETE."

  private static func segments(_ path: ArraySlice<UInt8>) throws(Problem) -> [String] {
    var segments: [String] = []
    for part in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard let segment = PercentEncoding.decode(part) else {
        throw Problem(
          .malformedPath,
          "The path's segment \(segments.count + 1) is not percent-encoded UTF-8: write each byte that needs it as % and two hexadecimal digits."
        )
      }
      segments.append(segment)
    }
    return segments
  }

  /// Every node the path leads to; a fixed segment before a variable one.
  private func collect(_ segments: ArraySlice<String>, from node: Int, into found: inout [Int]) {
    guard let segment = segments.first else {
      if !nodes[node].calls.isEmpty { found.append(node) }
      return
    }
    if let next = nodes[node].fixed[segment] { collect(segments.dropFirst(), from: next, into: &found) }
    if let next = nodes[node].variable, !segment.isEmpty { collect(segments.dropFirst(), from: next, into: &found) }
  }

  private func notAllowed(_ found: [Int], on socket: SocketKind) -> Problem {
    let calls = found.flatMap { nodes[$0].calls.values }
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
