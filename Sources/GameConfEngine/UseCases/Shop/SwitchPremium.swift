// Switches premium on or off in one call, for the panel.
public import GameConfCore

extension PlayerAct<ShopOutcome> {
  /// Buys the product that the catalog declares as `premium`, or ends all purchases and grants that give all of its entitlements.
  ///
  /// Switching on is an ordinary purchase, including the simulator's configured behaviour. Switching off refunds every purchase that gives
  /// all of its entitlements, and revokes every such grant by an admin; those that give only a part stay. It is one transaction. If premium
  /// is in the requested state already, nothing changes and the status is `retained`. ``PremiumState`` defines the state.
  ///
  /// It throws `.refused`: `UNKNOWN_PRODUCT` if the catalog declares no such product, and the refusals of a purchase.
  public static func switchPremium(isOn: Bool) -> Self {
    Self { edit in
      var shop = LedgerEdit(edit)
      guard let premium = PremiumState(of: shop.ledger, at: shop.ledger.settledUntil, catalog: shop.catalog) else {
        throw Refusal(.unknownProduct, "The catalog of \(edit.id.game) names no “premium” product; buy one of its products by name.")
      }
      var outcome = ShopOutcome(.retained, transaction: premium.by?.id)
      if isOn, !premium.isOn {
        try shop.requireSale()
        outcome = try shop.act(.purchase(product: premium.product))
      } else if !isOn {
        for giver in premium.givers {
          let ended = outcome.ended + [giver.id]
          outcome = try shop.act(.transaction(giver.product == nil ? .revoke : .refund, giver.id))
          outcome.ended = ended
        }
      }
      let detail: ObjectValue = ["product": .string(premium.product), "on": .bool(isOn)]
      return try shop.commit(outcome, .premiumSwitched, outcome.adding(to: detail))
    }
  }
}
