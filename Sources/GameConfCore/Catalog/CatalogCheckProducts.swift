// Validates products, offerings and ad placements.

extension CatalogCheck {
  /// The largest level number within a subscription group; level 1 is the highest tier.
  public static let levelMax = 1_000
  /// The largest number of periods of an introductory offer, the same as the largest number of simulated renewals.
  public static let introPeriodsMax = Ledger.renewalsMax

  private static let billingPeriods: Set<String> = ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"]
  private static let introPeriods: Set<String> = billingPeriods.union(["P3D", "P2W"])

  mutating func checkProducts() {
    checkShowing(catalog.storeEnabled, at: ["simulation", "enabled"])
    var storeIDs: [String: String] = [:]
    for product in catalog.products {
      let path: CatalogPath = ["products", product.id]
      checkName(product.id, as: .thing, at: path)
      checkText(product.name, at: path.appending("name"))
      checkPrices(product.price, at: path.appending("price"))
      for (index, name) in product.grants.enumerated() {
        checkName(name, as: .thing, at: path.appending("grants", String(index)), aboutName: false)
      }
      checkUnique(product.grants, at: path.appending("grants"))
      let storeID = catalog.storeID(of: product)
      if let other = storeIDs.updateValue(product.id, forKey: storeID) {
        let place = product.storeID == nil ? path : path.appending("store_id")
        fault(place, "The store id \(storeID) is that of “\(other)” already.", aboutName: product.storeID == nil)
      }
      if let subscription = product.subscription { checkSubscription(subscription, path) }
    }
  }

  private mutating func checkSubscription(_ subscription: Subscription, _ path: CatalogPath) {
    if subscription.group.isEmpty { fault(path.appending("group"), "A subscription group has a name.") }
    if !(1...Self.levelMax).contains(subscription.level) {
      fault(path.appending("level"), "Levels count from 1, which is the highest, to \(Self.levelMax).")
    }
    let period = subscription.period.text
    if !Self.billingPeriods.contains(period) {
      fault(path.appending("period"), "\(period) is not a billing period; those are P1W, P1M, P2M, P3M, P6M, P1Y.")
    }
    guard let intro = subscription.intro else { return }
    let place = path.appending("intro")
    if !Self.introPeriods.contains(intro.period.text) {
      let message = "\(intro.period.text) is not an introductory period; those are P3D, P1W, P2W, P1M, P2M, P3M, P6M, P1Y."
      fault(place.appending("period"), message)
    }
    if !(1...Self.introPeriodsMax).contains(intro.periods) {
      fault(place.appending("periods"), "An introductory offer lasts from one period to \(Self.introPeriodsMax).")
    }
    if intro.mode != .payAsYouGo, intro.periods > 1 {
      fault(place.appending("periods"), "Only pay_as_you_go lasts several periods.")
    }
    if intro.mode == .freeTrial, !intro.price.isEmpty { fault(place.appending("price"), "A free trial has no price.", aboutName: true) }
    if intro.mode != .freeTrial, intro.price.isEmpty { fault(place, "An introductory offer that is paid needs a “price”.") }
    checkPrices(intro.price, at: place.appending("price"))
  }

