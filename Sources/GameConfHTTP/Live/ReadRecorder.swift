// Records when games read values, and reports whether a game has read an override since it was set.

internal import GameConfAPI
package import GameConfCore
package import GameConfEngine
package import GameConfServer
import GameConfStorage
internal import Glibc
internal import Synchronization

/// Records the reads that route handlers answer. The event loops record the reads whose answers were encoded in advance or are cached.
package final class ReadRecorder: PublicationObserver {
  package let positions: ReadPositions
  let players = PlayerReadMarks()
  /// The time at which recording began: by the clock that dates changes, and as a second of the host's wall clock.
  private let startedAt: Instant, startedSecond: Int
  private let marks = Mutex<[ReadMarks]>([])

  /// Creates a recorder without marks.
  /// - Parameter now: The present time of the clock that dates changes.
  package init(positions: ReadPositions = ReadPositions(), now: Instant = .earliest) {
    self.positions = positions
    startedAt = now
    startedSecond = time(nil)
  }

  /// Sets the server whose event loops have the marks of reads.
  package func attach(_ server: HTTPServer<DaemonApp>) { marks.withLock { $0 = server.marks } }

  /// Marks a read of one key, unless a play pinned the value.
  package func note(_ answer: EvaluatedValue, _ seen: Evaluation, by request: Request) {
    guard request.marksReads, answer.layer != .play, let served = request.served.games[seen.game.game],
      let at = served.snapshot.table.position(of: answer.key)
    else { return }
    request.mark(served.marks.key(at: at), stamp: UInt32(truncatingIfNeeded: answer.entry.layers.revision))
    notePlayer(answer.key, seen)
  }

  /// Marks a read of all values, unless it was for a play.
  package func noteAll(_ seen: Evaluation, by request: Request) {
    guard request.marksReads, seen.play == nil, let served = request.served.games[seen.game.game] else { return }
    request.mark(served.marks.all, stamp: UInt32(truncatingIfNeeded: seen.game.revision))
    notePlayer(nil, seen)
  }

  /// Marks a read for a player with overrides.
  /// - Parameter key: The key that was read; nil for all values.
  private func notePlayer(_ key: String?, _ seen: Evaluation) {
    guard !seen.caller.overrides.isEmpty, let player = seen.caller.player else { return }
    if let key, seen.caller.overrides[key] == nil { return }
    players.note(key, of: player, in: seen.game.game, at: seen.game.revision, second: time(nil))
  }

  /// Clears the marks of reads by removed games and for forgotten players, and all marks if the database was replaced.
  package func receive(_ published: WorldStep) {
    if published.isReplaced {
      players.forgetAll()
      positions.clear(marks.withLock { $0 })
    }
    for case .forgotten(let id, _) in published.batch?.changes ?? [] { players.forget(id.player, in: id.game) }
    for change in published.games where change.after == nil {
      positions.forget(change.game, in: marks.withLock { $0 })
      players.forget(nil, in: change.game)
    }
  }

  // MARK: The reads of an override

  /// Returns the time of the last read of an override by a game. Reads before the override was set or its time window began are ignored.
  /// Also returns the number of watchers that were sent the override's value.
  /// - Parameters:
  ///   - record: An override that is in force.
  ///   - watchers: The watchers of the override's game.
  func read(_ record: OverrideRecord, in served: ServedGame, watchers: [WatchingReader]) -> OverrideRead {
    let now = time(nil)
    var found = OverrideRead()
    var words: [String] = []
    let last = lastRead(record, in: served)
    if case .read(let second, let isByKey) = last {
      found.at = Instant(seconds: Int64(second))
      found.by = isByKey ? "key" : "all"
      let ago = Self.ago(now - second)
      words.append(isByKey ? "read on this host \(ago), by key" : "read \(ago), with all values")
    }
    let notified = watchers.filter { $0.shows(record, in: served.snapshot) }
    if let revision = notified.compactMap(\.revision).min() {
      (found.watchers, found.revision) = (Int64(notified.count), revision)
      words.append("sent to \(notified.count) \(notified.count == 1 ? "watcher" : "watchers") at revision \(revision)")
    }
    if words.isEmpty {
      switch last {
      case .unknown: words.append("not known: more than 4 096 keys of players")
      default:
        let since = record.at < startedAt ? Self.clock(startedSecond, now: now) : record.window == nil ? "it was set" : "it began"
        words.append("no request to the daemon since \(since); games that map the file are not seen")
      }
    }
    found.words = words.joined(separator: "; ")
    return found
  }

  private enum LastRead {
    case read(second: Int, isByKey: Bool)
    case none
    /// No read is recorded, but the mark of a read may have been evicted since the override was set.
    case unknown
  }

  private func lastRead(_ record: OverrideRecord, in served: ServedGame) -> LastRead {
    let earliest = record.window.map { Int($0.from.milliseconds / 1_000) } ?? 0
    var key: Int?
    var all: Int?
    var isLost = false
    if let player = record.slot.player {
      let marks = players.marks(record.slot.key, of: player, in: served.snapshot.game)
      key = marks.key.flatMap { $0.revision >= record.revision ? $0.second : nil }
      all = marks.all.flatMap { $0.revision >= record.revision ? $0.second : nil }
      isLost = marks.lostAt.map { Int64($0) * 1_000 >= record.at.milliseconds - 1_000 } ?? false
    } else {
      let loops = marks.withLock { $0 }
      let place = served.snapshot.table.position(of: record.slot.key)
      func newest(_ position: Int) -> Int? {
        loops.compactMap { $0.mark(at: position) }.filter { $0.isSince(record.revision) }.map(\.second).max()
      }
      key = place.flatMap { newest(served.marks.key(at: $0)) }
      all = newest(served.marks.all)
    }
    key = key.flatMap { $0 >= earliest ? $0 : nil }
    all = all.flatMap { $0 >= earliest ? $0 : nil }
    guard let second = [key, all].compactMap({ $0 }).max() else { return isLost ? .unknown : .none }
    return .read(second: second, isByKey: key == second)
  }

  private static func ago(_ seconds: Int) -> String {
    let seconds = max(0, seconds)
    if seconds < 120 { return "\(seconds) s ago" }
    if seconds < 7_200 { return "\(seconds / 60) min ago" }
    if seconds < 172_800 { return "\(seconds / 3_600) h ago" }
    return "\(seconds / 86_400) days ago"
  }

  /// Returns the time of day on the host, with the date if the second is more than a day ago.
  private static func clock(_ second: Int, now: Int) -> String {
    var (second, parts) = (time_t(second), tm())
    localtime_r(&second, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let time = "\(two(parts.tm_hour)):\(two(parts.tm_min))"
    return now - second < 86_400 ? time : "\(1900 + parts.tm_year)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) \(time)"
  }
}

extension ReadMarks.ReadMark {
  /// True if the read value had this revision or a later one. A mark has only the low 32 bits of a revision, so they are compared modulo
  /// 2³².
  fileprivate func isSince(_ revision: Int64) -> Bool { Int32(bitPattern: stamp &- UInt32(truncatingIfNeeded: revision)) >= 0 }
}

/// A client that watches a game, with the facts about the client that viewers of live requests and reports about overrides show.
struct WatchingReader: Sendable {
  let reader: LiveReader
  let user: UInt32
  let player: String?
  let since: Instant
  /// The revision that was last sent to the watcher; nil before the first.
  let revision: Int64?
  let keys: Set<String>?
  /// True if the watcher is sent values that other players see too. False for a watcher of a play, and for one that is sent only
  /// notifications.
  let isSentValues: Bool

  /// True if the watcher is a game that was sent the value of this override.
  func shows(_ record: OverrideRecord, in game: GameSnapshot) -> Bool {
    guard reader.isGame, isSentValues, let revision, revision >= record.revision, keys?.contains(record.slot.key) != false else {
      return false
    }
    guard let wanted = record.slot.player else {
      // A player with an override of the key gets that value instead of the game's.
      return player.map { game.overrides.player($0).values[record.slot.key] == nil } ?? true
    }
    return player.map { game.overrides.player($0).slots[record.slot.key]?.slot.player == wanted } ?? false
  }
}

extension WatchHub {
  /// Returns the watchers of a game on all event loops, ordered by the time of their requests.
  func readers(of game: String) async -> [WatchingReader] {
    var readers: [WatchingReader] = []
    for each in present.loops {
      readers += (try? await each.eventLoop.submit { each.value.readers(of: game) }.get()) ?? []
    }
    return readers.sorted { $0.since < $1.since }
  }
}

extension WatchLoop {
  /// The watchers of a game on this event loop whose stream is open.
  fileprivate func readers(of game: String) -> [WatchingReader] {
    (groups[game]?.watchers ?? []).filter { $0.stream != nil }.map { watcher in
      WatchingReader(
        reader: watcher.reader, user: watcher.user, player: watcher.scope.context.player, since: watcher.since,
        revision: watcher.cursor?.sent.game.revision, keys: watcher.scope.selection.keys,
        isSentValues: watcher.scope.selection.showsValues && !watcher.isNotified && watcher.scope.context.play == nil)
    }
  }
}
