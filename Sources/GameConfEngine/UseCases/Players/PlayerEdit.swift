// One change of a player within the writer's turn: what every such change reads, checks and writes.
import GameConfCore

/// A change of one player, made whole within a turn.
struct PlayerEdit {
  /// What is written of the player; what is nil stays.
  struct Write {
    var state: PlayerState?
    var entry: HistoryEntry?
    var answer: Value?
    var ledger: Ledger?
    var clock: PlayerClock?
    /// For the audit log, when the change comes over the admin socket.
    var lines: [AuditRecord] = []
  }

  let turn: any StoreTurn
  let desk: PlayerDesk
  let id: PlayerID
  let change: PlayerChange
  /// The player before the change, as earlier turns left it.
  let view: PlayerView

  /// Opens a change.
  /// - Throws: `.unknownGame`, `.notAPlayer`, `.reason`, `.changedMeanwhile`, `.store`.
  init(_ turn: any StoreTurn, _ desk: PlayerDesk, _ id: PlayerID, context: ObjectValue?, _ change: PlayerChange) throws {
    guard let game = desk.world.world[id.game] else { throw PlayerRefusal.unknownGame(id.game) }
    guard OverrideLimits.admits(player: id.player) else { throw PlayerRefusal.notAPlayer(id.player) }
    if let reason = change.reason {
      do throws(OverrideError) { try ChangeContext.check(reason: reason) } catch {
        throw PlayerRefusal.reason(bytesMax: OverrideLimits.reasonBytesMax)
      }
    }
    self.turn = turn
    self.desk = desk
    self.id = id
    self.change = change
    view = PlayerView(try Self.stored(id, turn, desk), id, of: game, host: change.host, context: context)
    try checkPrecondition()
  }

  /// What earlier turns left of the player. What is in memory is that as long as it has the same revision: each write raises it, and none
  /// repeats.
  private static func stored(_ id: PlayerID, _ turn: any StoreTurn, _ desk: PlayerDesk) throws(StoreError) -> StoredPlayer {
    if let known = desk.recent.cached(id), try turn.playerRevision(id.player, in: id.game) == known.revision { return known }
    return try turn.player(id)
  }

  private func checkPrecondition() throws {
    let (expected, actual): (Int64, Int64)
    switch change.precondition {
    case .none: return
    case .gameRevision(let revision): (expected, actual) = (revision, try turn.revision(of: id.game))
    case .playerRevision(let revision), .slotRevision(let revision): (expected, actual) = (revision, view.stored.revision)
    }
    if actual != expected { throw PlayerRefusal.changedMeanwhile(revision: actual) }
  }

  /// A line for the audit log about this player.
  func line(_ action: AuditAction) -> AuditRecord {
    var line = AuditRecord(at: change.host, author: change.author, action: action, game: id.game, reason: change.reason)
    line.player = id.player
    return line
  }

  /// Writes the change, raises the player revision by one and publishes the player.
  /// - Throws: `.tooManyNewPlayers` for a player that was unknown, `.store`.
  func commit<Outcome>(_ write: Write, _ outcome: Outcome) throws -> PlayerChanged<Outcome> {
    var stored = view.stored
    if stored.isUnknown, !change.isDryRun { try desk.rates.countUnknownPlayer(by: change.author.uid) }
    stored.revision = try turn.nextPlayerRevision(id.player, in: id.game)
    if let state = write.state {
      try turn.put(state, entry: write.entry, answer: write.answer.map { [$0, .integer(stored.revision)] }, of: id)
      stored.state = state
    }
    if let ledger = write.ledger {
      try turn.put(ledger, of: id)
      stored.ledger = ledger
    }
    if let clock = write.clock {
      try turn.put(clock, of: id)
      stored.clock = clock
    }
    turn.publish(.player(id, stored))
    if change.isAdmin { for line in write.lines { turn.publish(.audited(try turn.append(line))) } }
    return PlayerChanged(outcome: outcome, player: stored)
  }

  /// What a change that changes nothing answers.
  func nothing<Outcome>(_ outcome: Outcome) -> PlayerChanged<Outcome> { PlayerChanged(outcome: outcome, player: view.stored) }

  /// The answer that is kept beside a line of history, and the player revision it was given at.
  func answer(beside entry: Int64) throws -> (answer: Value, revision: Int64) {
    guard let kept = try turn.answer(beside: entry, of: id)?.listValue, kept.count == 2, let revision = kept[1].integerValue else {
      throw PlayerRefusal.store(.failed("the answer to a request of \(id.game) that came before is not kept"))
    }
    return (kept[0], revision)
  }
}

extension PlayerDesk {
  /// Runs a change of a player as a turn; when it is remembered, a repeat of it changes nothing and gets the first answer.
  func change<Outcome: Sendable>(
    _ id: PlayerID, context: ObjectValue? = nil, _ change: PlayerChange,
    remembering: Remembering<PlayerChanged<Outcome>, PlayerRefusal>? = nil,
    _ body: @escaping @Sendable (PlayerEdit) throws -> PlayerChanged<Outcome>
  ) async throws(PlayerRefusal) -> Answered<PlayerChanged<Outcome>> {
    if !change.isDryRun { try rates.countWrite(by: change.author.uid) }
    return try await store.change(
      WriteMode(isDryRun: change.isDryRun), remembering: remembering, reused: PlayerRefusal.repeatedWithOtherContent
    ) { turn in
      do {
        return try body(try PlayerEdit(turn, self, id, context: context, change))
      } catch let fault as PlayerFault {
        throw PlayerRefusal.fault(fault)
      } catch let refusal as SimulatorRefusal {
        throw PlayerRefusal.simulator(refusal)
      } catch let faults as GateFaults {
        throw PlayerRefusal.gate(faults)
      }
    }
  }
}

extension AuditAction {
  /// An event was recorded over the admin socket.
  static let playerEvent = AuditAction(rawValue: "player.event")
  /// A visit was opened over the admin socket.
  static let playerVisit = AuditAction(rawValue: "player.visit")
  /// A player's setting was set or removed over the admin socket.
  static let playerSetting = AuditAction(rawValue: "player.setting")
  /// A player's context was registered over the admin socket.
  static let playerContext = AuditAction(rawValue: "player.context")
  /// A player's scores were set.
  static let playerScores = AuditAction(rawValue: "player.scores")
  /// A player was forgotten; the line names a digest.
  static let playerForgotten = AuditAction(rawValue: "player.forget")
  /// An ad was reported on over the admin socket.
  static let adReport = AuditAction(rawValue: "ad.report")
  /// A placement's counter was reset.
  static let adReset = AuditAction(rawValue: "ad.reset")
  /// A placement's next ad was forced.
  static let adForce = AuditAction(rawValue: "ad.force")
}
