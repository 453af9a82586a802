// Notifications that only time causes: heartbeats, begins and ends of time windows, and values that may change at any time.

internal import GameConfCore
internal import GameConfEngine
internal import NIOCore

extension WatchLoop {
  func noteEdge(_ edge: Instant?) {
    guard let edge, edgeAlarm.map({ edge < $0.at }) ?? true else { return }
    edgeAlarm?.alarm.cancel()
    // Sleeps for at most a second, because the wall clock may be set during the sleep.
    let wait = min(max(edge.milliseconds - clock.now.milliseconds, 1), 1000)
    let alarm = eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(wait)) { self.edgesPassed() }
    edgeAlarm = (edge, alarm)
  }

  func edgesPassed() {
    edgeAlarm = nil
    let host = clock.now
    var next: Instant?
    for group in groups.values {
      for watcher in group.watchers {
        guard let edge = watcher.cursor?.nextEdge else { continue }
        if edge <= host { enqueue(watcher) } else { next = next.map { min($0, edge) } ?? edge }
      }
    }
    noteEdge(next)
  }

  func tickLater() {
    if wheel.start() { eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) { self.tick() } }
  }

  func tick() {
    comment(wheel.tick())
    look()
    for group in groups.values {
      for player in group.players.values where player.isTroubled { read(player) }
    }
    tickLater()
  }

  /// Sends heartbeats to these watchers, in slices of the event loop's time.
  private func comment(_ watchers: ArraySlice<Watcher>) {
    let end: NIODeadline = eventLoop.now + WatchTiming.slice
    var left = watchers
    while let watcher = left.popFirst() {
      if watcher.isOpen, watcher.isWritable { comment(watcher) }
      if eventLoop.now >= end { break }
    }
    if left.isEmpty { return }
    eventLoop.assumeIsolated().scheduleTask(in: WatchTiming.rest) { [left] in self.comment(left) }
  }

  /// Sends a watcher a heartbeat. Its id is the present position if the watcher has missed nothing.
  func comment(_ watcher: Watcher) {
    guard var cursor = watcher.cursor else { return watcher.comment(nil) }
    let host = clock.now
    if !watcher.isDue, !watcher.isStale, !cursor.isTimeDependent, cursor.nextEdge.map({ $0 > host }) ?? true {
      cursor.pass(to: host)
      watcher.cursor = cursor
    }
    watcher.comment(cursor.position(epoch: epoch))
  }

  /// Queues watchers whose values may change at any time, so that they are evaluated again. A budget limits the evaluations in each second,
  /// and the next second continues with the next watcher.
  func look() {
    let all = groups.values.flatMap { group in group.frame.clockPositions.isEmpty ? [] : group.watchers }
    figures.look(among: all) { enqueue($0) }
  }
}

extension Watcher {
  /// The number of evaluations to find changes of the watcher's values that may change at any time: two for each such value.
  var looks: Int { group.frame.clockPositions.count * 2 }
}
