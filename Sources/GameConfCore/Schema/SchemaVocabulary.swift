// The keywords that a schema may have, and the validation of their values.

enum SchemaVocabulary {
  static let keywords = [
    "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
    "pattern",
    "items", "prefixItems", "minItems", "maxItems", "uniqueItems", "properties", "required", "additionalProperties", "minProperties",
    "maxProperties", "oneOf", "anyOf", "allOf", "not", "if", "then", "else", "$defs", "$ref", "localized", "index_into", "rising_by",
    "falling_by", "same_length_as", "unique_by", "differs_from",
  ]

  /// The annotations of JSON Schema for people and editors, which are admitted but have no effect.
  static let letThrough: Set<String> = ["title", "description", "$comment", "examples", "default"]

  static let besideLocalized: Set<String> = ["localized", "type", "minLength", "maxLength", "pattern", "differs_from", "$defs"]

  static let dialect = "https://json-schema.org/draft/2020-12/schema"

  /// The keywords of JSON Schema that catalogs do not support.
  static let unavailable: Set<String> = [
    "$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary", "patternProperties", "propertyNames", "contains", "minContains",
    "maxContains", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedItems", "unevaluatedProperties", "format",
    "contentEncoding", "contentMediaType", "contentSchema", "deprecated", "readOnly", "writeOnly", "additionalItems", "definitions",
    "$schema",
  ]

  /// Decodes the percent encoding of a URI fragment. Returns nil if an escape is malformed or the result is not valid UTF-8.
  static func percentDecoded(_ text: Substring) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, let decoded = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) else { return nil }
      bytes.append(decoded)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension SchemaCompiler {
  mutating func refuseUnknown(_ name: String, _ value: Value, at pointer: String, isRoot: Bool) {
    if name.hasPrefix("x-") || SchemaVocabulary.letThrough.contains(name) { return }
    if name == "$schema", isRoot, value == .string(SchemaVocabulary.dialect) { return }
    let shown = JSONPointer.clipped(name, bytesMax: 64)
    if name == "definitions" { return fault(pointer, "Named schemas belong in “$defs” since 2020-12, not in “definitions”.") }
    if SchemaVocabulary.unavailable.contains(name) {
      return fault(pointer, "The keyword “\(shown)” of JSON Schema is not available in catalogs.")
    }
    let hint = NearestNames.hint(for: name, among: SchemaVocabulary.keywords)
    fault(pointer, "There is no keyword “\(shown)”; your own keywords begin with x-.\(hint)")
  }

  mutating func types(_ value: Value, at pointer: String) -> SchemaTypes? {
    let names: [Value]
    switch value {
    case .string: names = [value]
    case .list(let elements) where !elements.isEmpty: names = elements
    default:
      fault(pointer, "A type is one of null, boolean, integer, number, string, array, object, or a list of these.")
      return nil
    }
    var types: SchemaTypes = []
    for name in names {
      guard let name = name.stringValue, let known = SchemaTypes.named.first(where: { $0.name == name }) else {
        let hint =
          name.stringValue.map { text in
            SchemaTypes.elsewhere[text].map { " Here it is called “\($0)”." }
              ?? NearestNames.hint(for: text, among: SchemaTypes.named.map(\.name))
          } ?? ""
        let shown = name.stringValue.map { "“\(JSONPointer.clipped($0, bytesMax: 64))”" } ?? name.shown
        fault(pointer, "\(shown) is not a type; the types are null, boolean, integer, number, string, array, object.\(hint)")
        return nil
      }
      types.insert(known.type)
    }
    return types
  }

  mutating func choices(_ value: Value, at pointer: String) -> [Value]? {
    if case .list(let elements) = value, !elements.isEmpty { return elements }
    fault(pointer, "enum is a list of at least one value that is admitted.")
    return nil
  }

  mutating func number(_ value: Value, at pointer: String) -> Value? {
    if value.kind == .integer || value.kind == .double { return value }
    fault(pointer, "This must be a number, not \(value.kindShown).")
    return nil
  }

  mutating func step(_ value: Value, at pointer: String) -> Value? {
    if Value.compareNumbers(value, 0) == .greater { return value }
    fault(pointer, "multipleOf is a number greater than 0.")
    return nil
  }

  mutating func count(_ value: Value, at pointer: String) -> Int? {
    if let count = value.losslessInteger, count >= 0 { return Int(count) }
    fault(pointer, "This must be a count, a whole number from 0, not \(value.shown).")
    return nil
  }

  mutating func flag(_ value: Value, at pointer: String) -> Bool {
    if let flag = value.boolValue { return flag }
    fault(pointer, "This must be true or false, not \(value.shown).")
    return false
  }

  mutating func text(_ value: Value, at pointer: String) -> String? {
    if let text = value.stringValue, !text.isEmpty { return text }
    fault(pointer, "This must be a name in quotes, not \(value.shown).")
    return nil
  }

  mutating func names(_ value: Value, at pointer: String) -> [String] {
    guard case .list(let elements) = value else {
      fault(pointer, "required is a list of property names, and not \(value.kindShown).")
      return []
    }
    var names: [String] = []
    var seen: Set<String> = []
    for (at, element) in elements.enumerated() {
      guard let name = element.stringValue else {
        fault(JSONPointer.appending(at, to: pointer), "This must be a property's name, not \(element.kindShown).")
        continue
      }
      if !seen.insert(name).inserted {
        fault(JSONPointer.appending(at, to: pointer), "“\(JSONPointer.clipped(name, bytesMax: 64))” appears twice in this list.")
      }
      names.append(name)
    }
    return names
  }

  mutating func pattern(_ value: Value, at pointer: String) -> Pattern? {
    guard case .string(let source) = value else {
      fault(pointer, "A pattern is a regular expression in quotes, and not \(value.kindShown).")
      return nil
    }
    do throws(PatternFault) { return try Pattern(compiling: source) } catch {
      fault(pointer, "The pattern is not right at character \(error.offset + 1): \(error.message)")
      return nil
    }
  }
}
