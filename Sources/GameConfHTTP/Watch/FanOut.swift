// The order in which the watchers of one event loop are notified, as a state machine without an event loop or a clock.

internal import NIOCore

/// The queues of notifications, and the round that works through them.
///
/// A round notifies the watchers of the games that had changed when it began, alternating with watchers that have individual events.
/// ``WatchLoop`` schedules the slices of a round and sends the events.
struct FanOut {
  private typealias WatchTiming = WatchLoop.WatchTiming

  /// The watchers with individual events, from the head on.
  private var due: [Watcher] = []
  private var dueHead = 0
  /// The games whose watchers are being notified in this round, and those that have changed since it began.
  private var notifying: [GameWatchers] = []
  private var notifyingAt = 0
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
  mutating func append(_ group: GameWatchers) -> Bool {
    if group.isMoved { return false }
    group.isMoved = true
    moved.append(group)
    return true
  }

  /// Schedules a round.
  /// - Returns: The start of its first slice; nil if a round is scheduled already.
  mutating func schedule(_ now: @autoclosure () -> NIODeadline) -> NIODeadline? {
    if isScheduled { return nil }
    isScheduled = true
    return max(now() + WatchTiming.start, nextRound)
  }

  /// Begins the scheduled round with the games that have changed, unless it has begun. A game that changes during the round waits for the next one.
  mutating func begin(_ now: NIODeadline) {
    if roundBegan != nil { return }
    (roundBegan, roundWork) = (now, .zero)
    (notifying, moved, notifyingAt) = (moved, [], 0)
    for group in notifying {
      group.isMoved = false
      group.unnotified = group.watchers.count
    }
  }

  /// Returns the next watcher to notify, alternating between individual events and changes of games.
  mutating func next() -> Watcher? {
    takesOwn.toggle()
    return takesOwn ? nextOwn() ?? nextUnnotified() : nextUnnotified() ?? nextOwn()
  }

  private mutating func nextOwn() -> Watcher? {
    guard dueHead < due.count else { return nil }
    let watcher = due[dueHead]
    dueHead += 1
    watcher.isDue = false
    return watcher
  }

  /// Returns a watcher of the next changed game, round-robin among games.
  private mutating func nextUnnotified() -> Watcher? {
    while !notifying.isEmpty {
      if notifyingAt >= notifying.count { notifyingAt = 0 }
      let group = notifying[notifyingAt]
      guard group.unnotified > 0 else {
        notifying.remove(at: notifyingAt)
        continue
      }
      group.unnotified -= 1
      notifyingAt += 1
      return group.watchers[group.unnotified]
    }
    return nil
  }

  /// Adds the processor time of a slice to the round.
  /// - Returns: True if no watcher is left to notify.
  mutating func endSlice(work: TimeAmount) -> Bool {
    roundWork = roundWork + work
    guard dueHead == due.count, notifying.isEmpty else { return false }
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
    let pause = TimeAmount.nanoseconds(roundWork.nanoseconds * WatchTiming.betweenFactor)
    nextRound = began + min(WatchTiming.betweenMax, max(WatchTiming.between, pause))
    return now - began
  }
}
