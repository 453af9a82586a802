// Players in memory: those that were read or written lately.
public import GameConfCore
public import GameConfStorage
internal import Synchronization

/// Keeps what the store has of the players that were used last, for all event loops.
///
/// What a commit wrote is here before its writes are answered, since the store's publication passes through ``apply(_:)``. A read that a commit
/// overtook is answered, but never kept. That nothing is known of a player is remembered too. Where other hosts write to the same store, what was read or
/// committed here may be published after something newer was read: an older revision never takes the place of a newer one then.
public final class PlayerCache: PublicationObserver {
  /// About how many bytes of memory the players may take unless said otherwise: 64 MiB.
  public static let bytesMaxUsual = 64 << 20
  private static let shardsCount = 16
  private static let attemptsMax = 3

  private struct CacheEntry {
    var player: StoredPlayer
    /// The instant when the store had it so.
    var at: ContinuousClock.Instant
    /// The instant when it was taken into memory.
    var takenAt: ContinuousClock.Instant
  }

  private struct Shard {
    var players: LRUCache<PlayerID, CacheEntry>
    /// The players that are being read: by how many, and how often a change has come since the first of them began.
    var reading: [PlayerID: (readers: Int, changes: Int)] = [:]
  }

  private final class GuardedState: Sendable {
    let shard: Mutex<Shard>
    init(costMax: Int) { shard = Mutex(Shard(players: LRUCache(costMax: costMax))) }
  }

  private let store: any Store
  private let ageMax: Duration?
  private let shards: [GuardedState]

  /// Nothing is in memory yet.
  /// - Parameters:
  ///   - bytesMax: about how many bytes of memory the players may take.
  ///   - ageMax: for how long what was read is answered with, where other hosts write to the same store; nil where nobody does.
  package init(store: any Store, bytesMax: Int = PlayerCache.bytesMaxUsual, ageMax: Duration? = nil) {
    self.store = store
    self.ageMax = ageMax
    shards = (0..<Self.shardsCount).map { _ in GuardedState(costMax: max(1, bytesMax / Self.shardsCount)) }
  }

  /// The player in memory; nil when that must be read.
  /// - Parameters:
  ///   - isOldFine: whether it may be older than what is answered with, since who asks finds out when it is behind.
  ///   - counts: what the game's milestones count of the player's bests; a player of whom that was not counted must be read.
  public func cached(_ id: PlayerID, isOldFine: Bool = false, counting counts: [BestCount] = []) -> StoredPlayer? {
    guard let known = shards[place(of: id)].shard.withLock({ $0.players.value(of: id) }) else { return nil }
    if !isOldFine, let ageMax, known.at.duration(to: .now) > ageMax { return nil }
    // A catalog that was reloaded may count otherwise, and bests may have been removed.
    if !counts.isEmpty, let place = known.player.place, counts.contains(where: { place.bestCounts[$0] == nil }) { return nil }
    return known.player
  }

  /// The stored player: from memory, else by one indexed read.
  /// - Parameter isOptional: True if an answer without the player exists, so that the read is given up early.
  /// - Throws: ``StoreError``; `.late` after a second, or 50 ms if the read is optional.
  public func read(_ id: PlayerID, isOptional: Bool = false, counting counts: [BestCount] = []) async throws(StoreError) -> StoredPlayer {
    for _ in 1..<Self.attemptsMax {
      if let known = cached(id, counting: counts) { return known }
      let (stored, isCurrent) = try await readOnce(id, isOptional: isOptional, counts)
      if isCurrent { return stored }
    }
    return try await readOnce(id, isOptional: isOptional, counts).stored
  }

  /// True if other hosts write to the same store, so that a player in memory may be what was.
  var isShared: Bool { ageMax != nil }

  /// True if a decision about a player must query a store that is far away: memory has nothing, or says that there was nothing.
  func mustBeAsked(about id: PlayerID) -> Bool { isShared && cached(id, isOldFine: true).map(\.isUnknown) ?? true }

