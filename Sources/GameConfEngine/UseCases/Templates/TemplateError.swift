// The reasons why a change of a game's template is refused.
public import GameConfCore
public import GameConfStorage

/// The reason why a change of a template is refused. Nothing has changed then.
public enum TemplateError: StoreRefusal, Hashable {
  case unknownGame(String)
  /// The document has more than `bytesMax` bytes.
  case tooLong(bytesMax: Int)
  /// The document is invalid for the catalog.
  case faults([Fault])
  /// Constraints between parameters would be violated.
  case constraint([ConstraintFault])
  /// The game's template never had a version with this number, or the version was removed.
  case unknownVersion(Int64)
  case alreadyActive(Int64)
  /// There is no version before the active one, to which a rollback could return.
  case nothingBefore
  /// A fetched document was pushed to a game whose catalog names this file as the source of its template.
  case readFromFile(String)
  /// The game reads its template from a file, or gameconf-fetch has reported no source since the daemon's start.
  case noSource
  /// The number of the game's newest version, or of the active one, is not the expected one.
  case changedMeanwhile(version: Int64)
  /// The reason is too long or has control characters.
  case reason(bytesMax: Int)
  /// The same request id was used before with other content.
  case repeatedWithOtherContent
  /// The database could not be read or written, or not in time.
  case store(StoreError)
}

extension AuditAction {
  /// A version of a template was stored.
  public static let templatePushed = AuditAction(.templatePushed)
  /// A version of a template became active.
  public static let templateActivated = AuditAction(.templateActivated)
  /// An older version of a template was made current again.
  public static let templateRolledBack = AuditAction(.templateRolledBack)
  /// A user requested a fetch of the template from its source.
  public static let templateFetchRequested = AuditAction(.templateFetchRequested)
}
