// The state that the store's threads share: the served state, the store's health, and the observers.
import GameConfCore
import Synchronization

/// The served state, the condition of the database and the observer of changes, shared by all threads of a store. It answers from memory,
/// even while the writer waits for a disk.
final class StoreMonitor: Sendable {
  fileprivate struct GuardedState {
    var served: StoredState
    var origin: StoreContents.StateOrigin
    /// The games' revisions in the database or, if that is lost, in the last good state.
    var durable: [String: Int64]
    /// The games' revisions in the database when it was last open; nil if it has not been open since the start.
    var stored: [String: Int64]?
    /// The highest player revision that was passed to the last good state.
    var playerRevisionSaved: Int64 = 0
    /// The lower bound of players' revisions; a row with a lower revision is read as having this revision.
    var playerFloor: Int64 = 0
    /// The override slots (a key of a game, for all or for one player) with a window that has begun or ended in the served state, but not
    /// in the database yet.
    var unsaved: Set<OverrideSlot> = []
    var condition: StoreHealth.Condition = .good
    var isClosed = true
    /// True if readers met the failure, so that a successful write does not end it.
    var isReadersTrouble = false
    /// The number of failures that a commit ended in the current interval. It limits the reports if a user fills the disk repeatedly.
    var recoveries: (count: Int, since: ContinuousClock.Instant)
    var since: Instant?
    var asidePath: String?
    var isNewer = false
    var lastCheck: StoreCheck?
    /// The unreadable rows that were found since the database was opened, at most ``StoreLimits/unreadableRowsMax``.
    var unreadable: [UnreadableRow] = []
    var publication: Publication?
    /// The number of changes after the contents were returned and before the publication was set; nil before the contents were returned.
    var missedByPublication: Int?
    var scheduleSave: (@Sendable () -> Void)?
  }

  /// The number of players' revisions that may be assigned before the last good state is saved again, so that it is not saved for each
  /// event. It is a part of the gap of revisions after a loss.
  private static let playerRevisionsUnsavedMax = StoreLimits.revisionGapAfterLoss / 4

  private static let recoveriesMax = 8
  private static let recoveriesSpan = Duration.seconds(10)

  let now: @Sendable () -> Instant
  let times: StoreTiming
  /// The owner of the last good state.
  let owner: StateOwner
  private let guarded: Mutex<GuardedState>
  private let conditionChanged: @Sendable () -> Void
  private let rowUnreadable: @Sendable (UnreadableRow) -> Void

  /// - Parameters:
  ///   - rowUnreadable: Called once for each unreadable row, without a lock.
  ///   - conditionChanged: Called when the condition has changed, without a lock.
  init(
    _ known: LastGoodState?, of owner: StateOwner, times: StoreTiming, now: @escaping @Sendable () -> Instant,
    rowUnreadable: @escaping @Sendable (UnreadableRow) -> Void,
    conditionChanged: @escaping @Sendable () -> Void
  ) {
    self.now = now
    self.times = times
    self.owner = owner
    self.conditionChanged = conditionChanged
    self.rowUnreadable = rowUnreadable
    var served = known?.state ?? StoredState()
    served.epoch = .random(in: .min ... .max)
    let origin = known.map { StoreContents.StateOrigin.lastGood(savedAt: $0.savedAt) } ?? .nothing
    guarded = Mutex(GuardedState(served: served, origin: origin, durable: served.revisions, recoveries: (0, times.now())))
  }

  var served: StoredState { guarded.withLock { $0.served } }
  var publication: Publication? { guarded.withLock { $0.publication } }
  /// True if the contents are served, or about to be.
  var hasGivenContents: Bool { guarded.withLock { $0.publication != nil || $0.missedByPublication != nil } }
  var contents: StoreContents { guarded.withLock { StoreContents(origin: $0.origin, state: $0.served) } }
  var isLost: Bool { guarded.withLock { if case .lost = $0.condition { true } else { false } } }

  /// The reason why the database cannot be read now; nil if it is open.
  var closed: StoreError? {
    guarded.withLock { guarded in
      guard guarded.isClosed else { return nil }
      switch guarded.condition {
      case .noSpace: return .unavailable("the database cannot be opened: the disk is full")
      case .readOnly: return .unavailable("the database cannot be opened: its disk is read-only")
      case .failing(let words): return .unavailable("the database cannot be opened: \(words)")
      case .good, .lost: return Self.error(of: guarded.condition)
      }
    }
  }

