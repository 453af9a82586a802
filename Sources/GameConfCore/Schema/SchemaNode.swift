// The compiled form of a JSON schema. The schemas inside it refer to each other by index.

/// A compiled JSON schema with all schemas inside it; the first is the schema itself.
struct SchemaProgram: Sendable {
  let nodes: [SchemaNode]
  var root: SchemaNode { nodes[0] }
}

/// One schema of a compiled program. It is a class, so that validation shares it instead of copying it.
@dynamicMemberLookup
final class SchemaNode: Sendable {
  private let keywords: SchemaKeywords
  /// True if the schema may lead to a localized text, at the value's own position or inside the value.
  let reachesLocalized: Bool

  init(_ keywords: SchemaKeywords, reachesLocalized: Bool) {
    self.keywords = keywords
    self.reachesLocalized = reachesLocalized
  }

  subscript<Field>(dynamicMember path: KeyPath<SchemaKeywords, Field>) -> Field { keywords[keyPath: path] }
}

/// The decoded keywords of one schema. A schema inside it is an index into ``SchemaProgram/nodes``.
struct SchemaKeywords: Sendable {
  var isNever = false
  var types: SchemaTypes?
  var allowed: [Value]?
  var minimum: Value?
  var maximum: Value?
  var exclusiveMinimum: Value?
  var exclusiveMaximum: Value?
  var multipleOf: Value?
  var minLength: Int?
  var maxLength: Int?
  var pattern: Pattern?
  var isLocalized = false
  var items: Int?
  var prefixItems: [Int] = []
  var minItems: Int?
  var maxItems: Int?
  var hasUniqueItems = false
  var properties: [String: Int] = [:]
  var propertyNames: [String] = []
  var required: [String] = []
  var additionalProperties: Int?
  var minProperties: Int?
  var maxProperties: Int?
  var reference: Int?
  var allOf: [Int] = []
  var anyOf: [Int] = []
  var oneOf: [Int] = []
  var not: Int?
  var condition: Int?
  var consequence: Int?
  var alternative: Int?
  var indexInto: String?
  var sameLengthAs: String?
  var differsFrom: String?
  var risingBy: String?
  var fallingBy: String?
  var uniqueBy: String?

  /// The indexes of the schemas that apply to the same position of the value as this schema.
  var inPlace: [Int] { [reference, not, condition].compactMap { $0 } + choosable }

  /// The indexes of the schemas that may determine the type of the value at the same position.
  var choosable: [Int] { [consequence, alternative].compactMap { $0 } + allOf + anyOf + oneOf }

  /// The indexes of the schemas that apply to members and elements of the value.
  var inside: [Int] { [items, additionalProperties].compactMap { $0 } + prefixItems + properties.values }
}

/// The set of JSON types that a schema admits.
struct SchemaTypes: OptionSet, Sendable {
  let rawValue: UInt8

  static let null = SchemaTypes(rawValue: 1)
  static let boolean = SchemaTypes(rawValue: 2)
  static let integer = SchemaTypes(rawValue: 4)
  static let number = SchemaTypes(rawValue: 8)
  static let string = SchemaTypes(rawValue: 16)
  static let array = SchemaTypes(rawValue: 32)
  static let object = SchemaTypes(rawValue: 64)

  /// The types with their names in JSON Schema (`name`) and their names in messages (`shown`).
  static let named: [(name: String, shown: String, type: SchemaTypes)] = [
    ("null", "null", .null), ("boolean", "a boolean", .boolean), ("integer", "an integer", .integer), ("number", "a number", .number),
    ("string", "a string", .string), ("array", "a list", .array), ("object", "an object", .object),
  ]

  /// The type names of catalogs and programming languages, with the name in JSON Schema that a message suggests instead.
  static let elsewhere = [
    "list": "array", "double": "number", "float": "number", "bool": "boolean", "int": "integer", "dict": "object", "map": "object",
    "text": "string", "localized": "string\" with \"localized: true",
  ]

  func admits(_ value: Value) -> Bool {
    switch value {
    case .null: contains(.null)
    case .bool: contains(.boolean)
    case .integer: contains(.integer) || contains(.number)
    case .double(let double): contains(.number) || contains(.integer) && double.isWhole
    case .string: contains(.string)
    case .list: contains(.array)
    case .object: contains(.object)
    }
  }

  /// The admitted types in words for messages, such as `a string or null`.
  var shown: String {
    let names = SchemaTypes.named.filter { contains($0.type) }.map(\.shown)
    guard let last = names.last, names.count > 1 else { return names.first ?? "nothing" }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }
}

extension Double {
  /// True if the number has no fraction. No double from 2⁵³ on has one.
  fileprivate var isWhole: Bool { magnitude >= 0x1p53 || wholeInteger != nil }
}

extension Value {
  /// The value as a message quotes it: compact JSON, which is cut if it is long.
  var shown: String {
    switch self {
    case .list(let elements): elements.count > 8 ? "a list of \(elements.count)" : JSONPointer.clipped(JSONWriter.text(self), bytesMax: 80)
    case .object(let object): object.count > 8 ? "an object of \(object.count)" : JSONPointer.clipped(JSONWriter.text(self), bytesMax: 80)
    case .string(let text): JSONPointer.clipped(JSONWriter.text(.string(JSONPointer.clipped(text, bytesMax: 80))), bytesMax: 100)
    default: JSONWriter.text(self)
    }
  }

  /// The value's type with an indefinite article for messages, such as `a string`.
  var kindShown: String {
    switch kind {
    case .null: "null"
    case .integer: "an integer"
    case .object: "an object"
    default: "a \(kind.rawValue)"
    }
  }
}
