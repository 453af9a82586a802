// The memory quota of the plays that watchers refer to.

internal import GameConfAPI
internal import GameConfEngine
internal import Synchronization

/// Counts, for each user, the bytes of plays that the user's watchers have in memory. Plays with equal values count once.
final class WatchedPlayMemory: Sendable {
  /// The maximum total size of the plays of one user's watchers: 16 MiB.
  static let userBytesMax = 16 << 20

  private struct State {
    var bytes = 0
    /// The number of watchers of a play, by the digest of the play's values.
    var watchers: [String: Int] = [:]
  }

  private let users = Mutex<[UInt32: State]>([:])

  /// The problem for a user whose watchers have used up the memory quota of plays.
  static let full = Problem(
    .rateLimited, "The plays of this user's watchers have reached their limit: \(userBytesMax) bytes. Close some watchers first.")

  /// True if the user's quota has capacity for a watcher of this play.
  func hasCapacity(for play: PinnedPlay, of user: UInt32) -> Bool {
    users.withLock { users in
      guard let held = users[user], held.watchers[play.play.digest] == nil else { return true }
      return held.bytes + play.play.bytesCount <= Self.userBytesMax
    }
  }

  /// Counts a new watcher of a play.
  func enter(_ play: PinnedPlay, of user: UInt32) {
    users.withLock { users in
      if users[user]?.watchers[play.play.digest] == nil { users[user, default: State()].bytes += play.play.bytesCount }
      users[user, default: State()].watchers[play.play.digest, default: 0] += 1
    }
  }

  /// Removes a watcher of a play from the user's count.
  func leave(_ play: PinnedPlay, of user: UInt32) {
    users.withLock { users in
      guard var held = users[user], let count = held.watchers[play.play.digest] else { return }
      held.watchers[play.play.digest] = count > 1 ? count - 1 : nil
      if count == 1 { held.bytes -= play.play.bytesCount }
      users[user] = held.watchers.isEmpty ? nil : held
    }
  }
}
