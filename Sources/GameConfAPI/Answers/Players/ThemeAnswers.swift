// The themes of a game, and a player's progress towards them.

package import GameConfCore

/// A player's progress towards a target: the value of a counter, the target, and the fraction that is done.
public struct WireProgress: WireObject {
  package var value: Int64 = 0
  package var target: Int64 = 0
  package var fraction: Double = 0

  package init() {}

  package init(value: Int64, target: Int64, isUnlocked: Bool) {
    self.value = value
    self.target = target
    fraction = isUnlocked || target <= 0 ? 1 : max(0, min(1, Double(value) / Double(target)))
  }

  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "Progress" }

  package static var about: String { "Progress towards a number." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("value", &value, "The counters.")
    fields.required("target", &target, "The number that is needed.")
    fields.required("fraction", &fraction, "The fraction reached, 0 to 1; 1 once it is unlocked.")
  }
}

/// One theme: answer of `GET …/players/{player}/themes/{id}` and `GET …/themes/{id}`.
public struct ThemeAnswer: WireObject {
  /// The condition that makes a theme available to a player.
  public enum ThemeUnlockKind: String, WireWord { case free, milestone, entitlement, parameter }

  package var theme = ""
  package var name = ""
  package var kind = ThemeUnlockKind.free
  package var by: String?
  package var unlocksWith: [String] = []
  package var isUnlocked = false
  package var unlockedAt: Instant?
  package var milestone: Int64?
  package var progress: WireProgress?
  package var attributes = ObjectValue()

  package init() {}

  package init(
    theme: String, name: String, kind: ThemeUnlockKind, by: String? = nil, unlocksWith: [String] = [], isUnlocked: Bool,
    unlockedAt: Instant? = nil,
    milestone: Int64? = nil, progress: WireProgress? = nil, attributes: ObjectValue = ObjectValue()
  ) {
    self.theme = theme
    self.name = name
    self.kind = kind
    self.by = by
    self.unlocksWith = unlocksWith
    self.isUnlocked = isUnlocked
    self.unlockedAt = unlockedAt
    self.milestone = milestone
    self.progress = progress
    self.attributes = attributes
  }

  package static var about: String { "A theme; without a player, as for an unknown player." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("theme", &theme, "The theme.")
    fields.required("name", &name, "The name in the requested language.")
    fields.required("kind", &kind, "The kind of condition that unlocks it.")
    fields.optional("by", &by, "The milestone, entitlement or parameter that unlocks it; “default” for the default theme.")
    fields.whenSet("unlocks_with", &unlocksWith, "The products that would unlock it while it is locked, in the catalog's order.")
    fields.required(
      "unlocked", &isUnlocked, "True if the player may choose it; without a player, as for an unknown player.")
    fields.optional("unlocked_at", &unlockedAt, "The time at which its milestone was reached.")
    fields.nullable(
      "milestone", &milestone,
      "The number that unlocks it for the player; null for a theme without a milestone.")
    fields.nullable("progress", &progress, "The player's progress; null without a milestone.")
    fields.required("attributes", &attributes, "The theme's attributes, with which the game draws it.")
  }
}

/// Answer of `GET …/players/{player}/themes` and `GET …/themes`: the game's themes, in the catalog's order.
public struct ThemeList: WireObject {
  package var game = ""
  package var player: String?
  package var revision: Int64 = 0
  package var themes: [ThemeAnswer] = []

  package init() {}

  package init(game: String, player: String? = nil, revision: Int64, themes: [ThemeAnswer]) {
    self.game = game
    self.player = player
    self.revision = revision
    self.themes = themes
  }

  package static var about: String { "Themes, in the catalog's order." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.optional("player", &player, "The player; absent for the game's own list.", .playersText)
    fields.required("revision", &revision, "The game's revision.")
    fields.required("themes", &themes, "The themes, in the catalog's order.")
  }
}