  /// The error for a write that the condition does not permit.
  var error: StoreError { guarded.withLock { Self.error(of: $0.condition) } }

  var floors: ReadTransaction.RevisionFloors {
    guarded.withLock { ReadTransaction.RevisionFloors(revisions: $0.served.revisions, players: $0.playerFloor) }
  }

  func setPublication(_ publication: @escaping Publication) { guarded.withLock { $0.publication = publication } }

  /// Returns the contents to a caller that sets a publication next. Changes that are made before the caller sets the publication are
  /// published to it.
  func contentsToServe() -> StoreContents {
    guarded.withLock { guarded in
      if guarded.publication == nil { guarded.missedByPublication = 0 }
      return StoreContents(origin: guarded.origin, state: guarded.served)
    }
  }

  /// Returns the publication with the changes to pass to it, or with the whole contents if it has missed changes. Nil if there is no
  /// publication or no change.
  func published(_ changes: [StoreChange]) -> (publication: Publication, changes: [StoreChange])? {
    guarded.withLock { guarded in
      guard let publication = guarded.publication else {
        guarded.missedByPublication = guarded.missedByPublication.map { $0 + changes.count }
        return nil
      }
      guard guarded.missedByPublication ?? 0 > 0 else { return changes.isEmpty ? nil : (publication, changes) }
      guarded.missedByPublication = 0
      let contents = StoreContents(origin: guarded.origin, state: guarded.served)
      return (publication, [.replaced(contents)] + changes.filter(\.isBesideContents))
    }
  }

  /// Sets the closure that is called when a change affects the last good state.
  func setKeeper(_ notes: @escaping @Sendable () -> Void) { guarded.withLock { $0.scheduleSave = notes } }

  func noteCheck(_ check: StoreCheck) { guarded.withLock { $0.lastCheck = check } }

  /// Returns the override slots (a key of a game, for all or for one player) with a window whose beginning or end is due but not applied,
  /// or applied but not stored.
  func slotsWithEdges(at now: Instant) -> [OverrideSlot] {
    let (served, unsaved) = guarded.withLock { ($0.served, $0.unsaved) }
    let due = served.slotsWithEdges(at: now)
    return unsaved.isEmpty ? due : unsaved.union(due).sorted()
  }

  /// Returns the last good state to save; nil if the store has no state, so that a file that could not be read is not overwritten.
  func lastGood() -> LastGoodState? {
    // The state is copied by reference under the lock. Sorting it there would block every event loop.
    let taken = guarded.withLock { guarded -> (StoredState, [String: Int64])? in
      if guarded.origin == .nothing { return nil }
      guarded.playerRevisionSaved = guarded.served.playerRevisionMax
      return (guarded.served, guarded.durable)
    }
    guard let (state, durable) = taken else { return nil }
    var lastGood = LastGoodState(savedAt: now(), state: state)
    lastGood.state.revisions = durable
    lastGood.fleet = owner.fleet
    return lastGood
  }

  /// True if the last good state does not have the highest player revision.
  var isPlayerRevisionUnsaved: Bool { guarded.withLock { $0.served.playerRevisionMax > $0.playerRevisionSaved } }

  /// The minimum state of a database that is opened again: its state when it was last open; nil if it has not been open since the start.
  var known: StoredState? {
    guarded.withLock { guarded in
      guarded.stored.map { stored in
        StoredState(revisions: stored, playerRevisionMax: guarded.served.playerRevisionMax, templates: guarded.served.templates)
      }
    }
  }

  var condition: StoreHealth.Condition { guarded.withLock { $0.condition } }

  /// The override slots (a key of a game, for all or for one player) with a window that has begun or ended in the served state, but not in
  /// the database yet.
  var unsaved: Set<OverrideSlot> { guarded.withLock { $0.unsaved } }

  func keepUnsaved(_ slots: Set<OverrideSlot>) { guarded.withLock { $0.unsaved = slots } }