  /// The leaderboards on whose lists of everybody a player's score is in memory, for a store that is far away.
  func knownBoards(of id: PlayerID) -> Set<String> {
    guard isShared, let scores = cached(id, isOldFine: true)?.place?.scores else { return [] }
    return Set(scores.keys.lazy.filter(\.per.isEmpty).map(\.board))
  }

  /// The number of players that are in memory.
  public var count: Int { shards.reduce(0) { $0 + $1.shard.withLock { $0.players.count } } }

  /// Takes what a commit changed.
  public func take(_ batch: CommittedBatch) { apply(batch.changes) }

  /// Takes what a commit changed. To be called for each batch that the store publishes, before its writes are answered.
  public func apply(_ changes: [StoreChange]) {
    for change in changes {
      switch change {
      case .player(let id, let stored):
        shards[place(of: id)].shard.withLock { shard in
          shard.reading[id]?.changes += 1
          // Another host may have written since, and that may have been read.
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

  /// Heeds that a store was lost: what it had is not vouched for any more, so nothing is answered from memory either.
  public func heed(_ health: StoreHealth) { if case .lost = health.condition { forgetAll() } }

  /// - Parameter game: The game whose players are forgotten; nil for all.
  private func forgetAll(of game: String? = nil) {
    for guarded in shards {
      guarded.shard.withLock { shard in
        if let game { shard.players.removeAll { $0.game == game } } else { shard.players.removeAll() }
        for id in shard.reading.keys where game == nil || id.game == game { shard.reading[id]?.changes += 1 }
      }
    }
  }

  /// One read; kept unless a change came while it was under way.
  private func readOnce(
    _ id: PlayerID, isOptional: Bool, _ counts: [BestCount]
  ) async throws(StoreError) -> (stored: StoredPlayer, isCurrent: Bool) {
    let asked = begin(id)
    let deadline = isOptional ? StoreLimits.optionalReadMilliseconds : StoreLimits.readMilliseconds
    let result: Result<StoredPlayer, StoreError>
    do throws(StoreError) {
      result = .success(
        try await store.read(deadlineMilliseconds: deadline) { [self] view in
          // Kept by the reader itself too: what is too late for who asked is there for who asks next. Else a player who takes longer to read than
          // anybody waits could never be read.
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
    let isCurrent = end(asked, of: id, with: try? result.get())
    return (try result.get(), isCurrent)
  }

  /// A read that is under way: since when, and how many changes had come then.
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

  /// Takes over that a player's overrides were changed, which the player's own row says nothing of but its revision.
  private func raise(_ id: PlayerID, to revision: Int64) {
    shards[place(of: id)].shard.withLock { shard in
      shard.reading[id]?.changes += 1
      guard let known = shard.players.value(of: id), known.player.revision < revision else { return }
      // Another host may have written the rest of the row between the two: what is in memory is not of that revision then.
      if isShared { shard.players.removeValue(of: id) } else { shard.players.change(id) { $0.player.revision = revision } }
    }
  }

  /// Ends a read, and keeps what it found.
  /// - Returns: whether it is kept: nothing has changed meanwhile, and nobody who asked later was quicker to read what another host wrote.
  private func end(_ read: PendingRead, of id: PlayerID, with stored: StoredPlayer?) -> Bool {
    shards[place(of: id)].shard.withLock { shard in
      let reading = shard.reading[id] ?? (readers: 1, changes: read.changesBefore)
      shard.reading[id] = reading.readers > 1 ? (reading.readers - 1, reading.changes) : nil
      guard reading.changes == read.changesBefore, let stored else { return false }
      // What was asked for after that was taken is right about a lower one too: such a row was brought back.
      if let known = shard.players.value(of: id), known.player.revision > stored.revision, read.began <= known.takenAt { return false }
      shard.players.set(CacheEntry(player: stored, at: read.began, takenAt: .now), for: id, cost: stored.cost)
      return true
    }
  }

  private func place(of id: PlayerID) -> Int { Int(UInt(bitPattern: id.hashValue) % UInt(shards.count)) }
}

extension StoredPlayer {
  /// About how many bytes of memory the player takes.
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
