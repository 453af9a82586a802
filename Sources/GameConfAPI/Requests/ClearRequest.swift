// The overrides that go.

public import GameConfCore

/// Body of `POST …/overrides/clear`.
public struct ClearRequest: WireRequest {
  /// The scope of the overrides.
  public enum Scope: String, WireWord {
    /// Those for the game.
    case game
    /// Those of the one player named.
    case player
    /// Those of every player.
    case players
    /// All of them.
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

  /// Shown in the documentation.
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
