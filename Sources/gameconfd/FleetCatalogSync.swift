// Applies catalogs that other hosts have accepted. The store may report them before the engine exists that applies them.

import Synchronization

/// Applies catalogs that other hosts of the fleet have accepted, for one list of games after another.
final class FleetCatalogSync: Sendable {
  private struct GuardedState {
    /// The games whose catalogs must be compared with the shared store's.
    var games: Set<String> = []
    var follow: (@Sendable ([String]) async -> [String])?
    var expect: (@Sendable ([String]) -> Void)?
    var isFollowing = false
  }

  /// The pause after which games whose catalogs could not be applied are tried again.
  private static let pause = Duration.seconds(1)

  private let guarded = Mutex(GuardedState())

  /// Begins to apply catalogs: of these games, and of the games that the store reported earlier.
  /// - Parameters:
  ///   - expect: Marks games as expected. It is called before their catalogs are applied, so that health does not report `ready` until
  ///     then.
  ///   - follow: Applies the catalogs of games; returns the games for which that failed.
  func begin(
    with games: [String], expect: @escaping @Sendable ([String]) -> Void, _ follow: @escaping @Sendable ([String]) async -> [String]
  ) {
    let before = guarded.withLock { guarded in
      (guarded.follow, guarded.expect) = (follow, expect)
      return guarded.games
    }
    expect(before.sorted())
    check(games)
  }

  /// Adds games whose catalogs must be checked, and starts the task that applies them unless it runs already.
  func check(_ games: [String]) {
    guarded.withLock { $0.expect }?(games)
    let begins = guarded.withLock { guarded in
      guarded.games.formUnion(games)
      guard guarded.follow != nil, !guarded.isFollowing, !guarded.games.isEmpty else { return false }
      guarded.isFollowing = true
      return true
    }
    if begins { Task { await run() } }
  }

  private func run() async {
    while true {
      let next = guarded.withLock { guarded -> ([String], @Sendable ([String]) async -> [String])? in
        guard let follow = guarded.follow, !guarded.games.isEmpty else {
          guarded.isFollowing = false
          return nil
        }
        defer { guarded.games = [] }
        return (guarded.games.sorted(), follow)
      }
      guard let (games, follow) = next else { return }
      let left = await follow(games)
      if left.isEmpty { continue }
      guarded.withLock { $0.games.formUnion(left) }
      do { try await Task.sleep(for: Self.pause) } catch { return }
    }
  }
}
