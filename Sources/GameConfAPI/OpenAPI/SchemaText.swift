// The schemas that calls name beside those of their bodies.

import GameConfCore

package enum SchemaText {
  static let string = String.memberSchema
  static let integer = Int64.memberSchema
  /// The keyword of a list of words that may get more: an `enum` would be closed.
  package static let openList = "x-extensible-enum"

  /// An element of a list beside which the same shape may be alone: under a name of its own, since generators import a shape once for each place.
  static func listed(_ shape: (some WireObject).Type) -> Value { ["$ref": .string("#/components/schemas/Listed\(shape.schemaName)")] }

  static func ref(_ shape: (some WireShape).Type) -> Value { ["$ref": .string("#/components/schemas/\(shape.schemaName)")] }
}
