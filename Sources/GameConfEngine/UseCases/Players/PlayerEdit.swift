// One change of a player within the writer's transaction: what every such change reads, checks and writes.
import GameConfCore
public import GameConfStorage

/// A change of one player, made whole within a transaction.
struct PlayerEdit {
  let transaction: WriteTransaction
  let service: PlayerService
  let id: PlayerID
  let change: Change
  /// The player before the change: as earlier transactions left it, or from memory, which an earlier transaction of the batch may have left behind.
  let view: PlayerView
  /// True if ``view`` is from memory.
  private let isFromMemory: Bool
  /// True if something is stored of the player that cannot be read; ``view`` shows one of whom nothing is known then.
  let isUnreadable: Bool

  /// Opens a change.
  /// - Parameter trustsMemory: whether the player may be taken from memory. An earlier one of the same batch may have changed the player since
  ///   then; ``commit(_:lines:_:)`` finds that out.
  /// - Parameter takesUnreadable: whether the change can be made of a player who cannot be read too, or whose id is no longer admitted.
  /// - Parameter isTakenBack: whether the player goes with the scenario; nobody else changes a player of one that is not live.
  /// - Throws: `.unknownGame`, `.notAPlayer`, `.notOfScenario`, `.reason`, `.store`.
  init(
    _ transaction: WriteTransaction, _ service: PlayerService, _ id: PlayerID, context: ObjectValue?, _ change: Change,
    trustsMemory: Bool,
    takesUnreadable: Bool = false, isTakenBack: Bool = false
  ) throws {
    guard let game = service.world.world[id.game] else { throw ChangeRefusal.unknownGame(id.game) }
    let isAdmitted = takesUnreadable ? OverrideLimits.admits(storedPlayer: id.player) : OverrideLimits.admits(player: id.player)
    guard isAdmitted else { throw ChangeRefusal.notAPlayer(id.player) }
    if !isTakenBack, let scenario = ScenarioNames.scenario(ofPlayer: id.player) {
      // The beginning that the ids share is nobody: the scenario's values stand under it.
      let isShared = ByteText.areSame(id.player, ScenarioNames.players(of: scenario))
      guard !isShared, try transaction.scenario(scenario)?.admits(id.game) == true else { throw ChangeRefusal.notOfScenario(id.player) }
    }
    if let reason = change.reason { try Change.check(reason: reason) }
    self.transaction = transaction
    self.service = service
    self.id = id
    self.change = change
    let known = trustsMemory ? service.recent.cached(id, isOldFine: true) : nil
    isFromMemory = known != nil
    var stored = known
    do throws(StoreError) { if stored == nil { stored = try transaction.player(id) } } catch {
      guard takesUnreadable, case .unreadable = error else { throw error }
    }
    isUnreadable = stored == nil
    var player = try stored ?? StoredPlayer(revision: transaction.playerRevision(id.player, in: id.game))
    try transaction.count(game.table.playerRules.bestCounts, of: &player)
    view = PlayerView(player, id, of: game, host: change.now, context: context)
  }

  /// Opens a change of another player of the game in the same transaction, on what is stored: the caller's precondition is not about that one.
  /// - Parameter isTakenBack: whether the change takes back what was between the two, whatever has become of a scenario of theirs.
  func beside(_ player: String, takesUnreadable: Bool = false, isTakenBack: Bool = false) throws -> PlayerEdit {
    var unconditional = change
    (unconditional.precondition, unconditional.sequence) = (nil, nil)
    return try PlayerEdit(
      transaction, service, PlayerID(game: id.game, player: player), context: nil, unconditional, trustsMemory: false,
      takesUnreadable: takesUnreadable, isTakenBack: isTakenBack)
  }

  /// Refuses what is done already, and what the caller's precondition does not admit: in this order, since what was done has changed what the
  /// precondition is about.
  fileprivate func admit() throws {
    if let sequence = change.sequence, !change.isDryRun, try view.stored.marks.standing(of: sequence) != .new {
      throw ChangeRefusal.alreadyDone(revision: view.stored.revision)
    }

    let (expected, actual): (Int64, Int64)
    switch change.precondition {
    case .none: return
    case .gameRevision(let revision): (expected, actual) = (revision, try transaction.revision(of: id.game))
    case .playerRevision(let revision), .slotRevision(let revision): (expected, actual) = (revision, view.stored.revision)
    case .newestTemplate, .templateInForce, .playState: throw ChangeRefusal.playerChanged(revision: view.stored.revision)
    }
    if actual != expected { throw ChangeRefusal.playerChanged(revision: actual) }
  }

  /// A line for the audit log about this player.
  func line(_ action: AuditAction) -> AuditRecord {
    var line = AuditRecord(change, action: action, game: id.game)
    line.player = id.player
    return line
  }

  /// The lines for the audit log about a change: one when it comes over the admin socket, else none.
  func lines(_ action: AuditAction, _ fill: (inout AuditRecord) -> Void) -> [AuditRecord] {
    guard change.isAdmin else { return [] }
    var line = line(action)
    fill(&line)
    return [line]
  }

