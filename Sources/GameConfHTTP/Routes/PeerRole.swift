// The rights of a client, which are decided when it connects.

internal import GameConfAPI

/// The rights of a connected client: its rank, the games that it may use, and whether it may push templates.
public struct PeerRole: Sendable, Hashable {
  /// The rank of a client, which limits the changes that it may make.
  public enum Rank: Int, Sendable, Hashable, Comparable {
    /// May read values, and write what games write, such as events.
    case game
    /// Also may change everything about a player except deletion, and start scenarios that do not cover a whole game.
    case tester
    /// May make every change.
    case admin

    /// True if the left rank has fewer rights than the right one.
    public static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  /// The uid of the client's user.
  public var uid: UInt32
  /// The process id of the client, as a hint for the audit log.
  public var pid: Int32
  /// The client's rank, which limits the changes that it may make.
  public var rank: Rank
  /// True if the client may push templates.
  public var publishes: Bool
  /// The games that the client may use; nil for all games.
  public var games: Set<String>?
  /// True if the client is connected to the admin socket. Only this socket serves secrets.
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

  /// The names of the client's roles, such as `tester`; empty if the client may only read.
  var words: [String] {
    let ranked: [String] =
      switch rank {
      case .game: []
      case .tester: ["tester"]
      case .admin: ["admin"]
      }
    return ranked + (publishes ? ["publisher"] : [])
  }

  /// - Throws: `NOT_PERMITTED` if the client's rank is lower than the act requires.
  func require(_ rank: Rank, to act: String) throws(Problem) {
    if self.rank >= rank { return }
    throw Problem(
      .notPermitted, "You may not \(act): uid \(uid) lacks the role. Ask an admin to do it, or join the group that the status names.")
  }
}
