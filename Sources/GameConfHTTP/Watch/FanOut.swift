// The order in which the watchers of one event loop are notified, as a state machine without an event loop or a clock.

internal import NIOCore

/// The queues of watchers to notify, and the round over these queues that is in progress.
///
/// A round notifies the watchers of the games that had changed when it began. It alternates between them and watchers with an individual
/// event, such as a change of one player. ``WatchLoop`` schedules a round in slices and sends the events.
struct FanOut {
  private typealias WatchTiming = WatchLoop.WatchTiming

  /// The queue of watchers with an individual event. Watchers before `dueHead` have been notified.
  private var due: [Watcher] = []
  private var dueHead = 0
  /// The games whose watchers this round notifies. Games that have changed since the round began are in `moved`.
  private var notifying: [GameWatchers] = []
  private var notifyingAt = 0
  private var moved: [GameWatchers] = []
  private var takesOwn = false
  /// True while a round over the queued watchers is scheduled or running.
  private var isScheduled = false
  private var roundBegan: NIODeadline?
  private var roundWork = TimeAmount.zero
  private var nextRound = NIODeadline.uptimeNanoseconds(0)

  /// True if a changed game, or a watcher with an individual event, waits to be notified.
  var isWaiting: Bool { !moved.isEmpty || dueHead < due.count }

  /// Queues a watcher for an individual event.
  /// - Returns: False if the watcher is queued already or closed.
  mutating func append(_ watcher: Watcher) -> Bool {
    if watcher.isDue || !watcher.isOpen { return false }
    watcher.isDue = true
    due.append(watcher)
    return true
  }

  /// Queues a changed game for the next round over its watchers.
  /// - Returns: False if the game is queued already.
  mutating func append(_ group: GameWatchers) -> Bool {
    if group.isMoved { return false }
    group.isMoved = true
    moved.append(group)
    return true
  }

  /// Schedules a round over the queued watchers.
  /// - Returns: The start of the round's first slice; nil if a round is scheduled already.
  mutating func schedule(_ now: @autoclosure () -> NIODeadline) -> NIODeadline? {
    if isScheduled { return nil }
    isScheduled = true
    return max(now() + WatchTiming.start, nextRound)
  }

  /// Begins the scheduled round with the games that have changed. Does nothing if the round has begun. A game that changes during the round
  /// waits for the next round.
  mutating func begin(_ now: NIODeadline) {
    if roundBegan != nil { return }
    (roundBegan, roundWork) = (now, .zero)
    (notifying, moved, notifyingAt) = (moved, [], 0)
    for group in notifying {
      group.isMoved = false
      group.unnotified = group.watchers.count
    }
  }

  /// Returns the next watcher to notify, alternating between individual events and changed games.
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

  /// Returns the next watcher of a changed game, round-robin among the games.
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

  /// Ends a slice and adds its processor time to that of the round.
  /// - Returns: True if no watcher is left to notify.
  mutating func endSlice(work: TimeAmount) -> Bool {
    roundWork = roundWork + work
    guard dueHead == due.count, notifying.isEmpty else { return false }
    due.removeAll(keepingCapacity: due.count <= 16_384)
    dueHead = 0
    return true
  }

  /// Ends the round. The next round begins at the earliest when a multiple of this round's processor time has passed since its start.
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
