// The port that keeps, beside the store, what the daemon must serve when the store is lost.
public import GameConfCore

/// The state that is served when the store is lost.
public struct LastGoodState: Sendable, Hashable {
  /// The fleet in whose store it was; nil where the store was one host's own.
  public var fleet: String?
  /// The instant when it was written, by the host's clock.
  public var savedAt: Instant
  /// The state. What is read back has the games' revisions, the highest revision of a player, overrides, templates and clocks.
  public var state: StoredState

  /// A state.
  public init(savedAt: Instant = Instant(milliseconds: 0), state: StoredState = StoredState()) {
    self.savedAt = savedAt
    self.state = state
  }
}

/// Keeps one ``LastGoodState``, replaced as a whole.
public protocol LastGood: Sendable {
  /// The state that was stored last; nil when none ever was.
  /// - Throws: `.damaged` when what is there cannot be read; it is left where it is.
  func load() throws(StateFault) -> LastGoodState?
  /// Replaces what is kept; after a crash either the old or the new one is there.
  func store(_ state: LastGoodState) throws(StateFault)
}
