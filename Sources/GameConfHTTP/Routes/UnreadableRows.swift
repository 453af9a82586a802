// Rows that cannot be read, as callers are notified of them.

internal import GameConfAPI
import GameConfStorage

extension UnreadableRow {
  /// The fault, and the advice about it.
  var sentence: String {
    let what = "A stored row cannot be read: \(phrase) (\(words)). It is left unchanged, and everything else goes on."
    guard player != nil else { return what }
    return what + " An admin can save a copy with “gameconfctl player export”, and remove the player with “gameconfctl player forget”."
  }

  /// The row as status shows it.
  var wire: StatusUnreadableRow { StatusUnreadableRow(kind: kind.rawValue, game: game, player: player, name: name, detail: words) }
}
