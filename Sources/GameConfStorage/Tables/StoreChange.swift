// The changes of a committed batch, in order, for those who serve from memory.
public import GameConfCore

/// The changes of one commit.
public struct CommittedBatch: Sendable {
  /// Counts the batches since the store was opened, from 1.
  public var number: Int64
  /// The changes, in the order in which the transactions wrote them.
  public var changes: [StoreChange]
  /// The state after it.
  public var state: StoredState

  /// A batch.
  public init(number: Int64, changes: [StoreChange], state: StoredState) {
    self.number = number
    self.changes = changes
    self.state = state
  }
}

/// Receives each batch in order, one at a time. What can be taken at once is; what must be waited for comes back as a closure, nil where there is
/// nothing. The batch's writes are answered, and the next batch begun, when that is over. It must not wait for a write of its own: that would wait
/// for it.
public typealias Publication = @Sendable (CommittedBatch) -> (@Sendable () async -> Void)?

/// One change.
public enum StoreChange: Sendable {
  /// The overrides at one slot are now these; `playerRevision` is there when the slot is a player's.
  indirect case overrides(KeyOverrides, revision: Int64, playerRevision: Int64?)
  /// The overrides of one large change are now these.
  indirect case overridesMany(BulkOverrides)
  /// The game with the overrides that follow, all of one revision, made before the transaction that wrote them: it need not be made of them again. A world
  /// ignores it unless the game is still the object `before`.
  case precomputed(before: any PrecomputedGame, after: any PrecomputedGame)
  /// The game's revision rose; what has that revision follows.
  case revision(game: String, revision: Int64)
  /// Answers at these keys of a game may be others from this revision on, though no override changed.
  case keys(Set<String>, game: String, revision: Int64)
  /// A game's catalog was accepted from files of this digest, here or by another host, and changed keys have these revisions. What is served changes
  /// with ``catalog(_:revision:keyRevisions:warnings:)``, once the files are read.
  case catalogAccepted(game: String, digest: Int64, keyRevisions: [String: Int64])
  /// A catalog was accepted: it is served from this revision on. `keyRevisions` has the revision that last changed each of its keys.
  case catalog(Catalog, revision: Int64, keyRevisions: [String: Int64], warnings: [String])
  /// A game's catalog was let go: the game is served no more.
  case catalogForgotten(game: String)
  /// A player is stored so now.
  indirect case player(PlayerID, StoredPlayer)
  /// A player's plays are others now.
  indirect case play(PlayerID, PlayChange)
  /// A player was forgotten or reset, here or by another host, and nothing of that state is served any more. With the overrides, the revisions that last
  /// changed them are no longer known either.
  case forgotten(PlayerID, Set<PlayerServedState>)
  /// Other hosts forgot players of a game, of whom the database does not say who they are: what memory has of the game's players is read again.
  case playersForgotten(game: String)
  /// A version of a game's template came into force; `changed` are the keys whose answers may be others.
  case template(game: String, ActiveTemplate, changed: Set<String>, revision: Int64)
  /// Another host brought a version of a game's template into force: the document and what is known about it, to be compiled for the catalog that is
  /// served. The revisions of the keys that it changes are other changes of the batch.
  case templateStored(game: String, Value)
  /// A version of a game's template is to come into force later.
  case scheduled(game: String, TemplateActivation)
  /// The game's clock was set.
  case clock(game: String, SimulatedClock)
  /// An event of a game that asks for it was recorded: for the daemon's log.
  indirect case event(PlayerID, HistoryEntry)
  /// A line was written to the audit log, or marked as reverted.
  indirect case audited(AuditRecord)
  /// The lines of one large change were written to the audit log.
  case auditedMany(AuditLines)
  /// The audit log has lines up to this id, perhaps of other hosts.
  case auditLogReaches(Int64)
  /// The whole database was replaced: everything is to be read again.
  case replaced(StoreContents)

  /// True if games may answer otherwise than before; what is one player's or the audit log's alone does not count.
  public var concernsWorld: Bool {
    if case .replaced = self { return true }
    return game != nil
  }

  /// The game of which other hosts must read the change; nil for what is one player's, the audit log's or no single game's.
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

/// A game with its overrides, made before the transaction of a large change. To the store it is these three facts; to the engine it is a snapshot.
public protocol PrecomputedGame: AnyObject, Sendable {
  /// The game's id.
  var game: String { get }
  /// The revision of the change.
  var revision: Int64 { get }
  /// The overrides of the game.
  var overrides: OverrideIndex { get }
}

/// The change of a player's plays.
public enum PlayChange: Sendable {
  /// A play was opened with these values.
  case opened(StoredPlay, PinnedValues)
  /// A play was closed.
  case closed(StoredPlay)
  /// A play is dated anew.
  case redated(StoredPlay)
  /// Closed plays of those ids are kept no longer.
  case dropped([String])
}

/// The contents that must be in memory to serve.
public struct StoreContents: Sendable {
  /// The origin of contents.
  public enum Origin: Sendable, Hashable {
    /// The store.
    case store
    /// The last good state, saved then; the store is lost.
    case lastGood(savedAt: Instant)
    /// The store is lost and no last good state could be read: games are served without overrides.
    case nothing
  }

  /// The origin of the state.
  public var origin: Origin
  /// The state. When the store is lost it has no revisions of slots: a game's revision stands for its keys then.
  public var state: StoredState

  /// A state and its origin.
  public init(origin: Origin = .store, state: StoredState = StoredState()) {
    self.origin = origin
    self.state = state
  }
}
