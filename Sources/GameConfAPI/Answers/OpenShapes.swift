// Answers that are documents of another part, described here as far as a client needs them.

public import GameConfCore

/// The answer of `GET …/catalog`: what the game's catalog declares, as a document.
public struct CatalogAnswer: WireShape {
  /// The document.
  public var document: ObjectValue

  /// An answer.
  public init(document: ObjectValue) { self.document = document }

  /// Its JSON.
  public var wire: Value { .object(document) }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) { document = try WireMembers(wire, at: pointer).object }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.described(
      SchemaText.anyObject,
      "The game's parameters with type, unit, range, section and description; its themes, products, placements, gates.")
  }
}

/// The answer of `GET /openapi.json`.
public struct OpenAPIAnswer: WireShape {
  /// The document.
  public var document: ObjectValue

  /// An answer.
  public init(document: ObjectValue) { self.document = document }

  /// Its JSON.
  public var wire: Value { .object(document) }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) { document = try WireMembers(wire, at: pointer).object }

  /// Its JSON Schema.
  public static var schema: Value { SchemaText.described(SchemaText.anyObject, "This document.") }
}
