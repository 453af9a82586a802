// The rights of a peer, decided when it connects.

internal import GameConfAPI

/// The rights of the other end of a connection.
public struct PeerRole: Sendable, Hashable {
  /// The ranks of peers by what they may change.
  public enum Rank: Int, Sendable, Hashable, Comparable {
    /// Reads, and what games may write.
    case game
    /// Also everything under a player except forgetting it, and scenarios that are not for a whole game.
    case tester
    /// Everything.
    case admin

    /// By how much they may change.
    public static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  /// The user at the other end.
  public var uid: UInt32
  /// Its process, as a hint for the audit log.
  public var pid: Int32
  /// The rank of the peer.
  public var rank: Rank
  /// True if it may push templates.
  public var publishes: Bool
  /// The games it may ask for; nil for all.
  public var games: Set<String>?
  /// True if the peer is on the admin socket. Secrets are on no other socket.
  public var isOnAdminSocket: Bool

  /// A role.
  public init(uid: UInt32, pid: Int32, rank: Rank, publishes: Bool = false, games: Set<String>? = nil, isOnAdminSocket: Bool = false) {
    self.uid = uid
    self.pid = pid
    self.rank = rank
    self.publishes = publishes
    self.games = games
    self.isOnAdminSocket = isOnAdminSocket
  }

  /// The roles by name; none for a peer that may only read.
  var words: [String] {
    let ranked: [String] =
      switch rank {
      case .game: []
      case .tester: ["tester"]
      case .admin: ["admin"]
      }
    return ranked + (publishes ? ["publisher"] : [])
  }

  /// - Throws: `NOT_PERMITTED` when the rank is not enough for what is to be done.
  func require(_ rank: Rank, to act: String) throws(Problem) {
    if self.rank >= rank { return }
    throw Problem(
      .notPermitted, "You may not \(act): uid \(uid) lacks the role. Ask an admin to do it, or join the group that the status names.")
  }
}
