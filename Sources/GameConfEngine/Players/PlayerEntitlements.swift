// What a player's purchases grant, in the words that ads and themes are decided by.
public import GameConfCore

extension HeldEntitlements {
  /// What a ledger grants at an instant, and until when it granted what is gone.
  public init(of ledger: Ledger, at now: Instant, catalog: Catalog) {
    let grants = ProductGrants(catalog)
    let held = Entitlements(of: ledger, at: now, catalog: catalog, grants: grants).ids
    var names = Set(grants.all).union(ledger.heldBefore.keys)
    for transaction in ledger.transactions { names.formUnion(grants.entitlements(of: transaction)) }
    var lastHeld: [String: Instant] = [:]
    for name in names.subtracting(held) { lastHeld[name] = ledger.lastHeld(anyOf: [name], grants, now: now) }
    self.init(held: held, lastHeld: lastHeld)
  }
}
