// A queue that is fair among users. It is used for jobs on other threads, slices of long work, and watchers to notify.

/// A queue that takes elements of its users one after another (round robin). The elements of one user keep their order.
///
/// The only element of a user waits for at most one element of each other user.
/// ```swift
/// var queue = FairQueue<UInt32, Job>()
/// queue.append(job, of: uid)
/// while let next = queue.popFirst() { next.run() }
/// ```
/// Appending takes constant time. Removing takes time in proportion to the number of waiting users.
public struct FairQueue<UserBuckets: Hashable, Element> {
  /// The users with elements in the queue. The first element to remove belongs to the first user.
  private var users: [UserBuckets] = []
  private var waiting: [UserBuckets: ReusableQueue<Element>] = [:]
  /// The number of elements of all users together.
  public private(set) var count = 0

  /// Creates an empty queue.
  public init() {}

  /// True if no user has an element; takes constant time.
  public var isEmpty: Bool { users.isEmpty }

  /// Returns the number of a user's elements in the queue; 0 for an unknown user.
  public func count(of user: UserBuckets) -> Int { waiting[user]?.count ?? 0 }

  /// True if a user for whom `admits` is true has an element.
  public func contains(where admits: (UserBuckets) -> Bool) -> Bool { users.contains(where: admits) }

  /// Appends an element behind the user's other elements.
  public mutating func append(_ element: Element, of user: UserBuckets) {
    if waiting[user] == nil { users.append(user) }
    waiting[user, default: ReusableQueue()].append(element)
    count += 1
  }

  /// Removes and returns the first element of the next admitted user, who then moves behind all others.
  /// - Parameter admits: Returns false for a user to skip, whose place in the order stays.
  public mutating func popFirst(where admits: (UserBuckets) -> Bool = { _ in true }) -> Element? {
    guard let place = users.firstIndex(where: admits) else { return nil }
    let user = users.remove(at: place)
    let element = waiting[user]?.popFirst()
    if waiting[user]?.isEmpty == false { users.append(user) } else { waiting[user] = nil }
    count -= 1
    return element
  }
}
