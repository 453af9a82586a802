// Tests the import of StoreKit configurations: small ones, and real files of other projects if these are present.

import FoundationEssentials
import GameConfCore
import GameConfFormats
import Testing

private enum StoreKitFiles {
  static let folder: String? = {
    let path = ProcessInfo.processInfo.environment["GAMECONF_CONFORMANCE"]
    if path == nil { print("GAMECONF_CONFORMANCE is not set: the import of real .storekit files is NOT run") }
    return path.map { $0 + "/storekit" }
  }()

  static let names: [String] = {
    guard let folder else { return [] }
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".storekit") }.sorted()
  }()

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: try #require(folder) + "/" + name)))
  }
}

private func document(version: Int = 4, products: String = "", groups: String = "", settings: String = "") -> [UInt8] {
  let text = """
    {"version": {"major": \(version), "minor": 0}, "identifier": "ABC", "settings": {\(settings)}, "products": [\(products)],
     "nonRenewingSubscriptions": [], "subscriptionGroups": [\(groups)]}
    """
  return Array(text.utf8)
}

private let coins = #"""
  {"productID": "com.example.coins", "type": "Consumable", "displayPrice": "0.99", "familyShareable": false, "referenceName": "Coins",
   "localizations": [{"locale": "en_US", "displayName": "Coins", "description": ""}, {"locale": "es_ES", "displayName": "Monedas"}]}
  """#

@Suite("Real StoreKit configuration files", .enabled(if: StoreKitFiles.folder != nil, "GAMECONF_CONFORMANCE is not set"))
struct StoreKitConformanceTests {
  @Test("the three real StoreKit files are present") func found() { #expect(StoreKitFiles.names.count == 3) }

  @Test("a real StoreKit file becomes a valid catalog with every product", arguments: StoreKitFiles.names)
  func real(name: String) throws {
    let bytes = try StoreKitFiles.bytes(name)
    let file = try StoreKitFile(reading: bytes, for: StoreKitFile.StoreKitGame(id: "imported", title: "Imported"))
    let source = try JSONReader.value(from: bytes)
    let listed = (source["products"]?.listValue ?? []) + (source["nonRenewingSubscriptions"]?.listValue ?? [])
    let renewing = (source["subscriptionGroups"]?.listValue ?? []).flatMap { $0["subscriptions"]?.listValue ?? [] }
    let ids = (listed + renewing).compactMap { $0["productID"]?.stringValue }
    #expect(file.catalog.products.map { file.catalog.storeID(of: $0) }.sorted() == ids.sorted())
    #expect(file.catalog.locales.first == "en-US")
    #expect(file.catalog.products.filter { $0.kind == .autoRenewable }.count == renewing.count)
    #expect(file.catalog.extensions["x-storekit"]?["settings"] == source["settings"])
    for each in renewing {
      let product = try #require(file.catalog.products.first { $0.id == each["productID"]?.stringValue })
      #expect(product.subscription?.period.text == each["recurringSubscriptionPeriod"]?.stringValue)
      #expect(product.subscription?.level == each["groupNumber"]?.integerValue.map { Int($0) })
      #expect((product.subscription?.intro != nil) == (each["introductoryOffer"]?.objectValue != nil))
      #expect(product.extensions["x-storekit"]?["internalID"] == each["internalID"])
    }
  }
}

@Suite("Import of StoreKit configuration files")
struct StoreKitFileTests {
  private let game = StoreKitFile.StoreKitGame(id: "sample", title: "Sample", bundle: "com.example")

  @Test("names and prices of StoreKit products are imported, and unknown members are stored") func product() throws {
    let file = try StoreKitFile(reading: document(products: coins, settings: #""_storefront": "ESP""#), for: game)
    let product = try #require(file.catalog.products.first)
    #expect(product.id == "coins")
    #expect(product.storeID == nil)
    #expect(product.kind == .consumable)
    #expect(product.name == ["en-US": "Coins", "es-ES": "Monedas"])
    #expect(product.price == ["EUR": "0.99"])
    #expect(file.catalog.locales == ["en-US", "es-ES"])
    #expect(product.extensions["x-storekit"] == ["referenceName": "Coins"])
    #expect(file.catalog.extensions["x-storekit"]?["identifier"] == "ABC")
  }

  @Test("a StoreKit subscription has its group, level, period and offer; two months paid up front are one period") func subscription()
    throws
  {
    let group = #"""
      {"id": "G1", "name": "plans", "localizations": [], "subscriptions": [{"productID": "com.example.monthly",
       "type": "RecurringSubscription", "displayPrice": "4.99", "groupNumber": 2, "recurringSubscriptionPeriod": "P1M",
       "referenceName": "monthly", "localizations": [], "introductoryOffer": {"paymentMode": "payUpFront", "displayPrice": "5.99",
       "numberOfPeriods": 2, "subscriptionPeriod": "P1M"}}]}
      """#
    let file = try StoreKitFile(reading: document(groups: group, settings: #""_billingGracePeriodEnabled": true"#), for: game)
    let product = try #require(file.catalog.products.first)
    let month = CalendarPeriod(count: 1, unit: .month)
    let intro = Subscription.Intro(mode: .payUpFront, period: CalendarPeriod(count: 2, unit: .month), price: ["USD": "5.99"])
    #expect(
      product.subscription
        == Subscription(group: "plans", level: 2, period: month, intro: intro, gracePeriod: CalendarPeriod(count: 16, unit: .day)))
    #expect(product.name == ["en-US": "monthly"])
  }

  private static func offer(_ period: String) -> String {
    #"{"paymentMode": "free", "numberOfPeriods": 1, "subscriptionPeriod": "\#(period)"}"#
  }

  private static func plan(_ type: String) -> String {
    #"{"billingPlanType": "\#(type)", "displayPrice": "4.99", "commitmentDisplayPrice": "4.99", "isEnabled": true}"#
  }

  @Test(
    "of a StoreKit product in format 6 one introductory offer is imported; further offers and commitment plans are reported",
    arguments: [
      (#""introductoryOffers": [\#(offer("P1W"))]"#, "P1W", []),
      (#""introductoryOffers": [\#(offer("P1W")), \#(offer("P2W"))]"#, "P1W", ["1 of the 2 “introductoryOffers”"]),
      (#""introductoryOffers": [\#(offer("P1W"))], "introductoryOffer": \#(offer("P1W"))"#, "P1W", []),
      (#""introductoryOffer": \#(offer("P2W"))"#, "P2W", []),
      (#""introductoryOffers": [\#(offer("P1W"))], "billingPlans": [\#(plan("BILLED_UPFRONT"))]"#, "P1W", []),
      (
        #""introductoryOffers": [\#(offer("P1W"))], "billingPlans": [\#(plan("BILLED_UPFRONT")), \#(plan("MONTHLY"))]"#, "P1W",
        ["The plans with a commitment in “billingPlans”"]
      ),
      (#""introductoryOffers": [], "introductoryOffer": null"#, nil, []),
    ] as [(String, String?, [String])])
  func formatSix(members: String, period: String?, leftOut: [String]) throws {
    let group = #"""
      {"id": "G1", "name": "plans", "localizations": [], "subscriptions": [{"productID": "com.example.monthly",
       "type": "RecurringSubscription", "displayPrice": "4.99", "groupNumber": 1, "recurringSubscriptionPeriod": "P1M",
       "referenceName": "monthly", "localizations": [], \#(members)}]}
      """#
    let file = try StoreKitFile(reading: document(version: 6, groups: group), for: game)
    #expect(file.catalog.products.first?.subscription?.intro?.period.text == period, "\(file.yaml)")
    let messages = file.report.leftOut.map(\.message)
    #expect(messages.count == leftOut.count && zip(messages, leftOut).allSatisfy { $0.hasPrefix($1) }, "\(messages)")
    #expect(file.report.remarks.isEmpty, "\(file.report.lines)")
  }

  @Test("a private key in a StoreKit file is not imported") func key() throws {
    let bytes = Array(#"{"version": {"major": 3}, "products": [], "subscriptionOffersKeyPair": {"privateKey": "secret"}}"#.utf8)
    let file = try StoreKitFile(reading: bytes, for: game)
    #expect(!file.yaml.contains("secret"))
    #expect(file.report.leftOut.contains { $0.message.contains("key") })
  }

  @Test("Xcode's StoreKit settings are reported with the equivalent command or as omitted, unless they have their default")
  func settings() throws {
    let set = #"""
      "_askToBuyEnabled": true, "_failTransactionsEnabled": true, "_timeRate": 13, "_billingGracePeriodEnabled": true,
      "_renewalBillingIssuesEnabled": true, "_disableDialogs": true, "_interruptedPurchasesEnabled": true, "_locale": "en_US",
      "_storefront": "USA", "_developerTeamID": "1", "_storeKitErrors": [{"current": 1, "enabled": true, "name": "App Store Sync"},
      {"enabled": true, "name": "Refund Request Sheet"}, {"enabled": false, "name": "Purchase"}]
      """#
    let report = try StoreKitFile(reading: document(products: coins, settings: set), for: game).report
    let notes = report.changed.map(\.message)
    #expect(
      report.changed.map(\.name) == [
        "_askToBuyEnabled", "_failTransactionsEnabled", "_timeRate", "_billingGracePeriodEnabled", "_interruptedPurchasesEnabled",
        "App Store Sync",
      ])
    #expect(notes[0].contains("“gameconfctl iap behaviour sample PLAYER ask-to-buy on”"), "\(notes)")
    #expect(notes[1].contains("fail purchase --error unknown") && notes[2].contains("“gameconfctl iap clock sample rate 8640”"), "\(notes)")
    #expect(notes[5].contains("fail restore --error unknown"), "\(notes)")
    #expect(report.leftOut.map(\.name) == ["_renewalBillingIssuesEnabled", "_disableDialogs", "Refund Request Sheet"])
    let fresh = #""_askToBuyEnabled": false, "_failTransactionsEnabled": false, "_timeRate": 0, "_storeKitErrors": [], "_locale": null"#
    let quiet = try StoreKitFile(reading: document(products: coins, settings: fresh), for: game).report
    #expect(quiet.lines == ["carried: 1 product"], "\(quiet.lines)")
    let odd = try StoreKitFile(reading: document(products: coins, settings: #""_timeRate": 1004"#), for: game).report
    #expect(odd.leftOut.map(\.name) == ["_timeRate"])
  }

  @Test("StoreKit offers and descriptions without an equivalent are reported by name, and an invalid store id is changed")
  func offers() throws {
    let product = #"""
      {"productID": "9/coins", "type": "Consumable", "displayPrice": "0.99", "referenceName": "Coins", "internalID": "A1",
       "winbackOffers": [{"internalID": "B"}], "adHocOffers": [], "localizations": [{"locale": "en_US", "displayName": "Coins",
       "description": "Many."}]}
      """#
    let file = try StoreKitFile(reading: document(products: product), for: game)
    #expect(file.report.carried.isEmpty && file.report.changed.map(\.name) == ["9/coins"], "\(file.report.lines)")
    #expect(file.report.leftOut.map(\.message).contains { $0.hasPrefix("“winbackOffers” of 9/coins") })
    #expect(file.report.leftOut.map(\.message).contains { $0.hasPrefix("The descriptions in “localizations” of 9/coins") })
    #expect(file.report.leftOut.count == 2)
  }

  @Test("a StoreKit file with another version of the format is imported with a remark", arguments: [1, 2, 7])
  func otherFormats(version: Int) throws {
    let made = try StoreKitFile(reading: document(version: version, products: coins), for: game)
    #expect(made.catalog.products.count == 1 && made.report.remarks.contains { $0.contains("format \(version)") }, "\(made.report.lines)")
  }

  @Test(
    "a StoreKit file that cannot be imported is rejected with the JSON pointer of the fault",
    arguments: [
      (Array(#"{"version": {"major": 4}}"#.utf8), ""), (document(products: "7"), "/products/0"),
      (document(products: coins.replacing("Consumable", with: "Other")), "/products/0/type"),
      (document(products: coins + "," + coins), "/products/1/productID"),
      (
        document(
          groups:
            #"{"name": "g", "subscriptions": [{"productID": "a", "type": "RecurringSubscription", "recurringSubscriptionPeriod": "P0D"}]}"#),
        "/subscriptionGroups/0/subscriptions/0/recurringSubscriptionPeriod"
      ),
      (Array("{".utf8), ""), (Array("[]".utf8), ""),
      (document(products: coins.replacing("0.99", with: "0,99")), "/products/0"),
    ])
  func faults(bytes: [UInt8], pointer: String) {
    let thrown = #expect(throws: Faults.self) { try StoreKitFile(reading: bytes, for: game) }
    #expect(thrown?.faults.first?.pointer == pointer)
    #expect(thrown?.faults.first?.message.isEmpty == false)
  }
}
