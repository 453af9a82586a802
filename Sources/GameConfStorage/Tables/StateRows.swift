// The kinds of state that are served from memory: each says beside its rows how it is loaded, stored beside the database and read of other hosts.
import GameConfCore

/// The rows of one kind of state that is served.
///
/// A change becomes state in ``StoredState/apply(_:)``. This is the other direction: the state out of the rows, out of `last-good.json`, and the changes that
/// another host's rows are. Opening the database, the last good state, a rebuild, the changes of other hosts, forgetting a player, and noting that an
/// unreadable row was written again go through ``StateKinds/all``.
protocol StateRows: SendableMetatype {
  /// The tables with the ranges of their columns.
  static var storedTables: [StoredTable] { get }

  /// The members of `last-good.json`; empty if the state is not stored there.
  static var lastGood: [LastGoodMember] { get }

  /// Reads the rows into a state that has the kinds before this one.
  static func load(into state: inout StoredState, from view: ReadTransaction) throws

  /// Writes the rows of a last good state into an empty database.
  static func rebuild(_ state: StoredState, in transaction: WriteTransaction) throws

  /// The changes between what is served of a game and its rows. ``RevisionRows`` comes first and has the game's revision.
  /// - Returns: nil if the changes cannot be distinguished, so that everything is to be read again.
  static func changes(of game: ChangedGame) throws -> [StoreChange]?

  /// Removes a forgotten player's rows that no use case has removed.
  /// - Returns: True if there were any.
  static func forget(_ id: PlayerID, in transaction: WriteTransaction) throws(StoreError) -> Bool

  /// True if a change has written an unreadable row again.
  static func isWritten(_ row: UnreadableRow, by change: StoreChange) -> Bool
}

/// A member of `last-good.json`.
struct LastGoodMember: Sendable {
  let name: String
  /// True if a change changes the member.
  let isChanged: @Sendable (StoreChange) -> Bool
  /// The member's value.
  let value: @Sendable (StoredState) -> Value
  /// Reads the member, nil if the document has none; false if it is not what was written.
  let read: @Sendable (Value?, inout StoredState) -> Bool
}

/// A game that other hosts have changed: as the database has it, and as it is served.
struct ChangedGame {
  let name: String
  /// The digest of the catalog that another host accepted; nil if the same one is in force.
  let accepted: Int64?
  /// True if players were forgotten.
  let hasForgotten: Bool
  let view: ReadTransaction
  let served: StoredState

  /// The revision that is served.
  var known: Int64 { served.revisions[name] ?? 0 }

  /// The changes, in order; nil if they cannot be distinguished.
  func changes() throws -> [StoreChange]? {
    var changes: [StoreChange] = []
    for kind in StateKinds.all {
      guard let own = try kind.changes(of: self) else { return nil }
      changes += own
    }
    return changes
  }
}
