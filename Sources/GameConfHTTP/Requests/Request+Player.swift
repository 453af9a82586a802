// The player that a request is about, and the language it asks for.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer

extension Request {
  /// The player in the path.
  func pathPlayer() throws(Problem) -> String { try RequestCaller.player(path("player")) ?? "" }

  /// The player in the path, of a game that is served.
  func playerID() throws(Problem) -> PlayerID { PlayerID(game: try game().snapshot.game, player: try pathPlayer()) }

  /// The language that `?locale=` asks for; nil when none is.
  func locale() throws(Problem) -> String? {
    guard let locale = query("locale") else { return nil }
    if LocaleTag.isWellFormed(locale) { return locale }
    throw .query(.malformedQueryParameter, "locale", "“\(locale)” is not a language tag such as fr or fr-CA.")
  }
}
