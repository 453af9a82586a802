// What is for sale, and how it is offered.

public import GameConfCore

/// An introductory offer.
public struct ProductIntro: WireShape {
  /// `free_trial`, `pay_as_you_go` or `pay_up_front`.
  public var mode: String
  /// How long one period of it is, such as `P1W`.
  public var period: String
  /// How many periods it lasts.
  public var periods: Int64
  /// Decimal text by ISO 4217 code; empty for a free trial.
  public var price: ObjectValue

  /// An offer.
  public init(mode: String, period: String, periods: Int64 = 1, price: ObjectValue = ObjectValue()) {
    self.mode = mode
    self.period = period
    self.periods = periods
    self.price = price
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([
        ("mode", .string(mode)), ("period", .string(period)), ("periods", .integer(periods)), ("price", .object(price)),
      ]))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    mode = try members.string("mode")
    period = try members.string("period")
    periods = try members.integer("periods")
    price = try members.object("price")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "An introductory offer.",
      required: [
        "mode": SchemaText.words(Subscription.IntroMode.self), "period": SchemaText.string, "periods": SchemaText.integer,
        "price": SchemaText.map(SchemaText.string),
      ])
  }
}

/// A product.
public struct ProductRecord: WireShape {
  /// What makes a product renew.
  public struct Renewal: Sendable, Hashable {
    /// The group within which one product replaces another.
    public var group: String
    /// 1 is the highest.
    public var level: Int64
    /// How long one period is, such as `P1M`.
    public var period: String
    /// The introductory offer, when there is one.
    public var intro: ProductIntro?
    /// How long access lasts while billing is retried.
    public var gracePeriod: String?

    /// A renewal.
    public init(group: String, level: Int64, period: String, intro: ProductIntro? = nil, gracePeriod: String? = nil) {
      self.group = group
      self.level = level
      self.period = period
      self.intro = intro
      self.gracePeriod = gracePeriod
    }
  }

  /// The product's id within the game.
  public var id: String
  /// Its id at the store.
  public var storeID: String
  /// `consumable`, `non_consumable`, `auto_renewable` or `non_renewing`.
  public var type: String
  /// Its name: a text, or by locale where every language was asked for.
  public var name: Value
  /// Decimal text by ISO 4217 code.
  public var price: ObjectValue
  /// The entitlements it grants, those of the products it includes among them.
  public var grants: [String]
  /// Whether it counts as every other product too.
  public var includesAll: Bool
  /// Whether a family may share it.
  public var isFamilyShareable: Bool
  /// What makes it renew.
  public var renewal: Renewal?

  /// A product.
  public init(
    id: String, storeID: String, type: String, name: Value, price: ObjectValue, grants: [String], includesAll: Bool = false,
    isFamilyShareable: Bool = false, renewal: Renewal? = nil
  ) {
    self.id = id
    self.storeID = storeID
    self.type = type
    self.name = name
    self.price = price
    self.grants = grants
    self.includesAll = includesAll
    self.isFamilyShareable = isFamilyShareable
    self.renewal = renewal
  }

  /// Its JSON.
  public var wire: Value {
    var object = ObjectValue([("id", .string(id)), ("store_id", .string(storeID)), ("type", .string(type)), ("name", name)])
    object["price"] = .object(price)
    object = object.with("grants", grants)
    if includesAll { object["includes"] = "all" }
    object["family_shareable"] = .bool(isFamilyShareable)
    guard let renewal else { return .object(object) }
    object["group"] = .string(renewal.group)
    object["level"] = .integer(renewal.level)
    object["period"] = .string(renewal.period)
    return .object(object.with("intro", renewal.intro).with("grace_period", renewal.gracePeriod))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    id = try members.string("id")
    storeID = try members.string("store_id")
    type = try members.string("type")
    name = try members.required("name")
    price = try members.object("price")
    grants = try members.strings("grants")
    includesAll = try members.optionalString("includes") == "all"
    isFamilyShareable = try members.flag("family_shareable")
    guard let group = try members.optionalString("group") else { return }
    renewal = Renewal(
      group: group, level: try members.integer("level"), period: try members.string("period"), intro: try members.optionalShape("intro"),
      gracePeriod: try members.optionalString("grace_period"))
  }

  /// `Product`.
  public static var schemaName: String { "Product" }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A product of the simulated store.",
      required: [
        "id": SchemaText.string, "store_id": SchemaText.string, "type": SchemaText.words(Product.Kind.self), "name": SchemaText.any,
        "price": SchemaText.described(SchemaText.map(SchemaText.string), "Decimal text by ISO 4217 code."),
        "grants": SchemaText.list(SchemaText.string), "family_shareable": SchemaText.boolean,
      ],
      optional: [
        "includes": SchemaText.words(["all"]), "group": SchemaText.string, "level": SchemaText.integer, "period": SchemaText.string,
        "intro": SchemaText.ref(ProductIntro.self), "grace_period": SchemaText.string,
      ])
  }
}

/// Answer of `GET …/products`.
public struct ProductList: WireShape {
  /// The game.
  public var game: String
  /// The products, in the order of the catalog; empty when the call failed as the simulator was set to.
  public var products: [ProductRecord]
  /// With what the call failed as the simulator was set to.
  public var error: String?

  /// A list.
  public init(game: String, products: [ProductRecord], error: String? = nil) {
    self.game = game
    self.products = products
    self.error = error
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("game", .string(game))]).withEnvironment().with("status", .some(error == nil ? "success" : "failed"))
        .with("error", error).with("products", products))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    products = try members.shapes("products")
    error = try members.optionalString("error")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "The products of a game.",
      required: [
        "game": SchemaText.string, "environment": SchemaText.environment, "status": SchemaText.words(["success", "failed"]),
        "products": SchemaText.list(ProductRecord.self),
      ],
      optional: ["error": SchemaText.described(SchemaText.string, "With what the call failed, as the simulator was set to.")])
  }
}
