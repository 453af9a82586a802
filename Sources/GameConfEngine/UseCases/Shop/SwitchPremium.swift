// Switches premium in one call, for the panel: buys the premium product, or takes it back.
public import GameConfCore

extension PlayerAct<ShopOutcome> {
  /// Buys the product that the catalog names as `premium`, or ends whatever gives all that it gives.
  ///
  /// On is a purchase like any other, with whatever the simulator is set to do with purchases. Off refunds every purchase that gives all of it, and
  /// revokes every such grant by an admin; what gives a part of it stays. It is one transaction. To switch on what is on, or off what is off, changes
  /// nothing and is answered as kept. ``PremiumState`` says what is on.
  ///
  /// It throws `.refused`: `UNKNOWN_PRODUCT` where the catalog names none, and what a purchase is refused with.
  public static func switchPremium(isOn: Bool) -> Self {
    Self { edit in
      var shop = LedgerEdit(edit)
      guard let premium = PremiumState(of: shop.ledger, at: shop.ledger.settledUntil, catalog: shop.catalog) else {
        throw Refusal(.unknownProduct, "The catalog of \(edit.id.game) names no “premium” product; buy one of its products by name.")
      }
      var outcome = ShopOutcome(.kept, transaction: premium.by?.id)
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