  /// Reports prices that are not decimal text and currencies that are not three capital letters (ISO 4217).
  private mutating func checkPrices(_ prices: [String: String], at path: CatalogPath) {
    for (currency, amount) in prices.sorted(by: { $0.key < $1.key }) {
      let place = path.appending(currency)
      if currency.utf8.count != 3 || !currency.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) {
        fault(place, "“\(currency)” is not a currency; it is written in three capitals, like USD (ISO 4217).", aboutName: true)
      }
      let parts = amount.split(separator: ".", omittingEmptySubsequences: false)
      let isAmount =
        (1...2).contains(parts.count) && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        && parts[0].count <= 12 && parts.last?.count ?? 0 <= 12 && (parts.count == 1 || parts[1].count <= 4)
      if !isAmount { fault(place, "“\(amount)” is not a price; it is decimal text with a point, like \"1.99\".") }
    }
  }

  mutating func checkOfferings() {
    let ids = catalog.products.map(\.id)
    for offering in catalog.offerings {
      let path: CatalogPath = ["offerings", offering.id]
      checkName(offering.id, as: .thing, at: path)
      for package in offering.packages {
        checkName(package.id, as: .thing, at: path.appending(package.id))
        checkReference(package.product, to: .products, "product", among: ids, at: path.appending(package.id))
      }
    }
    let offerings = catalog.offerings.map(\.id)
    if let current = catalog.paywalls.current {
      checkReference(current, to: .offerings, "offering", among: offerings, at: ["paywalls", "current"])
    }
    for details in catalog.paywalls.offerings {
      checkReference(details.offering, to: .offerings, "offering", among: offerings, at: ["paywalls", "offerings", details.offering])
    }
  }

  mutating func checkPlacements() {
    if catalog.childDirected, !catalog.placements.isEmpty || hasUnreadable(.placements) {
      fault(["placements"], "A game with “child_directed: true” has no placements.", aboutName: true)
    }
    for placement in catalog.placements {
      let path: CatalogPath = ["placements", placement.id]
      checkName(placement.id, as: .thing, at: path)
      checkEvent(placement.event, at: path.appending("event"))
      checkShowing(placement.enabled, at: path.appending("enabled"))
      for (index, name) in placement.exempt.enumerated() { checkEntitlement(name, at: path.appending("exempt", String(index))) }
      checkUnique(placement.exempt, at: path.appending("exempt"))
      checkNumber(placement.every, least: 1, at: path.appending("every"))
      checkNumber(placement.offset, least: 0, at: path.appending("offset"))
      checkNumber(placement.minSeconds, least: 0, isTime: true, at: path.appending("min_seconds"))
      checkNumber(placement.firstAdDelaySeconds, least: 0, isTime: true, at: path.appending("first_ad_delay_seconds"))
      checkNumber(placement.graceEvents, least: 0, at: path.appending("grace_events"))
      checkNumber(placement.graceVisits, least: 0, at: path.appending("grace_visits"))
      checkNumber(placement.afterRewardedSeconds, least: 0, isTime: true, at: path.appending("after_rewarded_seconds"))
      for (index, cap) in placement.caps.enumerated() {
        checkNumber(cap.count, least: 0, at: path.appending("caps", String(index), "count"))
        if placement.caps[..<index].contains(where: { $0.per == cap.per }) {
          fault(path.appending("caps", String(index), "per"), "There is a cap per \(cap.per.rawValue) already.")
        }
      }
    }
  }

  mutating func checkShowing(_ enabled: Placement.NumberSource, at path: CatalogPath) {
    switch enabled {
    case .number(let value):
      if value.boolValue == nil { fault(path, "“enabled” is true, false or {parameter: key}.") }
    case .parameter(let key):
      guard let parameter = checkParameterReference(key, at: path) else { return }
      if parameter.type != .boolean { fault(path, "“\(key)” is of type \(parameter.type.rawValue); “enabled” is a boolean.") }
      checkShown(parameter, at: path)
    }
  }

  private mutating func checkNumber(_ number: Placement.NumberSource?, least: Int64, isTime: Bool = false, at path: CatalogPath) {
    switch number {
    case nil: break
    case .number(let value):
      if !isTime, value.losslessInteger == nil {
        fault(path, "A whole number is expected here.")
      } else if Value.compareNumbers(value, .integer(least)) == .less {
        fault(path, "\(ParameterAdmission.shown(value)) is below the minimum of \(least).")
      }
    case .parameter(let key)?:
      guard let parameter = checkParameterReference(key, at: path) else { return }
      checkShown(parameter, at: path)
      if parameter.type != .integer, !isTime || parameter.type != .double {
        fault(path, "“\(key)” is of type \(parameter.type.rawValue); \(isTime ? "a number" : "an integer") is needed here.")
      } else if let value = defaults.value(ofParameter: key), Value.compareNumbers(value, .integer(least)) == .less {
        fault(path, "The default of “\(key)”, \(ParameterAdmission.shown(value)), is below the minimum of \(least).")
      }
    }
  }
}

extension Catalog {
  /// Returns the product's id at the store: its own, or `BUNDLE.PRODUCT` if it has none.
  public func storeID(of product: Product) -> String {
    product.storeID ?? bundle.map { "\($0).\(product.id)" } ?? product.id
  }

  /// Returns the product id for a text that is a product id, a store id, or the id of a package in the current offering.
  /// - Returns: The text itself if it names no product.
  public func productID(named text: String) -> String {
    if products.contains(where: { $0.id == text }) { return text }
    if let sold = products.first(where: { storeID(of: $0) == text }) { return sold.id }
    return currentOffering?.packages.first { $0.id == text }?.product ?? text
  }

  /// The offering that `paywalls` declares as current, else the one with the id `default`, else the first.
  public var currentOffering: Offering? {
    let current = paywalls.current ?? "default"
    return offerings.first { $0.id == current } ?? offerings.first
  }
}
