// A daemon's knowledge of the others that share its database.
public import GameConfCore

/// A store that several hosts share, as one of them sees it.
public struct StoreFleet: Sendable, Hashable {
  /// A daemon that uses the store.
  public struct Host: Sendable, Hashable {
    /// The name by which it is known.
    public var name: String
    /// The instant when it was there last, by the database's clock.
    public var seenAt: Instant
    /// Its release.
    public var release: String
    /// By how many milliseconds its clock is ahead of the database's; negative when behind.
    public var aheadMilliseconds: Int64

    /// A host.
    public init(name: String, seenAt: Instant, release: String, aheadMilliseconds: Int64) {
      self.name = name
      self.seenAt = seenAt
      self.release = release
      self.aheadMilliseconds = aheadMilliseconds
    }
  }

  /// The database's name.
  public var database = ""
  /// The schema.
  public var schema: String
  /// The role that this daemon is to the server.
  public var role = ""
  /// The server's version.
  public var server = ""
  /// The setting of `synchronous_commit`; below `on` a commit that was acknowledged may be lost.
  public var durability = ""
  /// The number of standbys that the server feeds; nil where it does not say.
  public var standbysCount: Int64?
  /// The lag of the last of them, in ms; nil where the server does not say.
  public var lagMilliseconds: Int64?
  /// The time that the newest look at the database took, in ms.
  public var lookMilliseconds: Int64 = 0
  /// The instant when another daemon, or this one, announced a change last.
  public var announcedAt: Instant?
  /// The number of connections that this daemon has.
  public var connectionsCount = 0
  /// By how many milliseconds this host's clock is ahead of the database's; nil while that is not known.
  public var aheadMilliseconds: Int64?
  /// Every daemon that uses the store, by name.
  public var hosts: [Host] = []

  /// The greatest difference of a host's clock before it is named: 1 s.
  public static let aheadMillisecondsMax: Int64 = 1_000

  /// A fleet of which nothing is known yet.
  public init(schema: String) { self.schema = schema }
}
