// The state that every event loop answers from, and the way in which a new world gets there.

internal import GameConfAPI
public import GameConfEngine
package import GameConfServer
internal import Synchronization

/// The world as an event loop has it: each game with its encoded answers.
public struct ServedWorld: Sendable {
  /// The games and their states.
  public let world: World
  let games: [String: ServedGame]
  /// The games that are to be served, for requests that name one that is not.
  let expected: ExpectedGames

  /// A world without games.
  public init(expected: ExpectedGames = ExpectedGames()) {
    world = World(games: [])
    games = [:]
    self.expected = expected
  }

  init(_ world: World, since other: ServedWorld, _ encoding: ServedGame.Encoding) {
    self.world = world
    expected = other.expected
    var games: [String: ServedGame] = [:]
    for snapshot in world.games {
      guard let before = other.games[snapshot.game] else {
        games[snapshot.game] = ServedGame(snapshot, encoding)
        continue
      }
      if before.snapshot === snapshot {
        games[snapshot.game] = before
      } else if before.snapshot.table.isSameCatalog(as: snapshot.table) {
        games[snapshot.game] = ServedGame(snapshot, since: before, encoding)
      } else {
        games[snapshot.game] = ServedGame(snapshot, encoding)
      }
    }
    self.games = games
  }

  /// The state with which loops serve this world.
  func state() -> LoopState<DaemonApp> {
    LoopState(ready: ReadyAnswers(world.games.compactMap { games[$0.game]?.ready }), snapshot: self)
  }
}

/// Shows each new world to every event loop of a server.
public final class ServedWorlds: PublicationObserver {
  private struct State {
    var served: ServedWorld
    var server: HTTPServer<DaemonApp>?
  }

  private let held: Mutex<State>
  private let encoding: ServedGame.Encoding

  /// A publication for servers with this router.
  package init(router: Router, tallies: EvaluationTallies, positions: ReadPositions = ReadPositions(), expected: ExpectedGames) {
    held = Mutex(State(served: ServedWorld(expected: expected)))
    encoding = ServedGame.Encoding(valueRoute: router.ordinal(of: Calls.value.endpoint.id) ?? 0, tallies: tallies, positions: positions)
  }

  /// The state that a server starts with.
  package var state: LoopState<DaemonApp> { held.withLock { $0.served.state() } }

  /// Shows all worlds from now on to this server.
  package func attach(_ server: HTTPServer<DaemonApp>) { held.withLock { $0.server = server } }

  /// Encodes what the world changed and hands it to every loop; returns when all have taken it. Worlds come one after another.
  public func show(_ world: World) async {
    let before = held.withLock { $0.served }
    let served = ServedWorld(world, since: before, encoding)
    let server = held.withLock { held in
      held.served = served
      return held.server
    }
    await server?.publish(served.state())
  }
}
