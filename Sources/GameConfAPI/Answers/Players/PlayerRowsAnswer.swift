// Every database row of a player, column by column.

package import GameConfCore

/// Answer of `GET …/players/{player}/rows`: the columns of each database row of the player, including rows that cannot be decoded.
public struct PlayerRowsAnswer: WireObject {
  package var game = ""
  package var player = ""
  package var rows = ObjectValue()

  package init() {}

  package init(game: String, player: String, rows: ObjectValue) {
    self.game = game
    self.player = player
    self.rows = rows
  }

  package static var about: String { "The stored rows of a player, including unreadable ones." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("player", &player, "The player's id.", .playersText)
    fields.required(
      "rows", &rows, "The rows by table, column by column; bytes that are not text are {\"hex\": \"…\"}. Empty if nothing is stored.",
      .playersText)
  }
}
