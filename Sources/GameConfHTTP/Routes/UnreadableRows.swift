// Database rows that cannot be decoded, in the form of the HTTP answers.

internal import GameConfAPI
import GameConfStorage

extension UnreadableRow {
  /// A sentence with the fault of the row and the remedy.
  var sentence: String {
    let what = "A stored row cannot be read: \(phrase) (\(words)). It is left unchanged, and everything else goes on."
    guard player != nil else { return what }
    return what + " An admin can save a copy with “gameconfctl player export”, and remove the player with “gameconfctl player forget”."
  }

  var wire: StatusUnreadableRow { StatusUnreadableRow(kind: kind.rawValue, game: game, player: player, name: name, detail: words) }
}
