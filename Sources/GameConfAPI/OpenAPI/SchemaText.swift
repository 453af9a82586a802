// Words for writing JSON Schema beside the types it describes.

import GameConfCore

enum SchemaText {
  static let any: Value = ["description": "Any JSON value."]
  static let string: Value = ["type": "string"]
  static let integer: Value = ["type": "integer", "format": "int64"]
  static let number: Value = ["type": "number"]
  static let boolean: Value = ["type": "boolean"]
  static let anyObject: Value = ["type": "object", "additionalProperties": true]
  static let instant: Value = ["type": "string", "format": "date-time"]

  static func described(_ schema: Value, _ description: String) -> Value {
    .object((schema.objectValue ?? ObjectValue()).with("description", .some(.string(description))))
  }

  static func list(_ items: Value) -> Value { ["type": "array", "items": items] }

  static func words(_ words: [String]) -> Value { ["type": "string", "enum": .list(words.map(Value.string))] }

  static func words<Word: RawRepresentable & CaseIterable>(_: Word.Type) -> Value where Word.RawValue == String {
    words(Word.allCases.map(\.rawValue))
  }

  static func map(_ values: Value) -> Value { ["type": "object", "additionalProperties": values] }

  static func ref(_ shape: (some WireShape).Type) -> Value {
    ["$ref": .string("#/components/schemas/\(shape.schemaName)")]
  }

  static func list(_ shape: (some WireShape).Type) -> Value { list(ref(shape)) }

  /// - Parameter closed: whether other members are refused, as they are in requests.
  static func object(
    _ description: String, required: KeyValuePairs<String, Value> = [:], optional: KeyValuePairs<String, Value> = [:], closed: Bool = false
  ) -> Value {
    var properties = ObjectValue()
    for (name, schema) in required { properties[name] = schema }
    for (name, schema) in optional { properties[name] = schema }
    var object = ObjectValue()
    object["type"] = "object"
    object["description"] = .string(description)
    if !required.isEmpty { object["required"] = .list(required.map { .string($0.key) }) }
    object["properties"] = .object(properties)
    if closed { object["additionalProperties"] = false }
    return .object(object)
  }
}
