// The reasons why a change of a game's template is refused.
public import GameConfCore
public import GameConfStorage

/// The reason why a change of a template is refused. Nothing has changed then.
public enum TemplateError: StoreRefusal, Hashable {
  /// No game of that id is served.
  case unknownGame(String)
  /// The document is longer than it may be.
  case tooLong(bytesMax: Int)
  /// The document does not hold against the catalog.
  case faults([Fault])
  /// Constraints between parameters would not hold.
  case constraint([ConstraintFault])
  /// The game has no version of that number, or none any longer.
  case unknownVersion(Int64)
  /// That version is in force already.
  case alreadyActive(Int64)
  /// Nothing older than what is in force is there.
  case nothingBefore
  /// Something fetched was pushed to a game whose catalog reads templates from that file.
  case readFromFile(String)
  /// No source of templates is reported for the game.
  case noSource
  /// The game's newest version is another than was expected.
  case changedMeanwhile(version: Int64)
  /// The reason is too long, or has a control character in it.
  case reason(bytesMax: Int)
  /// The same id came with other content before.
  case repeatedWithOtherContent
  /// The store's own trouble.
  case store(StoreError)
}

extension AuditAction {
  /// A version of a template was stored.
  public static let templatePushed = AuditAction(.templatePushed)
  /// A version of a template came into force.
  public static let templateActivated = AuditAction(.templateActivated)
  /// An older version of a template was made current again.
  public static let templateRolledBack = AuditAction(.templateRolledBack)
  /// Somebody asked that the template is fetched from its source now.
  public static let templateFetchAsked = AuditAction(.templateFetchAsked)
}
