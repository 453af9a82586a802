// The answers to changes of a player: a launch, a context, scores, a reset, deletion.

package import GameConfCore

/// Answer of `POST …/players/{player}/visits`: the number of the player's launches of the game, including the new one.
public struct VisitAnswer: WireObject {
  package var playerRevision: Int64 = 0
  package var visits = WireVisits()
  package var isDryRun = false

  package init() {}

  package init(playerRevision: Int64, visits: WireVisits, isDryRun: Bool = false) {
    self.playerRevision = playerRevision
    self.visits = visits
    self.isDryRun = isDryRun
  }

  package static var about: String { "A launch of the game." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("player_revision", &playerRevision, "The player's revision after the change.")
    fields.required("visits", &visits, "The visits, the new one included.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
  }
}

/// Answer of `PUT …/players/{player}/context`: the stored attributes.
public struct ContextAnswer: WireObject {
  package var playerRevision: Int64 = 0
  package var context = ObjectValue()
  package var isDryRun = false

  package init() {}

  package init(playerRevision: Int64, context: ObjectValue, isDryRun: Bool = false) {
    self.playerRevision = playerRevision
    self.context = context
    self.isDryRun = isDryRun
  }

  package static var about: String { "The registered context." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("player_revision", &playerRevision, "The player's revision after the change.")
    fields.required("context", &context, "The attributes now registered.", .playersText)
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
  }
}

/// Answer of `POST …/players/{player}/reset`: the number of removed rows of each kind, and the number of removed overrides that other users
/// had set.
public struct PlayerResetAnswer: WireObject {
  package var playerRevision: Int64 = 0
  package var isKnown = false
  package var removed: [String: Int64] = [:]
  package var overridesOfOthers: [String: Int64] = [:]
  package var isDryRun = false

  package init() {}

  package init(playerRevision: Int64, isKnown: Bool, removed: [String: Int64], isDryRun: Bool = false) {
    self.playerRevision = playerRevision
    self.isKnown = isKnown
    self.removed = removed
    self.isDryRun = isDryRun
  }

  package static var about: String { "The things removed to make a player new again." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("player_revision", &playerRevision, "The player's revision after the change.")
    fields.required("known", &isKnown, "True if the player was known.")
    fields.required(
      "removed", &removed,
      "The numbers removed: history, settings, transactions, overrides, bests, plays; 1 for a moved clock and for a store's behaviour.")
    fields.whenSet(
      "overrides_of_others", &overridesOfOthers, "Of the overrides, the number set by other users, by their names.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
  }
}

/// Answer of `PATCH …/players/{player}`: the scores after the change, and the milestones that they unlocked.
public struct ScoresAnswer: WireObject {
  package var playerRevision: Int64 = 0
  package var scores = WireScores()
  package var unlocked = WireUnlocked()
  package var isDryRun = false

  package init() {}

  package init(playerRevision: Int64, scores: WireScores, unlocked: WireUnlocked = WireUnlocked(), isDryRun: Bool = false) {
    self.playerRevision = playerRevision
    self.scores = scores
    self.unlocked = unlocked
    self.isDryRun = isDryRun
  }

  package static var about: String { "The scores after an admin set some." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("player_revision", &playerRevision, "The player's revision after the change.")
    fields.required("scores", &scores, "The scores after the change.")
    fields.required("unlocked", &unlocked, "The milestones and themes that they unlocked.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
  }
}

/// Answer of a dry run of `DELETE …/players/{player}`: the number of the player's rows of each kind that would be deleted.
public struct ForgetAnswer: WireObject {
  package var isKnown = false
  package var removed: [String: Int64] = [:]
  package var auditLines: Int64 = 0
  package var isDryRun = false

  package init() {}

  package init(isKnown: Bool, removed: [String: Int64], auditLines: Int64 = 0, isDryRun: Bool = false) {
    self.isKnown = isKnown
    self.removed = removed
    self.auditLines = auditLines
    self.isDryRun = isDryRun
  }

  package static var about: String { "The things removed when a player is forgotten." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("known", &isKnown, "True if the player was known.")
    fields.required(
      "removed", &removed,
      "The numbers removed: history, settings, transactions, bests, plays, overrides, answers; transfers, other players' purchases that name the player; unreadable, 1 if not all of it can be read."
    )
    fields.required("audit_lines", &auditLines, "The number of lines of the audit log that name a digest from then on.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
  }
}
