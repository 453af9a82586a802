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
