// One count for everything of which each user may hold so much, and all users together so much.

/// The amounts that users hold: bytes, connections, calls.
///
/// ```swift
/// if let bound = bodies.bound(of: uid, adding: count, userMax: 16 << 20, max: 64 << 20) { return refusal(bound) }
/// bodies.add(count, of: uid)
/// ```
public struct Quota<User: Hashable> {
  /// The bound that is reached.
  public enum Bound: Sendable { case user, all }

  /// The amount that all users hold.
  public private(set) var total = 0
  private var held: [User: Int] = [:]

  /// Nothing is held.
  public init() {}

  /// The amount that a user holds.
  public subscript(user: User) -> Int { held[user] ?? 0 }

  /// The bound that a user would pass with so much more; nil if neither.
  public func bound(of user: User, adding count: Int = 1, userMax: Int, max: Int = .max) -> Bound? {
    if self[user] + count > userMax { return .user }
    return total + count > max ? .all : nil
  }

  /// Changes the amount that a user holds; a negative count is released.
  public mutating func add(_ count: Int = 1, of user: User) {
    total += count
    let now = self[user] + count
    held[user] = now == 0 ? nil : now
  }
}
