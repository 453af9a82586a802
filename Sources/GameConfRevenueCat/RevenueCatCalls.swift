// The calls of RevenueCat's client libraries, at paths below each game: https://www.revenuecat.com/docs/api-v1

internal import GameConfAPI
internal import GameConfCore

/// A response in RevenueCat's JSON, which our OpenAPI document does not describe. RevenueCat's reference does.
struct RevenueCatBody: BytesBody {
  static let content = Endpoint.BodyContent.bytes(mediaType: "application/json", required: false)
}

/// The request body that reports a purchase.
struct RevenueCatReceipt: ForeignBody {
  static var schema: Value {
    object(
      "A purchase of RevenueCat's Test Store. Other members are accepted and ignored.",
      [
        ("app_user_id", text("The player.")), ("fetch_token", text("The token, test_…; it names one purchase, however often it is sent.")),
        ("product_id", text("The product, by its id at the store.")), ("currency", text("The currency of the storefront.")),
      ])
  }
}

/// The request body that logs a player in.
struct RevenueCatLogin: ForeignBody {
  static var schema: Value {
    object(
      "A login. An anonymous id becomes another name of the new one; between two known users nothing moves.",
      [("app_user_id", text("The user so far.")), ("new_app_user_id", text("The user from now on."))])
  }
}

/// A request body that is accepted and discarded: attributes, events, diagnostics or attribution.
struct RevenueCatReport: ForeignBody {
  static var schema: Value { object("A report that is accepted and stored nowhere.", []) }
}

/// The calls of RevenueCat's client libraries, in the order of the OpenAPI document.
enum RevenueCatCalls {
  static let base = "/v1/games/{game}/revenuecat"
  private static let subscribers = base + "/v1/subscribers"
  private static let subscriberPath = subscribers + "/{player}"
  private static let kidsdoku2 = ["game": "kidsdoku2"]
  private static let known = "; query parameters that are not known are ignored."

  static let face = Face(
    tag: "revenuecat", about: "Called by RevenueCat's client libraries through gameconfctl bridge --revenuecat.",
    failureName: "RevenueCatFailure", failure: RevenueCatRefusal.response,
    bodies: [RevenueCatReceipt.self, RevenueCatLogin.self, RevenueCatReport.self])

  static let subscriber = Call<NoBody, RevenueCatBody>(
    "revenueCatSubscriber", .get, subscriberPath, on: [.games], example: CallExample(kidsdoku2), face: face,
    "RevenueCat: a player's entitlements and purchases\(known)")
  static let offerings = Call<NoBody, RevenueCatBody>(
    "revenueCatOfferings", .get, subscriberPath + "/offerings", on: [.games], example: CallExample(kidsdoku2), face: face,
    "RevenueCat: the offerings with their packages\(known)")
  static let products = Call<NoBody, RevenueCatBody>(
    "revenueCatProducts", .get, base + "/rcbilling/v1/subscribers/{player}/products", on: [.games], query: [.productIDs, .storefront],
    example: CallExample(kidsdoku2, query: ["id": "monthly_sub_2"]), face: face,
    "RevenueCat: products with their prices, and the introductory offers that the player may still have\(known)")
  static let mapping = Call<NoBody, RevenueCatBody>(
    "revenueCatMapping", .get, base + "/v1/product_entitlement_mapping", on: [.games], example: CallExample(kidsdoku2), face: face,
    "RevenueCat: the entitlements of each product\(known)")
  static let receipt = Call<RevenueCatReceipt, RevenueCatBody>(
    "revenueCatReceipt", .post, base + "/v1/receipts", on: [.games], needs: .tester, changes: .subscriber,
    example: CallExample(
      kidsdoku2,
      body: [
        "app_user_id": "p1", "fetch_token": "test_1764277200000_6f1c0de2-5f0e-4c7b-9f51-0b6f7f4c2a11", "product_id": "monthly_sub_2",
      ]), face: face,
    "RevenueCat: a purchase in the Test Store, with the outcome set in the simulator. A token buys once\(known)")
  static let identify = login(
    "revenueCatIdentify", subscribers + "/identify", "RevenueCat: logs a player in. Answers 201 if the player is new\(known)")
  static let alias = login(
    "revenueCatAlias", subscriberPath + "/alias", "RevenueCat: the same as Android's older libraries send it\(known)")
  static let attributes = report("revenueCatAttributes", subscriberPath + "/attributes", "a player's attributes")
  static let attribution = report("revenueCatAttribution", subscriberPath + "/attribution", "the source of an installation")
  static let adServices = report("revenueCatAdServices", subscriberPath + "/adservices_attribution", "a token of Apple's AdServices")
  static let events = report("revenueCatEvents", base + "/v1/events", "events of paywalls")
  static let diagnostics = report("revenueCatDiagnostics", base + "/v1/diagnostics", "diagnostics of the library")

  private static func login(_ id: String, _ path: String, _ summary: String) -> Call<RevenueCatLogin, RevenueCatBody> {
    Call(
      id, .post, path, on: [.games], needs: .tester, changes: .subscriber, statuses: [200, 201],
      example: CallExample(
        ["game": "kidsdoku2", "player": "$RCAnonymousID:3b1f6c1f0a0e4c58a3c1d1b8a7d0e5f2"],
        body: ["app_user_id": "$RCAnonymousID:3b1f6c1f0a0e4c58a3c1d1b8a7d0e5f2", "new_app_user_id": "p2"]),
      face: face, summary)
  }

  private static func report(_ id: String, _ path: String, _ what: String) -> Call<RevenueCatReport, RevenueCatBody> {
    Call(
      id, .post, path, on: [.games], example: CallExample(kidsdoku2, body: [:]), face: face,
      "RevenueCat: accepts \(what), and stores nothing\(known)")
  }
}

extension QueryParameter {
  fileprivate static let productIDs = Self("id", .list, "The products by their ids at the store; may be given several times.")
  fileprivate static let storefront = Self("currency", .text(bytesMax: 3), "The currency of the prices, where the products have one in it.")
}
