// The schemas that calls name beside those of their bodies.

import GameConfCore

enum SchemaText {
  static let string = String.memberSchema
  static let integer = Int64.memberSchema

  static func ref(_ shape: (some WireShape).Type) -> Value { ["$ref": .string("#/components/schemas/\(shape.schemaName)")] }
}
