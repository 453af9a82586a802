// The state that the store's threads share: the served contents, the store's health, the observers.
import GameConfCore
import Synchronization

/// The served state, the condition of the database and the receiver of changes, for all threads of a store. It answers from memory, also while the
/// writer waits for a disk.
final class StoreMonitor: Sendable {
  fileprivate struct GuardedState {
    /// The state that is served.
    var served: StoredState
    var origin: StoreContents.Origin
    /// Revisions that the database or, when that is lost, the last good state knows.
    var durable: [String: Int64]
    /// Revisions that the database knew when it was open last; nil when it was not since the start.
    var stored: [String: Int64]?
    /// The highest revision of a player that the last good state was notified of.
    var playerRevisionTold: Int64 = 0
    /// The number that revisions of players never fall below, whatever their rows say.
    var playerFloor: Int64 = 0
    /// Slots whose edges are in force and not in the database.
    var unsaved: Set<OverrideSlot> = []
    var condition: StoreHealth.Condition = .good
    var isClosed = true
    /// True if readers met the trouble: what is written says nothing about it.
    var isReadersTrouble = false
    /// The number of times that a commit ended a failure in the present span; a user who fills the disk again and again is not reported each time.
    var recoveries: (count: Int, since: ContinuousClock.Instant)
    var since: Instant?
    var asidePath: String?
    var isNewer = false
    var lastCheck: StoreCheck?
    /// Rows that were met and cannot be read, the first of them.
    var unreadable: [UnreadableRow] = []
    var publication: Publication?
    /// The number of changes between the contents that the publication begins with and the publication; nil before contents were given.
    var missedByPublication: Int?
    var notesKept: (@Sendable () -> Void)?
  }

  /// The most that the highest revision of a player may run ahead of the last good state, which is not written for each event: a part of what
  /// revisions jump over after a loss.
  private static let playerRevisionsUntoldMax = StoreLimits.revisionGapAfterLoss / 4

  private static let recoveriesMax = 8
  private static let recoveriesSpan = Duration.seconds(10)

  let now: @Sendable () -> Instant
  let times: StoreTimes
  /// The owner of the last good state.
  let owner: StateOwner
  private let guarded: Mutex<GuardedState>
  private let isTold: @Sendable () -> Void
  private let rowUnreadable: @Sendable (UnreadableRow) -> Void

  /// - Parameters:
  ///   - rowUnreadable: called once for each row that cannot be read, with nothing locked.
  ///   - isTold: called when the condition has changed, with nothing locked.
  init(
    _ known: LastGoodState?, of owner: StateOwner, times: StoreTimes, now: @escaping @Sendable () -> Instant,
    rowUnreadable: @escaping @Sendable (UnreadableRow) -> Void,
    isTold: @escaping @Sendable () -> Void
  ) {
    self.now = now
    self.times = times
    self.owner = owner
    self.isTold = isTold
    self.rowUnreadable = rowUnreadable
    var served = known?.state ?? StoredState()
    served.epoch = .random(in: .min ... .max)
    let origin = known.map { StoreContents.Origin.lastGood(savedAt: $0.savedAt) } ?? .nothing
    guarded = Mutex(GuardedState(served: served, origin: origin, durable: served.revisions, recoveries: (0, times.now())))
  }

  var served: StoredState { guarded.withLock { $0.served } }
  var publication: Publication? { guarded.withLock { $0.publication } }
  /// True once somebody serves the contents, or is about to.
  var hasGivenContents: Bool { guarded.withLock { $0.publication != nil || $0.missedByPublication != nil } }
  var contents: StoreContents { guarded.withLock { StoreContents(origin: $0.origin, state: $0.served) } }
  var isLost: Bool { guarded.withLock { if case .lost = $0.condition { true } else { false } } }

  /// The reason why nothing can be read from the database now; nil when it is open.
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

  /// The error of a write that cannot be made.
  var error: StoreError { guarded.withLock { Self.error(of: $0.condition) } }

  var floors: ReadTransaction.Floors {
    guarded.withLock { ReadTransaction.Floors(revisions: $0.served.revisions, players: $0.playerFloor) }
  }

  func setPublication(_ publication: @escaping Publication) { guarded.withLock { $0.publication = publication } }

  /// Returns the contents to a caller that sets a publication next. What changes in between is published to it.
  func contentsToServe() -> StoreContents {
    guarded.withLock { guarded in
      if guarded.publication == nil { guarded.missedByPublication = 0 }
      return StoreContents(origin: guarded.origin, state: guarded.served)
    }
  }

  /// Returns the publication and the changes for it; everything if it missed some. Nil if there is no publication or no change.
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

  /// Sets the closure that is called when something has changed that the last good state stores.
  func setKeeper(_ notes: @escaping @Sendable () -> Void) { guarded.withLock { $0.notesKept = notes } }

  func noteCheck(_ check: StoreCheck) { guarded.withLock { $0.lastCheck = check } }

  /// The slots that have an edge to apply or to save.
  func slotsWithEdges(at now: Instant) -> [OverrideSlot] {
    let (served, unsaved) = guarded.withLock { ($0.served, $0.unsaved) }
    let due = served.slotsWithEdges(at: now)
    return unsaved.isEmpty ? due : unsaved.union(due).sorted()
  }

