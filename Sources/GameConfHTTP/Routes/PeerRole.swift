// The rights of a client, decided when it connects.

internal import GameConfAPI

/// The rights of a connected client: its rank, its games, and whether it may push templates.
public struct PeerRole: Sendable, Hashable {
  /// The rank of a client, on which its right to change something depends.
  public enum Rank: Int, Sendable, Hashable, Comparable {
    /// May read, and write what games write.
    case game
    /// May also change everything about a player except forgetting it, and start scenarios that do not cover a whole game.
    case tester
    /// May change everything.
    case admin

    /// Compares ranks by their rights.
    public static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  /// The user id of the client.
  public var uid: UInt32
  /// The process id of the client, as a hint for the audit log.
  public var pid: Int32
  /// The rank, on which the right to change something depends.
  public var rank: Rank
  /// True if the client may push templates.
  public var publishes: Bool
  /// The games that the client may use; nil for all.
  public var games: Set<String>?
  /// True if the client is on the admin socket, the only one that serves secrets.
  public var isOnAdminSocket: Bool

  /// Creates a role; by default it may use all games.
  public init(uid: UInt32, pid: Int32, rank: Rank, publishes: Bool = false, games: Set<String>? = nil, isOnAdminSocket: Bool = false) {
    self.uid = uid
    self.pid = pid
    self.rank = rank
    self.publishes = publishes
    self.games = games
    self.isOnAdminSocket = isOnAdminSocket
  }

  /// The names of the roles; empty for a client that may only read.
  var words: [String] {
    let ranked: [String] =
      switch rank {
      case .game: []
      case .tester: ["tester"]
      case .admin: ["admin"]
      }
    return ranked + (publishes ? ["publisher"] : [])
  }

  /// - Throws: `NOT_PERMITTED` if the rank is lower than the act requires.
  func require(_ rank: Rank, to act: String) throws(Problem) {
    if self.rank >= rank { return }
    throw Problem(
      .notPermitted, "You may not \(act): uid \(uid) lacks the role. Ask an admin to do it, or join the group that the status names.")
  }
}
