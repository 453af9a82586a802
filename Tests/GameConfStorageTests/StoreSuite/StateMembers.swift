// The members of the stored state by name, so that a test fails that does not cover a new one.

@testable import GameConfStorage

extension StoredState {
  /// The names of all members.
  static let members = Set(Mirror(reflecting: StoredState()).children.compactMap(\.label))

  /// Returns the names of the members that differ.
  func members(differingFrom other: StoredState) -> Set<String> {
    let pairs = zip(Mirror(reflecting: self).children, Mirror(reflecting: other).children)
    return Set(pairs.compactMap { $0.value as? AnyHashable == $1.value as? AnyHashable ? nil : $0.label })
  }
}
