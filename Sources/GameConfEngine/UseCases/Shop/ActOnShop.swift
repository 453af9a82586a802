// The acts at the simulated store: players' purchases, and admins' interventions.
public import GameConfCore
import GameConfStorage

extension PlayerAct<ShopOutcome> {
  /// Performs an act at the simulated store for one player. Acts that buy or give something must be permitted by the catalog's
  /// `simulation.purchases`.
  ///
  /// First, the due store events, such as renewals, are added to the ledger. Then the act is performed or refused, in the player's
  /// simulated time. Themes and gates follow the held entitlements immediately. The counters of ads restart when an exemption from ads
  /// begins or ends.
  ///
  /// An act without an effect, such as a successful load of products or a restore for an unknown player, writes nothing and raises no
  /// revision. A failure that the simulator is configured to produce is an outcome, not a refusal.
  ///
  /// It throws `.refused` with every code of ``Refusal``.
  public static func shop(_ act: ShopAct) -> Self { Self { edit in try edit.act(act) } }
}

extension PlayerEdit {
  func act(_ act: ShopAct) throws -> PlayerChangeOutcome<ShopOutcome> {
    var shop = LedgerEdit(self)
    if case .purchase = act { try shop.requireSale() } else if act.isGiving { try shop.requireAdmission() }
    let outcome = try shop.act(act)
    if view.ledger.isFresh, act.isIdle(on: outcome) { return try nothing(outcome) }
    var shown: (Value?, Value?)?
    if case .behave(let behaviour) = act { shown = (view.ledger.behaviour.encoded, behaviour.encoded) }
    return try shop.commit(outcome, AuditAction(act), outcome.adding(to: act.details), shown: shown)
  }
}
