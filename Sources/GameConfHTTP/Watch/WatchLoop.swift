// The watchers of one event loop, and the queues in which they wait to be notified.

internal import GameConfCore
internal import GameConfEngine
import GameConfStorage
internal import GameConfServer
internal import NIOCore

/// The changes of one published step, as the event loops with watchers get them.
struct WatchNotice: Sendable {
  var epoch: UInt64
  var games: [GameSnapshot] = []
  var goneGames: [String] = []
  var players: [(id: PlayerID, stored: StoredPlayer)] = []
  /// The players whose revision rose because of an override.
  var playerRevisions: [(id: PlayerID, revision: Int64)] = []
  /// True if the database was replaced, so that every watcher needs its whole state.
  var isReplaced = false
}

/// The watchers of one event loop, and their notification. All methods must run on that event loop.
final class WatchLoop {
  enum WatchTiming {
    /// The duration of one slice of notifications or heartbeats. A request waits for at most one slice.
    static let slice = TimeAmount.microseconds(500)
    /// The pause between slices if the event loop has other work. It is three slices long, so that notifications take a quarter of the
    /// time.
    static let rest = TimeAmount.microseconds(1_500)
    /// The delay from a change to its notifications. In this time the answer to the write passes through two more threads, so that it is
    /// sent first.
    static let start = TimeAmount.milliseconds(1)
    /// The minimum time between the starts of two rounds over all watchers.
    static let between = TimeAmount.milliseconds(20)
    /// The time between the starts of two rounds over all watchers, as a multiple of the last round's processor time.
    static let betweenFactor: Int64 = 4
    /// The maximum time between the starts of two rounds over all watchers.
    static let betweenMax = TimeAmount.seconds(1)
    /// The processor time between two slices up to which the event loop counts as idle.
    static let idle = TimeAmount.microseconds(100)
    /// The seconds between two heartbeats of a watcher.
    static let commentSeconds = 15
    /// The maximum bytes of whole states that clients have not read, for the watchers of all users together.
    static let stateBytesMax = 32 << 20
    /// The maximum bytes of whole states that the clients of one user have not read.
    static let stateBytesPerUserMax = 4 << 20
    /// The maximum number of evaluations per second of values that may change at any time.
    static let looksPerSecond = 20_000
  }

  let eventLoop: any EventLoop
  unowned let hub: WatchHub
  let clock: any HostClock
  var groups: [String: GameWatchers] = [:]
  var epoch: UInt64
  var fanOut = FanOut()
  var states = PendingStates()
  var wheel = HeartbeatWheel()
  /// The earliest instant at which time alone may change a watcher's values, such as the end of a time window, and the timer for it.
  var edgeAlarm: (at: Instant, alarm: Scheduled<Void>)?
  /// The number of waiting calls by user. A call whose client has disconnected counts until its time is over.
  var polls = Quota<UInt32>()
  var figures = WatchLoopFigures()
  var images: WatchImage { WatchImage(epoch: epoch, clock) }

  init(_ eventLoop: any EventLoop, hub: WatchHub, clock: any HostClock, epoch: UInt64) {
    self.eventLoop = eventLoop
    self.hub = hub
    self.clock = clock
    self.epoch = epoch
  }

  /// Adds a watcher, and queues it for its first event.
  @discardableResult
  func add(
    _ scope: WatchScope, of snapshot: GameSnapshot, _ sink: Watcher.WatcherSink, user: UInt32, reader: LiveReader = .ofGame,
    resumed: WatchPosition? = nil
  ) -> Watcher {
    let requestedRevision = snapshot.revision
    let snapshot = hub.newest(snapshot, epoch)
    let group = groups[snapshot.game] ?? GameWatchers(snapshot)
    groups[snapshot.game] = group
    if snapshot !== group.frame.game, snapshot.revision >= group.frame.game.revision { move(group, to: snapshot) }
    let player = scope.context.player.map { self.player($0, in: group) }
    let watcher = Watcher(
      scope, sink, in: group, at: requestedRevision, player: player, user: user, reader: reader, since: clock.now, resumed: resumed)
    group.add(watcher)
    player?.watchers.append(watcher)
    wheel.add(watcher)
    // Strong references: the stream releases these closures when it ends, and a weak reference would need memory for each watcher.
    watcher.stream?.onClosed = { self.remove(watcher) }
    watcher.stream?.onWritable = { self.becameWritable(watcher) }
    watcher.stream?.onDrain = {
      // A random reconnection delay, so that 10 000 clients do not connect to the next daemon simultaneously.
      watcher.drop("The daemon is stopping.", event: "retry: \(Int.random(in: 200...2000))\n\n")
    }
    if let play = scope.context.play { hub.plays.enter(play, of: user) }
    enqueue(watcher)
    tickLater()
    return watcher
  }

