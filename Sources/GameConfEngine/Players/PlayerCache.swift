// A cache of players that were recently read or written.
public import GameConfCore
public import GameConfStorage
internal import Synchronization

/// A cache of recently used stored players, shared by all event loops.
///
/// The players of a commit are in the cache before the clients whose writes it contains are answered, because the store passes each
/// published change to ``apply(_:)``. The result of a read that overlaps a commit is not cached. Unknown players are cached too. If other
/// hosts write to the same store, a change may be published here after a newer row was read; it then does not replace the newer row.
public final class PlayerCache: PublicationObserver {
  /// The default size of the cache in bytes: about 64 MiB.
  public static let bytesMaxUsual = 64 << 20
  private static let shardsCount = 16
  private static let attemptsMax = 3

  private struct CacheEntry {
    var player: StoredPlayer
    /// The instant at which the store had this state.
    var at: ContinuousClock.Instant
    /// The instant at which the entry was added to the cache.
    var takenAt: ContinuousClock.Instant
  }

  private struct PlayerShard {
    var players: LRUCache<PlayerID, CacheEntry>
    /// By player that is being read: the number of readers, and the number of changes of the player since the first reader began.
    var reading: [PlayerID: (readers: Int, changes: Int)] = [:]
  }

  private final class GuardedShard: Sendable {
    let shard: Mutex<PlayerShard>
    init(costMax: Int) { shard = Mutex(PlayerShard(players: LRUCache(costMax: costMax))) }
  }

  private let store: any Store
  private let ageMax: Duration?
  private let shards: [GuardedShard]

  /// Creates an empty cache.
  /// - Parameters:
  ///   - bytesMax: The approximate size of the cache in bytes.
  ///   - ageMax: The time for which a cached player may be served if other hosts write to the same store; nil for a single host.
  package init(store: any Store, bytesMax: Int = PlayerCache.bytesMaxUsual, ageMax: Duration? = nil) {
    self.store = store
    self.ageMax = ageMax
    shards = (0..<Self.shardsCount).map { _ in GuardedShard(costMax: max(1, bytesMax / Self.shardsCount)) }
  }

  /// Returns the player from the cache; nil if it must be read.
  /// - Parameters:
  ///   - isOldFine: True if the player may be older than `ageMax`, because the caller detects a stale player.
  ///   - counts: The selections of best scores that the game's milestones count. A cached player without these counts must be read.
  public func cached(_ id: PlayerID, isOldFine: Bool = false, counting counts: [BestCount] = []) -> StoredPlayer? {
    guard let known = shards[place(of: id)].shard.withLock({ $0.players.value(of: id) }) else { return nil }
    if !isOldFine, let ageMax, known.at.duration(to: .now) > ageMax { return nil }
    // A reloaded catalog may have milestones whose counts the cached player lacks, and best scores may have been removed.
    if !counts.isEmpty, let place = known.player.place, counts.contains(where: { place.bestCounts[$0] == nil }) { return nil }
    return known.player
  }

  /// Returns the stored player: from the cache, otherwise by one indexed read.
  /// - Parameter isOptional: True if the caller can answer without the player, so that the read has the shorter timeout.
  /// - Throws: ``StoreError``; `.late` after a second, or 50 ms if the read is optional.
  public func read(_ id: PlayerID, isOptional: Bool = false, counting counts: [BestCount] = []) async throws(StoreError) -> StoredPlayer {
    for _ in 1..<Self.attemptsMax {
      if let known = cached(id, counting: counts) { return known }
      let (stored, isCurrent) = try await readOnce(id, isOptional: isOptional, counts)
      if isCurrent { return stored }
    }
    return try await readOnce(id, isOptional: isOptional, counts).stored
  }

  /// True if other hosts write to the same store, so that a cached player may be stale.
  var isShared: Bool { ageMax != nil }

  /// True if a decision about a player must read a database that several hosts share, because the cache has no row of the player.
  func needsRead(about id: PlayerID) -> Bool { isShared && cached(id, isOldFine: true).map(\.isUnknown) ?? true }

  /// Returns the leaderboards for which the cache has the player's score in the list of all players; empty unless several hosts share the
  /// database.
  func knownBoards(of id: PlayerID) -> Set<String> {
    guard isShared, let scores = cached(id, isOldFine: true)?.place?.scores else { return [] }
    return Set(scores.keys.lazy.filter(\.per.isEmpty).map(\.board))
  }

  /// The number of players in all shards together.
  public var count: Int { shards.reduce(0) { $0 + $1.shard.withLock { $0.players.count } } }

  /// Applies the changes of players in a committed batch. It is called before the clients whose writes are in the batch are answered.
  public func take(_ batch: CommittedBatch) { apply(batch.changes) }

