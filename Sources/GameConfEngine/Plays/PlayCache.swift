// Plays in memory: those whose values were read or pinned lately.
public import GameConfCore
public import GameConfStorage
internal import Synchronization

/// Keeps the plays that were used last, for all event loops; plays with the same values share them.
///
/// A play that a commit opened is here before that is answered, one that was forgotten or dropped is not. A read that a commit about the same
/// player overtook is answered, but not kept.
public final class PlayCache: PublicationObserver {
  /// About how many bytes of memory values may take unless said otherwise: 32 MiB.
  public static let bytesMaxUsual = 32 << 20
  /// The number of plays' names that are kept.
  static let playsMax = 65_536

  private struct Name: Hashable {
    let player: PlayerID
    let id: String
  }

  private struct Storage {
    var plays = LRUCache<Name, StoredPlay?>(costMax: PlayCache.playsMax)
    var values: LRUCache<String, PinnedValues>
    /// The players whose plays are being read: by how many, and how often a change has come since the first of them began.
    var reading: [PlayerID: (readers: Int, changes: Int)] = [:]
    /// The ids of each player, so that all of them can be let go.
    var ids: [PlayerID: Set<String>] = [:]
    var idsCount = 0

    mutating func keep(_ play: StoredPlay, _ pinned: PinnedValues, of player: PlayerID) {
      // Now and then all names are let go rather than one by one: what is asked for is read again.
      if idsCount >= PlayCache.playsMax { letNamesGo() }
      plays.set(play, for: Name(player: player, id: play.id), cost: 1)
      if ids[player, default: []].insert(play.id).inserted { idsCount += 1 }
      // Values take several times their JSON's bytes.
      values.set(pinned, for: play.digest, cost: 1_024 + 4 * play.bytesCount)
    }

    mutating func letNamesGo() {
      plays.removeAll()
      (ids, idsCount) = ([:], 0)
    }

    mutating func forget(_ player: PlayerID) {
      for id in ids.removeValue(forKey: player) ?? [] {
        plays.change(Name(player: player, id: id)) { $0 = nil }
        idsCount -= 1
      }
    }
  }

  private let store: any Store
  private let held: Mutex<Storage>

  /// Nothing is in memory yet.
  package init(store: any Store, bytesMax: Int = PlayCache.bytesMaxUsual) {
    self.store = store
    held = Mutex(Storage(values: LRUCache(costMax: max(1, bytesMax))))
  }

  /// A play with its values, from memory alone; nil when that must be read.
  public func cached(_ id: String, of player: PlayerID) -> PinnedPlay? {
    held.withLock { held in
      guard let play = held.plays.value(of: Name(player: player, id: id)) ?? nil, let values = held.values.value(of: play.digest) else {
        return nil
      }
      return PinnedPlay(player: player, play: play, values: values)
    }
  }

  /// A play with its values: from memory, else by one read.
  /// - Throws: `.unknownPlay` where the player has no such play, `.store`; `.late` after 50 ms.
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

  /// The plays that events name, with their values, by id; a play that is not stored is left out.
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

  /// A play with its values, as the store has it; nil where the player has no such play.
  static func read(_ id: String, of player: PlayerID, in view: ReadTransaction) throws -> (StoredPlay, PinnedValues)? {
    guard id.utf8.count <= PlayLimits.idBytesMax, let play = try view.play(id, of: player) else { return nil }
    guard let bytes = try view.pinnedValues(play.digest) else {
      throw StoreError.failed("the values of a play of \(player.game) are missing")
    }
    do throws(Fault) { return (play, try PinnedValues(decoding: bytes)) } catch { throw StoreError.failed(error.message) }
  }

  /// Takes what a commit changed.
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
          held.plays.change(Name(player: player, id: play.id)) { $0 = play }
        }
      case .play(let player, .dropped(let ids)):
        held.withLock { held in
          held.reading[player]?.changes += 1
          for id in ids { held.plays.change(Name(player: player, id: id)) { $0 = nil } }
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

  /// Heeds that a store was lost: what it had is not vouched for any more.
  public func heed(_ health: StoreHealth) { if case .lost = health.condition { forgetAll() } }

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
