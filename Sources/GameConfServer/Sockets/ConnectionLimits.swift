// Counts the open connections of all event loops, in total and by user, against their limits.

internal import GameConfCore
internal import Synchronization

/// A report that a limit of connections is reached and clients are being refused.
package struct LimitReached: Sendable, Hashable {
  /// The code of the refusal, as in HTTP answers.
  package let code: String
  /// The user who reached the limit; nil for a limit of all users.
  package let uid: UInt32?
  /// The limit and its consequence, as a sentence for the log.
  package let words: String
}

/// Counts connections when they are accepted and when they close, under a lock that all event loops share.
final class ConnectionLimits: Sendable {
  enum EntryDecision {
    case admitted
    /// The policy has refused the client, and the connection stays open for the answer that says so.
    case unwanted
    /// The connection is beyond a limit. It gets an answer with this fault, and is then closed.
    case refused(ServerFault)
    /// The connection is closed without an answer, because too many others are being refused.
    case shut
  }

  /// The key of a count of connections. A user's connections count separately on each socket, so that an admin whose games have reached the
  /// limit of one user can still connect.
  private struct ConnectionOwner: Hashable {
    let user: UInt32
    let socket: ServerSocket
  }

  private struct ConnectionCounts {
    var open = Quota<ConnectionOwner?>()
    var refusals = 0
    /// The users whose reached limit was reported, and who still have more than half of it in use.
    var reportedOwners: Set<ConnectionOwner> = []
    var isTotalReported = false
  }

  private let limits: ServerLimits
  private let counts = Mutex(ConnectionCounts())

  let report: @Sendable (LimitReached) -> Void

  /// - Parameter report: Called when a limit is reached; for the same limit again only after the number of connections has fallen to half
  ///   of the limit.
  init(_ limits: ServerLimits, report: @escaping @Sendable (LimitReached) -> Void = { _ in }) {
    self.limits = limits
    self.report = report
  }

  private func most(_ user: UInt32) -> Int { limits.connectionsMax(of: user) }

  /// Counts a new connection, and decides whether it is served, refused with an answer, or closed.
  /// - Parameter isUnwanted: True if the policy has refused the client.
  func enter(_ socket: ServerSocket, user: UInt32?, isUnwanted: Bool) -> EntryDecision {
    var reached: LimitReached?
    defer { if let reached { report(reached) } }
    return counts.withLock { counts in
      var fault: ServerFault?
      let capacity = limits.connectionsMax + (socket.hasReservedMemory ? limits.connectionsReserved : 0)
      if !isUnwanted, counts.open.total >= capacity {
        fault = ServerFault(
          .serverFull, "The server has \(limits.connectionsMax) connections, its limit; close some or try again.", retryAfterSeconds: 1)
        if !counts.isTotalReported {
          counts.isTotalReported = true
          reached = LimitReached(
            code: ProblemCode.serverFull.rawValue, uid: nil,
            words: "\(counts.open.total) connections, the limit: further ones are refused")
        }
      }
      let owner = user.map { ConnectionOwner(user: $0, socket: socket) }
      if !isUnwanted, fault == nil, let owner, counts.open.bound(of: owner, userMax: most(owner.user)) != nil {
        let (user, most) = (owner.user, most(owner.user))
        fault = ServerFault(
          .tooManyConnections, "User \(user) has \(most) connections on the \(socket.name) socket, the limit; close some or reuse them.",
          retryAfterSeconds: 1)
        if counts.reportedOwners.insert(owner).inserted {
          reached = LimitReached(
            code: ProblemCode.tooManyConnections.rawValue, uid: user,
            words: "uid \(user) has \(most) connections on the \(socket.name) socket, the limit: further ones are refused")
        }
      }
      if isUnwanted || fault != nil {
        if counts.refusals >= limits.refusalsMax { return .shut }
        counts.refusals += 1
        return fault.map(EntryDecision.refused) ?? .unwanted
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
      let owner = user.map { ConnectionOwner(user: $0, socket: socket) }
      counts.open.add(-1, of: owner)
      if counts.open.total <= limits.connectionsMax / 2 { counts.isTotalReported = false }
      if let owner, counts.open[owner] <= most(owner.user) / 2 { counts.reportedOwners.remove(owner) }
    }
  }
}
