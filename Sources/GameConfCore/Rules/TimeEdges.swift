// Determines the instants at which the passing of time may change an expression's result. These are the constants with which it compares
// the time.

extension LogicCompiler {
  /// The times in seconds since 1970 at which a comparison of `$flagd.timestamp` with a constant changes its result, ascending. It is nil
  /// if the expression uses the time in any other way.
  var timeEdges: [Int64]? {
    guard reads.time else { return [] }
    var edges = Set<Int64>()
    var compared = Set<Int32>()
    for node in nodes {
      switch node.operation {
      case .less, .lessOrEqual, .greater, .greaterOrEqual: break
      default: continue
      }
      for at in 0..<max(0, node.count - 1) {
        let (left, right) = (operands[Int(node.first + at)], operands[Int(node.first + at + 1)])
        let isTimeLeft = nodes[Int(left)].operation == .timestamp
        guard isTimeLeft || nodes[Int(right)].operation == .timestamp else { continue }
        guard let number = writtenNumber(isTimeLeft ? right : left) else { return nil }
        compared.insert(isTimeLeft ? left : right)
        // `t >= n` and `t < n` change their result at the first whole second not less than n. `t > n` and `t <= n` change it at the first
        // one greater than n.
        let changesAtNumber =
          node.operation == (isTimeLeft ? .greaterOrEqual : .lessOrEqual) || node.operation == (isTimeLeft ? .less : .greater)
        let edge = changesAtNumber ? number.rounded(.up) : number.rounded(.down) + 1
        // The calendar of ``Instant`` ends with the year 9999, so a later change never happens.
        if edge.magnitude <= Double(Instant.latest.seconds) { edges.insert(Int64(edge)) }
      }
    }
    for at in nodes.indices {
      switch nodes[at].operation {
      case .timestamp where !compared.contains(Int32(at)): return nil
      case .flagd: return nil
      default: break
      }
    }
    return edges.sorted()
  }

  private func writtenNumber(_ at: Int32) -> Double? {
    guard nodes[Int(at)].operation == .literal else { return nil }
    return literals[Int(nodes[Int(at)].payload)].numberValue
  }
}

extension LogicExpression {
  /// Returns the next instant at which the passing of time may change the expression's result.
  /// - Returns: The instant, or nil if there is no such instant. `isUnknown` is true if the result may change at any instant.
  func change(after now: Instant) -> (at: Instant?, isUnknown: Bool) {
    guard program.readsTime else { return (nil, false) }
    guard let edges = program.timeEdges else { return (nil, true) }
    return (edges.lazy.map { Instant(seconds: $0) }.first { $0 > now }, false)
  }
}
