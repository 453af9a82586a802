// The themes of a game, and what a player still needs for them.

package import GameConfCore

/// How far something counted is towards what is needed.
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

  /// The name that the contract has for it.
  public static var schemaName: String { "Progress" }

  package static var about: String { "How far something counted is towards what is needed." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("value", &value, "What was counted.")
    fields.required("target", &target, "How much is needed.")
    fields.required("fraction", &fraction, "How much of it is done, 0 to 1; 1 for what is unlocked, whatever is needed now.")
  }
}

/// One theme: answer of `GET p/themes/{id}` and `GET …/themes/{id}`.
public struct ThemeAnswer: WireObject {
  /// What makes a theme available.
  public enum Kind: String, WireWord { case free, milestone, entitlement, parameter }

  package var theme = ""
  package var name = ""
  package var kind = Kind.free
  package var by: String?
  package var unlocksWith: [String] = []
  package var isUnlocked = false
  package var unlockedAt: Instant?
  package var milestone: Int64?
  package var progress: WireProgress?
  package var attributes = ObjectValue()

  package init() {}

  package init(
    theme: String, name: String, kind: Kind, by: String? = nil, unlocksWith: [String] = [], isUnlocked: Bool, unlockedAt: Instant? = nil,
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

  package static var about: String { "A theme; without a player, as it is for one of whom nothing is known." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("theme", &theme, "The theme.")
    fields.required("name", &name, "Its name, in the language asked for.")
    fields.required("kind", &kind, "What makes it available.")
    fields.optional("by", &by, "The milestone, entitlement or parameter that unlocks it; default while only being the default theme does.")
    fields.whenSet("unlocks_with", &unlocksWith, "While it is locked, the products that would unlock it, in the catalog's order.")
    fields.required(
      "unlocked", &isUnlocked, "Whether the player may choose it; without a player, whether one may of whom nothing is known.")
    fields.optional("unlocked_at", &unlockedAt, "When its milestone was reached.")
    fields.nullable(
      "milestone", &milestone,
      "How much unlocks it, as resolved for the player; null for every theme that nothing has to be reached for.")
    fields.nullable("progress", &progress, "How far the player is; null where there is no milestone.")
    fields.required("attributes", &attributes, "What the game draws it with.")
  }
}

/// Answer of `GET p/themes` and `GET …/themes`.
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
    fields.optional("player", &player, "The player; absent for the game's own list.")
    fields.required("revision", &revision, "The game's revision.")
    fields.required("themes", &themes, "The themes, in the catalog's order.")
  }
}
