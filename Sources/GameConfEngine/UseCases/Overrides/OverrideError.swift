// Why a change of overrides is refused.
public import GameConfCore

/// Why a change of overrides, or its undo, is refused. Nothing has changed then.
public enum OverrideError: StoreRefusal, Hashable {
  /// No game of that id is served.
  case unknownGame(String)
  /// The game has no parameter of that key; the nearest names come with it.
  case unknownKey(String, nearest: [String])
  /// The text is no player's id: 1 to 256 bytes of UTF-8 without control characters.
  case notAPlayer(String)
  /// The value may not be forced.
  case inadmissible(key: String, AdmissionFault)
  /// Constraints or moving ranges would not hold: now, or from a later window's edge on when `at` is given.
  case constraint([ConstraintFault], at: Instant?)
  /// The window cannot be.
  case window(WindowFault)
  /// Only a window that begins now ends another.
  case replacesLater(from: Instant)
  /// The window that holds is another user's.
  case windowOfAnother(OverrideWindow, Author)
  /// There is no window of that id at the slot.
  case unknownWindow(String)
  /// A window needs an end.
  case windowWithoutEnd
  /// The game has as many player overrides as it may have.
  case tooManyPlayerOverrides(max: Int)
  /// The game has as many game-wide windows as it may have.
  case tooManyWindows(max: Int)
  /// The reason is too long, or has a control character in it.
  case reason(bytesMax: Int)
  /// Nothing at the slot is in quarantine.
  case notQuarantined
  /// The precondition does not hold; the revision that does.
  case changedMeanwhile(revision: Int64)
  /// Rows of an import cannot be taken; the first hundred of them.
  case rows([RowFault])
  /// The import has more rows than one may have.
  case tooManyRows(max: Int)
  /// More lines of the audit log are meant than are taken back at once.
  case tooManyLines(max: Int)
  /// The audit log has no line of that id.
  case unknownAudit(Int64)
  /// What that line tells of cannot be taken back.
  case notRevertible(AuditAction)
  /// The line was taken back already, by another.
  case alreadyReverted(by: Int64)
  /// What the line changed has changed since.
  case changedSince
  /// The same id came with other content before.
  case repeatedWithOtherContent
  /// A scenario holds the key until its end; its title and id.
  case heldByScenario(key: String, scenario: String, id: String)
  /// The player's id is of a scenario that is not live, or not in this game.
  case notOfScenario(String)
  /// The store's own trouble.
  case store(StoreError)
}

/// Why a row of an import cannot be taken.
public struct RowFault: Error, Sendable, Hashable {
  /// The row, from 0.
  public var row: Int
  /// What is wrong with it.
  public var error: RowError

  /// A fault of a row.
  public init(row: Int, error: RowError) {
    self.row = row
    self.error = error
  }
}

/// What is wrong with a row.
public indirect enum RowError: Sendable, Hashable {
  /// What would be wrong with it alone.
  case refused(OverrideError)
  /// An earlier row says something of the same standing override or window.
  case duplicate(of: Int)
}
