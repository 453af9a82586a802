// The members of an object, in insertion order and with lookup by name.

/// An ordered dictionary of members. Two objects are equal if they have the same members in any order.
///
/// Up to sixteen members are searched linearly, which is faster than hashing for the contexts that games send. A larger object has a hash
/// index.
public struct ObjectValue: Sendable {
  /// A name with a value, as in a JSON object.
  public struct Member: Sendable, Hashable {
    /// The name, unique within its object.
    public let name: String
    /// The value, of any type.
    public var value: Value

    /// Creates a member; its name is not compared with those of other members.
    public init(name: String, value: Value) {
      self.name = name
      self.value = value
    }
  }

  private static let searchedOneByOneMax = 16

  /// The members, in insertion order.
  public private(set) var members: [Member] = []
  private var positions: [String: Int] = [:]

  /// Creates an object without members.
  public init() {}

  /// Creates an object. If a name occurs twice, the last value is used at the position of the first.
  public init(_ members: some Sequence<(String, Value)>) {
    for (name, value) in members { self[name] = value }
  }

  /// Creates an object. If a name occurs twice, the last value is used at the position of the first.
  ///
  /// Most callers have an array. With this separate initializer, their code needs no specialization of the generic one.
  public init(_ members: [(String, Value)]) {
    reserveCapacity(members.count)
    for (name, value) in members {
      if let at = position(of: name) { self.members[at].value = value } else { append(Member(name: name, value: value)) }
    }
  }

  /// The number of the object's own members. Those of nested objects do not count.
  public var count: Int { members.count }

  /// True if the object has no members.
  public var isEmpty: Bool { members.isEmpty }

  /// The names of the members, in insertion order.
  public var names: [String] { members.map(\.name) }

  /// The value of the member with this name. Setting it to nil removes the member.
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

  /// Returns the index in ``members`` of the member with this name; nil if there is no such member.
  public func position(of name: String) -> Int? {
    if members.count > Self.searchedOneByOneMax { return positions[name] }
    for at in members.indices where members[at].name == name { return at }
    return nil
  }

  /// Reserves memory for this many members.
  public mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

  /// Appends a member, unless the object already has one with this name.
  /// - Returns: True if it was appended.
  public mutating func appendIfAbsent(_ name: String, _ value: Value) -> Bool {
    guard members.count > Self.searchedOneByOneMax else {
      guard position(of: name) == nil else { return false }
      append(Member(name: name, value: value))
      return true
    }
    // A single operation on the hash index instead of two. Clients may send large objects, and the request waits for their parsing.
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
  /// True if both objects have the same members, in any order.
  public static func == (left: ObjectValue, right: ObjectValue) -> Bool {
    left.count == right.count && left.members.allSatisfy { right[$0.name] == $0.value }
  }

  /// Hashes the members independently of their order.
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
