// A degradation of a game or of the daemon.

public import GameConfCore

/// A fault of a game or of the daemon, with the instant of its beginning. The affected part continues to serve its former state.
public struct ActiveDegradation: Sendable, Hashable {
  /// The fault's kind, which determines its texts.
  public var kind: DegradationKind
  /// The game; nil for a fault of the daemon as a whole, and in the list of a single game's faults.
  public var game: String?
  /// The instant at which the daemon first saw the fault, by the host's clock.
  public var since: Instant
  /// The details of the fault, one line of text each, such as the names of missing time zones.
  public var details: [String]

  /// Creates a fault of a game; `game` is nil for a fault of the daemon as a whole.
  public init(_ kind: DegradationKind, of game: String? = nil, since: Instant, details: [String]) {
    self.kind = kind
    self.game = game
    self.since = since
    self.details = details
  }
}
