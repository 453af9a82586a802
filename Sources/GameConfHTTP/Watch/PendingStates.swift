// The watchers of one event loop that wait for a whole state, and the quota of states that clients have not read.

internal import GameConfServer

/// The queue of watchers that wait for a whole state, fair among users.
struct PendingStates {
  private var queue = FairQueue<UInt32, Watcher>()
  private var unread = Quota<UInt32>()

  /// True if a watcher waits, and neither its user nor all users together have used up the quota of unread bytes.
  var isSendable: Bool { queue.contains { Self.admits($0, unread) } }

  /// True if neither the user nor all users together have used up the quota of unread bytes.
  private static func admits(_ user: UInt32, _ unread: Quota<UInt32>) -> Bool {
    unread.bound(of: user, userMax: WatchLoop.WatchTiming.stateBytesPerUserMax, max: WatchLoop.WatchTiming.stateBytesMax) == nil
  }

  mutating func append(_ watcher: Watcher) {
    watcher.awaitsState = true
    queue.append(watcher, of: watcher.user)
  }

  /// Removes and returns the next watcher; nil if no watcher waits or the quotas are used up.
  mutating func popFirst() -> Watcher? {
    let watcher = queue.popFirst { [unread] user in Self.admits(user, unread) }
    watcher?.awaitsState = false
    return watcher
  }

  /// Counts the bytes of a state that was sent to a watcher as unread. ``release(_:)`` ends that.
  mutating func hold(_ count: Int, for watcher: Watcher) {
    watcher.stateBytes = count
    unread.add(count, of: watcher.user)
  }

  /// Removes a watcher's bytes from the count, because its client has read them or is disconnected.
  /// - Returns: True if the watcher had such bytes and another watcher waits for a state.
  mutating func release(_ watcher: Watcher) -> Bool {
    guard watcher.stateBytes > 0 else { return false }
    unread.add(-watcher.stateBytes, of: watcher.user)
    watcher.stateBytes = 0
    return !queue.isEmpty
  }
}
