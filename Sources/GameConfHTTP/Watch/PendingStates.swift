// The whole states that watchers of one event loop wait for, and the quota of those that clients have not read.

internal import GameConfServer

/// The watchers that wait for a whole state, fair among users.
struct PendingStates {
  private var queue = FairQueue<UInt32, Watcher>()
  private var unread = Quota<UInt32>()

  /// True if a waiting watcher's state is within the quotas.
  var isSendable: Bool { queue.contains { Self.admits($0, unread) } }

  /// True if the quotas of unread states admit another, for the user and for all.
  private static func admits(_ user: UInt32, _ unread: Quota<UInt32>) -> Bool {
    unread.bound(of: user, userMax: WatchLoop.WatchTiming.stateBytesPerUserMax, max: WatchLoop.WatchTiming.stateBytesMax) == nil
  }

  mutating func append(_ watcher: Watcher) {
    watcher.awaitsState = true
    queue.append(watcher, of: watcher.user)
  }

  /// Removes and returns the next watcher; nil if none waits or the quotas are used up.
  mutating func popFirst() -> Watcher? {
    let watcher = queue.popFirst { [unread] user in Self.admits(user, unread) }
    watcher?.awaitsState = false
    return watcher
  }

  /// Counts the bytes of a state that the client has not read.
  mutating func hold(_ count: Int, for watcher: Watcher) {
    watcher.stateBytes = count
    unread.add(count, of: watcher.user)
  }

  /// Returns the watcher's bytes to the quota.
  /// - Returns: True if there were any and a watcher waits for a state.
  mutating func release(_ watcher: Watcher) -> Bool {
    guard watcher.stateBytes > 0 else { return false }
    unread.add(-watcher.stateBytes, of: watcher.user)
    watcher.stateBytes = 0
    return !queue.isEmpty
  }
}
