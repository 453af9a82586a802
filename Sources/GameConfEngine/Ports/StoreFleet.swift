// What a daemon knows of the others that share its database.
public import GameConfCore

/// A store that several hosts share, as one of them sees it.
public struct StoreFleet: Sendable, Hashable {
  /// A daemon that uses the store.
  public struct Host: Sendable, Hashable {
    /// By what it is known.
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
  /// What `synchronous_commit` is set to; below `on` a commit that was acknowledged may be lost.
  public var durability = ""
  /// The number of standbys the server feeds; nil where it does not say.
  public var standbysCount: Int64?
  /// How far the last of them is behind, in ms; nil where the server does not say.
  public var lagMilliseconds: Int64?
  /// The time that the newest look at the database took, in ms.
  public var lookMilliseconds: Int64 = 0
  /// The instant when another daemon, or this one, announced a change last.
  public var announcedAt: Instant?
  /// The number of connections this daemon has.
  public var connectionsCount = 0
  /// By how many milliseconds this host's clock is ahead of the database's; nil while that is not known.
  public var aheadMilliseconds: Int64?
  /// Every daemon that uses the store, by name.
  public var hosts: [Host] = []

  /// How far a host's clock may be off before it is named: 1 s.
  public static let aheadMillisecondsMax: Int64 = 1_000

  /// A fleet of which nothing is known yet.
  public init(schema: String) { self.schema = schema }
}
