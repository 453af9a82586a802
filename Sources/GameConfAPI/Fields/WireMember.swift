// The types that a member of a JSON object may have: text, numbers, instants, words, lists, maps and nested objects.

package import GameConfCore

/// A type whose values are members of JSON objects.
package protocol WireMember: Sendable, Hashable {
  var memberValue: Value { get }
  func append(to json: inout JSONBuilder)
  /// Reads a value from JSON. The pointer of a thrown fault begins at this value.
  init(member value: Value) throws(Fault)
  static var memberSchema: Value { get }
  /// The types whose schemas ``memberSchema`` refers to.
  static var shapes: [any WireShape.Type] { get }
  /// True if the value is false or empty, which is the meaning of an absent member.
  var isUnset: Bool { get }
}

extension WireMember {
  /// Empty, because the schemas of most member types refer to no other schema.
  package static var shapes: [any WireShape.Type] { [] }

  /// False, because most member types have no empty value.
  package var isUnset: Bool { false }

  fileprivate func append(to json: inout JSONBuilder, named name: String) {
    json.name(name)
    append(to: &json)
  }
}

extension String: WireMember {
  package var memberValue: Value { .string(self) }
  package func append(to json: inout JSONBuilder) { json.string(self) }
  package init(member value: Value) throws(Fault) {
    guard case .string(let text) = value else { throw Fault(expected: "a string", found: value) }
    self = text
  }
  package static var memberSchema: Value { ["type": "string"] }
}

extension Int64: WireMember {
  package var memberValue: Value { .integer(self) }
  package func append(to json: inout JSONBuilder) { json.integer(self) }
  package init(member value: Value) throws(Fault) {
    guard case .integer(let number) = value else { throw Fault(expected: "an integer", found: value) }
    self = number
  }
  package static var memberSchema: Value { ["type": "integer", "format": "int64"] }
}

extension Double: WireMember {
  package var memberValue: Value { .double(self) }
  package func append(to json: inout JSONBuilder) { json.value(.double(self)) }
  package init(member value: Value) throws(Fault) {
    guard let number = value.numberValue else { throw Fault(expected: "a number", found: value) }
    self = number
  }
  package static var memberSchema: Value { ["type": "number"] }
}

extension Bool: WireMember {
  package var memberValue: Value { .bool(self) }
  package func append(to json: inout JSONBuilder) { json.bool(self) }
  package init(member value: Value) throws(Fault) {
    guard case .bool(let flag) = value else { throw Fault(expected: "true or false", found: value) }
    self = flag
  }
  package static var memberSchema: Value { ["type": "boolean"] }
  package var isUnset: Bool { !self }
}

extension Instant: WireMember {
  package var memberValue: Value { .string(text) }
  package func append(to json: inout JSONBuilder) { json.instantText(self) }
  package init(member value: Value) throws(Fault) { self = try Instant(parsing: try String(member: value)) }
  package static var memberSchema: Value { ["type": "string", "format": "date-time"] }
  /// The placeholder of a required instant until a reader sets it: 1970-01-01.
  package static var unread: Instant { Instant(milliseconds: 0) }
}

extension Value: WireMember {
  package var memberValue: Value { self }
  package func append(to json: inout JSONBuilder) { json.value(self) }
  package init(member value: Value) throws(Fault) { self = value }
  package static var memberSchema: Value { [:] }
}

extension ObjectValue: WireMember {
  package var memberValue: Value { .object(self) }
  package func append(to json: inout JSONBuilder) { json.value(.object(self)) }
  package init(member value: Value) throws(Fault) {
    guard case .object(let object) = value else { throw Fault(expected: "an object", found: value) }
    self = object
  }
  package static var memberSchema: Value { ["type": "object", "additionalProperties": true] }
  package var isUnset: Bool { isEmpty }
}

extension Array: WireMember where Element: WireMember {
  package var memberValue: Value { .list(map(\.memberValue)) }
  package func append(to json: inout JSONBuilder) {
    json.beginList()
    for element in self { element.append(to: &json) }
    json.endList()
  }
  package init(member value: Value) throws(Fault) {
    guard case .list(let values) = value else { throw Fault(expected: "a list", found: value) }
    self = []
    reserveCapacity(values.count)
    for (at, value) in values.enumerated() {
      do throws(Fault) { append(try Element(member: value)) } catch { throw error.below("/\(at)") }
    }
  }
  package static var memberSchema: Value { ["type": "array", "items": Element.memberSchema] }
  package static var shapes: [any WireShape.Type] { Element.shapes }
  package var isUnset: Bool { isEmpty }
}

/// A JSON object with any names, sorted by name when written. A member that is null is the same as an absent one.
extension Dictionary: WireMember where Key == String, Value: WireMember {
  package var memberValue: GameConfCore.Value {
    .object(ObjectValue(sorted { $0.key < $1.key }.map { ($0.key, $0.value.memberValue) }))
  }
  package func append(to json: inout JSONBuilder) {
    json.beginObject()
    // Most dictionaries have at most one member, so sorting would only cost time.
    if count < 2 {
      for (name, member) in self { member.append(to: &json, named: name) }
    } else {
      for (name, member) in sorted(by: { $0.key < $1.key }) { member.append(to: &json, named: name) }
    }
    json.endObject()
  }
  package init(member value: GameConfCore.Value) throws(Fault) {
    guard case .object(let object) = value else { throw Fault(expected: "an object", found: value) }
    self.init(minimumCapacity: object.count)
    for member in object.members where member.value != .null {
      do throws(Fault) { self[member.name] = try Value(member: member.value) } catch {
        throw error.below("/" + JSONPointer.escaped(member.name))
      }
    }
  }
  package static var memberSchema: GameConfCore.Value { ["type": "object", "additionalProperties": Value.memberSchema] }
  package static var shapes: [any WireShape.Type] { Value.shapes }
  package var isUnset: Bool { isEmpty }
}

/// An enumeration whose raw values are the words of a JSON member. Any other word is refused.
package protocol WireWord: WireMember, RawRepresentable, CaseIterable where RawValue == String {}

extension WireWord {
  package var memberValue: Value { .string(rawValue) }
  package func append(to json: inout JSONBuilder) { json.string(rawValue) }
  package init(member value: Value) throws(Fault) {
    let text = try String(member: value)
    guard let word = Self(rawValue: text) else {
      throw Fault("“\(text)” is not one of \(Self.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    self = word
  }
  package static var memberSchema: Value { ["type": "string", "enum": .list(allCases.map { .string($0.rawValue) })] }
}

extension Fault {
  /// Creates the fault of a value that has another JSON type than expected.
  package init(expected: String, found value: Value) {
    self.init("expected \(expected), found \(value.kind.rawValue)")
  }

  /// Returns the fault with the pointer of the surrounding value put before its own pointer.
  package func below(_ pointer: String) -> Fault { Fault(message, at: pointer + self.pointer) }
}

extension AdOutcome: WireWord {}
