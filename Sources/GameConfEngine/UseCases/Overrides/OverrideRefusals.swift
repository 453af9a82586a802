// The refusals of changes of overrides, and of rows of an import.
public import GameConfCore

extension ChangeRefusal {
  /// The revision that the caller expected is no longer the present one, which the refusal reports.
  public static func changedMeanwhile(revision: Int64) -> ChangeRefusal {
    refuse(
      .revisionChanged, "It has changed since: the revision is \(revision). Read it again, then decide.",
      members: [("revision", .integer(revision))])
  }

  /// The new time window would replace another one, but begins later than now.
  public static func replacesLater(from: Instant) -> ChangeRefusal {
    refuse(
      .malformedRequest, "Only a window that begins now replaces one; this one begins at \(from.text). Leave from out.", at: "/from")
  }

  /// The key has no override whose time window has this id.
  public static func unknownWindow(_ id: String) -> ChangeRefusal {
    refuse(.unknownWindow, "There is no window “\(id)” at this key.")
  }

  /// The requested time window has no end. The refusal points to `/until` of the request.
  public static var windowWithoutEnd: ChangeRefusal {
    refuse(.malformedRequest, "A window needs until; without from and until the override is permanent.", at: "/until")
  }

  /// The change would give the game more than `max` overrides for players.
  public static func tooManyPlayerOverrides(max: Int) -> ChangeRefusal {
    let way = "clear some first, or set fewer"
    return refuse(.limitReached, "A game may have \(max) overrides of players, and this would make more; \(way).")
  }

  /// The change would give the game more than `max` game-wide overrides with a time window.
  public static func tooManyWindows(max: Int) -> ChangeRefusal {
    refuse(.limitReached, "A game may have \(max) windows, and this would make more; remove some first, or set fewer.")
  }

  /// The key has no override in quarantine, so there is nothing to release.
  public static var notQuarantined: ChangeRefusal {
    refuse(.notQuarantined, "There are no overrides of this key in quarantine.")
  }

  /// Refuses an import of more than `max` rows with `limitReached`.
  public static func tooManyRows(max: Int) -> ChangeRefusal { refuse(.limitReached, "An import may have \(max) rows; split it.") }

  /// The selection has more lines of the audit log than can be reverted together.
  public static func tooManyLines(max: Int) -> ChangeRefusal {
    refuse(
      .limitReached, "More than \(max - 1) lines of the audit log match; narrow them with since, until, key or player.")
  }

  /// Another user made the change of the audit line, under the same name of a session.
  static func ofAnotherUser(_ author: Author) -> ChangeRefusal {
    refuse(.notPermitted, "Another user, \(author.name), made it under the name of this session; name the author to take it back.")
  }

  /// The audit log has no line with this id.
  public static func unknownAudit(_ id: Int64) -> ChangeRefusal {
    refuse(.unknownID, "The audit log has no line \(id) for this game.")
  }

  /// The former catalog, which a revert would accept again, is no longer stored or cannot be read. `words` is the reason as a sentence.
  public static func formerGone(_ words: String) -> ChangeRefusal { refuse(.notRevertible, words) }

  /// The game cannot be forgotten, because the file of its catalog still exists, such as `game.yaml`.
  public static func fileExists(_ file: String) -> ChangeRefusal {
    refuse(.fileExists, "The catalog's file \(file) still exists. Remove it and its drop-ins first, then forget the game.")
  }
}

/// An invalid row of an import.
public struct RowFault: Error, Sendable, Hashable {
  /// The row's index, from 0.
  public var row: Int
  /// The refusal of the row, or the index of an earlier row for the same override.
  public var error: RowError

  /// Creates the fault of the row at an index, from 0.
  public init(row: Int, error: RowError) {
    self.row = row
    self.error = error
  }
}

/// The fault of a row: a refusal of the row alone, or an earlier row for the same override.
public indirect enum RowError: Sendable, Hashable {
  case refused(ChangeRefusal)
  /// The earlier row at this index sets the same permanent override or time window.
  case duplicate(of: Int)
}
