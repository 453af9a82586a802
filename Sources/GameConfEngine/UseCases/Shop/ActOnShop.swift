// Everything that happens at the simulated store: what players do there, and what admins make of it.
public import GameConfCore
import GameConfStorage

extension PlayerAct<ShopOutcome> {
  /// Does something at the simulated store on behalf of one player. What buys or gives something has to be admitted by the catalog's
  /// `simulation.purchases`.
  ///
  /// What came due since the ledger was last written is added first, then the act is done or refused, by the player's simulated time.
  /// Themes and gates follow what is held at once; the counters of ads restart when an exemption begins or ends.
  ///
  /// An act that changes nothing writes nothing and raises no revision, as loading products that are not set to fail, or a restore for a player
  /// of whom the store knows nothing. If the simulator was set to let a call fail, that is an outcome, no refusal.
  ///
  /// It throws `.refused` with every code of ``Refusal``.
  public static func shop(_ act: ShopAct) -> Self { Self { edit in try edit.act(act) } }
}

extension PlayerEdit {
  /// Does an act at the store.
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
