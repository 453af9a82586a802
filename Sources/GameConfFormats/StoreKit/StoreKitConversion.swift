// Converts the members of a StoreKit configuration to the members of a catalog.

import GameConfCore

/// The state of the conversion of one StoreKit configuration, with its faults and its report.
struct StoreKitConversion {
  let game: StoreKitFile.StoreKitGame
  var faults: [Fault] = []
  var report = ConversionReport(of: "product")
  /// The JSON pointers of products in the configuration, by product id.
  private(set) var pointers: [String: String] = [:]
  var currency = "USD"
  var locale = "en-US"
  private var locales: [String] = []
  private var graceEnabled = false
  private var groups: Set<String> = []
  private(set) var products = ObjectValue()

  init(game: StoreKitFile.StoreKitGame) { self.game = game }

  mutating func fault(_ pointer: String, _ message: String) { faults.append(Fault(message, at: pointer)) }

  mutating func catalog(_ document: Value) -> ObjectValue {
    guard case .object(var rest) = document else {
      fault("", "A StoreKit configuration is a JSON object, not \(document.described).")
      return ObjectValue()
    }
    let major = document["version"]?["major"]?.losslessInteger
    guard ["products", "nonRenewingSubscriptions", "subscriptionGroups"].contains(where: { document[$0]?.listValue != nil }) else {
      fault("", "This is not a StoreKit configuration: it has neither “products” nor “subscriptionGroups”.")
      return ObjectValue()
    }
    if major.map({ StoreKitFile.formats.contains(Int(clamping: $0)) }) != true {
      let found = major.map { "format \($0)" } ?? "no format"
      report.remark("The file says \(found); it was read like formats 3 to 6. Check the products.")
    }
    readSettings(document["settings"])
    for list in ["products", "nonRenewingSubscriptions"] {
      for (pointer, product) in elements(document[list], at: "/" + list) { add(product, at: pointer, group: nil) }
      rest[list] = nil
    }
    var remainingGroups: [Value] = []
    for (pointer, group) in elements(document["subscriptionGroups"], at: "/subscriptionGroups") {
      remainingGroups.append(add(group: group, at: pointer))
    }
    rest["subscriptionGroups"] = remainingGroups.isEmpty ? nil : .list(remainingGroups)
    if rest["subscriptionOffersKeyPair"] != nil {
      rest["subscriptionOffersKeyPair"] = nil
      report.leaveOut("subscriptionOffersKeyPair", "The key pair for signing offers: a catalog is not a place for a private key.")
    }
    var written = ObjectValue([
      ("gameconf", .integer(CatalogFormat.version)), ("game", .string(game.id)), ("title", .string(game.title)),
    ])
    if let bundle = game.bundle { written["bundle"] = .string(bundle) }
    let others = locales.filter { $0 != locale }
    written["locales"] = .list(([locale] + others).map(Value.string))
    written["simulation"] = ["purchases": "admin"]
    if !products.isEmpty { written["products"] = .object(products) }
    for other in rest.nonEmptyMembers.names where !["identifier", "settings", "subscriptionGroups", "version"].contains(other) {
      report.leaveOut(other, "“\(other)” of the file: stored under x-storekit, without effect.")
    }
    written["x-storekit"] = .object(rest)
    return written
  }

  private mutating func readSettings(_ settings: Value?) {
    if let text = settings?["_locale"]?.stringValue, let tag = Self.tag(text) { locale = tag }
    graceEnabled = settings?["_billingGracePeriodEnabled"]?.boolValue ?? false
    let storefront = settings?["_storefront"]?.stringValue ?? "USA"
    if let known = StoreKitStorefronts.currency[storefront] {
      currency = known
    } else {
      report.change("_storefront", "The currency of the storefront \(storefront.prefix(16)) is unknown; prices are taken as USD.")
    }
    report.addSettings(settings?.objectValue ?? ObjectValue(), of: game.id)
  }

  func elements(_ value: Value?, at pointer: String) -> [(String, Value)] {
    (value?.listValue ?? []).enumerated().map { ("\(pointer)/\($0)", $1) }
  }

  /// Returns a locale in Xcode's notation, `en_US`, as a language tag, `en-US`; nil if the tag is not well-formed.
  static func tag(_ locale: String) -> String? {
    let tag = locale.replacing("_", with: "-")
    return LocaleTag.isWellFormed(tag) ? tag : nil
  }

