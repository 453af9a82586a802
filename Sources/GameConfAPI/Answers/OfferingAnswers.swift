// Offerings of products, as RevenueCat presents them.

package import GameConfCore

/// One package of an offering: its product's id and price.
public struct OfferingPackage: WireObject {
  package var id = ""
  package var product = ""
  package var price = ObjectValue()

  package init() {}

  package init(id: String, product: String, price: ObjectValue = ObjectValue()) {
    self.id = id
    self.product = product
    self.price = price
  }

  package static var about: String { "A package of an offering." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("id", &id, "The package's id, such as $rc_monthly.")
    fields.required("product", &product, "The product.")
    fields.whenSet("price", &price, "The product's price by ISO 4217 code, as decimal text.", .map(of: String.memberSchema))
  }
}

/// A named selection of products, which a game presents together.
public struct WireOffering: WireObject {
  package var id = ""
  package var packages: [OfferingPackage] = []

  package init() {}

  package init(id: String, packages: [OfferingPackage]) {
    self.id = id
    self.packages = packages
  }

  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "Offering" }

  package static var about: String { "A named selection of products." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("id", &id, "The offering's id.")
    fields.required("packages", &packages, "The packages, in order.")
  }
}

/// Answer of `GET …/offerings`: the catalog's offerings, and the id of the current one.
public struct OfferingList: WireObject {
  package var game = ""
  package var current: String?
  package var offerings: [WireOffering] = []

  package init() {}

  package init(game: String, current: String? = nil, offerings: [WireOffering]) {
    self.game = game
    self.current = current
    self.offerings = offerings
  }

  package static var about: String { "The offerings of a game." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.environment()
    fields.optional("current", &current, "The offering to show.")
    fields.required("offerings", &offerings, "The offerings, in the order of the catalog.")
  }
}
