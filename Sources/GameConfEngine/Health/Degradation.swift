// One thing that is wrong now.

public import GameConfCore

/// Something that is wrong and since when; what it touches goes on as it was.
public struct Degradation: Sendable, Hashable {
  /// The kind.
  public var kind: DegradationKind
  /// The game; nil for the daemon as a whole, and where the game holds it.
  public var game: String?
  /// The instant when it was first seen, by the host's clock.
  public var since: Instant
  /// The details, a line each.
  public var details: [String]

  /// Something wrong.
  public init(_ kind: DegradationKind, of game: String? = nil, since: Instant, details: [String]) {
    self.kind = kind
    self.game = game
    self.since = since
    self.details = details
  }
}
