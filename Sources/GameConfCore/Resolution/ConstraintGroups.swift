// The keys that can break a constraint together.

/// Groups of keys tied by constraints, moving ranges and `{parameter}`.
public struct ConstraintGroups: Sendable {
  private let groupOf: [String: Int]
  private let groups: [Set<String>]
  /// Every key that is bound to another.
  public let all: Set<String>

  /// The bonds of a catalog.
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
    // A group in which nothing is constrained binds nobody.
    self.groupOf = groupOf.filter { !groups[$0.value].isDisjoint(with: constrained) }
    self.groups = groups
    all = Set(self.groupOf.keys)
  }

  /// The keys that can break a constraint together with this one, itself among them; empty when it can break none.
  public func keys(with key: String) -> Set<String> { groupOf[key].map { groups[$0] } ?? [] }
}
