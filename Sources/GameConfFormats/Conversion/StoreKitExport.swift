// Exports a catalog's products as a StoreKit configuration for Xcode.

public import GameConfCore

extension CatalogExport {
  /// Exports the catalog as a StoreKit configuration in format 3. Its prices are those of one storefront: in USD if any product has such a
  /// price.
  public init(storekit catalog: Catalog) {
    let currencies = Set(catalog.products.flatMap(\.price.keys))
    let currency = currencies.contains("USD") ? "USD" : currencies.sorted().first ?? "USD"
    var writing = StoreKitBuilder(catalog: catalog, currency: currency)
    let document = writing.document()
    self.init(text: JSONWriter.text(document, pretty: true) + "\n", report: writing.report)
  }
}

/// A StoreKit configuration that is being built from a catalog.
private struct StoreKitBuilder {
  let catalog: Catalog
  let currency: String
  private(set) var report = ConversionReport(of: "product")

  init(catalog: Catalog, currency: String) {
    self.catalog = catalog
    self.currency = currency
  }

  mutating func document() -> Value {
    var plain: [Value] = []
    var nonRenewing: [Value] = []
    var groups: [(name: String, subscriptions: [Value])] = []
    for product in catalog.products {
      switch product.kind {
      case .consumable, .nonConsumable: plain.append(.object(members(of: product)))
      case .nonRenewing: nonRenewing.append(.object(members(of: product)))
      case .autoRenewable:
        guard let subscription = product.subscription else { continue }
        let written = Value.object(members(of: product, subscription))
        if let at = groups.firstIndex(where: { $0.name == subscription.group }) {
          groups[at].subscriptions.append(written)
        } else {
          groups.append((subscription.group, [written]))
        }
      }
      report.carry(product.id)
      if !product.grants.isEmpty || product.includesAll { report.leaveOut(product.id, "The grants of \(product.id).") }
    }
    let hasGrace = catalog.products.contains { $0.subscription?.gracePeriod != nil }
    if catalog.extensions["x-storekit"] != nil { report.leaveOut("x-storekit", "“x-storekit” of the catalog.") }
    return [
      "identifier": .string(Self.number(catalog.game)), "nonRenewingSubscriptions": .list(nonRenewing), "products": .list(plain),
      "settings": [
        "_billingGracePeriodEnabled": .bool(hasGrace), "_locale": .string(Self.locale(catalog.locales.first ?? "en")),
        "_storefront": .string(StoreKitStorefronts.storefront(of: currency) ?? "USA"),
      ],
      "subscriptionGroups": .list(
        groups.map { group in
          [
            "id": .string(Self.number(group.name)), "localizations": [], "name": .string(group.name),
            "subscriptions": .list(group.subscriptions),
          ]
        }),
      "version": ["major": 3, "minor": 0],
    ]
  }

  private mutating func members(of product: Product, _ subscription: Subscription? = nil) -> ObjectValue {
    let storeID = catalog.storeID(of: product)
    let names = catalog.locales.compactMap { locale in product.name[locale].map { (locale: locale, name: $0) } }
    if product.price[currency] == nil { report.change(product.id, "\(product.id) has no price in \(currency): 0.00 is written.") }
    var members = ObjectValue([
      ("displayPrice", .string(product.price[currency] ?? "0.00")), ("familyShareable", .bool(product.isFamilyShareable)),
      ("internalID", .string(Self.number(storeID))),
      (
        "localizations",
        .list(names.map { ["description": "", "displayName": .string($0.name), "locale": .string(Self.locale($0.locale))] })
      ), ("productID", .string(storeID)), ("referenceName", .string(names.first?.name ?? product.id)),
      ("type", .string(Self.type(product.kind))),
    ])
    guard let subscription else { return members }
    members["groupNumber"] = .integer(Int64(subscription.level))
    members["recurringSubscriptionPeriod"] = .string(subscription.period.text)
    members["subscriptionGroupID"] = .string(Self.number(subscription.group))
    if let intro = subscription.intro { members["introductoryOffer"] = .object(self.members(of: intro, storeID)) }
    return members
  }

  private func members(of intro: Subscription.Intro, _ storeID: String) -> ObjectValue {
    var members = ObjectValue([
      ("internalID", .string(Self.number(storeID + ".intro"))), ("numberOfPeriods", .integer(Int64(intro.periods))),
      ("subscriptionPeriod", .string(intro.period.text)),
    ])
    switch intro.mode {
    case .freeTrial: members["paymentMode"] = "free"
    case .payAsYouGo: members["paymentMode"] = "payAsYouGo"
    case .payUpFront: members["paymentMode"] = "payUpFront"
    }
    if intro.mode != .freeTrial { members["displayPrice"] = .string(intro.price[currency] ?? "0.00") }
    return members
  }

  private static func type(_ kind: Product.Kind) -> String {
    switch kind {
    case .consumable: "Consumable"
    case .nonConsumable: "NonConsumable"
    case .nonRenewing: "NonRenewingSubscription"
    case .autoRenewable: "RecurringSubscription"
    }
  }

  /// Returns eight hexadecimal digits as an id for Xcode. They are a hash of the text, so that repeated exports are identical.
  private static func number(_ text: String) -> String { SHA256.hex(SHA256.digest(of: Array(text.utf8)).prefix(4)).uppercased() }

  /// Returns a language tag in Xcode's notation, such as `en_US`.
  private static func locale(_ tag: String) -> String { tag.replacing("-", with: "_") }
}
