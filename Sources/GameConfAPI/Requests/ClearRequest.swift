// The request that removes many overrides of one scope.

public import GameConfCore

/// Body of `POST …/overrides/clear`: the scope of the overrides to remove.
public struct ClearRequest: WireRequest {
  /// The groups of overrides that one request can remove.
  public enum ClearScope: String, WireWord {
    /// The overrides for the whole game. Players' overrides stay.
    case game
    /// The overrides of the player that the request names.
    case player
    /// The overrides of all players. The game's own stay.
    case players
    /// All overrides of the game and of its players.
    case all
  }

  package var scope = ClearScope.game
  package var player: String?
  package var reason: String?

  package init() {}

  package init(scope: ClearScope, player: String? = nil, reason: String? = nil) {
    self.scope = scope
    self.player = player
    self.reason = reason
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
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
