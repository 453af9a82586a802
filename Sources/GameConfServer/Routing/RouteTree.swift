// A prefix tree of paths that finds a route by its number. It does not depend on the application's types, because unspecialized generics would
// slow each request down.

/// A segment of a route's path.
enum PathPattern: Sendable, Equatable {
  case fixed([UInt8])
  /// A name with the fixed ending of its segment, as in `{namespace}:fetch`.
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

/// The prefix tree of all routes' paths.
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
    /// The variables with a fixed ending.
    var ended: [(ending: [UInt8], node: Int)] = []
    var variable: Int?
    var rest: Int?
    var calls: [(method: RequestHead.Method, ordinal: Int)] = []

    func ordinal(of method: RequestHead.Method) -> Int? { calls.first { $0.method == method }?.ordinal }
  }

  /// Adds the path of a route, which its number identifies.
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

  /// Returns the number of the route for a method and path. Prefers a fixed segment, then a variable with an ending, then one without, then
  /// `{name...}`.
  /// - Parameter beside: Receives the routes of other methods that match the whole path.
  func ordinal(of method: RequestHead.Method, at path: PathSegments, beside: inout [Int]) -> Int? {
    ordinal(of: method, at: path, from: 0, position: 0, beside: &beside)
  }

  /// - Parameter position: The index of the first segment that is still to be matched, below this node.
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
      // A call's path is not the value of a variable. For a method that the call lacks the answer is 405, with the methods that it has.
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
