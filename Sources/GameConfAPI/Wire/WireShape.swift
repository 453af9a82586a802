// The requirements of every request and answer: conversion to and from JSON, and a schema.

public import GameConfCore

/// A request or an answer, or a part of one.
public protocol WireShape: CallBody, Hashable {
  /// The shape as JSON.
  var wire: Value { get }
  var json: [UInt8] { get }
  /// Reads the shape from JSON at that pointer of the body.
  init(wire: Value, at pointer: String) throws(Fault)
  /// The name of the component schema.
  static var schemaName: String { get }
  /// The JSON Schema, with references to the schemas of the parts.
  static var schema: Value { get }
  /// The shapes of which the body may be a single value or a list.
  static var listed: [any WireShape.Type] { get }
}

extension WireShape {
  /// Written from ``wire``, a tree of values.
  public var json: [UInt8] { JSONWriter.bytes(wire) }

  /// Reads the shape from the JSON of a whole body.
  public init(wire: Value) throws(Fault) { try self.init(wire: wire, at: "") }

  /// The type's own name. String interpolation of a type would search all conformances of the program in vain, at a cost of some hundred
  /// thousand instructions for each type.
  public static var schemaName: String { _typeName(Self.self, qualified: false) }

  /// Empty, since most shapes are not listed.
  public static var listed: [any WireShape.Type] { [] }
  /// The shapes of ``listed``, to which the schema refers.
  public static var parts: [any CallBody.Type] { listed }
}
