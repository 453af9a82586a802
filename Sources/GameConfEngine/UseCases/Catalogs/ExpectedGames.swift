// The games that should be served, so that readiness depends on them and not on the games that were loaded.
import Synchronization

/// A game that has a catalog and is not served.
public struct UnservedGame: Sendable, Hashable {
  /// The game's id.
  public var game: String
  /// The reasons why the game is not served, a line each.
  public var details: [String]
  /// The catalog file with the faults; nil if the game is not served for another reason.
  public var faultyFile: String?
}

/// The games with an accepted catalog on this host or in its fleet, served or not. The set is in memory.
public final class ExpectedGames: Sendable {
  private struct ExpectedGamesState {
    /// The games with accepted files on this host.
    var accepted: Set<String> = []
    /// The games with a catalog that another host has accepted and this host has still to read.
    var awaited: Set<String> = []
    /// The reasons why games' files cannot be served.
    var refused: [String: [String]] = [:]
    /// The catalog files with faults, by game.
    var faulty: [String: String] = [:]
  }

  static let awaitedWords = "the game is not served, because its accepted catalog could not be read; gameconfd tries again"

  private let held = Mutex(ExpectedGamesState())
  private let followers = Mutex<[@Sendable () -> Void]>([])

  /// Creates a set without games; ``ReloadCatalogs`` fills it.
  public init() {}

  /// Returns the games that should be served and are not, each with the reasons.
  public func missing(from world: World) -> [(game: String, details: [String])] {
    let held = held.withLock { $0 }
    return held.accepted.union(held.awaited).filter { world[$0] == nil }.sorted().map { game in
      (game, held.refused[game] ?? [Self.awaitedWords])
    }
  }

  /// Returns every game that has a catalog, valid or not, and is not served.
  public func unserved(in world: World) -> [UnservedGame] {
    let held = held.withLock { $0 }
    let games = held.accepted.union(held.awaited).union(held.refused.keys)
    return games.filter { world[$0] == nil }.sorted().map { game in
      UnservedGame(game: game, details: held.refused[game] ?? [Self.awaitedWords], faultyFile: held.faulty[game])
    }
  }

  /// Adds a callback, which is called when catalog files become invalid or valid again.
  public func follow(_ follower: @escaping @Sendable () -> Void) { followers.withLock { $0.append(follower) } }

  func contains(_ game: String) -> Bool { held.withLock { $0.accepted.contains(game) || $0.awaited.contains(game) } }

  /// Sets the games whose accepted files this host has.
  func set(accepted: Set<String>) {
    held.withLock { held in
      held.accepted = accepted
      held.awaited.subtract(accepted)
    }
  }

  /// Sets the reasons why games' files cannot be served, and the catalog files with faults.
  func set(refused: [String: [String]], faulty: [String: String]) {
    let isChanged = held.withLock { held in
      defer { (held.refused, held.faulty) = (refused, faulty) }
      return held.refused != refused
    }
    if isChanged { for follower in followers.withLock({ $0 }) { follower() } }
  }

  /// Adds games with a catalog in the store that this host has still to read.
  public func wait(for games: Set<String>) { held.withLock { $0.awaited.formUnion(games.subtracting($0.accepted)) } }

  /// Removes a game that was forgotten, so that it no longer counts as missing.
  func remove(_ game: String) {
    held.withLock { held in
      held.accepted.remove(game)
      held.awaited.remove(game)
    }
  }
}
