// The port that keeps, beside the store, what the daemon must serve when the store is lost.
public import GameConfCore

/// What is served when the store is lost: revisions and overrides of every game.
public struct LastGoodState: Sendable, Hashable {
  /// The fleet in whose store it was; nil where the store was one host's own.
  public var fleet: String?
  /// When it was written, by the host's clock.
  public var savedAt: Instant
  /// The last revision of each game.
  public var revisions: [String: Int64]
  /// The highest revision of any player.
  public var playerRevisionMax: Int64
  /// Every override, in the order of ``OverrideSlot``; the standing one of a slot before its windows.
  public var overrides: [OverrideRecord]
  /// The template in force of each game, as its document and what is known about it.
  public var templates: [String: Value]
  /// The clock of each game that was ever set, so that simulated time does not step back.
  public var clocks: [String: SimulatedClock]

  /// A state; nothing is known unless said.
  public init(
    savedAt: Instant = Instant(milliseconds: 0), revisions: [String: Int64] = [:], playerRevisionMax: Int64 = 0,
    overrides: [OverrideRecord] = [], templates: [String: Value] = [:], clocks: [String: SimulatedClock] = [:]
  ) {
    self.savedAt = savedAt
    self.revisions = revisions
    self.playerRevisionMax = playerRevisionMax
    self.overrides = overrides
    self.templates = templates
    self.clocks = clocks
  }
}

/// Keeps one ``LastGoodState``, replaced as a whole.
public protocol LastGood: Sendable {
  /// What was kept last; nil when nothing ever was.
  /// - Throws: `.damaged` when what is there cannot be read; it is left where it is.
  func load() throws(StateFault) -> LastGoodState?
  /// Replaces what is kept; after a crash either the old or the new one is there.
  func store(_ state: LastGoodState) throws(StateFault)
}
