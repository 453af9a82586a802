// Renders a game's offerings, products and their entitlements in RevenueCat's JSON.

internal import GameConfCore
internal import GameConfEngine

/// A game's simulated shop in RevenueCat's JSON.
struct Storefront {
  let catalog: Catalog

  /// The game's offerings, each with its packages of products.
  var offerings: Value {
    let offered = catalog.offerings.map { offering -> Value in
      let packages = offering.packages.map { package -> Value in
        let product = catalog.products.first { $0.id == package.product }.map(catalog.storeID) ?? package.product
        return ["identifier": .string(package.id), "platform_product_identifier": .string(product)]
      }
      let details = catalog.paywall(of: offering)
      var offered: ObjectValue = [
        "identifier": .string(offering.id), "description": .string(details.description ?? offering.id),
        "metadata": .object(details.metadata),
        "packages": .list(packages),
      ]
      offered["paywall"] = details.paywall
      offered["paywall_components"] = details.components
      return .object(offered)
    }
    var answer: ObjectValue = [
      "current_offering_id": catalog.currentOffering.map { .string($0.id) } ?? .null, "offerings": .list(offered), "placements": nil,
      "targeting": nil,
    ]
    answer["ui_config"] = catalog.paywalls.uiConfig
    return .object(answer)
  }

  /// The ids of the entitlements that each product gives.
  var mapping: Value {
    let grants = ProductGrants(catalog)
    let products = catalog.products.map { product -> (String, Value) in
      let id = catalog.storeID(of: product)
      let entitlements = grants.entitlements(ofProduct: product.id).map(Value.string)
      return (id, ["product_identifier": .string(id), "entitlements": .list(entitlements)])
    }
    return ["product_entitlement_mapping": .object(ObjectValue(products))]
  }

  /// Returns the products with these store ids, with the introductory offers that the ledger's player may still use. Unknown ids are left
  /// out.
  func products(_ ids: [String], currency: String?, for ledger: Ledger) -> Value {
    let known = Dictionary(catalog.products.map { (catalog.storeID(of: $0), $0) }) { first, _ in first }
    var seen: Set<String> = []
    let found = ids.filter { seen.insert($0).inserted }.compactMap { id in known[id].map { details(of: $0, id, currency, ledger) } }
    return ["product_details": .list(found)]
  }

  private func details(of product: Product, _ id: String, _ currency: String?, _ ledger: Ledger) -> Value {
    let code = currency.flatMap { product.price[$0] == nil ? nil : $0 } ?? product.usualCurrency
    let price = code.flatMap { code in product.price[code].flatMap { Self.price($0, code) } }
    var option: ObjectValue = ["id": "base_option", "price_id": .string("price_" + id)]
    if let subscription = product.subscription {
      option["base"] = Self.phase(subscription.period, cycles: 1, price)
      let intro = subscription.introductoryOffer(for: ledger)
      let phase = intro.map { intro in
        Self.phase(intro.period, cycles: intro.periods, code.flatMap { code in intro.price[code].flatMap { Self.price($0, code) } })
      }
      option["trial"] = intro?.mode == .freeTrial ? phase : .null
      option["intro_price"] = intro?.mode == .freeTrial ? .null : phase ?? .null
    } else {
      option["base_price"] = price ?? .null
    }
    return [
      "identifier": .string(id), "product_type": .string(product.kind.revenueCatType),
      "title": .string(product.name.first(in: catalog.locales) ?? product.id), "description": nil,
      "default_purchase_option_id": "base_option", "purchase_options": ["base_option": .object(option)],
    ]
  }

  private static func phase(_ period: CalendarPeriod, cycles: Int, _ price: Value?) -> Value {
    ["period_duration": .string(period.text), "cycle_count": .integer(Int64(cycles)), "price": price ?? .null]
  }

  /// Returns a price in millionths of the currency; nil if the amount is not a decimal number.
  private static func price(_ amount: String, _ currency: String) -> Value? {
    let parts = amount.split(separator: ".", omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? String(parts[1].prefix(6)) : ""
    guard let whole = parts.first, let micros = Int64(whole + fraction + String(repeating: "0", count: 6 - fraction.utf8.count)) else {
      return nil
    }
    return ["amount_micros": .integer(micros), "currency": .string(currency)]
  }
}

extension Product.Kind {
  /// The product's type in RevenueCat's libraries, which know three types. A non-renewing subscription counts as a permanent purchase.
  fileprivate var revenueCatType: String {
    switch self {
    case .autoRenewable: "subscription"
    case .consumable: "consumable"
    case .nonConsumable, .nonRenewing: "non_consumable"
    }
  }
}
