// The products of the simulated store, and their introductory offers.

package import GameConfCore

/// An introductory offer: a free trial or a reduced price for a number of periods.
public struct ProductIntro: WireObject {
  package var mode = ""
  package var period = ""
  package var periods: Int64 = 0
  package var price = ObjectValue()

  package init() {}

  package init(mode: String, period: String, periods: Int64 = 1, price: ObjectValue = ObjectValue()) {
    self.mode = mode
    self.period = period
    self.periods = periods
    self.price = price
  }

  package static var about: String { "An introductory offer." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("mode", &mode, "The payment mode: free_trial, pay_as_you_go or pay_up_front.", .words(Subscription.IntroMode.self))
    fields.required("period", &period, "The length of a period, such as P1W.")
    fields.required("periods", &periods, "The number of periods.")
    fields.required("price", &price, "Decimal text by ISO 4217 code; empty for a free trial.", .map(of: String.memberSchema))
  }
}

/// A product of the simulated store, with prices as decimal text by currency.
public struct WireProduct: WireObject {
  package struct Renewal: WirePart {
    package var group = ""
    package var level: Int64 = 0
    package var period = ""
    package var intro: ProductIntro?
    package var gracePeriod: String?

    package init() {}

    package init(group: String, level: Int64, period: String, intro: ProductIntro? = nil, gracePeriod: String? = nil) {
      self.group = group
      self.level = level
      self.period = period
      self.intro = intro
      self.gracePeriod = gracePeriod
    }

    package mutating func walk(_ fields: inout some FieldWalker) {
      fields.required(
        "group", &group, "The group within which one product replaces another; for subscriptions only, like the following members.")
      fields.required("level", &level, "Its rank in the group; 1 is the highest.")
      fields.required("period", &period, "The length of a period, such as P1M.")
      fields.optional("intro", &intro, "The introductory offer.")
      fields.optional("grace_period", &gracePeriod, "The length of access while billing is retried.")
    }
  }

  package var id = ""
  package var storeID = ""
  package var type = ""
  package var name = Value.null
  package var price = ObjectValue()
  package var grants: [String] = []
  package var includesAll = false
  package var isFamilyShareable = false
  package var renewal: Renewal?

  package init() {}

  package init(
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

  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "Product" }

  package static var about: String { "A product of the simulated store." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("id", &id, "The product's id within the game.")
    fields.required("store_id", &storeID, "Its id at the store.")
    fields.required("type", &type, "The type: consumable, non_consumable, auto_renewable or non_renewing.", .words(Product.Kind.self))
    fields.required("name", &name, "The name: a text, or by locale if every language was requested.")
    fields.required("price", &price, "Decimal text by ISO 4217 code.", .map(of: String.memberSchema))
    fields.required("grants", &grants, "The entitlements it grants, those of the products it includes among them.")
    var includes = includesAll ? "all" : nil
    fields.optional("includes", &includes, "“all” if it counts as every other product too.", .oneOf(["all"]))
    includesAll = includes == "all"
    fields.required("family_shareable", &isFamilyShareable, "True if a family may share it.")
    fields.part(&renewal, with: "group")
  }
}

/// Answer of `GET …/products`: the products, or the error that the simulated store is set to return.
public struct ProductList: WireObject {
  package var game = ""
  package var products: [WireProduct] = []
  package var error: String?

  package init() {}

  package init(game: String, products: [WireProduct], error: String? = nil) {
    self.game = game
    self.products = products
    self.error = error
  }

  package static var about: String { "The products of a game." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.environment()
    fields.written(
      "status", .string(error == nil ? "success" : "failed"), "The outcome; the simulator can be set to fail.",
      .oneOf(["success", "failed"]))
    fields.optional("error", &error, "The error that the simulator was set to.")
    fields.required(
      "products", &products, "The products in the catalog's order; empty if the simulator was set to fail.")
  }
}
