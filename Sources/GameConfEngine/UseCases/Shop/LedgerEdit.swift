// One change of a player's purchases within the writer's transaction, with the decisions and writes that all such changes share.
import GameConfCore
import GameConfStorage

/// An atomic change of one player's ledger of simulated purchases, within a database transaction.
struct LedgerEdit {
  let edit: PlayerEdit
  /// The ledger before the change, with all store events that are due by now, such as renewals.
  private let before: Ledger
  private(set) var ledger: Ledger

  /// Begins a change on the player's ledger, after all store events that are due by now.
  init(_ edit: PlayerEdit) {
    self.edit = edit
    before = edit.view.ledger.settled(at: edit.view.now)
    ledger = before
  }

  var catalog: Catalog { edit.view.game.catalog }

  /// Refuses to buy or give something if the catalog's `simulation.purchases` does not permit it.
  func requireAdmission() throws(Refusal) { try catalog.purchases.admitPurchase(isAdmin: edit.change.isAdmin) }

  /// Refuses a purchase if the catalog does not permit purchases, or if a game buys while `simulation.enabled` is false.
  func requireSale() throws(Refusal) {
    try requireAdmission()
    try catalog.admitSale(isAdmin: edit.change.isAdmin, edit.view.terms.parameters)
  }

  mutating func act(_ act: ShopAct) throws(Refusal) -> ShopOutcome {
    let done = try ledger.after(act, catalog: catalog, now: edit.view.now)
    ledger = done.ledger
    return done.outcome
  }

  mutating func replace(_ other: Ledger) { ledger = other }

  /// Writes the ledger and its consequences. If the held entitlements change, the counters of ads restart when an exemption from ads begins
  /// or ends.
  /// Without a change, nothing is written.
  /// - Parameters:
  ///   - clock: The player's new clock, if it is moved. The store events that are due until its new time are stored too.
  ///   - shown: The values before and after for the audit log; nil to show the held entitlements, if they changed.
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
      state.applyExemptions(under: view.terms)
      state.applyExemptions(under: after.terms)
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
  /// The held entitlements in the form of the audit log.
  fileprivate var shown: Value { .list(held.sorted().map(Value.string)) }
}

extension ShopOutcome {
  /// Returns the outcome of an act in the form of the audit log, with the act's own details.
  func adding(to details: ObjectValue) -> ObjectValue {
    var details = details
    if status != .success { details["status"] = .string(status.rawValue) }
    if let transaction { details["transaction"] = .string(transaction) }
    if let error { details["error"] = .string(error.rawValue) }
    return details
  }
}
