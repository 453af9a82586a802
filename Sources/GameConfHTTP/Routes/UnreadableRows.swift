// Rows that cannot be read, as callers are told of them.

internal import GameConfAPI
internal import GameConfEngine

extension UnreadableRow {
  /// What is wrong, and what to do about it.
  var sentence: String {
    let what = "What is stored cannot be read: \(phrase) (\(words)). It is kept as it is, and everything else goes on."
    guard player != nil else { return what }
    return what + " An admin takes a copy with “gameconfctl player export” and ends it with “gameconfctl player forget”."
  }

  /// The row as status shows it.
  var wire: StatusUnreadableRow { StatusUnreadableRow(kind: kind.rawValue, game: game, player: player, name: name, detail: words) }
}
