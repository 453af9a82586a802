// Which overrides go.

public import GameConfCore

/// Body of `POST …/overrides/clear`.
public struct ClearRequest: WireShape {
  /// Which overrides.
  public enum Scope: String, Sendable, Hashable, CaseIterable {
    /// Those for the game.
    case game
    /// Those of the one player named.
    case player
    /// Those of every player.
    case players
    /// All of them.
    case all
  }

  /// Which overrides.
  public var scope: Scope
  /// The player, with scope `player` and no other.
  public var player: String?
  /// Why, for the audit log.
  public var reason: String?

  /// A request.
  public init(scope: Scope, player: String? = nil, reason: String? = nil) {
    self.scope = scope
    self.player = player
    self.reason = reason
  }

  /// Its JSON.
  public var wire: Value {
    .object(ObjectValue([("scope", .string(scope.rawValue))]).with("player", player).with("reason", reason))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer, only: ["scope", "player", "reason"])
    scope = try members.word("scope")
    player = try members.optionalString("player")
    reason = try members.optionalString("reason")
    if scope == .player, player == nil {
      throw WireFault(pointer: members.place("player"), message: "scope player needs \"player\"")
    }
    if scope != .player, player != nil {
      throw WireFault(pointer: members.place("player"), message: "\"player\" goes with scope player only")
    }
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "Which overrides go.", required: ["scope": SchemaText.words(Scope.self)],
      optional: [
        "player": SchemaText.described(SchemaText.string, "With scope player, and no other."), "reason": SchemaText.string,
      ], closed: true)
  }
}
