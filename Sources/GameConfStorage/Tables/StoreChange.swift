// The ordered changes of a committed batch, for everything that serves from memory.
public import GameConfCore

/// The changes of one commit, which may include several transactions.
public struct CommittedBatch: Sendable {
  /// The batch's number since the store was opened, counted from 1.
  public var number: Int64
  /// The changes, in the order in which the transactions wrote them.
  public var changes: [StoreChange]
  /// The state of all games after the batch.
  public var state: StoredState

  /// Creates a batch; its number is one above that of the last batch.
  public init(number: Int64, changes: [StoreChange], state: StoredState) {
    self.number = number
    self.changes = changes
    self.state = state
  }
}

/// A function that receives each committed batch in order, one at a time. It does its immediate work, and then returns nil, or a closure
/// for work that the store must await. The store answers the batch's writes, and begins the next batch, only after that closure returns.
/// The closure must not await a write of its own, which would deadlock.
public typealias Publication = @Sendable (CommittedBatch) -> (@Sendable () async -> Void)?

/// A change of the stored or served state.
public enum StoreChange: Sendable {
  /// The overrides of one key were replaced, for the game or for one player; `playerRevision` is set if they are a player's.
  indirect case overrides(KeyOverrides, revision: Int64, playerRevision: Int64?)
  /// One large change replaced the overrides of many keys.
  indirect case overridesMany(BulkOverrides)
  /// A snapshot of a game that already has the overrides of the changes that follow with the same revision. The snapshot is built before
  /// the transaction, to shorten the transaction. A reader ignores it unless the reader's own snapshot of the game is still the object
  /// `before`.
  case precomputed(before: any PrecomputedGame, after: any PrecomputedGame)
  /// The game's revision rose. The changes of that revision follow.
  case revision(game: String, revision: Int64)
  /// The values of these keys may differ from this revision on, although no override changed.
  case keys(Set<String>, game: String, revision: Int64)
  /// This or another host accepted a game's catalog from files with this digest, and the changed keys have these revisions. The served
  /// catalog changes with ``catalog(_:revision:keyRevisions:warnings:)``, after the files are read.
  case catalogAccepted(game: String, digest: Int64, keyRevisions: [String: Int64])
  /// A catalog was accepted and is served from this revision on. `keyRevisions` has the last revision of each of its keys.
  case catalog(Catalog, revision: Int64, keyRevisions: [String: Int64], warnings: [String])
  /// A game's catalog was removed, and the game is no longer served.
  case catalogForgotten(game: String)
  /// A player was written. The second value is the player as stored by that write.
  indirect case player(PlayerID, StoredPlayer)
  indirect case play(PlayerID, PlayChange)
  /// This or another host forgot or reset a player, and the listed kinds of state are no longer served. If overrides are among them, the
  /// revisions of the player's keys are removed too.
  case forgotten(PlayerID, Set<PlayerServedState>)
  /// Other hosts forgot players of a game. The database does not have their ids, so all cached players of the game are read again.
  case playersForgotten(game: String)
  /// A version of a game's template became active; the values of the keys in `changed` may differ.
  case template(game: String, ActiveTemplate, changed: Set<String>, revision: Int64)
  /// Another host activated a version of a game's template. The value has its document and metadata, to be compiled for the served catalog.
  /// The revisions of the changed keys are separate changes of the batch.
  case templateStored(game: String, Value)
  /// A version of a game's template is scheduled to become active.
  case scheduled(game: String, TemplateActivation)
  /// The game's clock was set.
  case clock(game: String, SimulatedClock)
  /// An event was recorded in a game that logs its events. The change is for the daemon's log.
  indirect case event(PlayerID, HistoryEntry)
  /// A line was written to the audit log, or a line there was marked as reverted.
  indirect case audited(AuditRecord)
  /// The lines of one large change were written to the audit log.
  case auditedMany(AuditLines)
  /// The audit log has lines up to this id, possibly of other hosts.
  case auditLogReaches(Int64)
  /// The whole database was replaced, so everything must be read again.
  case replaced(StoreContents)

  /// True if the change may affect the answers of games; changes of a single player's data or of the audit log do not.
  public var concernsWorld: Bool {
    if case .replaced = self { return true }
    return game != nil
  }

  /// The game whose changes other hosts must read; nil for changes of a single player's data, of the audit log, or of no single game.
  public var game: String? {
    switch self {
    case .overrides(let overrides, _, _): overrides.slot.game
    case .overridesMany(let many): many.slots.first?.slot.game
    case .precomputed(_, let after): after.game
    case .catalog(let catalog, _, _, _): catalog.game
    case .revision(let game, _), .keys(_, let game, _), .catalogAccepted(let game, _, _), .catalogForgotten(let game),
      .template(let game, _, _, _), .templateStored(let game, _), .scheduled(let game, _), .clock(let game, _):
      game
    case .forgotten(let id, _): id.game
    case .playersForgotten, .player, .event, .play, .audited, .auditedMany, .auditLogReaches, .replaced: nil
    }
  }
}

/// A snapshot of a game with the overrides of a large change, built before its transaction. The store sees only these properties; in the
/// engine the object is a game snapshot.
public protocol PrecomputedGame: AnyObject, Sendable {
  /// The id of the snapshot's game.
  var game: String { get }
  var revision: Int64 { get }
  /// The game's overrides after the change.
  var overrides: OverrideIndex { get }
}

/// A change of plays; ``StoreChange/play(_:_:)`` names the player.
public enum PlayChange: Sendable {
  case opened(StoredPlay, PinnedValues)
  case closed(StoredPlay)
  /// The instants of a play's opening or closing were changed.
  case redated(StoredPlay)
  /// Closed plays with these ids were removed.
  case dropped([String])
}

/// The state to serve, as loaded into memory.
public struct StoreContents: Sendable {
  /// The places from which the state can be loaded.
  public enum StateOrigin: Sendable, Hashable {
    case store
    /// The last good state, saved at an instant, because the database is lost.
    case lastGood(savedAt: Instant)
    /// Nothing: the database is lost and no last good state could be read, so games are served without overrides.
    case nothing
  }

  /// The place from which the state was loaded.
  public var origin: StateOrigin
  /// The state. If the database is lost, the state has no revisions of single keys. The game's revision is then the revision of each key.
  public var state: StoredState

  /// Creates contents, by default the database's with an empty state.
  public init(origin: StateOrigin = .store, state: StoredState = StoredState()) {
    self.origin = origin
    self.state = state
  }
}
