// The tree that leads a path to a route, by the routes' numbers: nothing here depends on the application, so that a request is not held up by
// generics.

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

/// The paths of all routes.
struct RouteTree: Sendable {
  /// The reason why a path cannot be taken in.
  enum Fault: Equatable {
    /// The route of that number has the same method and path.
    case samePath(Int)
    /// More segments follow one that takes all.
    case restIsNotLast
  }

  private var nodes = [Node()]

  private struct Node: Sendable {
    var fixed: [(segment: [UInt8], node: Int)] = []
    /// Variables that are recognized by a segment's ending.
    var ended: [(ending: [UInt8], node: Int)] = []
    var variable: Int?
    var rest: Int?
    var calls: [(method: RequestHead.Method, ordinal: Int)] = []

    func ordinal(of method: RequestHead.Method) -> Int? { calls.first { $0.method == method }?.ordinal }
  }

  /// Takes in the path of a route by its number.
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

  /// The route of that method that the path leads to; a fixed segment before a variable one with an ending, that before one without, and that
  /// before one that takes all.
  /// - Parameter beside: takes the routes of other methods at the path's end.
  func ordinal(of method: RequestHead.Method, at path: PathSegments, beside: inout [Int]) -> Int? {
    ordinal(of: method, at: path, from: 0, position: 0, beside: &beside)
  }

  /// - Parameter position: which segment of the path leads on from this node.
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
    found += nodes[next].calls.map(\.ordinal)
    return nil
  }
}
