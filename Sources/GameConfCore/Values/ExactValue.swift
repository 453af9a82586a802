// The exact comparison of values, which decides whether watchers are notified of a change.

extension Value {
  /// True if no rule can distinguish the two values.
  ///
  /// Unlike `==`, it distinguishes 0.0 from -0.0, and texts that are canonically equivalent but have different bytes, because they hash
  /// differently.
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