  /// Records that a failure of the database is over.
  func recover() {
    change { guarded in
      guarded.condition = .good
      guarded.isReadersTrouble = false
    }
  }

  var isReadersTrouble: Bool { guarded.withLock { $0.isReadersTrouble } }

  func fill(_ health: inout StoreHealth) {
    guarded.withLock { guarded in
      health.condition = guarded.condition
      health.since = guarded.since
      health.asidePath = guarded.asidePath
      health.isNewer = guarded.isNewer
      health.lastCheck = guarded.lastCheck
      health.unreadable = guarded.unreadable
    }
    health.disregarded = owner.disregarded
  }

  /// Begins to serve the state of an opened database.
  /// - Parameters:
  ///   - playerFloor: The lower bound of players' revisions.
  ///   - isRaised: True if the database's revisions were raised above all served ones, so that they replace the served ones.
  ///   - ailing: The failure of writes, if the database can only be read.
  ///   - isServed: False if the contents are published next. An earlier failure then stays until ``noteServed(after:)``.
  /// - Returns: The condition to end with ``noteServed(after:)``; nil if there is none.
  @discardableResult
  func adopt(
    _ state: StoredState, playerFloor: Int64, unreadable: [UnreadableRow], isRaised: Bool = false, ailing: DatabaseFailure? = nil,
    isServed: Bool = true
  ) -> StoreHealth.Condition? {
    var left: StoreHealth.Condition?
    guarded.withLock { $0.unreadable = [] }
    for row in unreadable { noteUnreadable(row) }
    change { guarded in
      guarded.playerFloor = max(guarded.playerFloor, playerFloor)
      guarded.stored = state.revisions
      var state = state
      for (game, revision) in guarded.served.revisions where !isRaised { state.revisions[game] = max(revision, state.revisions[game] ?? 0) }
      guarded.durable = state.revisions
      guarded.served = state
      guarded.origin = .store
      guarded.unsaved = []
      guarded.isClosed = false
      guarded.isReadersTrouble = false
      if ailing == nil, !isServed { left = guarded.condition } else { guarded.condition = ailing.map(Self.condition) ?? .good }
      guarded.asidePath = nil
      guarded.isNewer = false
    }
    return left
  }

  /// Ends the failure that `adopt` left in the health, because the contents of the database are served now. A host that reports itself
  /// ready must serve them. A later failure stays.
  func noteServed(after left: StoreHealth.Condition?) {
    change { if $0.condition == left, !$0.isReadersTrouble { $0.condition = .good } }
  }

  /// Schedules a save of the last good state.
  func scheduleSave() { guarded.withLock { $0.scheduleSave }?() }

  func noteUnreadable(_ row: UnreadableRow) {
    let isNew = guarded.withLock { guarded in
      guard guarded.unreadable.count < StoreLimits.unreadableRowsMax, !guarded.unreadable.contains(where: row.isSameRow) else {
        return false
      }
      guarded.unreadable.append(row)
      return true
    }
    if isNew { rowUnreadable(row) }
  }

  /// Records that the database is lost.
  /// - Parameter isNewer: True if a newer version of gameconfd wrote the database. That version can continue with it.
  func lose(_ words: String, aside: String?, isNewer: Bool = false) {
    change { guarded in
      if guarded.origin == .store { guarded.origin = .lastGood(savedAt: now()) }
      guarded.durable = guarded.served.revisions
      guarded.served.epoch = .random(in: .min ... .max)
      guarded.isClosed = true
      guarded.condition = .lost(words)
      guarded.asidePath = aside
      guarded.isNewer = isNewer
      guarded.lastCheck = nil
    }
  }

  /// Records a failed operation of the database.
  func failure(_ failure: DatabaseFailure, isClosed: Bool, isReaders: Bool = false) {
    change { guarded in
      guarded.isClosed = isClosed
      if isReaders { guarded.isReadersTrouble = true }
      guarded.condition = Self.condition(failure)
    }
  }

  private static func condition(_ failure: DatabaseFailure) -> StoreHealth.Condition {
    switch failure.storeError {
    case .noSpace, .serverDiskFull: .noSpace
    case .readOnly: .readOnly
    case .failed(let words): .failing(words)
    default: .failing(failure.message)
    }
  }

