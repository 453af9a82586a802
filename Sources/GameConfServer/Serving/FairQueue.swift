// One queue for everything in which users wait for each other: jobs beside the event loops, slices of long work, watchers to be sent a state.

/// A queue in which users take turns, and the elements of one user keep their order.
///
/// A user with one element waits for one element of each other user at most, however many they have.
/// ```swift
/// var queue = FairQueue<UInt32, Job>()
/// queue.append(job, of: uid)
/// while let next = queue.popFirst() { next.run() }
/// ```
/// Appending takes constant time. Taking an element takes time in proportion to the users that wait.
public struct FairQueue<User: Hashable, Element> {
  /// The users that wait, the next one first.
  private var users: [User] = []
  private var waiting: [User: ReusableQueue<Element>] = [:]
  /// The number of elements.
  public private(set) var count = 0

  /// An empty queue.
  public init() {}

  /// True if no element waits.
  public var isEmpty: Bool { users.isEmpty }

  /// The number of a user's elements.
  public func count(of user: User) -> Int { waiting[user]?.count ?? 0 }

  /// True if an element of such a user waits.
  public func contains(where admits: (User) -> Bool) -> Bool { users.contains(where: admits) }

  /// Appends an element behind those of its user.
  public mutating func append(_ element: Element, of user: User) {
    if waiting[user] == nil { users.append(user) }
    waiting[user, default: ReusableQueue()].append(element)
    count += 1
  }

  /// Removes and returns the first element of the next user who is admitted; that user then goes behind all others.
  /// - Parameter admits: False for users who are passed over and keep their place.
  public mutating func popFirst(where admits: (User) -> Bool = { _ in true }) -> Element? {
    guard let place = users.firstIndex(where: admits) else { return nil }
    let user = users.remove(at: place)
    let element = waiting[user]?.popFirst()
    if waiting[user]?.isEmpty == false { users.append(user) } else { waiting[user] = nil }
    count -= 1
    return element
  }
}
