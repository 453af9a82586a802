// One change of a player's purchases within the writer's transaction: what every such change decides on and writes.
import GameConfCore
import GameConfStorage

/// A change of one player's ledger, made whole within a transaction.
struct LedgerEdit {
  let edit: PlayerEdit
  /// The ledger with everything that came due until now.
  private let before: Ledger
  /// The ledger as it will be.
  private(set) var ledger: Ledger

  /// Opens a change.
  init(_ edit: PlayerEdit) {
    self.edit = edit
    before = edit.view.ledger.settled(at: edit.view.now)
    ledger = before
  }

  var catalog: Catalog { edit.view.game.catalog }

  /// Refuses what buys or gives something where the catalog's `simulation.purchases` does not admit it.
  func requireAdmission() throws(Refusal) { try catalog.purchases.admitPurchase(isAdmin: edit.change.isAdmin) }

  /// The same for a purchase, which a closed store refuses to games.
  func requireSale() throws(Refusal) {
    try requireAdmission()
    try catalog.admitSale(isAdmin: edit.change.isAdmin, edit.view.terms.parameters)
  }

  /// Does an act in the ledger.
  mutating func act(_ act: ShopAct) throws(Refusal) -> ShopOutcome {
    let done = try ledger.after(act, catalog: catalog, now: edit.view.now)
    ledger = done.ledger
    return done.outcome
  }

  /// Puts another ledger in the place of the one so far.
  mutating func replace(_ other: Ledger) { ledger = other }

  /// Writes the ledger, and what follows from it: where it changes what is held, the counters of ads restart as the exemption begins or ends.
  /// Of what changes nothing, nothing is written.
  /// - Parameters:
  ///   - clock: the player's clock, where that is moved; what came due until now is kept then too.
  ///   - shown: what the audit log shows as before and after; nil shows what was held, where that changes.
  func commit<Outcome>(
    _ outcome: Outcome, _ action: AuditAction, _ detail: ObjectValue, clock: PlayerClock? = nil,
    shown: (before: Value?, after: Value?)? = nil
  ) throws -> PlayerChangeOutcome<Outcome> {
    let (view, stored) = (edit.view, edit.view.stored)
    let hasMoved = clock.map { $0 != stored.clock || ledger.logCount != stored.ledger?.logCount ?? 0 } ?? false
    guard hasMoved || ledger != before else { return try edit.nothing(outcome) }
    var write = PlayerWrite(ledger: stored.ledger == nil && ledger == before ? nil : ledger, clock: clock)
    var next = stored
    next.ledger = write.ledger
    next.clock = clock ?? stored.clock
    let after = PlayerView(next, edit.id, of: view.game, host: edit.change.now)
    let isHeldChanged = after.entitlements.held != view.entitlements.held
    if isHeldChanged {
      var state = view.state
      state.heedExemptions(under: view.terms)
      state.heedExemptions(under: after.terms)
      if state != view.state { write.state = state }
    }
    var line = edit.line(action)
    if let shown {
      (line.before, line.after) = shown
    } else if isHeldChanged {
      (line.before, line.after) = (view.entitlements.shown, after.entitlements.shown)
    }
    line.detail = detail.members.isEmpty ? nil : .some(.object(detail))
    return try edit.commit(write, lines: [line], outcome)
  }
}

extension EntitlementHistory {
  /// The held entitlements, as the audit log shows them.
  fileprivate var shown: Value { .list(held.sorted().map(Value.string)) }
}

extension ShopOutcome {
  /// The outcome of an act, as the audit log reports it beside the act's own details.
  func adding(to details: ObjectValue) -> ObjectValue {
    var details = details
    if status != .success { details["status"] = .string(status.rawValue) }
    if let transaction { details["transaction"] = .string(transaction) }
    if let error { details["error"] = .string(error.rawValue) }
    return details
  }
}
