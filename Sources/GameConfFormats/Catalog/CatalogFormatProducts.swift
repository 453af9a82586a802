// The table's part about products and ads.

import GameConfCore

extension CatalogFormat {
  static let product = CatalogFields(
    "product", "a product",
    [
      CatalogField("type", .choice(Product.Kind.allCases.map(\.rawValue)), required: true, "What kind it is."),
      CatalogField("name", .localizedText, "Its name by locale."),
      CatalogField("price", .map(nil, .text), "Decimal text by currency, like {USD: \"1.99\"}."),
      CatalogField("grants", .list(.text, isFilled: false), "The entitlements it grants."),
      CatalogField("includes", .choice(["all"]), "Counts as every other product too."),
      CatalogField("store_id", .text, "Its id at the store, instead of bundle and id."),
      CatalogField("family_shareable", .boolean, "Whether a family may share it."),
      CatalogField("group", .text, "auto_renewable: the group within which one product replaces another."),
      CatalogField("level", .integer(least: 1), "auto_renewable: its level in the group; 1 is the highest."),
      CatalogField("period", .text, "auto_renewable: P1W, P1M, P2M, P3M, P6M or P1Y."),
      CatalogField("intro", .fields(intro), "auto_renewable: an introductory offer."),
      CatalogField("grace_period", .text, "auto_renewable: how long access lasts while billing is retried, like P16D."),
    ])

  static let subscriptionFields = ["group", "level", "period", "intro", "grace_period"]

  private static let intro = CatalogFields(
    "intro", "an introductory offer",
    [
      CatalogField("mode", .choice(Subscription.IntroMode.allCases.map(\.rawValue)), required: true, "How it is paid."),
      CatalogField("period", .text, required: true, "How long one period of it is; also P3D and P2W."),
      CatalogField("periods", .integer(least: 1), "How many periods it lasts; 1 unless said."),
      CatalogField("price", .map(nil, .text), "Decimal text by currency; a free trial has none."),
    ])

  static let placement = CatalogFields(
    "placement", "a placement",
    [
      CatalogField("format", .choice(Placement.Format.allCases.map(\.rawValue)), required: true, "What kind of ad it is."),
      CatalogField("event", .text, required: true, "The event that asks for it."),
      CatalogField("every", .countOrParameter, "It is due at every so many events; 1 unless said."),
      CatalogField("enabled", .either([.boolean, .parameterReference]), "Whether it shows at all; true unless said."),
      CatalogField("exempt", .list(.text, isFilled: false), "Players with one of these entitlements see none."),
      CatalogField(
        "on_no_fill", .choice(Placement.NoFill.allCases.map(\.rawValue)), "What no ad to show does to the slot; keep_slot unless said."),
      CatalogField("offset", .countOrParameter, "The counter's first start."),
      CatalogField("min_seconds", .numberOrParameter, "Least seconds since the game's last show at any placement."),
      CatalogField("first_ad_delay_seconds", .numberOrParameter, "Least seconds since the visit began."),
      CatalogField("grace_events", .countOrParameter, "The player's first so many events are free of ads."),
      CatalogField("grace_visits", .countOrParameter, "The player's first so many visits are free of ads."),
      CatalogField("after_rewarded_seconds", .numberOrParameter, "Least seconds since the last reward."),
      CatalogField("caps", .list(.fields(cap), isFilled: false), "At most so many within rolling windows."),
    ])

  private static let cap = CatalogFields(
    "cap", "a cap",
    [
      CatalogField("count", .countOrParameter, required: true, "How many."),
      CatalogField("per", .choice(Placement.Cap.Window.allCases.map(\.rawValue)), required: true, "Over what."),
    ])
}
