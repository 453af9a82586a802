// The scope of the overrides to remove.

public import GameConfCore

/// Body of `POST …/overrides/clear`: the overrides to remove.
public struct ClearRequest: WireRequest {
  /// The overrides to remove, by their scope.
  public enum Scope: String, WireWord {
    /// Overrides for the whole game.
    case game
    /// Overrides of the named player.
    case player
    /// Overrides of every player.
    case players
    /// All overrides of the game and of its players.
    case all
  }

  package var scope = Scope.game
  package var player: String?
  package var reason: String?

  package init() {}

  package init(scope: Scope, player: String? = nil, reason: String? = nil) {
    self.scope = scope
    self.player = player
    self.reason = reason
  }

  /// The example in the OpenAPI document.
  public static var example: Value? { ["scope": "player", "player": "p1", "reason": "the test is over"] }

  package static var about: String { "The overrides to remove." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("scope", &scope, "Which overrides.")
    fields.optional("player", &player, "The player; with scope player only.")
    fields.optional("reason", &reason, "The reason, for the audit log.")
    fields.refuse("player", "the scope “player” needs “player”", if: scope == .player && player == nil)
    fields.refuse("player", "“player” is for the scope “player” only", if: scope != .player && player != nil)
  }
}
