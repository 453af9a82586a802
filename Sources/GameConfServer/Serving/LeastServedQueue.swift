// Divides an event loop's time among users.

/// A priority queue of users. The user who has used the least time of the event loop is first (virtual-time fair queuing).
///
/// Users with equal times are first in, first out. For a user who returns after a pause, the used time is raised to at least that of the
/// last removed user, so that a pause earns no credit.
/// ```swift
/// var users = LeastServedQueue<UserShare>()
/// share.loopTime = users.insert(share, had: share.loopTime)
/// while let next = users.popFirst() { … }
/// ```
struct LeastServedQueue<UserBuckets> {
  /// The users in descending order of used time, so that the next user is removed in constant time from the end.
  private var waiting: [(had: Int64, user: UserBuckets)] = []
  /// The highest used time of the users who were removed so far.
  private var level: Int64 = 0

  var isEmpty: Bool { waiting.isEmpty }

  /// - Parameter had: The nanoseconds of the event loop's time that the user has used.
  /// - Returns: The nanoseconds that count as used from now on: `had`, or more after a pause.
  mutating func insert(_ user: UserBuckets, had: Int64) -> Int64 {
    let had = max(had, level)
    var (low, high) = (0, waiting.count)
    while low < high {
      let middle = (low + high) / 2
      if waiting[middle].had > had { low = middle + 1 } else { high = middle }
    }
    // The array is in descending order, so this index puts the user behind others with the same time (first in, first out).
    waiting.insert((had, user), at: low)
    return had
  }

  mutating func popFirst() -> UserBuckets? {
    guard let next = waiting.popLast() else { return nil }
    level = max(level, next.had)
    return next.user
  }
}
