// Shapes that are JSON objects: one walk over their members makes them everything a shape is.

package import GameConfCore

/// Members that belong together.
package protocol WirePart: Sendable, Hashable {
  /// The object that a reader fills; nothing in it counts before it is filled.
  init()

  /// Walks over every member, in the order in which they are written.
  mutating func walk(_ fields: inout some FieldWalker)
}

/// A shape that is a JSON object.
package protocol WireObject: WireShape, WirePart, WireMember {
  /// The description, in a sentence.
  static var about: String { get }
  /// True if members that it does not know are refused; answers may gain members.
  static var isClosed: Bool { get }
}

/// A shape that comes from a client: what it does not know is refused.
package protocol WireRequest: WireObject {}

extension WireRequest {
  /// True.
  package static var isClosed: Bool { true }
}

extension WireObject {
  /// False.
  package static var isClosed: Bool { false }

  /// Its JSON.
  public var wire: Value {
    var copy = self
    var writer = FieldValueWriter()
    copy.walk(&writer)
    return .object(writer.object)
  }

  /// Its JSON as bytes, those of ``wire``, without a tree of values.
  public var json: [UInt8] { text }

  /// Its JSON as bytes.
  @inline(__always)
  var text: [UInt8] {
    var json = JSONBuilder(reserving: jsonBytesUsual)
    append(to: &json)
    return json.bytes
  }

  /// Reads it from JSON that stands at that pointer of the body.
  public init(wire: Value, at pointer: String) throws(Fault) {
    do throws(Fault) {
      try self.init(member: wire)
    } catch {
      throw error.below(pointer)
    }
  }

  /// The shapes of its members.
  public static var parts: [any CallBody.Type] { FieldList(of: Self.self).shapes }

  /// Its JSON Schema.
  public static var schema: Value {
    var shape = Self()
    var writer = FieldSchemaWriter(isClosed: isClosed)
    shape.walk(&writer)
    return writer.schema(about)
  }
}

extension WireObject {
  /// Its JSON.
  package var memberValue: Value { wire }

  /// Writes its JSON.
  package func append(to json: inout JSONBuilder) {
    var copy = self
    json.beginObject()
    copy.walk(&json)
    json.endObject()
  }

  /// Reads it; a fault's pointer begins at it.
  package init(member value: Value) throws(Fault) {
    guard case .object(let object) = value else { throw Fault(expected: "an object", found: value) }
    self.init()
    var reader = FieldReader(object)
    walk(&reader)
    if Self.isClosed, reader.fault != nil || reader.found != object.count {
      // What nobody knows is named first: a name that is spelled wrong also leaves one out.
      let names = FieldList(of: Self.self).names
      if let unknown = object.members.first(where: { !names.contains($0.name) })?.name {
        throw Fault(
          "“\(unknown)” is not known here; admitted are \(names.joined(separator: ", "))", at: "/" + JSONPointer.escaped(unknown))
      }
    }
    if let fault = reader.fault { throw fault }
  }

  /// The shape itself.
  package static var shapes: [any WireShape.Type] { [Self.self] }

  /// A reference to its component.
  package static var memberSchema: Value { ["$ref": .string("#/components/schemas/\(schemaName)")] }

  /// False: an object is there even when nothing is in it.
  package var isUnset: Bool { false }
}

/// Room for most bodies, so that they are not moved again and again while they grow.
private let jsonBytesUsual = 1_024
