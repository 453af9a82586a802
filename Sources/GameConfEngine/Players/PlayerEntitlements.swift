// The entitlements of a player's purchases, in the forms for ads, themes and gates.
public import GameConfCore

extension EntitlementHistory {
  /// Creates the entitlements of a player's ledger of purchases at an instant. The result includes the last instant at which the player
  /// held each ended entitlement that exempted from ads.
  public init(of ledger: Ledger, at now: Instant, _ rules: PlayerRules) {
    let grants = rules.grants
    let present = ledger.present(now)
    let held = ledger.held(at: present, grants)
    var lastHeld: [String: Instant] = [:]
    for name in Set(rules.catalog.placements.flatMap(\.exempt)).subtracting(held) {
      // The ledger returns the first instant without the entitlement, so the last instant with it is a millisecond earlier.
      lastHeld[name] = ledger.lastHeld(anyOf: [name], grants, now: present).map { Instant(milliseconds: $0.milliseconds - 1) }
    }
    self.init(held: held, lastHeld: lastHeld)
  }
}

extension PlayerView {
  /// The player's entitlements by product, with all reported metadata; ``entitlements`` has only the names needed for decisions.
  public var holdings: Entitlements {
    Entitlements(of: ledger, at: ledger.present(now), catalog: game.catalog, grants: game.table.playerRules.grants)
  }
}

extension Ledger {
  /// The instant at which the ledger is read: now, or its last write if the clock has stepped back since.
  fileprivate func present(_ now: Instant) -> Instant { max(now, settledUntil) }
}
