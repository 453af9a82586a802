// The daemon's health in the form of its HTTP answers.

internal import GameConfAPI
internal import GameConfCore
public import GameConfEngine
package import GameConfStorage

/// The health of the daemon and its games, as the health and status calls, the metrics and the panel report it.
public struct DaemonHealth: Sendable {
  /// The daemon's version, such as `1.4.0`.
  public let version: String
  /// The list of degradations, which is refreshed after each change of a game's snapshot.
  public let list: DegradationList
  let store: any Store
  private let expected: ExpectedGames

  /// Creates the health of a daemon with this database. The daemon is ready when it serves the expected games.
  package init(version: String, store: any Store, expected: ExpectedGames, list: DegradationList) {
    self.version = version
    self.store = store
    self.expected = expected
    self.list = list
  }

  /// Returns all degradations: of the daemon, of served games, and of games that are not served.
  func degradations(in world: World) -> [GameConfAPI.Degradation] { list.present(in: world).map(\.wire) }

  /// Returns the degradations of the daemon and of the games that this client may read.
  func degradations(in world: World, visibleTo role: PeerRole) -> [GameConfAPI.Degradation] {
    degradations(in: world).filter { each in each.game.map { role.games?.contains($0) != false } ?? true }
  }

  /// Returns the games that have a catalog file but are not served.
  func unserved(in world: World) -> [UnservedGameAnswer] {
    expected.unserved(in: world).map { UnservedGameAnswer(game: $0.game, details: $0.details, faultyFile: $0.faultyFile) }
  }
}

extension GameConfEngine.ActiveDegradation {
  /// The degradation in the form that all HTTP answers have.
  var wire: GameConfAPI.Degradation {
    let declaration = kind.declaration
    return GameConfAPI.Degradation(
      game: game, what: declaration.part == .store ? declaration.part.rawValue : kind.rawValue, code: kind.rawValue,
      title: declaration.title, severity: declaration.severity.rawValue, since: since, detail: details.joined(separator: "\n"))
  }
}
