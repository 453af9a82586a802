// The reasons why a change of overrides is refused, and the refused rows of an import.
public import GameConfCore

extension ChangeRefusal {
  /// The precondition does not hold; the revision that does.
  public static func changedMeanwhile(revision: Int64) -> ChangeRefusal {
    refuse(
      .revisionChanged, "It has changed since: the revision is \(revision). Read it again, then decide.",
      members: [("revision", .integer(revision))])
  }

  /// Only a window that begins now ends another.
  public static func replacesLater(from: Instant) -> ChangeRefusal {
    refuse(
      .malformedRequest, "Only a window that begins now replaces one; this one begins at \(from.text). Leave from out.", at: "/from")
  }

  /// There is no window of that id at the slot.
  public static func unknownWindow(_ id: String) -> ChangeRefusal {
    refuse(.unknownWindow, "There is no window “\(id)” at this key.")
  }

  /// A window needs an end.
  public static var windowWithoutEnd: ChangeRefusal {
    refuse(.malformedRequest, "A window needs until; without from and until the override is permanent.", at: "/until")
  }

  /// The game has as many player overrides as it may have.
  public static func tooManyPlayerOverrides(max: Int) -> ChangeRefusal {
    let way = "clear some first, or set fewer"
    return refuse(.limitReached, "A game may have \(max) overrides of players, and this would make more; \(way).")
  }

  /// The game has as many game-wide windows as it may have.
  public static func tooManyWindows(max: Int) -> ChangeRefusal {
    refuse(.limitReached, "A game may have \(max) windows, and this would make more; remove some first, or set fewer.")
  }

  /// Nothing at the slot is in quarantine.
  public static var notQuarantined: ChangeRefusal {
    refuse(.notQuarantined, "There are no overrides of this key in quarantine.")
  }

  /// The import has more rows than one may have.
  public static func tooManyRows(max: Int) -> ChangeRefusal { refuse(.limitReached, "An import may have \(max) rows; split it.") }

  /// More lines of the audit log are meant than are taken back together.
  public static func tooManyLines(max: Int) -> ChangeRefusal {
    refuse(
      .limitReached, "More than \(max - 1) lines of the audit log match; narrow them with since, until, key or player.")
  }

  /// A line that another user made under the name of a session.
  static func ofAnotherUser(_ author: Author) -> ChangeRefusal {
    refuse(.notPermitted, "Another user, \(author.name), made it under the name of this session; name the author to take it back.")
  }

  /// The audit log has no line of that id.
  public static func unknownAudit(_ id: Int64) -> ChangeRefusal {
    refuse(.unknownID, "The audit log has no line \(id) for this game.")
  }

  /// The catalog before is not stored any more, or can no longer be read; in a sentence.
  public static func formerGone(_ words: String) -> ChangeRefusal { refuse(.notRevertible, words) }

  /// The game's file is there: `game.yaml`, as its folder has it.
  public static func fileExists(_ file: String) -> ChangeRefusal {
    refuse(.fileExists, "The catalog's file \(file) still exists. Remove it and its drop-ins first, then forget the game.")
  }
}

/// The reason why a row of an import cannot be taken.
public struct RowFault: Error, Sendable, Hashable {
  /// The row, from 0.
  public var row: Int
  /// The fault of the row.
  public var error: RowError

  /// A fault of a row.
  public init(row: Int, error: RowError) {
    self.row = row
    self.error = error
  }
}

/// The fault of a row.
public indirect enum RowError: Sendable, Hashable {
  /// The refusal of the row alone.
  case refused(ChangeRefusal)
  /// An earlier row says something of the same permanent override or window.
  case duplicate(of: Int)
}
