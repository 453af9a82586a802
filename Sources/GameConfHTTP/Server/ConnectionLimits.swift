// How many connections are open, in all and by user, over every event loop.

internal import GameConfAPI
internal import Synchronization

/// Somebody reached a limit and is being refused.
public struct LimitReached: Sendable, Hashable {
  /// The stable code of the refusal.
  public let code: String
  /// Whose limit it is; nil when it is everybody's.
  public let uid: UInt32?
  /// What is refused and what to do.
  public let words: String
}

/// Counts connections on accept and on close, the only places where event loops share a lock.
final class ConnectionLimits: Sendable {
  enum Verdict {
    case admitted
    /// To be told so, then closed.
    case refused(Problem)
    /// To be closed at once.
    case shut
  }

  private struct Counts {
    var open = 0
    var refusals = 0
    var byUser: [UInt32: Int] = [:]
    /// Limits that were told of and are still used to more than half.
    var toldUsers: Set<UInt32> = []
    var isTold = false
  }

  private let limits: ServerLimits
  private let counts = Mutex(Counts())

  private let tell: @Sendable (LimitReached) -> Void

  /// - Parameter tell: is told once of each limit that is reached, and again when it was used to less than half since.
  init(_ limits: ServerLimits, tell: @escaping @Sendable (LimitReached) -> Void = { _ in }) {
    self.limits = limits
    self.tell = tell
  }

  /// - Parameter refusal: why the policy refuses the peer, if it does.
  func enter(_ kind: SocketKind, user: UInt32?, refusal: Problem?) -> Verdict {
    var reached: LimitReached?
    defer { if let reached { tell(reached) } }
    return counts.withLock { counts in
      var problem = refusal
      let room = limits.connectionsMax + (kind == .admin ? limits.adminConnectionsReserved : 0)
      if problem == nil, counts.open >= room {
        problem = Problem(
          .serverFull, "The server has \(limits.connectionsMax) connections, its limit; close some or try again.", retryAfterSeconds: 1)
        if !counts.isTold {
          counts.isTold = true
          reached = LimitReached(
            code: ProblemCode.serverFull.rawValue, uid: nil, words: "\(counts.open) connections, the limit: more are refused")
        }
      }
      if problem == nil, let user, counts.byUser[user, default: 0] >= limits.connectionsPerUserMax {
        problem = Problem(
          .tooManyConnections, "User \(user) has \(limits.connectionsPerUserMax) connections, the limit; close some or reuse them.",
          retryAfterSeconds: 1)
        if counts.toldUsers.insert(user).inserted {
          reached = LimitReached(
            code: ProblemCode.tooManyConnections.rawValue, uid: user,
            words: "uid \(user) has \(limits.connectionsPerUserMax) connections, the limit: more are refused")
        }
      }
      if let problem {
        if counts.refusals >= limits.refusalsMax { return .shut }
        counts.refusals += 1
        return .refused(problem)
      }
      counts.open += 1
      if let user { counts.byUser[user, default: 0] += 1 }
      return .admitted
    }
  }

  func leave(user: UInt32?, wasRefused: Bool) {
    counts.withLock { counts in
      if wasRefused {
        counts.refusals -= 1
        return
      }
      counts.open -= 1
      if counts.open <= limits.connectionsMax / 2 { counts.isTold = false }
      guard let user, let left = counts.byUser[user] else { return }
      counts.byUser[user] = left > 1 ? left - 1 : nil
      if left - 1 <= limits.connectionsPerUserMax / 2 { counts.toldUsers.remove(user) }
    }
  }
}