  private mutating func add(group: Value, at pointer: String) -> Value {
    guard case .object(var rest) = group else {
      fault(pointer, "A subscription group is an object.")
      return .null
    }
    let id = group["id"]?.stringValue ?? ""
    var name = group["name"]?.stringValue ?? ""
    if name.isEmpty { name = id }
    if name.isEmpty { fault(pointer + "/name", "A subscription group needs a “name” or an “id”.") }
    if !groups.insert(name).inserted { name += " " + id }
    groups.insert(name)
    for (place, subscription) in elements(group["subscriptions"], at: pointer + "/subscriptions") {
      add(subscription, at: place, group: name)
    }
    rest["subscriptions"] = nil
    return .object(rest.nonEmptyMembers)
  }

  private mutating func add(_ product: Value, at pointer: String, group: String?) {
    guard case .object(var rest) = product, let storeID = product["productID"]?.stringValue, !storeID.isEmpty else {
      fault(pointer, "A product is an object with a “productID”.")
      return
    }
    guard let kind = kind(product, at: pointer) else { return }
    var written = ObjectValue([("type", .string(kind.rawValue))])
    written["name"] = .object(names(of: product, storeID, &rest))
    let amount = product["displayPrice"]?.stringValue ?? Self.plans(of: product).first?["displayPrice"]?.stringValue
    if let amount { written["price"] = .object(ObjectValue([(currency, .string(amount))])) }
    if product["familyShareable"]?.boolValue == true { written["family_shareable"] = true }
    if kind == .autoRenewable { addSubscription(product, group, at: pointer, to: &written) }
    for name in Self.understood { rest[name] = nil }
    if Self.paysUpfront(product, amount) { rest["billingPlans"] = nil }
    let remaining = rest.nonEmptyMembers
    if !remaining.isEmpty { written["x-storekit"] = .object(remaining) }
    let (id, isWhole) = id(of: storeID)
    if !isWhole { written["store_id"] = .string(storeID) }
    guard products.appendIfAbsent(id, .object(written)) else {
      return fault(pointer + "/productID", "Another product has the id “\(id)” already.")
    }
    pointers[id] = pointer
    report.carry(storeID)
    if id != storeID, !isWhole { report.change(storeID, "“\(storeID)” cannot be an id: the id is \(id), and the name is its store_id.") }
    for other in remaining.names where !Self.silent.contains(other) {
      let what =
        other == "localizations"
        ? "The descriptions in “localizations”"
        : other == "billingPlans" ? "The plans with a commitment in “billingPlans”" : "“\(other)”"
      report.leaveOut(storeID, "\(what) of \(storeID): stored under x-storekit, without effect.")
    }
  }

  /// The names of members that only Xcode uses. They are stored under `x-storekit` without a note in the report.
  private static let silent = ["internalID", "referenceName", "subscriptionGroupID"]

  private static let understood = [
    "productID", "type", "displayPrice", "familyShareable", "groupNumber", "recurringSubscriptionPeriod", "introductoryOffer",
    "introductoryOffers",
  ]

  /// Returns the enabled billing plans of a subscription.
  private static func plans(of product: Value) -> [Value] {
    (product["billingPlans"]?.listValue ?? []).filter { $0["isEnabled"]?.boolValue ?? true }
  }

  /// True if a subscription is billed as a catalog assumes: the whole price for each period, without a longer commitment.
  private static func paysUpfront(_ product: Value, _ amount: String?) -> Bool {
    plans(of: product).allSatisfy { plan in
      plan["billingPlanType"] == "BILLED_UPFRONT" && plan["displayPrice"]?.stringValue.map { $0 == amount } ?? true
    }
  }

  private mutating func kind(_ product: Value, at pointer: String) -> Product.Kind? {
    switch product["type"]?.stringValue {
    case "Consumable": return .consumable
    case "NonConsumable": return .nonConsumable
    case "NonRenewingSubscription": return .nonRenewing
    case "RecurringSubscription": return .autoRenewable
    case let other:
      let found = other.map { "“\($0.prefix(64))”" } ?? "nothing"
      fault(pointer + "/type", "The type is Consumable, NonConsumable, NonRenewingSubscription or RecurringSubscription, not \(found).")
      return nil
    }
  }

