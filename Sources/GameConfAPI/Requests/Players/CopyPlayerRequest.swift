// The request that copies to a player the state of another player, or the rows from a file.

public import GameConfCore

/// Body of `POST …/players/{player}/copy`: another player's id, or database rows in the form of `GET …/players/{player}/rows`.
public struct CopyPlayerRequest: WireRequest {
  package var from: String?
  package var rows: ObjectValue?
  package var reason: String?

  package init() {}

  package init(from: String? = nil, rows: ObjectValue? = nil, reason: String? = nil) {
    self.from = from
    self.rows = rows
    self.reason = reason
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["from": "p2", "reason": "the state of the bug report"] }

  package static var about: String { "The content that a player receives: another player's, or the rows of the body." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional("from", &from, "The other player; absent if rows are given.")
    fields.optional("rows", &rows, "The rows that GET …/rows answered, of any player of the game; absent if from is given.")
    fields.optional("reason", &reason, "The reason, for the audit log.")
    fields.refuse("from", "give either “from” or “rows”", if: (from == nil) == (rows == nil))
  }
}

/// Answer of `POST …/players/{player}/copy` and of its dry run: the number of removed and of copied database rows of each kind.
public struct CopyPlayerAnswer: WireObject {
  package var playerRevision: Int64 = 0
  package var removed: [String: Int64] = [:]
  package var copied: [String: Int64] = [:]
  package var isDryRun = false

  package init() {}

  package init(playerRevision: Int64, removed: [String: Int64], copied: [String: Int64], isDryRun: Bool = false) {
    self.playerRevision = playerRevision
    self.removed = removed
    self.copied = copied
    self.isDryRun = isDryRun
  }

  package static var about: String { "The content that a player received." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("player_revision", &playerRevision, "The player's revision after the change.")
    fields.required("removed", &removed, "The numbers removed before, as by a reset.")
    fields.required(
      "copied", &copied, "The numbers that the player has now: history, settings, transactions.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
  }
}
