// Counts the amounts of a resource that users hold, such as bytes, against a limit for each user and one for all users together.

/// The amounts that users hold of one resource, such as bytes, connections or calls.
///
/// ```swift
/// if let bound = bodies.bound(of: uid, adding: count, userMax: 16 << 20, max: 64 << 20) { return refusal(bound) }
/// bodies.add(count, of: uid)
/// ```
public struct Quota<UserBuckets: Hashable> {
  /// The limit that would be exceeded: the one for each user, or the one for all users together.
  public enum ExceededLimit: Sendable { case user, all }

  /// The amount that all users hold together.
  public private(set) var total = 0
  private var held: [UserBuckets: Int] = [:]

  /// Creates a quota in which every user holds the amount 0.
  public init() {}

  /// The amount that a user holds; 0 for an unknown user.
  public subscript(user: UserBuckets) -> Int { held[user] ?? 0 }

  /// Returns the limit that would be exceeded if a user held this amount more; nil if neither `userMax` nor `max` would be exceeded.
  public func bound(of user: UserBuckets, adding count: Int = 1, userMax: Int, max: Int = .max) -> ExceededLimit? {
    if self[user] + count > userMax { return .user }
    return total + count > max ? .all : nil
  }

  /// Adds to the amount that a user holds; a negative count releases a part of it.
  public mutating func add(_ count: Int = 1, of user: UserBuckets) {
    total += count
    let now = self[user] + count
    held[user] = now == 0 ? nil : now
  }
}
