// The order in which users get an event loop's time.

/// A queue of users by the event loop's time that each has used; the user with the least comes first.
///
/// Of users with equal times the one that came first is taken. A user who returns after a pause is set to the time of the user who was taken last:
/// a pause gives no claim to more time afterwards.
/// ```swift
/// var users = LeastServedQueue<UserShare>()
/// share.loopTime = users.insert(share, had: share.loopTime)
/// while let next = users.popFirst() { … }
/// ```
struct LeastServedQueue<User> {
  /// The next user is last, which makes taking it cheap.
  private var waiting: [(had: Int64, user: User)] = []
  /// The time of the user who was taken last.
  private var level: Int64 = 0

  var isEmpty: Bool { waiting.isEmpty }

  /// - Parameter had: nanoseconds that the user has had.
  /// - Returns: what the user counts as having had from now on.
  mutating func insert(_ user: User, had: Int64) -> Int64 {
    let had = max(had, level)
    var (low, high) = (0, waiting.count)
    while low < high {
      let middle = (low + high) / 2
      if waiting[middle].had > had { low = middle + 1 } else { high = middle }
    }
    // Behind those who have had as much.
    waiting.insert((had, user), at: low)
    return had
  }

  mutating func popFirst() -> User? {
    guard let next = waiting.popLast() else { return nil }
    level = max(level, next.had)
    return next.user
  }
}
