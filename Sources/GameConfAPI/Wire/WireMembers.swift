// Reads the members of one JSON object with faults that name the place.

import GameConfCore

struct WireMembers {
  let object: ObjectValue
  let pointer: String

  /// - Parameter only: the names a request admits; nil admits all, since an answer may gain members.
  init(_ value: Value, at pointer: String, only names: [String]? = nil) throws(WireFault) {
    guard case .object(let object) = value else {
      throw WireFault(pointer: pointer, message: "expected an object, found \(value.kind.rawValue)")
    }
    self.object = object
    self.pointer = pointer
    if let names, let unknown = object.members.first(where: { !names.contains($0.name) })?.name {
      throw WireFault(
        pointer: place(unknown), message: "\"\(unknown)\" is not known here; admitted are \(names.joined(separator: ", "))")
    }
  }

  func place(_ name: String) -> String { pointer + "/" + JSONPointer.escaped(name) }

  /// The member, unless it is absent or null.
  func optional(_ name: String) -> Value? {
    guard let value = object[name] else { return nil }
    if case .null = value { return nil }
    return value
  }

  func required(_ name: String) throws(WireFault) -> Value {
    guard let value = object[name] else { throw WireFault(pointer: place(name), message: "\"\(name)\" is missing") }
    return value
  }

  func string(_ name: String) throws(WireFault) -> String { try text(try required(name), name) }

  func optionalString(_ name: String) throws(WireFault) -> String? {
    guard let value = optional(name) else { return nil }
    return try text(value, name)
  }

  func integer(_ name: String) throws(WireFault) -> Int64 { try number(try required(name), name) }

  func optionalInteger(_ name: String) throws(WireFault) -> Int64? {
    guard let value = optional(name) else { return nil }
    return try number(value, name)
  }

  func double(_ name: String) throws(WireFault) -> Double {
    guard let number = try required(name).numberValue else { throw mismatch("a number", try required(name), name) }
    return number
  }

  /// Whole numbers by name; empty when absent.
  func counts(_ name: String) throws(WireFault) -> [String: Int64] {
    var counts: [String: Int64] = [:]
    for member in try object(name).members { counts[member.name] = try number(member.value, "\(name)/\(member.name)") }
    return counts
  }

  /// False when absent.
  func flag(_ name: String) throws(WireFault) -> Bool {
    guard let value = optional(name) else { return false }
    guard let bool = value.boolValue else { throw mismatch("true or false", value, name) }
    return bool
  }

  /// Empty when absent.
  func object(_ name: String) throws(WireFault) -> ObjectValue {
    guard let value = optional(name) else { return ObjectValue() }
    guard let object = value.objectValue else { throw mismatch("an object", value, name) }
    return object
  }

  func instant(_ name: String) throws(WireFault) -> Instant { try time(try required(name), name) }

  func optionalInstant(_ name: String) throws(WireFault) -> Instant? {
    guard let value = optional(name) else { return nil }
    return try time(value, name)
  }

  func shape<Shape: WireShape>(_ name: String, _: Shape.Type = Shape.self) throws(WireFault) -> Shape {
    try Shape(wire: try required(name), at: place(name))
  }

  func optionalShape<Shape: WireShape>(_ name: String, _: Shape.Type = Shape.self) throws(WireFault) -> Shape? {
    guard let value = optional(name) else { return nil }
    return try Shape(wire: value, at: place(name))
  }

  /// Empty when absent.
  func shapes<Shape: WireShape>(_ name: String, _: Shape.Type = Shape.self) throws(WireFault) -> [Shape] {
    var shapes: [Shape] = []
    for (at, element) in try elements(name).enumerated() {
      shapes.append(try Shape(wire: element, at: "\(place(name))/\(at)"))
    }
    return shapes
  }

  /// Empty when absent.
  func strings(_ name: String) throws(WireFault) -> [String] {
    var strings: [String] = []
    for (at, element) in try elements(name).enumerated() { strings.append(try text(element, "\(name)/\(at)")) }
    return strings
  }

  func word<Word: RawRepresentable & CaseIterable>(_ name: String, _: Word.Type = Word.self) throws(WireFault) -> Word
  where Word.RawValue == String {
    let text = try string(name)
    guard let word = Word(rawValue: text) else {
      let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw WireFault(pointer: place(name), message: "\"\(text)\" is not one of \(known)")
    }
    return word
  }

  private func elements(_ name: String) throws(WireFault) -> [Value] {
    guard let value = optional(name) else { return [] }
    guard let list = value.listValue else { throw mismatch("a list", value, name) }
    return list
  }

  private func text(_ value: Value, _ name: String) throws(WireFault) -> String {
    guard let text = value.stringValue else { throw mismatch("a string", value, name) }
    return text
  }

  private func number(_ value: Value, _ name: String) throws(WireFault) -> Int64 {
    guard let number = value.integerValue else { throw mismatch("an integer", value, name) }
    return number
  }

  private func time(_ value: Value, _ name: String) throws(WireFault) -> Instant {
    let text = try text(value, name)
    do throws(TimeFault) {
      return try Instant(parsing: text)
    } catch {
      throw WireFault(pointer: place(name), message: error.message)
    }
  }

  private func mismatch(_ expected: String, _ value: Value, _ name: String) -> WireFault {
    WireFault(pointer: pointer + "/" + name, message: "expected \(expected), found \(value.kind.rawValue)")
  }
}

extension ObjectValue {
  /// The object with one more member, unless the value is nil. Each of these takes the object over, so that a chain of them copies no members.
  consuming func with(_ name: String, _ value: Value?) -> ObjectValue {
    if let value { self[name] = value }
    return self
  }

  consuming func with(_ name: String, _ text: String?) -> ObjectValue { with(name, text.map(Value.string)) }
  consuming func with(_ name: String, _ number: Int64?) -> ObjectValue { with(name, number.map(Value.integer)) }
  consuming func with(_ name: String, _ instant: Instant?) -> ObjectValue { with(name, instant.map { .string($0.text) }) }
  consuming func with(_ name: String, _ shape: (some WireShape)?) -> ObjectValue { with(name, shape?.wire) }
  consuming func with(_ name: String, _ shapes: [some WireShape]) -> ObjectValue { with(name, .list(shapes.map(\.wire))) }
  consuming func with(_ name: String, _ texts: [String]) -> ObjectValue { with(name, .list(texts.map(Value.string))) }
  /// By name.
  consuming func with(_ name: String, counts: [String: Int64]) -> ObjectValue {
    with(name, .some(.object(ObjectValue(counts.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) }))))
  }
  /// Only when true.
  consuming func with(_ name: String, ifTrue flag: Bool) -> ObjectValue { flag ? with(name, .bool(true)) : self }
  /// Only when there are some.
  consuming func with(_ name: String, ifAny texts: [String]) -> ObjectValue { texts.isEmpty ? self : with(name, texts) }
}
