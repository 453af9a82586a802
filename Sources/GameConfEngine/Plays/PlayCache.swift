// A cache of plays with their pinned values.
public import GameConfCore
public import GameConfStorage
internal import Synchronization

/// A cache of recently used plays, common to all event loops. Plays with equal pinned values refer to one object with these values.
///
/// A commit adds the plays that it opens before the client is answered, and removes forgotten and dropped plays. The result of a read that
/// overlaps a commit about the same player is not cached.
public final class PlayCache: PublicationObserver {
  /// The default size of the cached values in bytes: about 32 MiB.
  public static let bytesMaxUsual = 32 << 20
  /// The most plays in the cache. Their pinned values are limited separately, in bytes.
  static let playsMax = 65_536

  private struct PlayKey: Hashable {
    let player: PlayerID
    let id: String
  }

  private struct CachedPlays {
    var plays = LRUCache<PlayKey, StoredPlay?>(costMax: PlayCache.playsMax)
    var values: LRUCache<String, PinnedValues>
    /// By player whose plays are being read: the number of readers, and the number of changes of the plays since the first reader began.
    var reading: [PlayerID: (readers: Int, changes: Int)] = [:]
    /// The ids of each player's cached plays, so that all of them can be removed.
    var ids: [PlayerID: Set<String>] = [:]
    var idsCount = 0

    mutating func keep(_ play: StoredPlay, _ pinned: PinnedValues, of player: PlayerID) {
      // A full cache is cleared as a whole instead of evicting single plays; plays in use are read again.
      if idsCount >= PlayCache.playsMax { letNamesGo() }
      plays.set(play, for: PlayKey(player: player, id: play.id), cost: 1)
      if ids[player, default: []].insert(play.id).inserted { idsCount += 1 }
      // Decoded values take several times the bytes of their JSON.
      values.set(pinned, for: play.digest, cost: 1_024 + 4 * play.bytesCount)
    }

    mutating func letNamesGo() {
      plays.removeAll()
      (ids, idsCount) = ([:], 0)
    }

    mutating func forget(_ player: PlayerID) {
      for id in ids.removeValue(forKey: player) ?? [] {
        plays.change(PlayKey(player: player, id: id)) { $0 = nil }
        idsCount -= 1
      }
    }
  }

  private let store: any Store
  private let held: Mutex<CachedPlays>

  package init(store: any Store, bytesMax: Int = PlayCache.bytesMaxUsual) {
    self.store = store
    held = Mutex(CachedPlays(values: LRUCache(costMax: max(1, bytesMax))))
  }

  /// Returns a play with its pinned values from the cache alone; nil if it must be read from the database.
  public func cached(_ id: String, of player: PlayerID) -> PinnedPlay? {
    held.withLock { held in
      guard let play = held.plays.value(of: PlayKey(player: player, id: id)) ?? nil, let values = held.values.value(of: play.digest) else {
        return nil
      }
      return PinnedPlay(player: player, play: play, values: values)
    }
  }

  /// Returns a play with its pinned values, from the cache or by one read of the database.
  /// - Throws: `.unknownPlay` if the player has no such play, `.store`; `.late` after 50 ms.
  public func read(_ id: String, of player: PlayerID) async throws(ChangeRefusal) -> PinnedPlay {
    if let known = cached(id, of: player) { return known }
    let before = begin(player)
    let result: Result<(StoredPlay, PinnedValues)?, StoreError>
    do throws(StoreError) {
      result = .success(try await store.read { view in try Self.read(id, of: player, in: view) })
    } catch { result = .failure(error) }
    let found = try? result.get()
    held.withLock { held in
      let reading = held.reading[player] ?? (readers: 1, changes: before)
      held.reading[player] = reading.readers > 1 ? (reading.readers - 1, reading.changes) : nil
      if reading.changes == before, let (play, values) = found ?? nil { held.keep(play, values, of: player) }
    }
    switch result {
    case .failure(let error): throw .store(error)
    case .success(nil): throw .unknownPlay(id)
    case .success(let (play, values)?): return PinnedPlay(player: player, play: play, values: values)
    }
  }

  /// Returns the plays that events belong to, with their pinned values, by the plays' ids. A play that is not stored is left out.
  /// - Throws: ``StoreError``; `.late` after 50 ms for each play.
  public func pinned(by events: [PlayerEvent], of player: PlayerID) async throws(StoreError) -> [String: PinnedPlay] {
    var pinned: [String: PinnedPlay] = [:]
    for id in Set(events.compactMap(\.play?.id)) {
      do throws(ChangeRefusal) { pinned[id] = try await read(id, of: player) } catch {
        if case .store(let error) = error { throw error }
      }
    }
    return pinned
  }

  /// Reads a play with its pinned values from the database; nil if the player has no such play.
  static func read(_ id: String, of player: PlayerID, in view: ReadTransaction) throws -> (StoredPlay, PinnedValues)? {
    guard id.utf8.count <= PlayLimits.idBytesMax, let play = try view.play(id, of: player) else { return nil }
    guard let bytes = try view.pinnedValues(play.digest) else {
      throw StoreError.failed("the values of a play of \(player.game) are missing")
    }
    do throws(Fault) { return (play, try PinnedValues(decoding: bytes)) } catch { throw StoreError.failed(error.message) }
  }

  /// Adds the plays that a commit opened, and removes those that it forgot or dropped.
  public func take(_ batch: CommittedBatch) {
    for change in batch.changes {
      switch change {
      case .play(let player, .opened(let play, let values)):
        held.withLock { held in
          held.reading[player]?.changes += 1
          held.keep(play, values, of: player)
        }
      case .play(let player, .closed(let play)), .play(let player, .redated(let play)):
        held.withLock { held in
          held.reading[player]?.changes += 1
          held.plays.change(PlayKey(player: player, id: play.id)) { $0 = play }
        }
      case .play(let player, .dropped(let ids)):
        held.withLock { held in
          held.reading[player]?.changes += 1
          for id in ids { held.plays.change(PlayKey(player: player, id: id)) { $0 = nil } }
        }
      case .forgotten(let player, _):
        held.withLock { held in
          held.reading[player]?.changes += 1
          held.forget(player)
        }
      case .playersForgotten(let game):
        held.withLock { held in
          for player in held.reading.keys where player.game == game { held.reading[player]?.changes += 1 }
          for player in held.ids.keys where player.game == game { held.forget(player) }
        }
      case .replaced: forgetAll()
      default: break
      }
    }
  }

  /// Clears the cache if the store is lost, because the cached plays may differ from the restored database.
  public func clearIfLost(_ health: StoreHealth) { if case .lost = health.condition { forgetAll() } }

  private func forgetAll() {
    held.withLock { held in
      held.letNamesGo()
      held.values.removeAll()
      for player in held.reading.keys { held.reading[player]?.changes += 1 }
    }
  }

  private func begin(_ player: PlayerID) -> Int {
    held.withLock { held in
      let reading = held.reading[player] ?? (readers: 0, changes: 0)
      held.reading[player] = (reading.readers + 1, reading.changes)
      return reading.changes
    }
  }
}
