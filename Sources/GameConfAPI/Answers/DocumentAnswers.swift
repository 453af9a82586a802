// Answers that are documents with a schema of their own, described here as far as a client needs them.

public import GameConfCore

/// The answer of `GET …/catalog`: the declarations of the game's catalog, as a document.
public struct CatalogAnswer: WireShape {
  package var document: ObjectValue

  package init(document: ObjectValue) { self.document = document }

  /// The document itself, an object with all its members.
  public var wire: Value { .object(document) }

  /// Accepts any object; its members are not checked.
  public init(wire: Value, at pointer: String) throws(Fault) { document = try ObjectValue(wire: wire, at: pointer) }

  /// The schema of an object with any members, which the catalog determines.
  public static var schema: Value {
    ObjectValue.schema("The game's parameters with type, unit, range, section and description; its themes, products, placements, gates.")
  }
}

/// The answer of `GET /openapi.json`: the contract of all calls in OpenAPI 3.1, as a document.
public struct OpenAPIAnswer: WireShape {
  package var document: ObjectValue

  package init(document: ObjectValue) { self.document = document }

  /// The document itself, an object with all its members.
  public var wire: Value { .object(document) }

  /// Accepts any object; its members are not checked.
  public init(wire: Value, at pointer: String) throws(Fault) { document = try ObjectValue(wire: wire, at: pointer) }

  /// The schema of an object with any members, though OpenAPI 3.1 defines them.
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
