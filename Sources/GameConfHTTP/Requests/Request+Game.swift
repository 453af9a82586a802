// Finds the game and the player that a request names.

package import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage

extension Request {
  /// The world that this connection's event loop serves.
  var served: ServedWorld { snapshot }

  /// Returns the game that the path names.
  /// - Throws: `UNKNOWN_GAME`, or `NOT_PERMITTED` if the client may not read the game.
  package func game() throws(Problem) -> ServedGame { try game(named: path("game")) }

  /// Returns the game with this id.
  /// - Throws: `UNKNOWN_GAME`, or `NOT_PERMITTED` if the client may not read the game.
  package func game(named id: String) throws(Problem) -> ServedGame {
    if let games = role.games, !games.contains(id) {
      throw Problem(.notPermitted, "uid \(role.uid) may not read the game “\(id)”; the daemon's setting “clients” names the users who may.")
    }
    if let game = served.games[id] { return game }
    if let unserved = served.expected.unserved(in: served.world).first(where: { $0.game == id }) {
      throw Problem(.unknownGame, unserved.sentence)
    }
    let known = served.world.games.map(\.game).filter { role.games?.contains($0) != false }
    let hint = NearestNames.hint(for: id, among: known)
    let served = known.isEmpty ? " No game is served." : " Served are \(known.joined(separator: ", "))."
    throw Problem(.unknownGame, "There is no game “\(id)”.\(hint.isEmpty ? served : hint)")
  }

  /// Returns the game that the header `Flagd-Selector: flagSetId=GAME` names.
  package func selectedGame() throws(Problem) -> ServedGame {
    guard let selector = try header("flagd-selector") else {
      throw Problem(.malformedRequest, "Name the game: send Flagd-Selector: flagSetId=GAME, or use the calls under /v1/games/GAME.")
    }
    let prefix = "flagSetId="
    guard selector.hasPrefix(prefix) else {
      throw .header("flagd-selector", "Flagd-Selector is “\(selector)”; the only selector is flagSetId=GAME.")
    }
    return try game(named: String(selector.dropFirst(prefix.count)))
  }

  /// Returns the player's id in the path. Throws if it is malformed.
  func pathPlayer() throws(Problem) -> String { try RequestCaller.player(path("player")) ?? "" }

  /// Returns the ids of the player and the game in the path. Throws if the game is not served.
  func playerID() throws(Problem) -> PlayerID { PlayerID(game: try game().snapshot.game, player: try pathPlayer()) }
}

extension UnservedGame {
  /// A sentence with the reason why the game is not served.
  fileprivate var sentence: String {
    guard let faultyFile else { return "“\(game)” is not served: \(details.joined(separator: "; "))." }
    return "“\(game)” is not served, because its catalog is refused: \(details.first ?? "")"
      + " “gameconfctl catalog validate \(faultyFile)” lists every fault."
  }
}
