// Groups the parameters that constraints connect, so that after a change of one parameter only its group is checked.

/// Groups of parameters that depend on each other: the connected components of a graph. Its edges are constraints, ranges whose bounds are
/// parameters, and `{parameter}` references.
public struct ConstraintGroups: Sendable {
  private let groupOf: [String: Int]
  private let groups: [Set<String>]
  /// The keys of all parameters in a group with a constraint, or with a range whose bounds are parameters.
  public let all: Set<String>

  /// Computes the groups of a catalog. A group is left out if its parameters are connected only by `{parameter}` references.
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
    // Nothing in a group can be violated if only references connect its parameters.
    self.groupOf = groupOf.filter { !groups[$0.value].isDisjoint(with: constrained) }
    self.groups = groups
    all = Set(self.groupOf.keys)
  }

  /// Returns the keys of the group that contains this key; empty if the key is in no group.
  public func keys(with key: String) -> Set<String> { groupOf[key].map { groups[$0] } ?? [] }
}
