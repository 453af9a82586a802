// The members of an object: in the order they were written, found by name.

/// Members by name, kept in the order they were added; equal when they hold the same members in any order.
///
/// Up to sixteen members are searched one by one, which is faster than hashing for the contexts games send; more are found through an index.
public struct ObjectValue: Sendable {
  /// One member.
  public struct Member: Sendable, Hashable {
    /// The member's name.
    public let name: String
    /// The member's value.
    public var value: Value

    /// A member.
    public init(name: String, value: Value) {
      self.name = name
      self.value = value
    }
  }

  private static let searchedOneByOneMax = 16

  /// The members, in the order they were added.
  public private(set) var members: [Member] = []
  private var positions: [String: Int] = [:]

  /// An object without members.
  public init() {}

  /// An object of these members; of equal names the last value counts, at the first one's place.
  public init(_ members: some Sequence<(String, Value)>) {
    for (name, value) in members { self[name] = value }
  }

  /// An object of these members; of equal names the last value counts, at the first one's place.
  ///
  /// The same as for any sequence, in a form that the compiler need not specialize: most objects are made this way.
  public init(_ members: [(String, Value)]) {
    reserveCapacity(members.count)
    for (name, value) in members {
      if let at = position(of: name) { self.members[at].value = value } else { append(Member(name: name, value: value)) }
    }
  }

  /// The number of members there are.
  public var count: Int { members.count }

  /// True if there are none.
  public var isEmpty: Bool { members.isEmpty }

  /// The names, in order.
  public var names: [String] { members.map(\.name) }

  /// The value of that name; setting nil removes the member.
  public subscript(name: String) -> Value? {
    get { position(of: name).map { members[$0].value } }
    set {
      switch (position(of: name), newValue) {
      case (let at?, let value?): members[at].value = value
      case (nil, let value?): append(Member(name: name, value: value))
      case (let at?, nil): remove(at: at)
      case (nil, nil): break
      }
    }
  }

  /// The position of the member of that name in ``members``.
  public func position(of name: String) -> Int? {
    if members.count > Self.searchedOneByOneMax { return positions[name] }
    for at in members.indices where members[at].name == name { return at }
    return nil
  }

  /// Makes room for so many members.
  public mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

  /// Adds a member at the end unless one of that name is there.
  /// - Returns: whether it was added.
  public mutating func appendIfAbsent(_ name: String, _ value: Value) -> Bool {
    guard members.count > Self.searchedOneByOneMax else {
      guard position(of: name) == nil else { return false }
      append(Member(name: name, value: value))
      return true
    }
    // One look at the index instead of two: large objects come from strangers and are read on the request's path.
    if let taken = positions.updateValue(members.count, forKey: name) {
      positions[name] = taken
      return false
    }
    members.append(Member(name: name, value: value))
    return true
  }

  private mutating func append(_ member: Member) {
    members.append(member)
    if members.count == Self.searchedOneByOneMax + 1 {
      reindex()
    } else if members.count > Self.searchedOneByOneMax {
      positions[member.name] = members.count - 1
    }
  }

  private mutating func remove(at index: Int) {
    members.remove(at: index)
    reindex()
  }

  private mutating func reindex() {
    positions.removeAll()
    guard members.count > Self.searchedOneByOneMax else { return }
    positions.reserveCapacity(members.count * 2)
    for at in members.indices { positions[members[at].name] = at }
  }
}

extension ObjectValue: Hashable {
  /// True if both hold the same members, in any order.
  public static func == (left: ObjectValue, right: ObjectValue) -> Bool {
    left.count == right.count && left.members.allSatisfy { right[$0.name] == $0.value }
  }

  /// Hashes the members without their order.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    var sum = 0
    for member in members {
      var each = Hasher()
      each.combine(member)
      sum &+= each.finalize()
    }
    hasher.combine(sum)
  }
}