  /// Records a commit. A batch whose transactions were all rolled back does not prove that the disk is writable.
  func noteCommit(_ notes: WriteTransaction.BatchChanges, isWritten: Bool) {
    var changesLastGood = false
    let changes = notes.changes.filter { $0.game != nil }
    // Only the first writer's thread makes changes beyond players' revisions. It can therefore apply a large change outside the lock, for
    // which events would otherwise wait.
    var folded: StoredState?
    if !changes.isEmpty {
      folded = served
      folded?.apply(changes)
    }
    change { [folded] guarded in
      if notes.playerRevisionMax > guarded.playerRevisionSaved + Self.playerRevisionsUnsavedMax { changesLastGood = true }
      let playerRevisionMax = max(guarded.served.playerRevisionMax, notes.playerRevisionMax)
      if let folded { guarded.served = folded }
      guarded.served.playerRevisionMax = playerRevisionMax
      for change in changes {
        guarded.note(change)
        changesLastGood = changesLastGood || change.isInLastGood
      }
      if isWritten, guarded.condition != .good, !guarded.isReadersTrouble, mayRecover(&guarded) { guarded.condition = .good }
    }
    if changesLastGood { guarded.withLock { $0.scheduleSave }?() }
  }

  /// Records the changes of a transaction that the database could not store. If the database is lost, the last good state stores them.
  func noteUnsaved(_ transaction: UnsavedTransaction) {
    guarded.withLock { guarded in
      for change in transaction.changes { for overrides in change.overrides { guarded.unsaved.insert(overrides.slot) } }
      guarded.served = transaction.state
      if transaction.raisesPlayers { guarded.playerFloor = transaction.state.playerRevisionMax }
      if case .lost = guarded.condition {
        guarded.unsaved = []
        guarded.durable = transaction.state.revisions
      }
      return guarded.scheduleSave
    }?()
  }

  private func mayRecover(_ guarded: inout GuardedState) -> Bool {
    let now = times.now()
    if guarded.recoveries.since.duration(to: now) > Self.recoveriesSpan { guarded.recoveries = (0, now) }
    guarded.recoveries.count += 1
    return guarded.recoveries.count <= Self.recoveriesMax
  }

  private func change(_ body: (inout GuardedState) -> Void) {
    let isOther = guarded.withLock { guarded in
      let before = guarded.condition
      body(&guarded)
      if guarded.condition == before { return false }
      guarded.since = guarded.condition == .good ? nil : now()
      return true
    }
    if isOther { conditionChanged() }
  }

  private static func error(of condition: StoreHealth.Condition) -> StoreError {
    switch condition {
    case .good: .unavailable("the database is not open")
    case .noSpace: .noSpace
    case .readOnly: .readOnly
    case .failing(let words): .failed(words)
    case .lost(let words): .unavailable(words)
    }
  }
}

extension StoreChange {
  /// The overrides at the changed slots, as they are after the change.
  var overrides: [KeyOverrides] {
    switch self {
    case .overrides(let overrides, _, _): [overrides]
    case .overridesMany(let many): many.slots
    default: []
    }
  }

  fileprivate var isInLastGood: Bool { StateKinds.lastGood.contains { $0.isChanged(self) } }
}

extension StoreMonitor.GuardedState {
  /// Records a committed change in the durable revisions, the unsaved override slots and the unreadable rows.
  fileprivate mutating func note(_ change: StoreChange) {
    if case .revision(let game, let revision) = change {
      durable[game] = revision
      stored?[game] = revision
    }
    if !unsaved.isEmpty { for overrides in change.overrides { unsaved.remove(overrides.slot) } }
    // A row that was overwritten is readable again.
    if unreadable.isEmpty { return }
    if case .forgotten(let id, _) = change { return unreadable.removeAll { $0.player != nil && $0.isAbout(id.player, in: id.game) } }
    unreadable.removeAll { row in StateKinds.all.contains { $0.isWritten(row, by: change) } }
  }
}

extension StoreChange {
  /// True if the change is not fully part of the contents. It is then published in addition to the contents.
  var isBesideContents: Bool {
    switch self {
    case .catalog, .catalogForgotten: true
    default: !concernsWorld
    }
  }
}