  /// Returns a product's display names by locale. Localizations that contain more than a name remain in `rest`.
  private mutating func names(of product: Value, _ storeID: String, _ rest: inout ObjectValue) -> ObjectValue {
    var names = ObjectValue()
    var isAllUnderstood = true
    for each in product["localizations"]?.listValue ?? [] {
      let name = each["displayName"]?.stringValue ?? ""
      guard let tag = each["locale"]?.stringValue.flatMap(Self.tag), !name.isEmpty else {
        isAllUnderstood = false
        continue
      }
      if each["description"]?.stringValue.map({ !$0.isEmpty }) ?? false { isAllUnderstood = false }
      names[tag] = .string(name)
      if !locales.contains(tag) { locales.append(tag) }
    }
    if isAllUnderstood { rest["localizations"] = nil }
    if names[locale] == nil {
      let reference = product["referenceName"]?.stringValue ?? ""
      names[locale] = .string(reference.isEmpty ? storeID : reference)
    }
    return names
  }

  /// Returns the product's id in the catalog, and true if the catalog can derive the product's store id from it.
  private func id(of storeID: String) -> (String, Bool) {
    if let bundle = game.bundle, storeID.hasPrefix(bundle + ".") {
      let rest = String(storeID.dropFirst(bundle.count + 1))
      if CatalogNames.complaint(about: rest, as: .thing) == nil { return (rest, true) }
    }
    if CatalogNames.complaint(about: storeID, as: .thing) == nil { return (storeID, game.bundle == nil) }
    let bytes = storeID.utf8.prefix(126).map { byte in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || "_.$-".utf8.contains(byte)
      return isPlain ? byte : UInt8(ascii: "_")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return (CatalogNames.complaint(about: text, as: .thing) == nil ? text : "p_" + text, false)
  }

  private mutating func addSubscription(_ product: Value, _ group: String?, at pointer: String, to written: inout ObjectValue) {
    guard let group else { return fault(pointer + "/type", "A RecurringSubscription must be in a subscription group.") }
    written["group"] = .string(group)
    written["level"] = .integer(product["groupNumber"]?.losslessInteger ?? 1)
    if let period = period(product["recurringSubscriptionPeriod"], at: pointer + "/recurringSubscriptionPeriod") {
      written["period"] = .string(period.text)
    }
    let offers = elements(product["introductoryOffers"], at: pointer + "/introductoryOffers")
    let single = product["introductoryOffer"].flatMap { $0 == .null ? nil : (pointer + "/introductoryOffer", $0) }
    if let (place, offer) = offers.first ?? single { written["intro"] = intro(offer, at: place) }
    if offers.count > 1, let storeID = product["productID"]?.stringValue {
      report.leaveOut(
        storeID, "\(offers.count - 1) of the \(offers.count) “introductoryOffers” of \(storeID): a subscription has one here, the first.")
    }
    if graceEnabled { written["grace_period"] = .string("P16D") }
  }

  private mutating func period(_ value: Value?, at pointer: String) -> CalendarPeriod? {
    guard let text = value?.stringValue else {
      fault(pointer, "A period is expected here, like P1M.")
      return nil
    }
    do { return try CalendarPeriod(parsing: text) } catch {
      fault(pointer, error.message)
      return nil
    }
  }

  private mutating func intro(_ offer: Value, at pointer: String) -> Value? {
    let mode: Subscription.IntroMode
    switch offer["paymentMode"]?.stringValue {
    case "free": mode = .freeTrial
    case "payAsYouGo": mode = .payAsYouGo
    case "payUpFront": mode = .payUpFront
    default:
      fault(pointer + "/paymentMode", "The payment mode is free, payAsYouGo or payUpFront.")
      return nil
    }
    guard var period = period(offer["subscriptionPeriod"], at: pointer + "/subscriptionPeriod") else { return nil }
    var periods = offer["numberOfPeriods"]?.losslessInteger ?? 1
    guard (1...100).contains(periods) else {
      fault(pointer + "/numberOfPeriods", "An offer lasts from 1 to 100 periods.")
      return nil
    }
    if mode != .payAsYouGo {
      // An offer that is free or paid once lasts for all its periods, so two periods of a month become one period of two months.
      period.count *= Int(periods)
      periods = 1
    }
    var written = ObjectValue([("mode", .string(mode.rawValue)), ("period", .string(period.text))])
    if periods > 1 { written["periods"] = .integer(periods) }
    if mode != .freeTrial {
      guard let amount = offer["displayPrice"]?.stringValue else {
        fault(pointer + "/displayPrice", "An offer that is paid needs a price.")
        return nil
      }
      written["price"] = .object(ObjectValue([(currency, .string(amount))]))
    }
    return .object(written)
  }
}

extension ObjectValue {
  /// Returns the object without null members and empty lists.
  fileprivate var nonEmptyMembers: ObjectValue {
    ObjectValue(members.filter { $0.value != .null && $0.value != .list([]) }.map { ($0.name, $0.value) })
  }
}
