// The games that are to be served, so that readiness is an answer about them and not about what was started.
import Synchronization

/// A game that has a catalog and is not served.
public struct UnservedGame: Sendable, Hashable {
  /// The game's id.
  public var game: String
  /// The reason why it is not served, a line each.
  public var details: [String]
  /// The file whose faults these are; nil for another reason.
  public var faultyFile: String?
}

/// The games of which a catalog was accepted, on this host or in its fleet, whether they are served or not. Answers from memory.
public final class ExpectedGames: Sendable {
  private struct State {
    /// Those whose bytes this host has.
    var accepted: Set<String> = []
    /// Those whose bytes it does not have yet.
    var awaited: Set<String> = []
    /// The reason why a game's files cannot be served.
    var refused: [String: [String]] = [:]
    /// The files of those that have faults.
    var faulty: [String: String] = [:]
  }

  static let awaitedWords = "the game is not served, because its accepted catalog could not be read; gameconfd tries again"

  private let held = Mutex(State())
  private let followers = Mutex<[@Sendable () -> Void]>([])

  /// No games.
  public init() {}

  /// The games that are to be served and are not, each with the reason.
  public func missing(from world: World) -> [(game: String, details: [String])] {
    let held = held.withLock { $0 }
    return held.accepted.union(held.awaited).filter { world[$0] == nil }.sorted().map { game in
      (game, held.refused[game] ?? [Self.awaitedWords])
    }
  }

  /// Every game that has a catalog, good or bad, and is not served.
  public func unserved(in world: World) -> [UnservedGame] {
    let held = held.withLock { $0 }
    let games = held.accepted.union(held.awaited).union(held.refused.keys)
    return games.filter { world[$0] == nil }.sorted().map { game in
      UnservedGame(game: game, details: held.refused[game] ?? [Self.awaitedWords], faultyFile: held.faulty[game])
    }
  }

  /// Calls back after each change of the reasons.
  public func follow(_ follower: @escaping @Sendable () -> Void) { followers.withLock { $0.append(follower) } }

  func contains(_ game: String) -> Bool { held.withLock { $0.accepted.contains(game) || $0.awaited.contains(game) } }

  /// Sets the games whose bytes this host has.
  func set(accepted: Set<String>) {
    held.withLock { held in
      held.accepted = accepted
      held.awaited.subtract(accepted)
    }
  }

  /// Sets why files cannot be served, and which of them have faults.
  func set(refused: [String: [String]], faulty: [String: String]) {
    let isChanged = held.withLock { held in
      defer { (held.refused, held.faulty) = (refused, faulty) }
      return held.refused != refused
    }
    if isChanged { for follower in followers.withLock({ $0 }) { follower() } }
  }

  /// Adds games of which the store has a catalog that this host is still to read.
  public func wait(for games: Set<String>) { held.withLock { $0.awaited.formUnion(games.subtracting($0.accepted)) } }

  /// Removes a game that was forgotten.
  func remove(_ game: String) {
    held.withLock { held in
      held.accepted.remove(game)
      held.awaited.remove(game)
    }
  }
}