  /// Applies changes of players in their order. Call it for each published batch, before the clients whose writes it contains are answered.
  public func apply(_ changes: [StoreChange]) {
    for change in changes {
      switch change {
      case .player(let id, let stored):
        shards[place(of: id)].shard.withLock { shard in
          shard.reading[id]?.changes += 1
          // Another host may have written the player since this change, and that newer row may be cached.
          if isShared, let known = shard.players.value(of: id), known.player.revision > stored.revision { return }
          let now = ContinuousClock.now
          shard.players.set(CacheEntry(player: stored, at: now, takenAt: now), for: id, cost: stored.cost)
        }
      case .overrides(let overrides, _, let playerRevision?):
        guard let player = overrides.slot.player else { continue }
        raise(PlayerID(game: overrides.slot.game, player: player), to: playerRevision)
      case .overridesMany(let many):
        guard let game = many.slots.first?.slot.game else { continue }
        for (player, revision) in zip(many.players, many.playerRevisions) { raise(PlayerID(game: game, player: player), to: revision) }
      case .playersForgotten(let game): forgetAll(of: game)
      case .replaced: forgetAll()
      default: break
      }
    }
  }

  /// Clears the cache if the store is lost, because cached players may differ from the restored database.
  public func clearIfLost(_ health: StoreHealth) { if case .lost = health.condition { forgetAll() } }

  /// - Parameter game: The game whose players are removed from the cache; nil for all games.
  private func forgetAll(of game: String? = nil) {
    for guarded in shards {
      guarded.shard.withLock { shard in
        if let game { shard.players.removeAll { $0.game == game } } else { shard.players.removeAll() }
        for id in shard.reading.keys where game == nil || id.game == game { shard.reading[id]?.changes += 1 }
      }
    }
  }

  /// Reads the player from the database once, and caches the result unless the player was changed during the read.
  private func readOnce(
    _ id: PlayerID, isOptional: Bool, _ counts: [BestCount]
  ) async throws(StoreError) -> (stored: StoredPlayer, isCurrent: Bool) {
    let pending = begin(id)
    let deadline = isOptional ? StoreLimits.optionalReadMilliseconds : StoreLimits.readMilliseconds
    let result: Result<StoredPlayer, StoreError>
    do throws(StoreError) {
      result = .success(
        try await store.read(deadlineMilliseconds: deadline) { [self] view in
          // The reader thread caches the result even if the caller's deadline has passed, so that the next request finds it. Otherwise a
          // player whose read exceeds every deadline could never be served.
          let reading = begin(id)
          do {
            var stored = try view.player(id)
            try view.count(counts, of: &stored)
            _ = end(reading, of: id, with: stored)
            return stored
          } catch {
            _ = end(reading, of: id, with: nil)
            throw error
          }
        })
    } catch { result = .failure(error) }
    let isCurrent = end(pending, of: id, with: try? result.get())
    return (try result.get(), isCurrent)
  }

  /// A read of a player in progress: the instant at which the read began, and the number of changes of the player that were counted until
  /// then.
  private struct PendingRead {
    let began: ContinuousClock.Instant
    let changesBefore: Int
  }

  private func begin(_ id: PlayerID) -> PendingRead {
    let began = ContinuousClock.now
    return shards[place(of: id)].shard.withLock { shard in
      let reading = shard.reading[id] ?? (readers: 0, changes: 0)
      shard.reading[id] = (reading.readers + 1, reading.changes)
      return PendingRead(began: began, changesBefore: reading.changes)
    }
  }

  /// Applies a change of a player's overrides, which affects only the revision of the player's row.
  private func raise(_ id: PlayerID, to revision: Int64) {
    shards[place(of: id)].shard.withLock { shard in
      shard.reading[id]?.changes += 1
      guard let known = shard.players.value(of: id), known.player.revision < revision else { return }
      // Another host may have changed the rest of the player's row since it was cached, so the row may not be that of this revision.
      if isShared { shard.players.removeValue(of: id) } else { shard.players.change(id) { $0.player.revision = revision } }
    }
  }

  /// Ends a read of a player, and caches its result.
  /// - Returns: True if the result was cached. False if the player was changed during the read, or a later read has cached a newer row.
  private func end(_ read: PendingRead, of id: PlayerID, with stored: StoredPlayer?) -> Bool {
    shards[place(of: id)].shard.withLock { shard in
      let reading = shard.reading[id] ?? (readers: 1, changes: read.changesBefore)
      shard.reading[id] = reading.readers > 1 ? (reading.readers - 1, reading.changes) : nil
      guard reading.changes == read.changesBefore, let stored else { return false }
      // A read that began after the present entry was cached is newer even with a lower revision, for example after a restore.
      if let known = shard.players.value(of: id), known.player.revision > stored.revision, read.began <= known.takenAt { return false }
      shard.players.set(CacheEntry(player: stored, at: read.began, takenAt: .now), for: id, cost: stored.cost)
      return true
    }
  }

  private func place(of id: PlayerID) -> Int { Int(UInt(bitPattern: id.hashValue) % UInt(shards.count)) }
}

extension StoredPlayer {
  /// The approximate size of the player in memory, in bytes.
  var cost: Int {
    var bytes = 512 + marks.bytesCount
    if let state {
      let counters = state.bestScores.count + state.eventCounts.count + state.modeCounts.count * 4 + state.milestones.count
      let ads = state.ads.placements.count * 8 + state.ads.decisions.count
      bytes += 1024 + 64 * (counters + ads) + state.remembered.bytes.count
      if !state.settings.isEmpty || !state.context.isEmpty {
        bytes +=
          2 * (JSONWriter.bytes(.object(state.context)).count + state.settings.reduce(0) { $0 + JSONWriter.bytes($1.value).count + 64 })
      }
    }
    if let ledger { bytes += ledger.cost }
    return bytes
  }
}
