// The grants of a player's purchases, in the words that ads, themes and gates are decided by.
public import GameConfCore

extension EntitlementHistory {
  /// The grants of a settled ledger at an instant, and, of what exempts players from ads and is not held, the end of each.
  public init(of ledger: Ledger, at now: Instant, _ rules: PlayerRules) {
    let grants = rules.grants
    let present = ledger.present(now)
    let held = ledger.held(at: present, grants)
    var lastHeld: [String: Instant] = [:]
    for name in Set(rules.catalog.placements.flatMap(\.exempt)).subtracting(held) {
      // An interval ends with the first instant that is no longer in it.
      lastHeld[name] = ledger.lastHeld(anyOf: [name], grants, now: present).map { Instant(milliseconds: $0.milliseconds - 1) }
    }
    self.init(held: held, lastHeld: lastHeld)
  }
}

extension PlayerView {
  /// The player's entitlements, product by product, with everything that is reported about them; ``entitlements`` are only the names that
  /// decide.
  public var holdings: Entitlements {
    Entitlements(of: ledger, at: ledger.present(now), catalog: game.catalog, grants: game.table.playerRules.grants)
  }
}

extension Ledger {
  /// The instant by which the ledger is read: now, or its last write where the clock stepped back since.
  fileprivate func present(_ now: Instant) -> Instant { max(now, settledUntil) }
}
