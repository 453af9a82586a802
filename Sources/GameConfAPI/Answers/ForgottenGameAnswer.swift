// The answer to a dry run of forgetting a game whose catalog file was removed.

/// Answer of a dry run of `DELETE /v1/games/{game}`: true if the daemon knows the game, and the number of its overrides, which stay stored.
public struct ForgottenGameAnswer: WireObject {
  package var game = ""
  package var isKnown = false
  package var overrides: Int64 = 0
  package var isDryRun = true

  package init() {}

  package init(game: String, isKnown: Bool, overrides: Int64, isDryRun: Bool) {
    self.game = game
    self.isKnown = isKnown
    self.overrides = overrides
    self.isDryRun = isDryRun
  }

  package static var about: String { "The effect of forgetting a game whose catalog file was removed." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("known", &isKnown, "True if the daemon knows the game.")
    fields.required("overrides", &overrides, "The number of its overrides; they stay stored for a later catalog of the same id.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
  }
}
