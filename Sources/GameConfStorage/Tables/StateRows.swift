// The kinds of state that are served from memory. Each defines its loading, its form in `last-good.json`, and its changes from other hosts'
// rows.
import GameConfCore

/// The database rows of one kind of state that is served from memory.
///
/// ``StoredState/apply(_:)`` applies a change to the state in memory. This protocol is the other direction: it reads state from rows or
/// from `last-good.json`, and derives changes from another host's rows. Code that opens or rebuilds the database, saves the last good
/// state, follows other hosts, forgets a player, or records that an unreadable row was rewritten iterates over ``StateKinds/all``.
protocol StateRows: SendableMetatype {
  /// The tables of this kind of state, with the ranges of their columns.
  static var storedTables: [StoredTable] { get }

  /// The members of `last-good.json` with this kind of state; empty if the state is not stored there.
  static var lastGood: [LastGoodMember] { get }

  /// Reads the rows into a state. The kinds before this one in ``StateKinds/all`` are loaded already.
  static func load(into state: inout StoredState, from view: ReadTransaction) throws

  /// Writes the rows of a last good state into an empty database.
  static func rebuild(_ state: StoredState, in transaction: WriteTransaction) throws

  /// Returns the changes that bring the served state of a game up to its rows. ``RevisionRows`` comes first with the game's revision.
  /// - Returns: nil if the changes cannot be determined, so that the caller reads everything again.
  static func changes(of game: ChangedGame) throws -> [StoreChange]?

  static func isWritten(_ row: UnreadableRow, by change: StoreChange) -> Bool
}

protocol PlayerStateRows: StateRows {
  static var served: PlayerServedState { get }

  /// Removes the rows of a forgotten player that the use case itself does not remove.
  /// - Returns: True if there were any.
  static func forget(_ id: PlayerID, in transaction: WriteTransaction) throws(StoreError) -> Bool

  /// Returns the players whom another host has forgotten or reset, who are in the served state but not in the rows. Each comes with the
  /// changes to publish before ``StoreChange/forgotten(_:_:)``.
  /// - Returns: nil if there are so many that reading everything again is faster.
  static func gone(from game: ChangedGame) throws -> [String: [StoreChange]]?
}

/// A member of `last-good.json`, the file of the last good state, with its encoder and decoder.
struct LastGoodMember: Sendable {
  let name: String
  let isChanged: @Sendable (StoreChange) -> Bool
  let value: @Sendable (StoredState) -> Value
  /// Decodes the member's value into a state; the value is nil if the document lacks the member. Returns false if the value is malformed.
  let read: @Sendable (Value?, inout StoredState) -> Bool
}

/// A game that another host has changed: its rows and its served state.
struct ChangedGame {
  let name: String
  /// The digest of the catalog that another host accepted; nil if this host serves the same catalog.
  let accepted: Int64?
  /// True if another host has forgotten players.
  let hasForgotten: Bool
  let view: ReadTransaction
  let served: StoredState

  /// The game's revision in the served state.
  var known: Int64 { served.revisions[name] ?? 0 }

  /// The most missing players for which the database is queried one by one.
  private static let forgottenMax = 256

  /// True if so many players are missing that reading everything again is faster.
  static func isTooMany(_ gone: Int) -> Bool { gone > forgottenMax }

  /// Returns the changes of every kind of state, in order; nil if they cannot be determined.
  func changes() throws -> [StoreChange]? {
    guard var changes = try forgotten() else { return nil }
    for kind in StateKinds.all {
      guard let own = try kind.changes(of: self) else { return nil }
      changes += own
    }
    return changes
  }

  /// Returns the changes for players whom other hosts have forgotten or reset. The database no longer has their ids, so this compares the
  /// served players with the rows.
  /// - Returns: nil if there are so many that reading everything again is faster.
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