  /// Writes the change.
  /// - Parameters:
  ///   - write: what is written; the mark of the client's queue is added.
  ///   - lines: for the audit log, when the change comes over the admin socket.
  /// - Throws: `.tooManyNewPlayers` for a player that was unknown, `.store`, and ``StaleSnapshot`` when the player was taken from memory and an
  ///   earlier transaction has written since; nothing is written then.
  func commit<Outcome>(_ write: PlayerWrite, lines: [AuditRecord] = [], _ outcome: Outcome) throws -> PlayerChangeOutcome<Outcome> {
    let stored = view.stored
    var write = write
    if stored.isUnknown, !change.isDryRun {
      // Two first changes of a player in one batch make one player.
      if isFromMemory, try transaction.playerRevision(id.player, in: id.game) != stored.revision { throw StaleSnapshot() }
      try service.rates.countUnknownPlayer(by: change.author.uid)
    }
    let growth = change.isDryRun ? 0 : write.growth(over: stored)
    if growth > 0 { try service.rates.countGrowth(bytes: growth, by: change.author.uid) }
    if let sequence = change.sequence {
      var marks = stored.marks
      marks.note(sequence, entry: write.lines.last?.entry.number ?? 0)
      write.marks = marks
    }
    write.at = change.now
    guard let player = try transaction.write(write, of: id, over: stored) else {
      if isFromMemory { throw StaleSnapshot() }
      throw ChangeRefusal.store(.failed("a player of \(id.game) has another revision than was just read"))
    }
    if change.isAdmin { for line in lines { try transaction.append(line) } }
    return PlayerChangeOutcome(outcome: outcome, player: player, before: stored)
  }

  /// The result of a change that changes nothing; that its number is done is written all the same.
  func nothing<Outcome>(_ outcome: Outcome) throws -> PlayerChangeOutcome<Outcome> {
    // Where other hosts write too, what is in memory may be what was.
    if isFromMemory, service.recent.isShared, try transaction.playerRevision(id.player, in: id.game) != view.stored.revision {
      throw StaleSnapshot()
    }
    if change.sequence == nil || change.isDryRun { return PlayerChangeOutcome(outcome: outcome, player: view.stored) }
    return try commit(PlayerWrite(), outcome)
  }
}

/// An answer as it is kept beside a line of history: what was answered, at which player revision, and to which request.
extension PlayerEdit {
  /// An answer to this change, to be kept.
  /// - Parameter request: the place in a queue, or ``RequestFingerprint/name``.
  func kept(_ answer: [UInt8], of request: String) -> [UInt8] {
    var kept = JSONBuilder(reserving: answer.count + 80)
    kept.beginList()
    kept.json(answer)
    kept.integer(view.stored.revision + 1)
    kept.string(request)
    kept.endList()
    return kept.bytes
  }

  /// The answer to an event that was done, and the player revision it was given at; nil when it is no longer kept.
  /// - Parameters:
  ///   - request: the place in a queue, or ``RequestFingerprint/name``.
  ///   - entryBits: the last byte of the number of the event's line.
  ///   - newest: the number of the player's newest line.
  func answer(
    to request: String, ofEvent event: String, entryBits: UInt8, newest: Int64
  ) throws -> (answer: Value, revision: Int64)? {
    func named(_ kept: Value?) -> (answer: Value, revision: Int64)? {
      guard let kept = kept?.listValue, kept.count >= 2, let revision = kept[1].integerValue else { return nil }
      // Older versions kept the answer to a request with an id without the id.
      let isNamed = kept.count > 2 ? kept[2].stringValue == request : request.hasPrefix(RequestFingerprint.namePrefix)
      return isNamed ? (kept[0], revision) : nil
    }
    // Most repeats are of the newest lines, where the byte is enough to find the line.
    if let found = named(try transaction.answer(beside: newest - Int64(UInt8(truncatingIfNeeded: newest) &- entryBits), of: id)) {
      return found
    }
    if let found = try transaction.answers(toEvent: event, entryBits: entryBits, of: id).lazy.compactMap(named).first { return found }
    if isFromMemory { throw StaleSnapshot() }
    return nil
  }
}

/// The player in memory is not the one that an earlier transaction of the batch has left: the change must be decided again, on what is stored.
struct StaleSnapshot: Error {}

extension PlayerService {
  /// Makes a change of a player as a transaction; when it is remembered, a repeat of it changes nothing and gets the first answer.
  /// - Throws: What the act throws; and `.unknownGame`, `.notAPlayer`, `.notOfScenario`, `.tooManyNewPlayers`, `.tooManyWrites`,
  ///   `.tooMuchGrowth`, `.changedMeanwhile`, `.alreadyDone`, `.repeatedWithOtherContent`, `.reason`, `.store`.
  public func change<Outcome: Sendable>(
    _ id: PlayerID, _ act: PlayerAct<Outcome>, _ change: Change,
    remembering: RepeatableChange<PlayerChangeOutcome<Outcome>, ChangeRefusal>? = nil
  ) async throws(ChangeRefusal) -> ChangeAnswer<PlayerChangeOutcome<Outcome>> {
    try rates.countWrite(by: change.author.uid)
    return try await changeUncounted(id, act, change, remembering: remembering)
  }

