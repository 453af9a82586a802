// The number of open connections, in all and by user, over every event loop.

internal import GameConfCore
internal import Synchronization

/// Somebody reached a limit and is being refused.
package struct LimitReached: Sendable, Hashable {
  /// The stable code of the refusal.
  package let code: String
  /// The user whose limit it is; nil when it is everybody's.
  package let uid: UInt32?
  /// The refusal, and the remedy.
  package let words: String
}

/// Counts connections on accept and on close, the only places where event loops share a lock.
final class ConnectionLimits: Sendable {
  enum Verdict {
    case admitted
    /// The policy refuses it; there is room to say so.
    case unwanted
    /// To be refused with a message, then closed.
    case refused(ServerFault)
    /// To be closed at once.
    case shut
  }

  /// The owner whose connections are counted together. Each socket counts its own: an admin whose games have taken all that one user may can still
  /// come in.
  private struct Owner: Hashable {
    let user: UInt32
    let socket: ServerSocket
  }

  private struct Counts {
    var open = Quota<Owner?>()
    var refusals = 0
    /// Limits that were reported and are still used to more than half.
    var toldOwners: Set<Owner> = []
    var isTold = false
  }

  private let limits: ServerLimits
  private let counts = Mutex(Counts())

  let tell: @Sendable (LimitReached) -> Void

  /// - Parameter tell: called once for each limit that is reached, and again when it was used to less than half since.
  init(_ limits: ServerLimits, tell: @escaping @Sendable (LimitReached) -> Void = { _ in }) {
    self.limits = limits
    self.tell = tell
  }

  private func most(_ user: UInt32) -> Int { limits.connectionsMax(of: user) }

  /// - Parameter isUnwanted: whether the policy refuses the peer.
  func enter(_ socket: ServerSocket, user: UInt32?, isUnwanted: Bool) -> Verdict {
    var reached: LimitReached?
    defer { if let reached { tell(reached) } }
    return counts.withLock { counts in
      var fault: ServerFault?
      let room = limits.connectionsMax + (socket.hasOwnRoom ? limits.connectionsReserved : 0)
      if !isUnwanted, counts.open.total >= room {
        fault = ServerFault(
          .serverFull, "The server has \(limits.connectionsMax) connections, its limit; close some or try again.", retryAfterSeconds: 1)
        if !counts.isTold {
          counts.isTold = true
          reached = LimitReached(
            code: ProblemCode.serverFull.rawValue, uid: nil,
            words: "\(counts.open.total) connections, the limit: further ones are refused")
        }
      }
      let owner = user.map { Owner(user: $0, socket: socket) }
      if !isUnwanted, fault == nil, let owner, counts.open.bound(of: owner, userMax: most(owner.user)) != nil {
        let (user, most) = (owner.user, most(owner.user))
        fault = ServerFault(
          .tooManyConnections, "User \(user) has \(most) connections on the \(socket.name) socket, the limit; close some or reuse them.",
          retryAfterSeconds: 1)
        if counts.toldOwners.insert(owner).inserted {
          reached = LimitReached(
            code: ProblemCode.tooManyConnections.rawValue, uid: user,
            words: "uid \(user) has \(most) connections on the \(socket.name) socket, the limit: further ones are refused")
        }
      }
      if isUnwanted || fault != nil {
        if counts.refusals >= limits.refusalsMax { return .shut }
        counts.refusals += 1
        return fault.map(Verdict.refused) ?? .unwanted
      }
      counts.open.add(of: owner)
      return .admitted
    }
  }

  func leave(_ socket: ServerSocket, user: UInt32?, wasRefused: Bool) {
    counts.withLock { counts in
      if wasRefused {
        counts.refusals -= 1
        return
      }
      let owner = user.map { Owner(user: $0, socket: socket) }
      counts.open.add(-1, of: owner)
      if counts.open.total <= limits.connectionsMax / 2 { counts.isTold = false }
      if let owner, counts.open[owner] <= most(owner.user) / 2 { counts.toldOwners.remove(owner) }
    }
  }
}
