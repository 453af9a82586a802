// The world with the encoded answers of its games, and its publication to the event loops.

internal import GameConfAPI
public import GameConfEngine
package import GameConfServer
internal import Synchronization

/// The world, which is all served games, with the encoded answers of each game.
public struct ServedWorld: Sendable {
  /// The world whose games' answers are encoded.
  public let world: World
  let games: [String: ServedGame]
  /// The games that the daemon should serve. A request for one that is not served is refused with the reason.
  let expected: ExpectedGames

  /// Creates a world without games.
  public init(expected: ExpectedGames = ExpectedGames()) {
    world = World(games: [])
    games = [:]
    self.expected = expected
  }

  init(_ world: World, since other: ServedWorld, _ encoding: ServedGame.EncodingPositions) {
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

  /// Returns the state with which an event loop answers requests.
  func state() -> LoopState<DaemonApp> {
    LoopState(ready: ReadyAnswers(world.games.compactMap { games[$0.game]?.ready }), snapshot: self)
  }
}

/// Publishes each new world to every event loop of a server.
public final class ServedWorlds: PublicationObserver {
  private struct State {
    var served: ServedWorld
    var server: HTTPServer<DaemonApp>?
  }

  private let held: Mutex<State>
  private let encoding: ServedGame.EncodingPositions

  /// Creates a publisher of worlds for a server with this router.
  package init(router: Router, tallies: EvaluationTallies, positions: ReadPositions = ReadPositions(), expected: ExpectedGames) {
    held = Mutex(State(served: ServedWorld(expected: expected)))
    encoding = ServedGame.EncodingPositions(
      valueRoute: router.ordinal(of: Calls.value.endpoint.id) ?? 0, tallies: tallies, positions: positions)
  }

  /// The state with which the server starts.
  package var state: LoopState<DaemonApp> { held.withLock { $0.served.state() } }

  /// Sets the server to whose event loops all further worlds are published.
  package func attach(_ server: HTTPServer<DaemonApp>) { held.withLock { $0.server = server } }

  /// Encodes the changes of the world and passes it to every event loop. Returns when all event loops have it. Calls must not overlap.
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
