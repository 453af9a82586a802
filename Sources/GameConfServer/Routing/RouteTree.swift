// A prefix tree of paths that finds a route by its number. It does not depend on the application's types, because unspecialized generics
// would slow each request down.

/// A segment of a route's path.
enum PathPattern: Sendable, Equatable {
  case fixed([UInt8])
  /// A variable with the fixed ending of its segment, as in `{namespace}:fetch`; the ending may be empty.
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

/// A prefix tree of the paths of all routes, whose nodes are segments.
struct RouteTree: Sendable {
  /// The reason why a path cannot be added.
  enum Fault: Equatable {
    /// Another route, with this number, has the same method and path.
    case samePath(Int)
    /// Segments follow a `{name...}`.
    case restIsNotLast
  }

  private var nodes = [Node()]

  private struct Node: Sendable {
    var fixed: [(segment: [UInt8], node: Int)] = []
    /// The variables with a fixed ending that may follow this node, each with the node below it.
    var ended: [(ending: [UInt8], node: Int)] = []
    var variable: Int?
    var rest: Int?
    var calls: [(method: RequestHead.Method, ordinal: Int)] = []

    func ordinal(of method: RequestHead.Method) -> Int? { calls.first { $0.method == method }?.ordinal }
  }

  /// Adds the path of a route, which the number `ordinal` identifies. Returns the fault if the path cannot be added.
  mutating func add(_ ordinal: Int, _ method: RequestHead.Method, _ segments: [PathPattern]) -> Fault? {
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
        if position != segments.count - 1 { return .restIsNotLast }
        let known = nodes[at].rest
        if known == nil { nodes[at].rest = nodes.count }
        at = known ?? addNode()
      }
    }
    if let other = nodes[at].ordinal(of: method) { return .samePath(other) }
    nodes[at].calls.append((method, ordinal))
    return nil
  }

  private mutating func addNode() -> Int {
    nodes.append(Node())
    return nodes.count - 1
  }

  /// Returns the number of the route for a method and path; nil without such a route. At each segment a fixed one is preferred, then a
  /// variable with an ending, then a variable without one, and last `{name...}`.
  /// - Parameter beside: The numbers of routes with other methods that match the whole path are appended to it.
  func ordinal(of method: RequestHead.Method, at path: PathSegments, beside: inout [Int]) -> Int? {
    ordinal(of: method, at: path, from: 0, position: 0, beside: &beside)
  }

  /// - Parameter position: The index of the first segment of the path that is still to be matched below the node.
  private func ordinal(
    of method: RequestHead.Method, at path: PathSegments, from node: Int, position: Int, beside found: inout [Int]
  ) -> Int? {
    guard position < path.count else {
      if let ordinal = nodes[node].ordinal(of: method) { return ordinal }
      found += nodes[node].calls.map(\.ordinal)
      return nil
    }
    for (segment, next) in nodes[node].fixed where path.is(position, segment) {
      if let ordinal = ordinal(of: method, at: path, from: next, position: position + 1, beside: &found) { return ordinal }
      // A fixed path is never taken for the value of a variable. A method that the fixed path does not accept gets 405, with the methods
      // that this path accepts.
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
    found += nodes[next].calls.map(\.ordinal)
    return nil
  }
}
