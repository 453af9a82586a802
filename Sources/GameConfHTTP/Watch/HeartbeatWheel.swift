// The schedule of the heartbeats of one event loop's watchers, spread evenly over the seconds.

/// A timer wheel with one slot for each second between two heartbeats. A watcher with a stream is in one slot, and gets a heartbeat when
/// the wheel reaches that slot.
struct HeartbeatWheel {
  private var slots: [[Watcher]] = Array(repeating: [], count: WatchLoop.WatchTiming.commentSeconds)
  private var nextSlot = 0
  private var second = 0
  /// The number of watchers, including waiting calls, which are in no slot.
  private var count = 0
  private var isTicking = false

  mutating func add(_ watcher: Watcher) {
    count += 1
    if watcher.stream == nil { return }
    watcher.slot = nextSlot
    nextSlot = (nextSlot + 1) % slots.count
    watcher.slotPlace = slots[watcher.slot].count
    slots[watcher.slot].append(watcher)
  }

  mutating func remove(_ watcher: Watcher) {
    count -= 1
    if watcher.stream == nil { return }
    let last = slots[watcher.slot].count - 1
    slots[watcher.slot].swapAt(watcher.slotPlace, last)
    slots[watcher.slot][watcher.slotPlace].slotPlace = watcher.slotPlace
    slots[watcher.slot].removeLast()
  }

  /// Starts a second, at the end of which the caller must call ``tick()``.
  /// - Returns: False if a second is running already, or if there are no watchers.
  mutating func start() -> Bool {
    if isTicking || count == 0 { return false }
    isTicking = true
    return true
  }

  /// Ends the running second, moves to the next slot, and returns the watchers in that slot.
  mutating func tick() -> ArraySlice<Watcher> {
    isTicking = false
    second += 1
    return slots[second % slots.count][...]
  }
}
