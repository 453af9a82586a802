// Answers that are documents with a schema of their own, which the contract describes only as JSON objects.

public import GameConfCore

/// The answer of `GET …/catalog`: the declarations of the game's catalog, as a document.
public struct CatalogAnswer: WireShape {
  package var document: ObjectValue

  package init(document: ObjectValue) { self.document = document }

  /// The catalog as a JSON object with all its members.
  public var wire: Value { .object(document) }

  /// Accepts any JSON object. The catalog's members are not checked.
  public init(wire: Value, at pointer: String) throws(Fault) { document = try ObjectValue(wire: wire, at: pointer) }

  /// A schema that admits any members, because the catalog determines them.
  public static var schema: Value {
    ObjectValue.schema("The game's parameters with type, unit, range, section and description; its themes, products, placements, gates.")
  }
}

/// The answer of `GET /openapi.json`: the contract of all calls in OpenAPI 3.1, as a document.
public struct OpenAPIAnswer: WireShape {
  package var document: ObjectValue

  package init(document: ObjectValue) { self.document = document }

  /// The OpenAPI document as a JSON object with all its members.
  public var wire: Value { .object(document) }

  /// Accepts any JSON object. The OpenAPI document's members are not checked.
  public init(wire: Value, at pointer: String) throws(Fault) { document = try ObjectValue(wire: wire, at: pointer) }

  /// A schema that admits any members. OpenAPI 3.1 itself defines the members.
  public static var schema: Value { ObjectValue.schema("This document.") }
}

extension ObjectValue {
  fileprivate init(wire: Value, at pointer: String) throws(Fault) {
    do throws(Fault) { try self.init(member: wire) } catch { throw error.below(pointer) }
  }

  fileprivate static func schema(_ about: String) -> Value {
    ["type": "object", "additionalProperties": true, "description": .string(about)]
  }
}
