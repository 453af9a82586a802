// One change of a player within the writer's transaction, with the reads, checks and writes that all such changes share.
import GameConfCore
public import GameConfStorage

/// An atomic change of one player within a database transaction.
struct PlayerEdit {
  let transaction: WriteTransaction
  let service: PlayerService
  let id: PlayerID
  let change: ChangeContext
  /// The player before the change, from the database or from the cache. The cache may lack writes of earlier transactions of the same
  /// batch.
  let view: PlayerView
  /// True if ``view`` is from the cache.
  private let isFromMemory: Bool
  /// True if the player's rows exist but cannot be read; ``view`` then shows an unknown player.
  let isUnreadable: Bool

  /// Begins a change, and reads the player.
  /// - Parameter trustsMemory: True to use the cached player. It may lack an earlier change of the same batch, which
  ///   ``commit(_:lines:_:)`` detects.
  /// - Parameter takesUnreadable: True if the change works for an unreadable player, or an id in a form that is no longer permitted.
  /// - Parameter isTakenBack: True if the end of a scenario makes the change. Other changes of players of an ended scenario are refused.
  /// - Throws: `.unknownGame`, `.notAPlayer`, `.notOfScenario`, `.reason`, `.store`.
  init(
    _ transaction: WriteTransaction, _ service: PlayerService, _ id: PlayerID, context: ObjectValue?, _ change: ChangeContext,
    trustsMemory: Bool,
    takesUnreadable: Bool = false, isTakenBack: Bool = false
  ) throws {
    guard let game = service.world.world[id.game] else { throw ChangeRefusal.unknownGame(id.game) }
    let isAdmitted = takesUnreadable ? OverrideLimits.admits(storedPlayer: id.player) : OverrideLimits.admits(player: id.player)
    guard isAdmitted else { throw ChangeRefusal.notAPlayer(id.player) }
    if !isTakenBack, let scenario = ScenarioNames.scenario(ofPlayer: id.player) {
      // The common prefix of a scenario's player ids is not a player: only the scenario's overrides are stored under it.
      let isShared = ByteText.areSame(id.player, ScenarioNames.players(of: scenario))
      guard !isShared, try transaction.scenario(scenario)?.admits(id.game) == true else { throw ChangeRefusal.notOfScenario(id.player) }
    }
    if let reason = change.reason { try ChangeContext.check(reason: reason) }
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

  /// Begins a change of another player of the game in the same transaction. It reads the player from the database, and ignores the
  /// precondition of the first player's change.
  /// - Parameter isTakenBack: True if the change undoes an exchange between the two players, which is permitted even after the end of their
  ///   scenario.
  func beside(_ player: String, takesUnreadable: Bool = false, isTakenBack: Bool = false) throws -> PlayerEdit {
    var unconditional = change
    (unconditional.precondition, unconditional.sequence) = (nil, nil)
    return try PlayerEdit(
      transaction, service, PlayerID(game: id.game, player: player), context: nil, unconditional, trustsMemory: false,
      takesUnreadable: takesUnreadable, isTakenBack: isTakenBack)
  }

  /// Refuses a change that was already made, or whose precondition does not hold. The check for a repeat is first: a repeat's precondition
  /// often names the revision before the first execution, and so it no longer holds.
  fileprivate func admit() throws {
    if let sequence = change.sequence, !change.isDryRun, try view.stored.marks.standing(of: sequence) != .new {
      throw ChangeRefusal.alreadyDone(revision: view.stored.revision)
    }

    let actual = view.stored.revision
    switch change.precondition {
    case .none: return
    case .gameRevision(let expected):
      let ofGame = try transaction.revision(of: id.game)
      if ofGame != expected { throw ChangeRefusal.changedMeanwhile(revision: ofGame) }
    case .playerRevision(let expected), .slotRevision(let expected):
      if actual != expected { throw ChangeRefusal.playerChanged(revision: actual) }
    case .newestTemplate, .templateInForce, .playState: throw ChangeRefusal.playerChanged(revision: actual)
    }
  }

  /// Returns an audit line about this player, with the author and the reason of the change.
  func line(_ action: AuditAction) -> AuditRecord {
    var line = AuditRecord(change, action: action, game: id.game)
    line.player = id.player
    return line
  }

  /// Returns the audit lines of a change: one line for a change over the admin socket, and an empty list for any other change.
  func lines(_ action: AuditAction, _ fill: (inout AuditRecord) -> Void) -> [AuditRecord] {
    guard change.isAdmin else { return [] }
    var line = line(action)
    fill(&line)
    return [line]
  }

  /// Writes the change, and counts the bytes that it adds to the database in the user's daily quota.
  /// - Parameters:
  ///   - write: The writes; the position in the client's queue is added.
  ///   - lines: The audit lines of a change over the admin socket.
  /// - Throws: `.tooManyNewPlayers` for an unknown player, `.store`, and ``StaleSnapshot`` if the cached player lacks an
  ///   earlier transaction's write; nothing is written then.
  func commit<Outcome>(_ write: PlayerWrite, lines: [AuditRecord] = [], _ outcome: Outcome) throws -> PlayerChangeOutcome<Outcome> {
    let stored = view.stored
    var write = write
    if stored.isUnknown, !change.isDryRun {
      // If two transactions of one batch both make a player's first change, only one of them creates the player.
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

  /// Returns the result of a change without an effect. Its position in the client's queue is still written.
  func nothing<Outcome>(_ outcome: Outcome) throws -> PlayerChangeOutcome<Outcome> {
    // If other hosts write too, the cached player may be stale.
    if isFromMemory, service.recent.isShared, try transaction.playerRevision(id.player, in: id.game) != view.stored.revision {
      throw StaleSnapshot()
    }
    if change.sequence == nil || change.isDryRun { return PlayerChangeOutcome(outcome: outcome, player: view.stored) }
    return try commit(PlayerWrite(), outcome)
  }
}

/// The answers to events, stored for repeats. A stored answer has three parts: the answer, the player revision, and the id of the request.
extension PlayerEdit {
  /// Encodes the answer to this change in the form in which it is stored for repeats.
  /// - Parameter request: The position in a queue, or ``RequestFingerprint/name``.
  func retained(_ answer: [UInt8], of request: String) -> [UInt8] {
    var retained = JSONBuilder(reserving: answer.count + 80)
    retained.beginList()
    retained.json(answer)
    retained.integer(view.stored.revision + 1)
    retained.string(request)
    retained.endList()
    return retained.bytes
  }

  /// Returns the stored answer to an event with its player revision; nil if it is no longer stored.
  /// - Parameters:
  ///   - request: The position in a queue, or ``RequestFingerprint/name``.
  ///   - entryBits: The low byte of the event's line number in the player's history.
  ///   - newest: The number of the newest line in the player's history.
  func answer(
    to request: String, ofEvent event: String, entryBits: UInt8, newest: Int64
  ) throws -> (answer: Value, revision: Int64)? {
    func named(_ parts: Value?) -> (answer: Value, revision: Int64)? {
      guard let parts = parts?.listValue, parts.count >= 2, let revision = parts[1].integerValue else { return nil }
      // Older versions did not store the id of a request, so their answers match any request with an id.
      let isNamed = parts.count > 2 ? parts[2].stringValue == request : request.hasPrefix(RequestFingerprint.namePrefix)
      return isNamed ? (parts[0], revision) : nil
    }
    // Most repeated events are among the newest 256 lines of the history. There, the low byte of a line's number identifies the line.
    if let found = named(try transaction.answer(beside: newest - Int64(UInt8(truncatingIfNeeded: newest) &- entryBits), of: id)) {
      return found
    }
    if let found = try transaction.answers(toEvent: event, entryBits: entryBits, of: id).lazy.compactMap(named).first { return found }
    if isFromMemory { throw StaleSnapshot() }
    return nil
  }
}

/// The error that the cached player lacks an earlier write, so that the change must be decided again on the stored player.
struct StaleSnapshot: Error {}

extension PlayerService {
  /// Makes a change of a player in a transaction. With `remembering`, a repeat changes nothing and gets the first answer.
  /// - Throws: The errors of the act, and `.unknownGame`, `.notAPlayer`, `.notOfScenario`, `.tooManyNewPlayers`, `.tooManyWrites`,
  ///   `.tooMuchGrowth`, `.changedMeanwhile`, `.alreadyDone`, `.repeatedWithOtherContent`, `.reason`, `.store`.
  public func change<Outcome: Sendable>(
    _ id: PlayerID, _ act: PlayerAct<Outcome>, _ change: ChangeContext,
    remembering: RepeatableChange<PlayerChangeOutcome<Outcome>, ChangeRefusal>? = nil
  ) async throws(ChangeRefusal) -> ChangeAnswer<PlayerChangeOutcome<Outcome>> {
    try rates.countWrite(by: change.author.uid)
    return try await changeUncounted(id, act, change, remembering: remembering)
  }

  /// Makes a change like ``change(_:_:_:remembering:)`` without counting it, for a caller that has counted it in the user's rate.
  func changeUncounted<Outcome: Sendable>(
    _ id: PlayerID, _ act: PlayerAct<Outcome>, _ change: ChangeContext,
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

  /// Makes a change of a player in a transaction, and passes its outcome to the completion queue.
  /// - Parameter known: Returns the outcome of an earlier identical request; nil for a new one.
  func change<Outcome: Sendable>(
    _ id: PlayerID, context: ObjectValue?, _ change: ChangeContext, by completions: (any CompletionQueue)?,
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

  /// Returns the options of the transaction for a change of a player, depending on the cached rows.
  private func mode(of change: ChangeContext, about id: PlayerID, scope: WriteScope? = nil, trustsMemory: Bool = true) -> WriteMode {
    var mode = WriteMode(
      isDryRun: change.isDryRun, scope: scope ?? .players([id]), readsPlayers: !trustsMemory || recent.needsRead(about: id))
    if scope == nil, !mode.readsPlayers { mode.knownBoards = recent.knownBoards(of: id) }
    return mode
  }

  private func decide<Outcome>(
    _ id: PlayerID, context: ObjectValue?, _ change: ChangeContext, trustsMemory: Bool, takesUnreadable: Bool = false,
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
        // A refusal may be based on a stale player, because another host may have written since.
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
  /// An admin set a player's scores.
  static let playerScores = AuditAction(.playerScores)
  /// A play was opened over the admin socket.
  static let playOpened = AuditAction(.playOpened)
  /// A play was closed over the admin socket.
  static let playClosed = AuditAction(.playClosed)
  /// A player was forgotten; the line has a digest of the id.
  static let playerForgotten = AuditAction(.playerForgotten)
  /// A game's report on an ad was made over the admin socket.
  static let adReport = AuditAction(.adReport)
  /// A placement's counter was reset.
  static let adReset = AuditAction(.adReset)
  /// A placement's next event was set to show an ad.
  static let adForce = AuditAction(.adForce)
}
