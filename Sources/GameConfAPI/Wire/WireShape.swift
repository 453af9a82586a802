// The protocol of request and answer bodies in JSON: they are read from JSON, written as JSON, and described by a schema.

public import GameConfCore

/// A request or answer body in JSON, or a part of one.
public protocol WireShape: CallBody, Hashable {
  /// The body as a JSON value in memory.
  var wire: Value { get }
  var json: [UInt8] { get }
  /// Reads the body from JSON that is at this pointer of the request or answer.
  init(wire: Value, at pointer: String) throws(Fault)
  /// The name of the schema component in the OpenAPI document.
  static var schemaName: String { get }
  /// The JSON Schema. It refers to the schemas of the body's parts.
  static var schema: Value { get }
  /// The types of which the body may be a single value or a list.
  static var listed: [any WireShape.Type] { get }
}

extension WireShape {
  /// The body's JSON in UTF-8, written from ``wire``.
  public var json: [UInt8] { JSONWriter.bytes(wire) }

  /// Reads a whole body from JSON.
  public init(wire: Value) throws(Fault) { try self.init(wire: wire, at: "") }

  /// The Swift type's own name. String interpolation of a type would search all conformances of the program in vain, at a cost of some
  /// hundred thousand instructions for each type.
  public static var schemaName: String { _typeName(Self.self, qualified: false) }

  /// Empty, because most bodies are never a list.
  public static var listed: [any WireShape.Type] { [] }
  /// The types in ``listed``, to whose schemas this schema refers.
  public static var parts: [any CallBody.Type] { listed }
}
