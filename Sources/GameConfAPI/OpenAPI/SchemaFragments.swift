// Fragments of JSON Schema that several schemas contain.

import GameConfCore

package enum SchemaFragments {
  static let string = String.memberSchema
  static let integer = Int64.memberSchema
  /// The JSON Schema keyword for a list of words that may grow, used instead of `enum`, whose list is closed.
  package static let openList = "x-extensible-enum"

  /// Returns a reference to the schema of a list element. That schema has a name of its own, `Listed…`. If a body may be a single value or
  /// a list, and both had the same schema name, code generators would import the name twice.
  static func listed(_ shape: (some WireObject).Type) -> Value { ["$ref": .string("#/components/schemas/Listed\(shape.schemaName)")] }

  static func ref(_ shape: (some WireShape).Type) -> Value { ["$ref": .string("#/components/schemas/\(shape.schemaName)")] }
}
