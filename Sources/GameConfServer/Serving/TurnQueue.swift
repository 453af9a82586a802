// Who is served next: users take turns, and the connections of a user among themselves.

/// A queue whose memory is used again.
struct Line<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == elements.count }
  var count: Int { elements.count - head }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    if isEmpty { return nil }
    let first = elements[head]
    elements[head] = nil
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: elements.count <= 1_024)
      head = 0
    } else if head >= 1_024, head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return first
  }
}

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

/// Turns of users: whoever has fewest waiting waits no longer for it than for one turn of each other user.
struct TurnQueue<User: Hashable, Turn> {
  private var users = Line<User>()
  private var waiting: [User: Line<Turn>] = [:]

  var isEmpty: Bool { users.isEmpty }

  mutating func append(_ turn: Turn, of user: User) {
    if waiting[user, default: Line()].isEmpty { users.append(user) }
    waiting[user, default: Line()].append(turn)
  }

  /// The next turn; its user goes behind all others.
  mutating func popFirst() -> Turn? {
    guard let user = users.popFirst() else { return nil }
    let turn = waiting[user]?.popFirst()
    if waiting[user]?.isEmpty == false { users.append(user) } else { waiting[user] = nil }
    return turn
  }
}
