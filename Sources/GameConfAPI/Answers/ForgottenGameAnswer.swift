// What is let go with a game.

/// Answer of a dry run of `DELETE /v1/games/{game}`.
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

  package static var about: String { "What would be let go with a game whose catalog's file was removed." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("known", &isKnown, "Whether anything is known of it.")
    fields.required("overrides", &overrides, "How many of its overrides are kept, for when a catalog of that name comes again.")
    fields.whenSet("dry_run", &isDryRun, "Whether nothing was changed.")
  }
}
