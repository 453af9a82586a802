// Divides an event loop's time among users.

/// A priority queue of users by the loop time that each has used: the user with the least is first (virtual-time fair queuing).
///
/// Users with equal times are first in, first out. A user who returns after a pause gets at least the time of the user who was removed last, so that
/// a pause earns no credit.
/// ```swift
/// var users = LeastServedQueue<UserShare>()
/// share.loopTime = users.insert(share, had: share.loopTime)
/// while let next = users.popFirst() { … }
/// ```
struct LeastServedQueue<User> {
  /// The users in descending order of time, so that removing the next one is `removeLast`.
  private var waiting: [(had: Int64, user: User)] = []
  /// The time of the user who was removed last.
  private var level: Int64 = 0

  var isEmpty: Bool { waiting.isEmpty }

  /// - Parameter had: The nanoseconds that the user has used.
  /// - Returns: The nanoseconds to count for the user: `had`, or more after a pause.
  mutating func insert(_ user: User, had: Int64) -> Int64 {
    let had = max(had, level)
    var (low, high) = (0, waiting.count)
    while low < high {
      let middle = (low + high) / 2
      if waiting[middle].had > had { low = middle + 1 } else { high = middle }
    }
    // After the users with the same time, to keep them first in, first out.
    waiting.insert((had, user), at: low)
    return had
  }

  mutating func popFirst() -> User? {
    guard let next = waiting.popLast() else { return nil }
    level = max(level, next.had)
    return next.user
  }
}
