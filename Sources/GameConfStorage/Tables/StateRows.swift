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

  /// True if a change has written an unreadable row again.
  static func isWritten(_ row: UnreadableRow, by change: StoreChange) -> Bool
}

/// The rows of a kind of state that is served of players.
protocol PlayerStateRows: StateRows {
  /// The state that the rows are of.
  static var served: PlayerServedState { get }

  /// Removes a player's rows that no use case has removed.
  /// - Returns: True if there were any.
  static func forget(_ id: PlayerID, in transaction: WriteTransaction) throws(StoreError) -> Bool

  /// The players of whom the served state has what the rows no longer have, since another host has forgotten or reset them, each with the changes
  /// that come before ``StoreChange/forgotten(_:_:)``.
  /// - Returns: nil if so many are gone that everything is read sooner.
  static func gone(from game: ChangedGame) throws -> [String: [StoreChange]]?
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

  /// The players of whom the database is asked one by one.
  private static let forgottenMax = 256

  /// True if so many players are gone that everything is read sooner.
  static func isTooMany(_ gone: Int) -> Bool { gone > forgottenMax }

  /// The changes, in order; nil if they cannot be distinguished.
  func changes() throws -> [StoreChange]? {
    guard var changes = try forgotten() else { return nil }
    for kind in StateKinds.all {
      guard let own = try kind.changes(of: self) else { return nil }
      changes += own
    }
    return changes
  }

  /// The changes that players leave behind whom other hosts have forgotten or reset. The database does not say who they are, so what is served of players
  /// is compared with what is there.
  /// - Returns: nil if so many are gone that everything is read sooner.
  private func forgotten() throws -> [StoreChange]? {
    guard hasForgotten else { return [] }
    var gone: [String: (changes: [StoreChange], served: Set<PlayerServedState>)] = [:]
    for kind in StateKinds.ofPlayers {
      guard let found = try kind.gone(from: self) else { return nil }
      for (player, changes) in found {
        gone[player, default: ([], [])].changes += changes
        gone[player, default: ([], [])].served.insert(kind.served)
      }
    }
    return [.playersForgotten(game: name)]
      + gone.sorted { $0.key < $1.key }.flatMap { player, what in
        what.changes + [.forgotten(PlayerID(game: name, player: player), what.served)]
      }
  }
}
