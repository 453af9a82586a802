// Writes the members of a request or answer: as values, or as the text of JSON.

package import GameConfCore

/// Writes the members of a request or answer into a JSON object in memory.
package struct FieldValueWriter: FieldWalker {
  /// The JSON object with the members written so far.
  package private(set) var object = ObjectValue()

  package init() {}

  package mutating func field<Member: WireMember>(
    _ name: StaticString, _ member: inout Member, _ presence: FieldPresence, _: StaticString, _: () -> FieldValueRule
  ) {
    if presence != .whenSet || !member.isUnset { object[name.text] = member.memberValue }
  }

  package mutating func field<Member: WireMember>(
    _ name: StaticString, _ member: inout Member?, _ null: NullMeaning, _: StaticString, _: () -> FieldValueRule
  ) {
    if let member { object[name.text] = member.memberValue } else if null == .written { object[name.text] = .null }
  }

  package mutating func written(
    _ name: StaticString, _ value: @autoclosure () -> Value, _: StaticString, _: @autoclosure () -> FieldValueRule
  ) {
    object[name.text] = value()
  }

  package mutating func ignored(_: StaticString, _: StaticString, _: @autoclosure () -> FieldValueRule) {}

  package mutating func object(_ name: StaticString, _: StaticString, _ inside: (inout FieldValueWriter) -> Void) {
    var writer = FieldValueWriter()
    inside(&writer)
    object[name.text] = .object(writer.object)
  }

  package mutating func part<Part: WirePart>(_ part: inout Part?, with _: StaticString) { part?.walk(&self) }

  package mutating func members<Shape: WireObject>(of shape: inout Shape) { shape.walk(&self) }

  package mutating func refuse(_: StaticString?, _: @autoclosure () -> String, if _: Bool) {}
}

/// Writes the members of a request or answer as JSON text. The bytes equal the JSON of the object that ``FieldValueWriter`` builds.
extension JSONBuilder: FieldWalker {
  package mutating func field<Member: WireMember>(
    _ name: StaticString, _ member: inout Member, _ presence: FieldPresence, _: StaticString, _: () -> FieldValueRule
  ) {
    if presence == .whenSet, member.isUnset { return }
    self.name(name)
    member.append(to: &self)
  }

  package mutating func field<Member: WireMember>(
    _ name: StaticString, _ member: inout Member?, _ null: NullMeaning, _: StaticString, _: () -> FieldValueRule
  ) {
    if let member {
      self.name(name)
      member.append(to: &self)
    } else if null == .written {
      self.name(name)
      self.null()
    }
  }

  package mutating func written(
    _ name: StaticString, _ value: @autoclosure () -> Value, _: StaticString, _: @autoclosure () -> FieldValueRule
  ) {
    self.name(name)
    self.value(value())
  }

  package mutating func ignored(_: StaticString, _: StaticString, _: @autoclosure () -> FieldValueRule) {}

  package mutating func object(_ name: StaticString, _: StaticString, _ inside: (inout JSONBuilder) -> Void) {
    self.name(name)
    beginObject()
    inside(&self)
    endObject()
  }

  package mutating func part<Part: WirePart>(_ part: inout Part?, with _: StaticString) { part?.walk(&self) }

  package mutating func members<Shape: WireObject>(of shape: inout Shape) { shape.walk(&self) }

  package mutating func refuse(_: StaticString?, _: @autoclosure () -> String, if _: Bool) {}
}
