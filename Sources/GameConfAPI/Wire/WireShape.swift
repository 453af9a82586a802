// The abilities of every request and answer: become a value, be read from one, and describe itself.

public import GameConfCore

/// A request or an answer, or a part of one.
public protocol WireShape: CallBody, Hashable {
  /// Its JSON.
  var wire: Value { get }
  /// Its JSON as bytes.
  var json: [UInt8] { get }
  /// Reads it from JSON that stands at that pointer of the body.
  init(wire: Value, at pointer: String) throws(Fault)
  /// The name of its component schema.
  static var schemaName: String { get }
  /// Its JSON Schema, with references to the schemas of its parts.
  static var schema: Value { get }
  /// The parts that it may hold as elements of a list or alone.
  static var listed: [any WireShape.Type] { get }
}

extension WireShape {
  /// Its JSON as bytes.
  public var json: [UInt8] { JSONWriter.bytes(wire) }

  /// Reads it from the JSON of a whole body.
  public init(wire: Value) throws(Fault) { try self.init(wire: wire, at: "") }

  /// The type's own name. To describe a type as any other value looks for a conformance in vain among all there are, some hundred thousand
  /// instructions for each type.
  public static var schemaName: String { _typeName(Self.self, qualified: false) }

  /// None.
  public static var listed: [any WireShape.Type] { [] }
  /// Those that stand in lists or alone.
  public static var parts: [any CallBody.Type] { listed }
}
