// The request that gives a player the content of another.

public import GameConfCore

/// Body of `POST p/copy`: another player's id, or rows as `GET p/rows` answers them.
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

  /// Shown in the documentation.
  public static var example: Value? { ["from": "p2", "reason": "the state of the bug report"] }

  package static var about: String { "The content that a player takes: another player's, or the rows of the body." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional("from", &from, "The other player; absent where there are rows.")
    fields.optional("rows", &rows, "What GET …/rows answered as rows, of any player of the game; absent where there is from.")
    fields.optional("reason", &reason, "Why, for the audit log.")
    fields.refuse("from", "name another player or give rows, one of the two", if: (from == nil) == (rows == nil))
  }
}

/// Answer of `POST p/copy` and of its dry run.
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

  package static var about: String { "What a player took over from another." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("player_revision", &playerRevision, "The player's revision after it.")
    fields.required("removed", &removed, "How many of what was taken away before, as a reset does.", .map(of: Int64.memberSchema))
    fields.required(
      "copied", &copied, "How many of what the player has now: history, settings, transactions.", .map(of: Int64.memberSchema))
    fields.whenSet("dry_run", &isDryRun, "Whether nothing was changed.")
  }
}