  /// Adds a waiting call, which is answered at its first event or when its time is over.
  /// - Returns: False if the user has the maximum number of waiting calls.
  func wait(
    _ scope: WatchScope, of snapshot: GameSnapshot, after position: WatchPosition, seconds: Int64, user: UInt32,
    then answer: @escaping (WatchedState?) -> Void
  ) -> Bool {
    guard polls.bound(of: user, userMax: hub.waitingCallsMax(user)) == nil else { return false }
    polls.add(of: user)
    let watcher = add(scope, of: snapshot, .once(answer), user: user, resumed: position)
    watcher.deadline = eventLoop.assumeIsolated().scheduleTask(in: .seconds(seconds)) {
      guard watcher.isOpen else { return }
      self.remove(watcher)
      answer(nil)
    }
    return true
  }

  /// Answers all waiting calls as if their time were over.
  func answerWaiting() {
    for watcher in groups.values.flatMap(\.watchers) {
      guard case .once(let answer) = watcher.sink else { continue }
      remove(watcher)
      answer(nil)
    }
  }

  func player(_ id: String, in group: GameWatchers) -> WatchedPlayer {
    if let known = group.players[ByteText(id)] { return known }
    let player = WatchedPlayer(PlayerID(game: group.game, player: id))
    group.players[ByteText(id)] = player
    // From here on, committed changes of the player are received. Earlier ones are in the cache or in the store.
    hub.watch(player.id)
    let counts = group.frame.game.table.playerRules.bestCounts
    if let known = hub.players.cached(player.id, counting: counts) { player.stored = known } else { read(player) }
    return player
  }

  func read(_ player: WatchedPlayer) {
    if player.isReading { return }
    player.isReading = true
    let (id, players, eventLoop) = (player.id, hub.players, eventLoop)
    let counts = groups[id.game]?.frame.game.table.playerRules.bestCounts ?? []
    let held = NIOLoopBound((loop: self, player: player), eventLoop: eventLoop)
    Task {
      let read = try? await players.read(id, isOptional: true, counting: counts)
      eventLoop.execute {
        let (loop, player) = held.value
        player.isReading = false
        if let read { player.take(read) } else { player.isTroubled = true }
        for watcher in player.watchers { loop.enqueue(watcher) }
      }
    }
  }

  func remove(_ watcher: Watcher) {
    guard watcher.isOpen else { return }
    watcher.isOpen = false
    if watcher.stream != nil { show(watcher, "ended", at: watcher.cursor?.sent.game.revision) }
    if let play = watcher.scope.context.play { hub.plays.leave(play, of: watcher.user) }
    watcher.deadline?.cancel()
    if watcher.stream == nil { polls.add(-1, of: watcher.user) }
    release(watcher)
    let group = watcher.group
    group.remove(watcher)
    wheel.remove(watcher)
    if let player = watcher.player {
      player.watchers.removeAll { $0 === watcher }
      if player.watchers.isEmpty {
        group.players[ByteText(player.id.player)] = nil
        hub.unwatch(player.id)
      }
    }
    if group.watchers.isEmpty { groups[group.game] = nil }
  }

  func becameWritable(_ watcher: Watcher) {
    guard watcher.isOpen, watcher.isWritable else { return }
    release(watcher)
    enqueue(watcher)
  }

  /// Applies the changes of a published step, and queues the watchers that it concerns.
  func take(_ notice: WatchNotice) {
    if notice.epoch != epoch || notice.isReplaced {
      epoch = notice.epoch
      for group in groups.values {
        for watcher in group.watchers { watcher.isStale = true }
        for player in group.players.values {
          player.stored = nil
          read(player)
        }
      }
    }
    for snapshot in notice.games {
      if let group = groups[snapshot.game] { move(group, to: snapshot) }
    }
    for game in notice.goneGames {
      for watcher in groups[game]?.watchers ?? [] {
        if case .once(let answer) = watcher.sink {
          // The game is no longer served. The client's next call gets `UNKNOWN_GAME`.
          remove(watcher)
          answer(nil)
        }
        watcher.drop("\(game) is no longer served.", event: "event: gone\ndata: {\"game\":\"\(game)\"}\n\n")
      }
    }
    for (id, stored) in notice.players { change(id) { $0.take(stored) } }
    for (id, revision) in notice.playerRevisions {
      change(id) { player in
        guard let known = player.stored?.revision else { return }
        player.stored?.revision = max(known, revision)
      }
    }
  }

  func change(_ id: PlayerID, _ body: (WatchedPlayer) -> Void) {
    guard let player = groups[id.game]?.players[ByteText(id.player)] else { return }
    body(player)
    for watcher in player.watchers {
      if watcher.isNotified, watcher.cursor == nil { watcher.isStale = true }
      enqueue(watcher)
    }
  }

  func move(_ group: GameWatchers, to snapshot: GameSnapshot) {
    // Only queues the game. Notifying its watchers, possibly 10 000, must not delay the answer to the write.
    if group.move(to: snapshot), fanOut.append(group) { workLater() }
  }
}
