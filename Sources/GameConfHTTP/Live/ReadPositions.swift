// The positions of games and keys in the table that marks reads, and the marks of reads of players' overrides.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer
internal import Synchronization

/// The positions in ``ReadMarks`` at which reads of one game are marked: reads of all its values, and reads of each key.
struct GameReadPositions: Sendable {
  /// The position at which reads of all values are marked; -1 if ``ReadMarks`` had no free position.
  var all = -1
  /// The positions at which reads of single keys are marked, in the order of the game's parameter table.
  var keys: [Int] = []

  /// Returns the position at which reads of a key are marked; -1 if the key has no position. `place` is the key's index in the game's
  /// parameter table.
  func key(at place: Int) -> Int { keys.indices.contains(place) ? keys[place] : -1 }
}

/// The allocator of positions in ``ReadMarks``, one for each game and each of its keys. A position does not change while the game is
/// served.
package final class ReadPositions: Sendable {
  private struct State {
    var games: [String: [String: Int]] = [:]
    var free: [Int] = []
    var next = 0
  }

  private let held = Mutex(State())

  package init() {}

  /// Returns the positions of a game and its keys, and allocates the missing ones. A position is -1 if ``ReadMarks`` has no free one.
  func positions(of game: GameSnapshot) -> GameReadPositions {
    let keys = game.table.entries.map(\.parameter.key)
    return held.withLock { held in
      var known = held.games[game.game] ?? [:]
      func position(_ name: String) -> Int {
        if let at = known[name] { return at }
        var at = -1
        if let free = held.free.popLast() {
          at = free
        } else if held.next < ReadMarks.positionsMax {
          at = held.next
          held.next += 1
        }
        if at >= 0 { known[name] = at }
        return at
      }
      // The position of reads of all values is stored under the empty name, because no key is empty.
      let marks = GameReadPositions(all: position(""), keys: keys.map { position($0) })
      held.games[game.game] = known
      return marks
    }
  }

  func clear(_ marks: [ReadMarks]) {
    let count = held.withLock { $0.next }
    for each in marks { for at in 0..<count { each.clear(at) } }
  }

  /// Frees the positions of a removed game and clears their marks. Call it only when no event loop serves the game.
  func forget(_ game: String, in marks: [ReadMarks]) {
    held.withLock { held in
      let freed = held.games.removeValue(forKey: game)?.values.map { $0 } ?? []
      for each in marks { for at in freed { each.clear(at) } }
      held.free += freed
    }
  }
}

/// The marks of the last reads for players who have overrides. A read of one key and a read of all values have separate marks.
final class PlayerReadMarks: Sendable {
  /// The maximum number of marks. Beyond it, the least recently used mark is evicted.
  static let marksMax = 4_096

  struct PlayerReadMark: Sendable, Hashable {
    let revision: Int64
    let second: Int
  }

  private struct MarkKey: Sendable, Hashable {
    let game: String
    let player: ByteText
    /// The key that was read; nil for a read of all values.
    let key: String?
  }

  private struct State {
    var marks = LRUCache<MarkKey, PlayerReadMark>(costMax: marksMax)
    /// The second in which a mark was last evicted; nil if no mark ever was.
    var lostAt: Int?
  }

  private let held = Mutex(State())

  /// Marks that a value of a player was read at a revision of the game.
  /// - Parameter key: The key that was read; nil for all values.
  func note(_ key: String?, of player: String, in game: String, at revision: Int64, second: Int) {
    held.withLock { held in
      let name = MarkKey(game: game, player: ByteText(player), key: key)
      let isFull = held.marks.count >= Self.marksMax && held.marks.value(of: name) == nil
      if isFull { held.lostAt = second }
      held.marks.set(PlayerReadMark(revision: revision, second: second), for: name, cost: 1)
    }
  }

  /// Returns the marks of a key and of all values, and the second of the newest eviction. An override that was set before that second may
  /// have been read although there is no mark.
  func marks(_ key: String, of player: String, in game: String) -> (key: PlayerReadMark?, all: PlayerReadMark?, lostAt: Int?) {
    held.withLock { held in
      let id = ByteText(player)
      return (
        held.marks.value(of: MarkKey(game: game, player: id, key: key)), held.marks.value(of: MarkKey(game: game, player: id, key: nil)),
        held.lostAt
      )
    }
  }

  /// Removes the marks of one player, or of all players of a game if `player` is nil.
  func forget(_ player: String?, in game: String) {
    let id = player.map { ByteText($0) }
    held.withLock { $0.marks.removeAll { $0.game == game && (id == nil || $0.player == id) } }
  }

  /// Removes all marks and the record of evictions.
  func forgetAll() { held.withLock { $0 = State() } }
}
