// The state of a game from which its snapshot is made, beside its table.

public import GameConfCore
public import GameConfStorage

/// The state of a game that its snapshot shows.
///
/// A snapshot is made of one, and copied with one changed: what is added here is in every snapshot.
public struct GameState: Sendable {
  /// All overrides.
  public var overrides = OverrideIndex()
  /// The game's revision; rises with every change and never repeats.
  public var revision: Int64
  /// The game's simulated clock; the host's own unless it was set.
  public var clock = SimulatedClock.host
  /// The template in force; nil when there is none.
  public var template: ActiveTemplate?
  /// A version of the template that is to come into force later; nil when none is.
  public var scheduledTemplate: TemplateActivation?
  /// The faults of the game, if any; it is served all the same.
  public var degraded: [Degradation] = []
  /// The warnings of the catalog's reader, which do not refuse it.
  public var warnings: [String] = []

  /// A game of which nothing is stored but a revision.
  public init(revision: Int64) { self.revision = revision }

  /// Takes what is stored of a game. The revision has rules of its own, and the template is compiled for the catalog: neither is taken.
  mutating func take(_ stored: StoredState, of game: String) {
    overrides = stored.overrides(of: game)
    clock = stored.clocks[game] ?? .host
    scheduledTemplate = stored.activations[game]
  }

  /// The game-wide layers of a key in this state.
  func layers(at key: String, revision: Int64) -> GameLayers {
    GameLayers(
      override: overrides.game[key]?.inForce?.value, remote: template?.template.layers[key],
      hasPlayerOverrides: overrides.hasPlayerValue(at: key), revision: revision)
  }
}
