// The state of a shared store and of its hosts, as one daemon sees it.
public import GameConfCore

/// The state of a store that several hosts share, as one of them sees it.
public struct StoreFleet: Sendable, Hashable {
  /// A daemon that uses the store.
  public struct Host: Sendable, Hashable {
    /// The name of the host's daemon, which is unique in the fleet.
    public var name: String
    /// The instant when the host last updated its row in the database, by the database's clock.
    public var seenAt: Instant
    /// The version of gameconfd on the host.
    public var release: String
    /// The difference of the host's clock from the database's in milliseconds; negative if the host's clock is behind.
    public var aheadMilliseconds: Int64

    /// Creates a host from the row by which it reports to the other hosts.
    public init(name: String, seenAt: Instant, release: String, aheadMilliseconds: Int64) {
      self.name = name
      self.seenAt = seenAt
      self.release = release
      self.aheadMilliseconds = aheadMilliseconds
    }
  }

  /// The database's name; empty if unknown.
  public var database = ""
  /// The name of the schema with the tables.
  public var schema: String
  /// The PostgreSQL role under which this daemon connects.
  public var role = ""
  /// The version of the database server, such as `16.4`.
  public var server = ""
  /// The setting of `synchronous_commit`; below `on`, an acknowledged commit may be lost.
  public var durability = ""
  /// The number of standbys; nil if the server does not report it.
  public var standbysCount: Int64?
  /// The highest lag of a standby in ms; nil if the server does not report it.
  public var lagMilliseconds: Int64?
  /// The duration of the last poll of the database, in ms.
  public var lookMilliseconds: Int64 = 0
  /// The instant when this daemon last received an announcement of a change, by any daemon; nil before the first.
  public var announcedAt: Instant?
  /// The number of this daemon's connections.
  public var connectionsCount = 0
  /// The difference of this host's clock from the database's in milliseconds; nil while unknown.
  public var aheadMilliseconds: Int64?
  /// Every daemon that uses the store, by name.
  public var hosts: [Host] = []

  /// The clock difference from which a host is reported: 1 s.
  public static let aheadMillisecondsMax: Int64 = 1_000

  /// Creates the state before the first poll of the database.
  public init(schema: String) { self.schema = schema }
}
