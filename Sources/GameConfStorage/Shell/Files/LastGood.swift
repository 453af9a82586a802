// The port that stores the last good state beside the database, to serve it if the database is lost.
public import GameConfCore

/// The state to serve if the database is lost.
public struct LastGoodState: Sendable, Hashable {
  /// The fleet of the store; nil if the store belonged to one host.
  public var fleet: String?
  /// The instant of the save by the host's clock.
  public var savedAt: Instant
  /// The stored state. After loading, it has the games' revisions, the highest player revision, overrides, templates and clocks.
  public var state: StoredState

  /// Creates the state of a single host's store, by default an empty one.
  public init(savedAt: Instant = Instant(milliseconds: 0), state: StoredState = StoredState()) {
    self.savedAt = savedAt
    self.state = state
  }
}

/// Stores one ``LastGoodState``, replaced as a whole.
public protocol LastGood: Sendable {
  /// Returns the last stored state; nil if none was ever stored.
  /// - Throws: `.damaged` if the stored state cannot be read; the file is not removed.
  func load() throws(StateFault) -> LastGoodState?
  /// Replaces the stored state atomically.
  func store(_ state: LastGoodState) throws(StateFault)
}
