// Parts of schemas in addition to those of bodies.

import GameConfCore

package enum SchemaText {
  static let string = String.memberSchema
  static let integer = Int64.memberSchema
  /// The keyword of a list of words that may grow. An `enum` would be closed.
  package static let openList = "x-extensible-enum"

  /// Returns a reference to the shape as an element of a list. The name differs from the shape's own, because generators import a shape
  /// once for each position.
  static func listed(_ shape: (some WireObject).Type) -> Value { ["$ref": .string("#/components/schemas/Listed\(shape.schemaName)")] }

  static func ref(_ shape: (some WireShape).Type) -> Value { ["$ref": .string("#/components/schemas/\(shape.schemaName)")] }
}
