// Which keys a change of a caller's context can touch, so that a watcher is asked about those alone.

extension ParameterTable {
  /// The keys whose answer can differ between two contexts of a caller, in the catalog's order; every other key answers both the same.
  ///
  /// It goes by the attributes that rules read, through `{parameter}` too. `locale` touches what is localized, `targetingKey` what a player
  /// may have of their own.
  public func keysTouched(from old: ObjectValue, to new: ObjectValue) -> [String] {
    var changed = Set(old.members.filter { member in !(new[member.name].map { $0.isExactly(member.value) } ?? false) }.map(\.name))
    for member in new.members where old.position(of: member.name) == nil { changed.insert(member.name) }
    if changed.isEmpty { return [] }
    var ways: Variation = []
    if changed.contains("locale") { ways.insert(.locale) }
    if changed.contains("targetingKey") { ways.formUnion([.setting, .playerOverride]) }
    return entries.filter { entry in
      !entry.variation.isDisjoint(with: ways) || entry.reads.wholeContext || !entry.reads.attributes.isDisjoint(with: changed)
    }.map(\.parameter.key)
  }
}

extension Value {
  /// Whether no rule can tell the two apart: unlike `==` it keeps 0.0 from -0.0 and texts of other scalars apart, which hash differently.
  public func isExactly(_ other: Value) -> Bool {
    switch (self, other) {
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.string(let left), .string(let right)): ByteText.areSame(left, right)
    case (.list(let left), .list(let right)): left.count == right.count && zip(left, right).allSatisfy { $0.isExactly($1) }
    case (.object(let left), .object(let right)):
      left.count == right.count
        && zip(left.members, right.members).allSatisfy { ByteText.areSame($0.name, $1.name) && $0.value.isExactly($1.value) }
    default: self == other
    }
  }
}
