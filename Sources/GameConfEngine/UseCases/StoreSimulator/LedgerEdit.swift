// One change of a player's purchases or clock within the writer's turn: what every such change reads, decides and writes.
import GameConfCore

/// A change of one player's ledger, made whole within a turn.
struct LedgerEdit {
  private let turn: any StoreTurn
  private let rates: WriteRates
  let change: PlayerChange
  /// The player before the change, by the clocks as the turn finds them; what came due is in the ledger.
  let before: PlayerView
  /// The ledger as it will be.
  private(set) var ledger: Ledger

  /// Opens a change.
  /// - Throws: `.unknownGame`, `.notAPlayer`, `.reason`, `.changedMeanwhile`, `.store`.
  init(_ desk: PlayerDesk, _ turn: any StoreTurn, _ id: PlayerID, _ change: PlayerChange) throws {
    guard let game = desk.world.world[id.game] else { throw PlayerRefusal.unknownGame(id.game) }
    guard OverrideLimits.admits(player: id.player) else { throw PlayerRefusal.notAPlayer(id.player) }
    try PlayerRefusal.check(reason: change.reason)
    self.turn = turn
    rates = desk.rates
    self.change = change
    // A move of the clock in the same batch is in force for this turn, though not published yet.
    before = PlayerView(try turn.player(id), id, of: game.running(try turn.clock(ofGame: id.game)), host: change.host)
    ledger = before.ledger
    let revision: (expected: Int64, actual: Int64)
    switch change.precondition {
    case nil: return
    case .gameRevision(let expected)?: revision = (expected, try turn.revision(of: id.game))
    case .playerRevision(let expected)?, .slotRevision(let expected)?: revision = (expected, before.stored.revision)
    }
    guard revision.expected == revision.actual else { throw PlayerRefusal.changedMeanwhile(revision: revision.actual) }
  }

  var id: PlayerID { before.id }
  var catalog: Catalog { before.game.catalog }

  /// Refuses what may be bought or given where the catalog's `simulation.purchases` does not admit it.
  func requireAdmission() throws {
    do throws(SimulatorRefusal) { try catalog.purchases.admitPurchase(isAdmin: change.isAdmin) } catch {
      throw PlayerRefusal.simulator(error)
    }
  }

  /// Does an act in the ledger.
  mutating func act(_ act: StoreAct) throws -> StoreOutcome {
    do throws(SimulatorRefusal) {
      let done = try ledger.after(act, catalog: catalog, now: before.now)
      ledger = done.ledger
      return done.outcome
    } catch { throw PlayerRefusal.simulator(error) }
  }

  /// Puts another ledger in the place of the one so far.
  mutating func replace(_ other: Ledger) { ledger = other }

  /// Writes what has changed, raises the player revision, and tells of it; of what changed nothing, nothing is written.
  /// - Parameters:
  ///   - clock: the player's clock, where it is moved.
  ///   - shown: what the audit log shows as before and after; nil shows what was held where that changes.
  func commit(
    clock: PlayerClock? = nil, _ action: AuditAction, detail: ObjectValue, shown: (before: Value?, after: Value?)? = nil
  ) throws -> StoredPlayer {
    var stored = before.stored
    let isSame = ledger == before.ledger && (clock ?? stored.clock) == stored.clock
    if isSame { return stored }
    if stored.isUnknown, !change.isDryRun { try rates.countUnknownPlayer(by: change.author.uid) }
    if ledger != stored.ledger ?? Ledger(game: id.game, player: id.player) {
      try turn.put(ledger, of: id)
      stored.ledger = ledger
    }
    if let clock, clock != stored.clock {
      try turn.put(clock, of: id)
      stored.clock = clock
    }
    let after = PlayerView(stored, id, of: before.game, host: change.host)
    if after.entitlements.held != before.entitlements.held {
      var state = before.state
      state.heedExemptions(under: before.terms)
      state.heedExemptions(under: after.terms)
      if state != before.state {
        try turn.put(state, entry: nil, answer: nil, of: id)
        stored.state = state
      }
    }
    stored.revision = try turn.nextPlayerRevision(id.player, in: id.game)
    turn.publish(.player(id, stored))
    if change.isAdmin { try audit(action, after, detail, shown) }
    return stored
  }

  private func audit(_ action: AuditAction, _ after: PlayerView, _ detail: ObjectValue, _ shown: (before: Value?, after: Value?)?) throws {
    var line = AuditRecord(at: change.host, author: change.author, action: action, game: id.game, reason: change.reason)
    line.player = id.player
    if let shown {
      line.before = shown.before
      line.after = shown.after
    } else if after.entitlements.held != before.entitlements.held {
      line.before = before.entitlements.shown
      line.after = after.entitlements.shown
    }
    if !detail.members.isEmpty { line.detail = .object(detail) }
    turn.publish(.audited(try turn.append(line)))
  }
}

extension PlayerRefusal {
  /// Holds a reason against its limits.
  /// - Throws: `.reason`.
  static func check(reason: String?) throws(PlayerRefusal) {
    guard let reason else { return }
    do throws(OverrideError) { try ChangeContext.check(reason: reason) } catch { throw .reason(bytesMax: OverrideLimits.reasonBytesMax) }
  }
}

extension HeldEntitlements {
  /// What is held, as the audit log shows it.
  fileprivate var shown: Value { .list(held.sorted().map(Value.string)) }
}

extension StoreOutcome {
  /// What came of an act, as the audit log tells it beside the act's own details.
  func adding(to details: ObjectValue) -> ObjectValue {
    var details = details
    if status != .success { details["status"] = .string(status.rawValue) }
    if let transaction { details["transaction"] = .string(transaction) }
    if let error { details["error"] = .string(error.rawValue) }
    return details
  }
}
