// Determines at compile time which data an operator may read, from its compiled operands.

extension LogicCompiler {
  /// True if the value of the node at an index may be a list. If the first operand of `fractional` may be a list, that operand is a bucket,
  /// and the `targetingKey` is hashed.
  func canBeList(_ node: Int32) -> Bool {
    switch nodes[Int(node)].operation {
    case .literal: literals[Int(nodes[Int(node)].payload)].listValue != nil
    case .concatenate, .substring, .add, .subtract, .multiply, .divide, .modulo, .min, .max, .flagKey, .timestamp, .not, .truthy, .equal,
      .notEqual, .identical, .notIdentical, .less, .lessOrEqual, .greater, .greaterOrEqual, .contained, .startsWith, .endsWith,
      .semanticVersion, .all, .some, .none:
      false
    default: true
    }
  }

  /// Records the attributes with the names in `keys`, which the operator `missing` looks up, as dependencies of the expression.
  mutating func readMissing(_ keys: Value) {
    let written = keys.listValue ?? [keys]
    for key in written {
      guard case .string(let name) = key, !name.isEmpty else {
        reads.wholeContext = true
        continue
      }
      let path = LogicPath(name)
      reads.attributes.insert(path.segments[0].name)
      if path.segments.count > 1 { reads.paths.insert(name) }
    }
  }

  /// True if both operands read the same variable. Then they are equal for any value, even for a list.
  func areSameVariable(_ children: [Int32]) -> Bool {
    let (left, right) = (nodes[Int(children[0])], nodes[Int(children[1])])
    guard left.operation == right.operation, left.count == 0, right.count == 0 else { return false }
    switch left.operation {
    case .attribute: return names[Int(left.payload)] == names[Int(right.payload)]
    case .variable, .elementVariable: return paths[Int(left.payload)] == paths[Int(right.payload)]
    case .wholeContext, .wholeElement: return true
    default: return false
    }
  }
}
