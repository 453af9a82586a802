// The times of stores under test.
import GameConfCore
import GameConfEngine
import GameConfStorage

extension StoreTiming {
  /// Short pauses, and ten minutes for each read: deadlines are tested only where a test sets one.
  static let tests: StoreTiming = {
    var times = StoreTiming()
    times.readDeadlineMin = 600_000
    times.secondLook = 10
    times.reopen = 100
    times.lastGoodPause = 20
    times.lastGoodRetry = 50
    return times
  }()
}

extension PlayerService {
  /// Creates a service with the players of one game in memory, over a store on disk.
  static func over(_ store: SQLiteStore, _ catalog: Catalog) -> PlayerService {
    let recent = PlayerCache(store: store)
    store.publish { batch in
      recent.apply(batch.changes)
      return nil
    }
    return PlayerService(
      store: store, world: CurrentWorld(World(games: [GameSnapshot(catalog: catalog, revision: 0)])), recent: recent,
      rates: WriteRateLimiter { 0 })
  }
}
