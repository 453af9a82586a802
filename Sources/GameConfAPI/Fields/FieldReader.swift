// Reads a request or answer from a JSON object, member by member, and records the first fault.

package import GameConfCore

/// Sets the stored properties of a request or answer from the members of a JSON object.
package struct FieldReader: FieldWalker {
  private let object: ObjectValue
  /// The expected index of the next member. It is right if the JSON object has its members in the order in which the type visits them.
  private var next = 0
  /// The number of declared members that were found in the JSON object so far.
  package private(set) var found = 0
  /// The first fault. Its JSON pointer begins at the object.
  package private(set) var fault: Fault?

  package init(_ object: ObjectValue) { self.object = object }

  /// Returns a member's value; nil if the object has no such member.
  private mutating func find(_ name: StaticString) -> Value? {
    // All members of the object were found already, so this one is absent.
    if found == object.count { return nil }
    guard let at = next < object.count && name.isText(object.members[next].name) ? next : object.position(of: name.text) else { return nil }
    next = at + 1
    found += 1
    return object.members[at].value
  }

  private mutating func blame(_ name: StaticString, _ fault: Fault) {
    if self.fault == nil { self.fault = fault.below("/\(name)") }
  }

  private mutating func read<Member: WireMember>(_ name: StaticString, _ value: Value) -> Member? {
    do throws(Fault) {
      return try Member(member: value)
    } catch {
      blame(name, error)
      return nil
    }
  }

  private mutating func miss(_ name: StaticString) { blame(name, Fault("“\(name)” is missing")) }

  package mutating func field<Member: WireMember>(
    _ name: StaticString, _ member: inout Member, _ presence: FieldPresence, _: StaticString, _: () -> FieldValueRule
  ) {
    guard let value = find(name) else {
      if presence == .required { miss(name) }
      return
    }
    if presence != .required, case .null = value { return }
    if let read: Member = read(name, value) { member = read }
  }

  package mutating func field<Member: WireMember>(
    _ name: StaticString, _ member: inout Member?, _ null: NullMeaning, _: StaticString, _: () -> FieldValueRule
  ) {
    guard let value = find(name) else { return }
    if null != .value, case .null = value { return }
    member = read(name, value)
  }

  package mutating func written(_ name: StaticString, _: @autoclosure () -> Value, _: StaticString, _: @autoclosure () -> FieldValueRule) {
    _ = find(name)
  }

  package mutating func ignored(_ name: StaticString, _: StaticString, _: @autoclosure () -> FieldValueRule) { _ = find(name) }

  package mutating func object(_ name: StaticString, _: StaticString, _ inside: (inout FieldReader) -> Void) {
    guard let value = find(name) else { return miss(name) }
    guard case .object(let object) = value else { return blame(name, Fault(expected: "an object", found: value)) }
    var reader = FieldReader(object)
    inside(&reader)
    if let fault = reader.fault { blame(name, fault) }
  }

  package mutating func part<Part: WirePart>(_ part: inout Part?, with name: StaticString) {
    guard let value = object[name.text], value != .null else { return }
    var read = Part()
    read.walk(&self)
    part = read
  }

  package mutating func members<Shape: WireObject>(of shape: inout Shape) { shape.walk(&self) }

  package mutating func refuse(_ name: StaticString?, _ message: @autoclosure () -> String, if isWrong: Bool) {
    guard isWrong, fault == nil else { return }
    fault = Fault(message(), at: name.map { "/\($0)" } ?? "")
  }
}

/// Collects the names of a type's JSON members, and the types of their values that have a schema of their own.
package struct FieldList: FieldWalker {
  /// The names, in the order in which the members are written.
  package private(set) var names: [String] = []
  /// The types with a schema of their own, one entry for each member that has such a type.
  private(set) var shapes: [any WireShape.Type] = []

  private init() {}

  /// Collects the names of the JSON members of this type.
  package init<Shape: WirePart>(of _: Shape.Type) {
    var shape = Shape()
    shape.walk(&self)
  }

  package mutating func field<Member: WireMember>(
    _ name: StaticString, _: inout Member, _: FieldPresence, _: StaticString, _: () -> FieldValueRule
  ) {
    names.append(name.text)
    shapes += Member.shapes
  }

  package mutating func field<Member: WireMember>(
    _ name: StaticString, _: inout Member?, _: NullMeaning, _: StaticString, _: () -> FieldValueRule
  ) {
    names.append(name.text)
    shapes += Member.shapes
  }

  package mutating func written(_ name: StaticString, _: @autoclosure () -> Value, _: StaticString, _: @autoclosure () -> FieldValueRule) {
    names.append(name.text)
  }

  package mutating func ignored(_ name: StaticString, _: StaticString, _: @autoclosure () -> FieldValueRule) { names.append(name.text) }

  package mutating func object(_ name: StaticString, _: StaticString, _ inside: (inout FieldList) -> Void) {
    names.append(name.text)
    var list = FieldList()
    inside(&list)
    shapes += list.shapes
  }

  package mutating func part<Part: WirePart>(_: inout Part?, with _: StaticString) {
    var part = Part()
    part.walk(&self)
  }

  package mutating func members<Shape: WireObject>(of shape: inout Shape) {
    shapes.append(Shape.self)
    shape.walk(&self)
  }

  package mutating func refuse(_: StaticString?, _: @autoclosure () -> String, if _: Bool) {}
}

extension StaticString {
  var text: String { withUTF8Buffer { String(decoding: $0, as: UTF8.self) } }

  /// True if the static text equals a string. No second string is allocated for the comparison.
  fileprivate func isText(_ other: String) -> Bool {
    guard other.utf8.count == utf8CodeUnitCount else { return false }
    var other = other
    return other.withUTF8 { other in withUTF8Buffer { $0.elementsEqual(other) } }
  }
}
