// The state of a game from which its snapshot's table is computed.

public import GameConfCore
public import GameConfStorage

/// The state of a game in its snapshot.
///
/// A snapshot is created from a state, and copied with a changed state. A member that is added to this type is therefore in every snapshot.
public struct GameState: Sendable, Hashable {
  /// The game-wide and the players' overrides.
  public var overrides = OverrideIndex()
  /// The game's revision, which rises with every change and never repeats.
  public var revision: Int64
  /// The game's simulated clock; the host's own if it was never set.
  public var clock = SimulatedClock.host
  /// The active template; nil if the game has no template.
  public var template: ActiveTemplate?
  /// The version of the template that becomes active at a later time; nil if no version is scheduled.
  public var scheduledTemplate: TemplateActivation?
  /// The faults of the game, which is served nevertheless.
  public var degraded: [ActiveDegradation] = []
  /// The warnings of the catalog's parser, which do not refuse the catalog.
  public var warnings: [String] = []

  /// Creates a state without any stored data but a revision.
  public init(revision: Int64) { self.revision = revision }

  /// Copies the stored state of a game. The caller sets the revision, and the template, which must be compiled for the game's catalog.
  mutating func take(_ stored: StoredState, of game: String) {
    overrides = stored.overrides(of: game)
    clock = stored.clocks[game] ?? .host
    scheduledTemplate = stored.activations[game]
  }

  /// Returns the game-wide layers of a key in this state.
  func layers(at key: String, revision: Int64) -> GameLayers {
    GameLayers(
      override: overrides.game[key]?.inForce?.value, remote: template?.template.layers[key],
      hasPlayerOverrides: overrides.hasPlayerValue(at: key), revision: revision)
  }
}
