// The declaration of the catalog format: products, offerings and ad placements.

import GameConfCore

extension CatalogFormat {
  static let product = CatalogFields(
    "product", "a product",
    [
      CatalogField(
        "type", .choice(Product.Kind.allCases.map(\.rawValue)), required: true, "Its kind, one of Apple's four.",
        refusals: [.alreadyOwned, .notASubscription]),
      CatalogField("name", .localizedText, "Its name by locale.", usual: "its id"),
      CatalogField("price", .map(nil, .text), "The price by currency (ISO 4217), as decimal text in quotes."),
      CatalogField("grants", .list(.text, isFilled: false), "The entitlements it grants.", refusals: [.unknownEntitlement]),
      CatalogField("includes", .choice(["all"]), "Counts as every other product too."),
      CatalogField("store_id", .text, "Its id at the store.", usual: "bundle id, full stop, product id"),
      CatalogField("family_shareable", .boolean, "True if a family may share it.", usual: "false"),
      CatalogField("group", .text, "Required for “auto_renewable”: the group within which one product replaces another."),
      CatalogField(
        "level", .integer(least: 1), "Only for “auto_renewable”: its level in the group. 1 is the highest.", usual: "1"),
      CatalogField("period", .text, "Required for “auto_renewable”: P1W, P1M, P2M, P3M, P6M or P1Y."),
      CatalogField("intro", .fields(intro), "Only for “auto_renewable”: an introductory offer."),
      CatalogField(
        "grace_period", .text, "Only for “auto_renewable”: the time for which access lasts while billing is retried.",
        usual: "no grace period"),
    ])

  static let subscriptionFields = ["group", "level", "period", "intro", "grace_period"]

  private static let intro = CatalogFields(
    "intro", "an introductory offer",
    [
      CatalogField("mode", .choice(Subscription.IntroMode.allCases.map(\.rawValue)), required: true, "The way it is paid."),
      CatalogField("period", .text, required: true, "The length of one period; the product's periods, P3D and P2W."),
      CatalogField("periods", .integer(least: 1), "The number of periods; only “pay_as_you_go” lasts several.", usual: "1"),
      CatalogField("price", .map(nil, .text), "The price by currency. A free trial has no price, the other ways need one."),
    ])

  static let paywalls = CatalogFields(
    "paywalls", "“paywalls”",
    [
      CatalogField("current", .text, "The offering that is current.", usual: "default, or the first one"),
      CatalogField("ui_config", .map(nil, .data), "Colours, fonts and texts that RevenueCat's layouts of components share."),
      CatalogField("offerings", .map(.thing, .fields(paywall)), "The presentation by offering."),
    ])

  private static let paywall = CatalogFields(
    "paywall", "a paywall",
    [
      CatalogField("description", .text, "The offering's description, for people.", usual: "the offering's id"),
      CatalogField("metadata", .map(nil, .data), "Values that the app reads of the offering, by name."),
      CatalogField("paywall", .map(nil, .data), "A paywall of RevenueCat's older templates, as its offerings have it."),
      CatalogField("paywall_components", .map(nil, .data), "A paywall of RevenueCat's components, as its offerings have it."),
    ])

  static let placement = CatalogFields(
    "placement", "a placement",
    [
      CatalogField("format", .choice(Placement.Format.allCases.map(\.rawValue)), required: true, "The kind of ad."),
      CatalogField("event", .text, required: true, "The event that may show it."),
      CatalogField(
        "every", .countOrParameter, "The ad is due with each event of that number.", usual: "1", reasons: [AdRefusal.notDue.rawValue]),
      CatalogField(
        "enabled", .either([.boolean, .parameterReference]), "If false, no ad shows here.", usual: "true",
        reasons: [AdRefusal.disabled.rawValue]),
      CatalogField(
        "exempt", .list(.text, isFilled: false), "Players with one of these entitlements see no ad.", reasons: [AdRefusal.adFree.rawValue]),
      CatalogField(
        "on_no_fill", .choice(Placement.NoFill.allCases.map(\.rawValue)),
        "After a report of “no_fill” or “failed”: “keep_slot” makes the next event show an ad; “drop_slot” waits until one is due again.",
        usual: Placement.NoFill.keepSlot.rawValue),
      CatalogField("offset", .countOrParameter, "Added to a player's counter until the first ad, so that it comes earlier.", usual: "0"),
      CatalogField(
        "min_seconds", .numberOrParameter, "The least seconds since the game's last ad at any placement.", usual: "0",
        reasons: [AdRefusal.pacing.rawValue]),
      CatalogField(
        "first_ad_delay_seconds", .numberOrParameter, "The least seconds since the visit began.", usual: "0",
        reasons: [AdRefusal.firstAdDelay.rawValue]),
      CatalogField(
        "grace_events", .countOrParameter, "The number of a player's first events that show no ad.", usual: "0",
        reasons: [AdRefusal.graceEvents.rawValue]),
      CatalogField(
        "grace_visits", .countOrParameter, "The number of a player's first visits that show no ad.", usual: "0",
        reasons: [AdRefusal.graceVisits.rawValue]),
      CatalogField(
        "after_rewarded_seconds", .numberOrParameter, "The least seconds since an ad gave the player a reward.", usual: "0",
        reasons: [AdRefusal.afterRewarded.rawValue]),
      CatalogField(
        "caps", .list(.fields(cap), isFilled: false), "The most ads within windows of time. All caps hold.",
        reasons: [AdRefusal.capped.rawValue]),
    ])

  private static let cap = CatalogFields(
    "cap", "a cap",
    [
      CatalogField("count", .countOrParameter, required: true, "The most ads of this placement."),
      CatalogField(
        "per", .choice(Placement.Cap.Window.allCases.map(\.rawValue)), required: true,
        "The window: the last 60 seconds, hour or 24 hours, the visit, or the player's whole life."),
    ])
}
