// The games that are to be served, so that readiness is an answer about them and not about what was started.
import Synchronization

/// The games of which a catalog was accepted, on this host or in its fleet, whether they are served or not. Answers from memory.
public final class ExpectedGames: Sendable {
  private struct Held {
    /// Those whose bytes this host has.
    var accepted: Set<String> = []
    /// Those whose bytes it does not have yet.
    var awaited: Set<String> = []
    /// Why a game's files cannot be served.
    var refused: [String: [String]] = [:]
  }

  static let awaitedWords = "the game is not served, because its accepted catalog could not be read; gameconfd tries again"

  private let held = Mutex(Held())

  /// No games.
  public init() {}

  /// The games that are to be served and are not, each with the reason.
  public func missing(from world: World) -> [(game: String, details: [String])] {
    let held = held.withLock { $0 }
    return held.accepted.union(held.awaited).filter { world[$0] == nil }.sorted().map { game in
      (game, held.refused[game] ?? [Self.awaitedWords])
    }
  }

  func contains(_ game: String) -> Bool { held.withLock { $0.accepted.contains(game) || $0.awaited.contains(game) } }

  /// Sets the games whose bytes this host has.
  func set(accepted: Set<String>) {
    held.withLock { held in
      held.accepted = accepted
      held.awaited.subtract(accepted)
    }
  }

  /// Sets why files cannot be served.
  func set(refused: [String: [String]]) { held.withLock { $0.refused = refused } }

  /// Adds games of which the store has a catalog that this host is still to read.
  func wait(for games: Set<String>) { held.withLock { $0.awaited.formUnion(games.subtracting($0.accepted)) } }

  /// Removes a game that was forgotten.
  func remove(_ game: String) {
    held.withLock { held in
      held.accepted.remove(game)
      held.awaited.remove(game)
    }
  }
}
