// Requests and answers that are JSON objects: one walk over their members reads them, writes them and describes them.

package import GameConfCore

/// A group of members of a JSON object.
package protocol WirePart: Sendable, Hashable {
  /// Creates an instance with placeholders, which a reader then replaces.
  init()

  /// Names every member to the visitor, in the order in which the members are written.
  mutating func walk(_ fields: inout some FieldWalker)
}

package protocol WireObject: WireShape, WirePart, WireMember {
  /// The description in the OpenAPI document, in a sentence.
  static var about: String { get }
  /// True if a JSON object with unknown members is refused. For answers it is false, since a newer daemon may add members.
  static var isClosed: Bool { get }
}

/// A JSON object that a client sends. Unknown members are refused.
package protocol WireRequest: WireObject {}

extension WireRequest {
  /// True: a request with unknown members is refused.
  package static var isClosed: Bool { true }
}

extension WireObject {
  /// False: clients must accept answers with unknown members, since a newer daemon may add some.
  package static var isClosed: Bool { false }

  /// The JSON object with the members that `walk` visits, in its order.
  public var wire: Value {
    var copy = self
    var writer = FieldValueWriter()
    copy.walk(&writer)
    return .object(writer.object)
  }

  /// The object's JSON in UTF-8. It has the same bytes as the JSON of ``wire``, but builds no values in memory.
  public var json: [UInt8] { text }

  /// The object's JSON in UTF-8.
  @inline(__always)
  var text: [UInt8] {
    var json = JSONBuilder(reserving: jsonBytesUsual)
    append(to: &json)
    return json.bytes
  }

  /// Reads the object from JSON that is at this pointer of the body.
  public init(wire: Value, at pointer: String) throws(Fault) {
    do throws(Fault) {
      try self.init(member: wire)
    } catch {
      throw error.below(pointer)
    }
  }

  /// The types that the members' schemas refer to.
  public static var parts: [any CallBody.Type] { FieldList(of: Self.self).shapes }

  /// The JSON Schema with the description `about`. It admits no other members if `isClosed` is true.
  public static var schema: Value {
    var shape = Self()
    var writer = FieldSchemaWriter(isClosed: isClosed)
    shape.walk(&writer)
    return writer.schema(about)
  }
}

extension WireObject {
  package var memberValue: Value { wire }

  package func append(to json: inout JSONBuilder) {
    var copy = self
    json.beginObject()
    copy.walk(&json)
    json.endObject()
  }

  /// Reads the object from JSON. The pointer of a thrown fault begins at this object.
  package init(member value: Value) throws(Fault) {
    guard case .object(let object) = value else { throw Fault(expected: "an object", found: value) }
    self.init()
    var reader = FieldReader(object)
    walk(&reader)
    if Self.isClosed, reader.fault != nil || reader.found != object.count {
      // An unknown member is reported before a missing one, because a misspelled name causes both.
      let names = FieldList(of: Self.self).names
      if let unknown = object.members.first(where: { !names.contains($0.name) })?.name {
        throw Fault(
          "“\(unknown)” is not known here; admitted are \(names.joined(separator: ", "))", at: "/" + JSONPointer.escaped(unknown))
      }
    }
    if let fault = reader.fault { throw fault }
  }

  package static var shapes: [any WireShape.Type] { [Self.self] }

  /// A reference to the type's schema component in the OpenAPI document.
  package static var memberSchema: Value { ["$ref": .string("#/components/schemas/\(schemaName)")] }

  /// False, because an object is written even if it has no members.
  package var isUnset: Bool { false }
}

/// The initial capacity of the buffer for a body's JSON, in bytes. Most bodies fit, so the buffer rarely grows.
private let jsonBytesUsual = 1_024
