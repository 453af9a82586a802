// Products by package, as RevenueCat offers them.

public import GameConfCore

/// One package of an offering.
public struct OfferingPackage: WireShape {
  /// The package's id, such as `$rc_monthly`.
  public var id: String
  /// The product it sells.
  public var product: String

  /// A package.
  public init(id: String, product: String) {
    self.id = id
    self.product = product
  }

  /// Its JSON.
  public var wire: Value { .object(ObjectValue([("id", .string(id)), ("product", .string(product))])) }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    id = try members.string("id")
    product = try members.string("product")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object("A package of an offering.", required: ["id": SchemaText.string, "product": SchemaText.string])
  }
}

/// A named selection of products.
public struct OfferingRecord: WireShape {
  /// The offering's id.
  public var id: String
  /// The packages, in order.
  public var packages: [OfferingPackage]

  /// An offering.
  public init(id: String, packages: [OfferingPackage]) {
    self.id = id
    self.packages = packages
  }

  /// Its JSON.
  public var wire: Value { .object(ObjectValue([("id", .string(id))]).with("packages", packages)) }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    id = try members.string("id")
    packages = try members.shapes("packages")
  }

  /// `Offering`.
  public static var schemaName: String { "Offering" }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A named selection of products.", required: ["id": SchemaText.string, "packages": SchemaText.list(OfferingPackage.self)])
  }
}

/// Answer of `GET …/offerings`.
public struct OfferingList: WireShape {
  /// The game.
  public var game: String
  /// The offering to show: `default` where there is one, else the first; nil when there is none.
  public var current: String?
  /// The offerings, in the order of the catalog.
  public var offerings: [OfferingRecord]

  /// A list.
  public init(game: String, current: String? = nil, offerings: [OfferingRecord]) {
    self.game = game
    self.current = current
    self.offerings = offerings
  }

  /// Its JSON.
  public var wire: Value {
    .object(ObjectValue([("game", .string(game))]).withEnvironment().with("current", current).with("offerings", offerings))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    current = try members.optionalString("current")
    offerings = try members.shapes("offerings")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "The offerings of a game.",
      required: [
        "game": SchemaText.string, "environment": SchemaText.environment, "offerings": SchemaText.list(OfferingRecord.self),
      ],
      optional: ["current": SchemaText.described(SchemaText.string, "The offering to show.")])
  }
}