  /// The state to store beside the database; nil while nothing is known, so that what cannot be read is not overwritten.
  func lastGood() -> LastGoodState? {
    // What is in memory is shared, not copied; sorting it would hold up every event loop.
    let taken = guarded.withLock { guarded -> (StoredState, [String: Int64])? in
      if guarded.origin == .nothing { return nil }
      guarded.playerRevisionTold = guarded.served.playerRevisionMax
      return (guarded.served, guarded.durable)
    }
    guard let (state, durable) = taken else { return nil }
    var lastGood = LastGoodState(savedAt: now(), state: state)
    lastGood.state.revisions = durable
    lastGood.fleet = owner.fleet
    return lastGood
  }

  /// True if the last good state was not notified of every revision of a player.
  var isPlayerRevisionUntold: Bool { guarded.withLock { $0.served.playerRevisionMax > $0.playerRevisionTold } }

  /// The state that a database which is opened again must have at least: its state when it was open last; nil when it was not since the start.
  var known: StoredState? {
    guarded.withLock { guarded in
      guarded.stored.map { stored in
        StoredState(revisions: stored, playerRevisionMax: guarded.served.playerRevisionMax, templates: guarded.served.templates)
      }
    }
  }

  /// The condition is what it was said to be last.
  var condition: StoreHealth.Condition { guarded.withLock { $0.condition } }

  /// The slots with edges in force that the database does not have.
  var unsaved: Set<OverrideSlot> { guarded.withLock { $0.unsaved } }

  /// These edges are still not in the database.
  func keepUnsaved(_ slots: Set<OverrideSlot>) { guarded.withLock { $0.unsaved = slots } }

  /// Notes that the database's failure has passed.
  func recover() {
    change { guarded in
      guarded.condition = .good
      guarded.isReadersTrouble = false
    }
  }

  /// True if what ails the database was met by readers.
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

  /// The database is open and this is in it.
  /// - Parameters:
  ///   - playerFloor: what revisions of players never fall below.
  ///   - isRaised: whether the database was raised above everything that was served, so that it alone says what the revisions are.
  ///   - ailing: what keeps it from being written, though it is read.
  func adopt(
    _ state: StoredState, playerFloor: Int64, unreadable: [UnreadableRow], isRaised: Bool = false, ailing: DatabaseFailure? = nil
  ) {
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
      guarded.condition = ailing.map(Self.condition) ?? .good
      guarded.asidePath = nil
      guarded.isNewer = false
    }
  }

  /// Notes that the contents of the last good state have changed.
  func noteKept() { guarded.withLock { $0.notesKept }?() }

  /// A row was met that cannot be read.
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

  /// The database is lost.
  /// - Parameter isNewer: True if a newer version wrote it, which can go on from it.
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

  /// The database did not do what it was asked.
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

  /// A batch is committed; one of which nothing was kept says nothing about the disk.
  func noteCommit(_ notes: WriteTransaction.Notes, isWritten: Bool) {
    var changesLastGood = false
    let changes = notes.changes.filter { $0.game != nil }
    // Only the first writer's thread changes more than players' revisions: a large change is folded where no event loop waits for the lock.
    var folded: StoredState?
    if !changes.isEmpty {
      folded = served
      folded?.apply(changes)
    }
    change { [folded] guarded in
      if notes.playerRevisionMax > guarded.playerRevisionTold + Self.playerRevisionsUntoldMax { changesLastGood = true }
      let playerRevisionMax = max(guarded.served.playerRevisionMax, notes.playerRevisionMax)
      if let folded { guarded.served = folded }
      guarded.served.playerRevisionMax = playerRevisionMax
      for change in changes {
        guarded.note(change)
        changesLastGood = changesLastGood || change.isInLastGood
      }
      if isWritten, guarded.condition != .good, !guarded.isReadersTrouble, mayRecover(&guarded) { guarded.condition = .good }
    }
    if changesLastGood { guarded.withLock { $0.notesKept }?() }
  }

  /// A transaction ran over what is served since the database could not keep it. In a lost store the last good state is what counts, and keeps it.
  func noteUnsaved(_ transaction: UnsavedTransaction) {
    guarded.withLock { guarded in
      for change in transaction.changes { for overrides in change.overrides { guarded.unsaved.insert(overrides.slot) } }
      guarded.served = transaction.state
      if transaction.raisesPlayers { guarded.playerFloor = transaction.state.playerRevisionMax }
      if case .lost = guarded.condition {
        guarded.unsaved = []
        guarded.durable = transaction.state.revisions
      }
      return guarded.notesKept
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
    if isOther { isTold() }
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
  /// The overrides that it leaves at slots.
  var overrides: [KeyOverrides] {
    switch self {
    case .overrides(let overrides, _, _): [overrides]
    case .overridesMany(let many): many.slots
    default: []
    }
  }

  /// True if the last good state has what it changes.
  fileprivate var isInLastGood: Bool { StateKinds.lastGood.contains { $0.isChanged(self) } }
}

extension StoreMonitor.GuardedState {
  /// Notes what a committed change says of the database beside what is served.
  fileprivate mutating func note(_ change: StoreChange) {
    if case .revision(let game, let revision) = change {
      durable[game] = revision
      stored?[game] = revision
    }
    if !unsaved.isEmpty { for overrides in change.overrides { unsaved.remove(overrides.slot) } }
    // A row that is written again can be read again.
    if unreadable.isEmpty { return }
    if case .forgotten(let id, _) = change { return unreadable.removeAll { $0.player != nil && $0.isAbout(id.player, in: id.game) } }
    unreadable.removeAll { row in StateKinds.all.contains { $0.isWritten(row, by: change) } }
  }
}

extension StoreChange {
  /// True if the change is not part of the contents, or not wholly, so that reading them again does not show it.
  var isBesideContents: Bool {
    switch self {
    case .catalog, .catalogForgotten: true
    default: !concernsWorld
    }
  }
}
