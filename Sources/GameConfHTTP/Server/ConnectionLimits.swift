// How many connections are open, in all and by user, over every event loop.

internal import GameConfAPI
internal import Synchronization

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
  }

  private let limits: ServerLimits
  private let counts = Mutex(Counts())

  init(_ limits: ServerLimits) { self.limits = limits }

  /// - Parameter refusal: why the policy refuses the peer, if it does.
  func enter(_ kind: SocketKind, user: UInt32?, refusal: Problem?) -> Verdict {
    counts.withLock { counts in
      var problem = refusal
      let room = limits.connectionsMax + (kind == .admin ? limits.adminConnectionsReserved : 0)
      if problem == nil, counts.open >= room {
        problem = Problem(
          .serverFull, "The server has \(limits.connectionsMax) connections, its limit; close some or try again.", retryAfterSeconds: 1)
      }
      if problem == nil, let user, counts.byUser[user, default: 0] >= limits.connectionsPerUserMax {
        problem = Problem(
          .tooManyConnections, "User \(user) has \(limits.connectionsPerUserMax) connections, the limit; close some or reuse them.",
          retryAfterSeconds: 1)
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
      guard let user, let left = counts.byUser[user] else { return }
      counts.byUser[user] = left > 1 ? left - 1 : nil
    }
  }
}
