// The health of the daemon as a whole, on the wire.

internal import GameConfAPI
internal import GameConfCore
public import GameConfEngine
package import GameConfStorage

/// The health of the daemon as a whole, for health, status, metrics and the panel.
public struct DaemonHealth: Sendable {
  /// The daemon's version.
  public let version: String
  /// The list of what is degraded.
  public let list: DegradationList
  let store: any Store
  private let expected: ExpectedGames

  /// The health of a daemon on this store that is to serve these games.
  package init(version: String, store: any Store, expected: ExpectedGames, list: DegradationList) {
    self.version = version
    self.store = store
    self.expected = expected
    self.list = list
  }

  /// All that is degraded: the daemon as a whole, and each game, served or not.
  func degradations(in world: World) -> [GameConfAPI.Degradation] { list.present(in: world).map(\.wire) }

  /// The degradations of the daemon as a whole, and of the games that this client may use.
  func degradations(in world: World, visibleTo role: PeerRole) -> [GameConfAPI.Degradation] {
    degradations(in: world).filter { each in each.game.map { role.games?.contains($0) != false } ?? true }
  }

  /// The games that have a catalog and are not served.
  func unserved(in world: World) -> [UnservedGameAnswer] {
    expected.unserved(in: world).map { UnservedGameAnswer(game: $0.game, details: $0.details, faultyFile: $0.faultyFile) }
  }
}

extension GameConfEngine.Degradation {
  /// The degradation as every call answers it.
  var wire: GameConfAPI.Degradation {
    let declaration = kind.declaration
    return GameConfAPI.Degradation(
      game: game, what: declaration.part == .store ? declaration.part.rawValue : kind.rawValue, code: kind.rawValue,
      title: declaration.title, severity: declaration.severity.rawValue, since: since, detail: details.joined(separator: "\n"))
  }
}
