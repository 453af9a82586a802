// The variables in the paths of calls, with their meaning and form.

package import GameConfCore

/// A variable segment of a path, such as `{game}`.
package struct PathVariable: Sendable {
  /// The name between the braces.
  package let name: String

  package init(_ name: String) { self.name = name }

  /// The meaning of the variable, in a sentence for the OpenAPI document; nil for an unknown name.
  package var summary: String? { Self.summaries[name] }

  /// The JSON Schema of the variable's text.
  package var schema: Value {
    switch name {
    case "id": ["type": "integer", "format": "int64", "minimum": 1]
    case "player": QueryParameter.Kind.player.schema
    default: ["type": "string", "minLength": 1]
    }
  }

  private static let summaries: [String: String] = [
    "game": "The game's id.", "player": "The player's id.", "key": "The parameter's key.", "theme": "The theme's id.",
    "placement": "The ad placement's id.", "scenario": "The scenario's id.", "play": "The play's id.",
    "transaction": "The transaction's id.", "id": "The number of the line in the audit log.", "version": "The template version's number.",
    "project": "The game's id, as the name of a Firebase project.", "namespace": "firebase or firebase-server.",
    "name": "The name of the database file.", "gate": "The gate's id.", "board": "The leaderboard's id.",
  ]
}
