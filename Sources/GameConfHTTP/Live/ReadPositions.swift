// The positions of marks by game and key, and the marks of players' overrides.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer
internal import Synchronization

/// The positions of one game's marks.
struct GameMarks: Sendable {
  /// The position for reads of everything; -1 for none.
  var all = -1
  /// The positions of keys, in the order of the table.
  var keys: [Int] = []

  /// The position for reads of a key at its place in the table.
  func key(at place: Int) -> Int { keys.indices.contains(place) ? keys[place] : -1 }
}

/// Gives each game and each of its keys a position that stays the same while the daemon runs.
package final class ReadPositions: Sendable {
  private struct State {
    var games: [String: [String: Int]] = [:]
    var free: [Int] = []
    var next = 0
  }

  private let held = Mutex(State())

  package init() {}

  /// The positions of a game's keys; -1 for those that have none left.
  func positions(of game: GameSnapshot) -> GameMarks {
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
      // No key is empty.
      let marks = GameMarks(all: position(""), keys: keys.map { position($0) })
      held.games[game.game] = known
      return marks
    }
  }

  /// Clears every mark.
  func clear(_ marks: [ReadMarks]) {
    let count = held.withLock { $0.next }
    for each in marks { for at in 0..<count { each.clear(at) } }
  }

  /// Forgets a game, which no event loop serves any more, and clears its marks.
  func forget(_ game: String, in marks: [ReadMarks]) {
    held.withLock { held in
      let freed = held.games.removeValue(forKey: game)?.values.map { $0 } ?? []
      for each in marks { for at in freed { each.clear(at) } }
      held.free += freed
    }
  }
}

/// The last read of one player's overrides: by key, and of everything.
final class PlayerReadMarks: Sendable {
  /// The most marks; the oldest go first.
  static let marksMax = 4_096

  struct Mark: Sendable, Hashable {
    let revision: Int64
    let second: Int
  }

  private struct Name: Sendable, Hashable {
    let game: String
    let player: ByteText
    /// The key; nil for everything.
    let key: String?
  }

  private struct State {
    var marks = LRUCache<Name, Mark>(costMax: marksMax)
    /// The second of the newest mark that was let go.
    var lostAt: Int?
  }

  private let held = Mutex(State())

  /// Marks a read.
  /// - Parameter key: The key; nil for everything.
  func note(_ key: String?, of player: String, in game: String, at revision: Int64, second: Int) {
    held.withLock { held in
      let name = Name(game: game, player: ByteText(player), key: key)
      let isFull = held.marks.count >= Self.marksMax && held.marks.value(of: name) == nil
      if isFull { held.lostAt = second }
      held.marks.set(Mark(revision: revision, second: second), for: name, cost: 1)
    }
  }

  /// The marks of a key and of everything, and the second since which some may be missing.
  func marks(_ key: String, of player: String, in game: String) -> (key: Mark?, all: Mark?, lostAt: Int?) {
    held.withLock { held in
      let id = ByteText(player)
      return (
        held.marks.value(of: Name(game: game, player: id, key: key)), held.marks.value(of: Name(game: game, player: id, key: nil)),
        held.lostAt
      )
    }
  }

  /// Forgets a player, or everybody of a game.
  func forget(_ player: String?, in game: String) {
    let id = player.map { ByteText($0) }
    held.withLock { $0.marks.removeAll { $0.game == game && (id == nil || $0.player == id) } }
  }

  /// Forgets everybody.
  func forgetAll() { held.withLock { $0 = State() } }
}
