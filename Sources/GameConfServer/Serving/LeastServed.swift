// The order in which users get an event loop's time.

/// Who has had least comes first, of equals who came first.
///
/// What each has had is the loop's time, as their own account says. Who comes back after a while is put level with whoever is served then: to have asked
/// for nothing gives nobody a claim to more afterwards.
/// ```swift
/// var users = LeastServed<UserShare>()
/// share.loopTime = users.insert(share, had: share.loopTime)
/// while let next = users.popFirst() { … }
/// ```
struct LeastServed<User> {
  /// The next comes last, so that it is cheap to take.
  private var waiting: [(had: Int64, user: User)] = []
  /// What the one had who was taken last.
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
