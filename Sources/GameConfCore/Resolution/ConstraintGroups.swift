// Groups the keys that constraints tie together, so that a change needs to check only its group.

/// The connected components of the graph in which constraints, ranges with parameter bounds, and `{parameter}` references connect keys.
public struct ConstraintGroups: Sendable {
  private let groupOf: [String: Int]
  private let groups: [Set<String>]
  /// Every key that is in a group with a constraint or such a range.
  public let all: Set<String>

  /// Connects the keys and drops groups that only references connect.
  public init(_ catalog: Catalog) {
    var ties: [Set<String>] = catalog.constraints.map { $0.require.reads.parameters }
    for parameter in catalog.parameters {
      let bounds = parameter.range?.references ?? []
      if !bounds.isEmpty { ties.append(bounds.union([parameter.key])) }
    }
    let constrained = ties.reduce(into: Set<String>()) { $0.formUnion($1) }
    for parameter in catalog.parameters where !parameter.references.isEmpty { ties.append(parameter.references.union([parameter.key])) }

    var groupOf: [String: Int] = [:]
    var groups: [Set<String>] = []
    for tie in ties {
      let met = Set(tie.compactMap { groupOf[$0] })
      let merged = met.reduce(into: tie) { $0.formUnion(groups[$1]) }
      groups.append(merged)
      for key in merged { groupOf[key] = groups.count - 1 }
    }
    // A group that is connected by references only has nothing to violate, so it is dropped.
    self.groupOf = groupOf.filter { !groups[$0.value].isDisjoint(with: constrained) }
    self.groups = groups
    all = Set(self.groupOf.keys)
  }

  /// Returns the keys of the group that contains this key; empty if it is in no group.
  public func keys(with key: String) -> Set<String> { groupOf[key].map { groups[$0] } ?? [] }
}