  /// The same without counting it among the user's writes, for a caller that has counted it.
  func changeUncounted<Outcome: Sendable>(
    _ id: PlayerID, _ act: PlayerAct<Outcome>, _ change: Change,
    remembering: RepeatableChange<PlayerChangeOutcome<Outcome>, ChangeRefusal>? = nil
  ) async throws(ChangeRefusal) -> ChangeAnswer<PlayerChangeOutcome<Outcome>> {
    try await store.change(
      mode(of: change, about: id, scope: act.scope(of: id), trustsMemory: act.trustsMemory), remembering: remembering,
      reused: ChangeRefusal.repeatedWithOtherContent
    ) { transaction in
      try decide(
        id, context: nil, change, trustsMemory: act.trustsMemory, takesUnreadable: act.takesUnreadable, in: transaction, { _ in nil },
        act.edit)
    }
  }

  /// Runs a change of a player as a transaction, and puts its outcome in the completion queue.
  /// - Parameter known: what was answered when the request came before; nil when it is new.
  func change<Outcome: Sendable>(
    _ id: PlayerID, context: ObjectValue?, _ change: Change, by completions: (any CompletionQueue)?,
    known: @escaping @Sendable (PlayerEdit) throws -> PlayerChangeOutcome<Outcome>?,
    _ body: @escaping @Sendable (PlayerEdit) throws -> PlayerChangeOutcome<Outcome>,
    then take: @escaping @Sendable (Result<PlayerChangeOutcome<Outcome>, ChangeRefusal>) -> Void
  ) {
    do throws(ChangeRefusal) { try rates.countWrite(by: change.author.uid) } catch { return take(.failure(error)) }
    store.submit(
      mode(of: change, about: id),
      .stored { transaction in try decide(id, context: context, change, trustsMemory: true, in: transaction, known, body) },
      by: completions, then: take)
  }

  /// The mode in which a change of a player is run, by what is in memory.
  private func mode(of change: Change, about id: PlayerID, scope: WriteScope? = nil, trustsMemory: Bool = true) -> WriteMode {
    var mode = WriteMode(
      isDryRun: change.isDryRun, scope: scope ?? .players([id]), readsPlayers: !trustsMemory || recent.mustBeAsked(about: id))
    if scope == nil, !mode.readsPlayers { mode.knownBoards = recent.knownBoards(of: id) }
    return mode
  }

  private func decide<Outcome>(
    _ id: PlayerID, context: ObjectValue?, _ change: Change, trustsMemory: Bool, takesUnreadable: Bool = false,
    in transaction: WriteTransaction,
    _ known: (PlayerEdit) throws -> PlayerChangeOutcome<Outcome>?, _ body: (PlayerEdit) throws -> PlayerChangeOutcome<Outcome>
  ) throws -> PlayerChangeOutcome<Outcome> {
    func decide(trustsMemory: Bool) throws -> PlayerChangeOutcome<Outcome> {
      let edit = try PlayerEdit(
        transaction, self, id, context: context, change, trustsMemory: trustsMemory, takesUnreadable: takesUnreadable)
      if let answer = try known(edit) { return answer }
      try edit.admit()
      return try body(edit)
    }
    do {
      do { return try decide(trustsMemory: trustsMemory) } catch is StaleSnapshot {
        return try decide(trustsMemory: false)
      } catch  where trustsMemory && recent.isShared {
        // What was refused may be a refusal of what was: another host may have written since.
        guard let known = recent.cached(id, isOldFine: true), try transaction.playerRevision(id.player, in: id.game) != known.revision
        else {
          throw error
        }
        return try decide(trustsMemory: false)
      }
    } catch let refusal as Refusal {
      throw ChangeRefusal.refused(refusal)
    }
  }
}

extension AuditAction {
  /// An event was recorded over the admin socket.
  static let playerEvent = AuditAction(.playerEvent)
  /// A visit was opened over the admin socket.
  static let playerVisit = AuditAction(.playerVisit)
  /// A player's setting was set or removed over the admin socket.
  static let playerSetting = AuditAction(.playerSetting)
  /// A player's context was registered over the admin socket.
  static let playerContext = AuditAction(.playerContext)
  /// A player's scores were set.
  static let playerScores = AuditAction(.playerScores)
  /// A play was opened over the admin socket.
  static let playOpened = AuditAction(.playOpened)
  /// A play was closed over the admin socket.
  static let playClosed = AuditAction(.playClosed)
  /// A player was forgotten; the line names a digest.
  static let playerForgotten = AuditAction(.playerForgotten)
  /// An ad was reported on over the admin socket.
  static let adReport = AuditAction(.adReport)
  /// A placement's counter was reset.
  static let adReset = AuditAction(.adReset)
  /// A placement's next ad was forced.
  static let adForce = AuditAction(.adForce)
}
