// Shapes that are JSON objects: one walk over their members implements everything that a shape needs.

package import GameConfCore

/// Members that belong together.
package protocol WirePart: Sendable, Hashable {
  /// Creates an object for a reader to fill; its values are meaningless before.
  init()

  /// Walks over every member, in the order of writing.
  mutating func walk(_ fields: inout some FieldWalker)
}

package protocol WireObject: WireShape, WirePart, WireMember {
  /// The description for the schema, in a sentence.
  static var about: String { get }
  /// True if unknown members are refused. Answers are open, since they may gain members.
  static var isClosed: Bool { get }
}

/// A shape that a client sends; unknown members are refused.
package protocol WireRequest: WireObject {}

extension WireRequest {
  /// True, since a request with unknown members is refused.
  package static var isClosed: Bool { true }
}

extension WireObject {
  /// False, since answers may gain members.
  package static var isClosed: Bool { false }

  /// The members that `walk` visits, in its order.
  public var wire: Value {
    var copy = self
    var writer = FieldValueWriter()
    copy.walk(&writer)
    return .object(writer.object)
  }

  /// The JSON as bytes, the same as of ``wire``, without a tree of values.
  public var json: [UInt8] { text }

  /// The JSON of its members as bytes.
  @inline(__always)
  var text: [UInt8] {
    var json = JSONBuilder(reserving: jsonBytesUsual)
    append(to: &json)
    return json.bytes
  }

  /// Reads the object from JSON at that pointer of the body.
  public init(wire: Value, at pointer: String) throws(Fault) {
    do throws(Fault) {
      try self.init(member: wire)
    } catch {
      throw error.below(pointer)
    }
  }

  /// The shapes that the members' schemas refer to.
  public static var parts: [any CallBody.Type] { FieldList(of: Self.self).shapes }

  /// Described by `about`, and closed to other members if `isClosed` is true.
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

  /// Reads the object; a fault's pointer begins at it.
  package init(member value: Value) throws(Fault) {
    guard case .object(let object) = value else { throw Fault(expected: "an object", found: value) }
    self.init()
    var reader = FieldReader(object)
    walk(&reader)
    if Self.isClosed, reader.fault != nil || reader.found != object.count {
      // An unknown member is reported first, because a misspelled name also leaves a required one out.
      let names = FieldList(of: Self.self).names
      if let unknown = object.members.first(where: { !names.contains($0.name) })?.name {
        throw Fault(
          "“\(unknown)” is not known here; admitted are \(names.joined(separator: ", "))", at: "/" + JSONPointer.escaped(unknown))
      }
    }
    if let fault = reader.fault { throw fault }
  }

  package static var shapes: [any WireShape.Type] { [Self.self] }

  /// A reference to the type's schema component.
  package static var memberSchema: Value { ["$ref": .string("#/components/schemas/\(schemaName)")] }

  /// False: an object is present even when it has no members.
  package var isUnset: Bool { false }
}

/// The initial capacity, enough for most bodies, so that the buffer rarely grows.
private let jsonBytesUsual = 1_024
