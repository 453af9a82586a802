// Lets a store report other hosts' catalogs before those who apply them are made.

import Synchronization

/// Follows other hosts' catalogs, one change after the other.
final class FleetCatalogSync: Sendable {
  private struct GuardedState {
    /// Games whose catalogs are to be looked at.
    var games: Set<String> = []
    var follow: (@Sendable ([String]) async -> [String])?
    var expect: (@Sendable ([String]) -> Void)?
    var isFollowing = false
  }

  /// The time for which games that could not be followed are left.
  private static let pause = Duration.seconds(1)

  private let guarded = Mutex(GuardedState())

  /// Begins to follow, with these games and those that were reported before.
  /// - Parameters:
  ///   - expect: notes games that are to be served before they are followed, so that nothing says “ready” in between.
  ///   - follow: returns the games that could not be followed now.
  func begin(
    with games: [String], expect: @escaping @Sendable ([String]) -> Void, _ follow: @escaping @Sendable ([String]) async -> [String]
  ) {
    let before = guarded.withLock { guarded in
      (guarded.follow, guarded.expect) = (follow, expect)
      return guarded.games
    }
    expect(before.sorted())
    tell(games)
  }

  /// Notes games, and has them looked at.
  func tell(_ games: [String]) {
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
