// The refusals of changes of overrides, and of rows of an import.
public import GameConfCore

extension ChangeRefusal {
  /// The precondition on a revision does not hold; with the present revision.
  public static func changedMeanwhile(revision: Int64) -> ChangeRefusal {
    refuse(
      .revisionChanged, "It has changed since: the revision is \(revision). Read it again, then decide.",
      members: [("revision", .integer(revision))])
  }

  /// A window that begins later cannot end another.
  public static func replacesLater(from: Instant) -> ChangeRefusal {
    refuse(
      .malformedRequest, "Only a window that begins now replaces one; this one begins at \(from.text). Leave from out.", at: "/from")
  }

  /// The slot has no window with this id.
  public static func unknownWindow(_ id: String) -> ChangeRefusal {
    refuse(.unknownWindow, "There is no window “\(id)” at this key.")
  }

  /// Points to `/until`: only a permanent override has no end.
  public static var windowWithoutEnd: ChangeRefusal {
    refuse(.malformedRequest, "A window needs until; without from and until the override is permanent.", at: "/until")
  }

  /// The game has the maximum number of overrides for players.
  public static func tooManyPlayerOverrides(max: Int) -> ChangeRefusal {
    let way = "clear some first, or set fewer"
    return refuse(.limitReached, "A game may have \(max) overrides of players, and this would make more; \(way).")
  }

  /// The game has the maximum number of game-wide windows.
  public static func tooManyWindows(max: Int) -> ChangeRefusal {
    refuse(.limitReached, "A game may have \(max) windows, and this would make more; remove some first, or set fewer.")
  }

  /// The slot has no override in quarantine.
  public static var notQuarantined: ChangeRefusal {
    refuse(.notQuarantined, "There are no overrides of this key in quarantine.")
  }

  /// Refuses an import of more than `max` rows with `limitReached`.
  public static func tooManyRows(max: Int) -> ChangeRefusal { refuse(.limitReached, "An import may have \(max) rows; split it.") }

  /// The selection has more audit lines than can be reverted together.
  public static func tooManyLines(max: Int) -> ChangeRefusal {
    refuse(
      .limitReached, "More than \(max - 1) lines of the audit log match; narrow them with since, until, key or player.")
  }

  /// The line was made by another user under the name of a session.
  static func ofAnotherUser(_ author: Author) -> ChangeRefusal {
    refuse(.notPermitted, "Another user, \(author.name), made it under the name of this session; name the author to take it back.")
  }

  /// The audit log has no line with this id.
  public static func unknownAudit(_ id: Int64) -> ChangeRefusal {
    refuse(.unknownID, "The audit log has no line \(id) for this game.")
  }

  /// The former catalog is no longer stored or cannot be read; with the reason as a sentence.
  public static func formerGone(_ words: String) -> ChangeRefusal { refuse(.notRevertible, words) }

  /// The game's file still exists, such as `game.yaml`.
  public static func fileExists(_ file: String) -> ChangeRefusal {
    refuse(.fileExists, "The catalog's file \(file) still exists. Remove it and its drop-ins first, then forget the game.")
  }
}

/// An invalid row of an import.
public struct RowFault: Error, Sendable, Hashable {
  /// The row's index, from 0.
  public var row: Int
  /// The refusal, or the index of the equal earlier row.
  public var error: RowError

  /// Creates the fault of the row at an index, from 0.
  public init(row: Int, error: RowError) {
    self.row = row
    self.error = error
  }
}

/// A refusal of the row alone, or its equality with an earlier row.
public indirect enum RowError: Sendable, Hashable {
  case refused(ChangeRefusal)
  /// An earlier row has the same permanent override or window.
  case duplicate(of: Int)
}
