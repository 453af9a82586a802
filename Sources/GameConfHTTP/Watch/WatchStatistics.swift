// Figures about watchers for the status answer: their number, their unread bytes, and the duration of notifications.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import NIOCore

/// The measurements of how one event loop notifies its watchers.
struct WatchLoopFigures {
  /// The maximum number of rounds whose durations are stored.
  private static let roundsMax = 256

  /// The durations of the newest rounds over all watchers, in microseconds. The list is a ring buffer, so it is not in order.
  private(set) var rounds: [Int64] = []
  private var next = 0
  private(set) var lastRound: Int64?
  /// The number of watchers with a value that may change at any time.
  private(set) var timeDependent = 0
  /// The seconds between two evaluations of a value that may change at any time.
  private(set) var lookSeconds = 1
  /// The keys, as `game/key`, whose values may change at any time and are evaluated less often than each second.
  private(set) var lookedAtLess: Set<String> = []

  /// The index of the watcher that is evaluated first in the next second.
  private var lookFrom = 0

  mutating func noteRound(_ time: TimeAmount) {
    let microseconds = time.nanoseconds / 1_000
    lastRound = microseconds
    if rounds.count < Self.roundsMax {
      rounds.append(microseconds)
    } else {
      rounds[next] = microseconds
      next = (next + 1) % Self.roundsMax
    }
  }

  /// Passes the watchers to evaluate in this second to `evaluate`, round-robin within the budget of evaluations.
  mutating func look(among all: [Watcher], _ evaluate: (Watcher) -> Void) {
    noteLooks(among: all)
    if timeDependent == 0 { return }
    var budget = WatchLoop.WatchTiming.looksPerSecond
    for offset in all.indices {
      let watcher = all[(lookFrom + offset) % all.count]
      guard watcher.cursor?.isTimeDependent == true else { continue }
      budget -= watcher.looks
      evaluate(watcher)
      if budget <= 0 {
        lookFrom = (lookFrom + offset + 1) % all.count
        return
      }
    }
    lookFrom = 0
  }

  /// Records the watchers and keys whose values may change at any time, and the number of seconds in which the budget suffices to evaluate
  /// all of them.
  private mutating func noteLooks(among watchers: [Watcher]) {
    var looks = 0
    timeDependent = 0
    for watcher in watchers where watcher.cursor?.isTimeDependent == true {
      timeDependent += 1
      looks += watcher.looks
    }
    lookSeconds = max(1, (looks + WatchLoop.WatchTiming.looksPerSecond - 1) / WatchLoop.WatchTiming.looksPerSecond)
    if lookSeconds == 1 { return lookedAtLess = [] }
    lookedAtLess = []
    for watcher in watchers where watcher.cursor?.isTimeDependent == true {
      let frame = watcher.group.frame
      for at in frame.clockPositions { lookedAtLess.insert("\(frame.game.game)/\(frame.game.table.entries[at].parameter.key)") }
    }
  }
}

/// The figures about the watchers of all event loops together.
struct WatchStatistics: Sendable {
  /// The maximum number of keys from ``lookedAtLess`` in the status answer.
  private static let keysMax = 100

  var streams = 0
  var images = 0
  var calls = 0
  var admins = 0
  var byUser: [UInt32: Int] = [:]
  var bytesWaiting = 0
  var rounds: [Int64] = []
  var lastRound: Int64?
  var timeDependent = 0
  var lookSeconds = 1
  var lookedAtLess: Set<String> = []

  mutating func add(_ loop: WatchLoop) {
    for watcher in loop.groups.values.lazy.flatMap(\.watchers) {
      byUser[watcher.user, default: 0] += 1
      switch watcher.sink {
      case .images: images += 1
      case .events, .notices: streams += 1
      case .once: calls += 1
      }
      bytesWaiting += watcher.stream?.bytesQueued ?? 0
    }
    rounds += loop.figures.rounds
    lastRound = loop.figures.lastRound ?? lastRound
    timeDependent += loop.figures.timeDependent
    lookSeconds = max(lookSeconds, loop.figures.lookSeconds)
    lookedAtLess.formUnion(loop.figures.lookedAtLess)
  }

  mutating func add(_ loop: AdminWatches) {
    for (user, bytes) in loop.watched {
      admins += 1
      byUser[user, default: 0] += 1
      bytesWaiting += bytes
    }
  }

  var wire: StatusWatchers {
    let sorted = rounds.sorted()
    func milliseconds(_ share: Int) -> Double? { sorted.isEmpty ? nil : Double(sorted[(sorted.count - 1) * share / 100]) / 1_000 }
    var wire = StatusWatchers()
    wire.count = Int64(streams + images + calls + admins)
    (wire.streams, wire.imageStreams, wire.calls, wire.admins) = (Int64(streams), Int64(images), Int64(calls), Int64(admins))
    wire.byUID = ObjectValue(byUser.sorted { $0.key < $1.key }.map { (String($0.key), .integer(Int64($0.value))) })
    wire.bytesWaiting = Int64(bytesWaiting)
    wire.fanOutLastMilliseconds = lastRound.map { Double($0) / 1_000 }
    (wire.fanOutMedianMilliseconds, wire.fanOutP99Milliseconds) = (milliseconds(50), milliseconds(99))
    wire.timeDependent = Int64(timeDependent)
    wire.lookSeconds = Int64(lookSeconds)
    wire.lookedAtLess = Array(lookedAtLess.sorted().prefix(Self.keysMax))
    return wire
  }
}

extension WatchHub {
  /// Collects the figures from every event loop that has watchers.
  func figures() async -> WatchStatistics {
    var figures = WatchStatistics()
    let (loops, admins) = present
    for each in loops {
      let sofar = figures
      let added = try? await each.eventLoop.submit {
        var figures = sofar
        figures.add(each.value)
        return figures
      }.get()
      figures = added ?? sofar
    }
    for each in admins {
      let sofar = figures
      let added = try? await each.eventLoop.submit {
        var figures = sofar
        figures.add(each.value)
        return figures
      }.get()
      figures = added ?? sofar
    }
    return figures
  }
}

/// The limits of watches by name, for the status answer.
enum WatchLimits {
  static var wire: [(String, Value)] {
    [
      ("watcher_context_bytes_max", .integer(Int64(WatchScope.contextBytesMax))),
      ("watch_changes_kept_max", .integer(Int64(ChangeRing.changesMax))),
      ("watch_names_kept_max", .integer(Int64(ChangeRing.namesMax))),
      ("watch_state_bytes_waiting_max", .integer(Int64(WatchLoop.WatchTiming.stateBytesMax))),
      ("watch_state_bytes_waiting_per_uid_max", .integer(Int64(WatchLoop.WatchTiming.stateBytesPerUserMax))),
      ("watch_looks_per_second_max", .integer(Int64(WatchLoop.WatchTiming.looksPerSecond))),
      ("watch_comment_seconds", .integer(Int64(WatchLoop.WatchTiming.commentSeconds))),
      ("watch_fan_out_pause_milliseconds", .integer(WatchLoop.WatchTiming.between.nanoseconds / 1_000_000)),
      ("watch_admin_lines_max", .integer(Int64(AdminWatches.linesMax))),
      ("gzip_bytes_min", .integer(Int64(Gzip.bytesMin))),
      ("image_bytes_max", .integer(Int64(ImageWriter.bytesMax))),
    ]
  }
}
