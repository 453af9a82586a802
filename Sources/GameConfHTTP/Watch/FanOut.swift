// The order in which the watchers of one event loop are notified, as a state machine without an event loop or a clock.

internal import NIOCore

/// The queues of notifications, and the round that works through them.
///
/// A round notifies the watchers of the games that had changed when it began, alternating with watchers that have individual events.
/// ``WatchLoop`` schedules the slices of a round and sends the events.
struct FanOut {
  private typealias Pace = WatchLoop.Pace

  /// The watchers with individual events, from the head on.
  private var due: [Watcher] = []
  private var dueHead = 0
  /// The games whose watchers are being notified in this round, and those that have changed since it began.
  private var telling: [GameWatchers] = []
  private var tellingAt = 0
  private var moved: [GameWatchers] = []
  private var takesOwn = false
  /// True while a round is scheduled or running.
  private var isScheduled = false
  private var roundBegan: NIODeadline?
  private var roundWork = TimeAmount.zero
  private var nextRound = NIODeadline.uptimeNanoseconds(0)

  /// True if a game, or a watcher with an individual event, waits for the next round.
  var isWaiting: Bool { !moved.isEmpty || dueHead < due.count }

  /// Queues an individual event.
  /// - Returns: False if the watcher is queued already or closed.
  mutating func append(_ watcher: Watcher) -> Bool {
    if watcher.isDue || !watcher.isOpen { return false }
    watcher.isDue = true
    due.append(watcher)
    return true
  }

  /// Queues a changed game for the next round.
  /// - Returns: False if the game is queued already.
  mutating func append(_ room: GameWatchers) -> Bool {
    if room.isMoved { return false }
    room.isMoved = true
    moved.append(room)
    return true
  }

  /// Schedules a round.
  /// - Returns: The start of its first slice; nil if a round is scheduled already.
  mutating func schedule(_ now: @autoclosure () -> NIODeadline) -> NIODeadline? {
    if isScheduled { return nil }
    isScheduled = true
    return max(now() + Pace.start, nextRound)
  }

  /// Begins the scheduled round with the games that have changed, unless it has begun. A game that changes during the round waits for the next one.
  mutating func begin(_ now: NIODeadline) {
    if roundBegan != nil { return }
    (roundBegan, roundWork) = (now, .zero)
    (telling, moved, tellingAt) = (moved, [], 0)
    for room in telling {
      room.isMoved = false
      room.untold = room.watchers.count
    }
  }

  /// Returns the next watcher to notify, alternating between individual events and changes of games.
  mutating func next() -> Watcher? {
    takesOwn.toggle()
    return takesOwn ? nextOwn() ?? nextUntold() : nextUntold() ?? nextOwn()
  }

  private mutating func nextOwn() -> Watcher? {
    guard dueHead < due.count else { return nil }
    let watcher = due[dueHead]
    dueHead += 1
    watcher.isDue = false
    return watcher
  }

  /// Returns a watcher of the next changed game, round-robin among games.
  private mutating func nextUntold() -> Watcher? {
    while !telling.isEmpty {
      if tellingAt >= telling.count { tellingAt = 0 }
      let room = telling[tellingAt]
      guard room.untold > 0 else {
        telling.remove(at: tellingAt)
        continue
      }
      room.untold -= 1
      tellingAt += 1
      return room.watchers[room.untold]
    }
    return nil
  }

  /// Adds the processor time of a slice to the round.
  /// - Returns: True if no watcher is left to notify.
  mutating func endSlice(work: TimeAmount) -> Bool {
    roundWork = roundWork + work
    guard dueHead == due.count, telling.isEmpty else { return false }
    due.removeAll(keepingCapacity: due.count <= 16_384)
    dueHead = 0
    return true
  }

  /// Ends the round. The next round starts after a pause that is a multiple of the processor time of this one.
  /// - Returns: The duration of the round.
  mutating func endRound(_ now: NIODeadline) -> TimeAmount {
    let began = roundBegan ?? now
    isScheduled = false
    roundBegan = nil
    nextRound = began + min(Pace.betweenMax, max(Pace.between, .nanoseconds(roundWork.nanoseconds * Pace.betweenFactor)))
    return now - began
  }
}
