// The scheduling of notifications on one event loop: the order of watchers, and slices of the event loop's time.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer
internal import NIOCore

extension WatchLoop {
  func enqueue(_ watcher: Watcher) {
    if fanOut.append(watcher) { workLater() }
  }

  func workLater() {
    guard let start = fanOut.schedule(eventLoop.now) else { return }
    eventLoop.assumeIsolated().scheduleTask(deadline: start) { self.work(after: nil) }
  }

  /// Notifies watchers for the duration of one slice.
  /// - Parameter worked: The thread's processor time at the end of the last slice; nil for the first slice and after a rest.
  func work(after worked: Int64?) {
    let (began, workBegan) = (eventLoop.now, ThreadTime.nanoseconds)
    // The event loop did other work since the last slice, so notifications rest for the time of three slices. The measure is processor
    // time, because it does not include the time in which another process had the processor.
    if let worked, workBegan - worked > WatchTiming.idle.nanoseconds {
      eventLoop.assumeIsolated().scheduleTask(in: WatchTiming.rest) { self.work(after: nil) }
      return
    }
    fanOut.begin(began)
    let host = clock.now
    let end = began + WatchTiming.slice
    while let watcher = fanOut.next() {
      notify(watcher, host: host)
      if eventLoop.now >= end { break }
    }
    // Counts only the time for changes. Whole states are sent in the rest of the slice and delay no change.
    let isDone = fanOut.endSlice(work: .nanoseconds(ThreadTime.nanoseconds - workBegan))
    if isDone { while eventLoop.now < end, sendState(host: host) {} }
    if !isDone || states.isSendable {
      let worked = ThreadTime.nanoseconds
      eventLoop.assumeIsolated().execute { self.work(after: worked) }
    } else {
      figures.noteRound(fanOut.endRound(eventLoop.now))
      if fanOut.isWaiting { workLater() }
    }
  }

  func notify(_ watcher: Watcher, host: Instant) {
    guard watcher.isOpen, !watcher.awaitsState else { return }
    if let player = watcher.player, player.stored == nil, !player.isTroubled { return }
    // A slow client gets no event now. When it can read again, it gets one difference to the state at that time.
    guard watcher.isWritable else { return }
    let game = watcher.group.frame.game
    guard !watcher.isStale, var cursor = watcher.cursor else { return begin(watcher, host: host) }
    let state = cursor.next(game, player: watcher.player?.stored, host: host)
    let step = watcher.group.step(from: cursor.sent.game)
    let update = cursor.move(to: state, by: step, watcher.scope)
    watcher.cursor = cursor
    noteEdge(cursor.nextEdge)
    if case .notices = watcher.sink {
      // The attributes of the client's next evaluation are unknown, so it is notified of any change that could affect some caller.
      if case .nothing = update, !step.mayTouch { return }
      return send([], to: watcher, state)
    }
    switch update {
    case .nothing: break
    case .shared:
      send(watcher.group.sharedChange(step, watcher.scope.selection, images), to: watcher, state)
    case .own(let difference): send(watcher.group.change(difference, watcher.scope, state, images), to: watcher, state)
    }
  }

  /// Sends a watcher its first event, or the changes since the position from which it resumes.
  func begin(_ watcher: Watcher, host: Instant) {
    let frame = watcher.group.frame
    let state = WatchedState(frame.game, player: watcher.player?.stored, host: max(host, watcher.cursor?.sent.host ?? host))
    if !watcher.isStale, let position = watcher.resumed, position.epoch == epoch {
      let due = hub.due(since: position.revision, at: frame.game.revision, in: frame.game.game, player: watcher.scope.context.player)
      if case .keys(let keys) = due, position.instant <= state.host,
        let difference = watcher.scope.resumption(from: position, to: state, epoch: epoch, keys: keys)
      {
        set(watcher, state, frame)
        if !difference.isEmpty {
          send(watcher.group.change(difference, watcher.scope, state, images), to: watcher, state)
        } else if watcher.takesImages {
          // A client library waits for a first frame. The heartbeat confirms that the client's image is still valid.
          watcher.comment(watcher.cursor?.position(epoch: epoch))
        }
        return
      }
    }
    switch watcher.sink {
    case .events, .images: break
    case .once, .notices:
      // A whole state would include changes since the request. A watcher that gets only notifications must be notified of them.
      let isPassed = watcher.isNotified && watcher.revisionAtStart != frame.game.revision
      let isDue = watcher.resumed != nil || watcher.isStale || isPassed
      set(watcher, state, frame)
      if isDue { send([], to: watcher, state) }
      return
    }
    states.append(watcher)
  }

  func set(_ watcher: Watcher, _ state: WatchedState, _ frame: WatchedSnapshot) {
    let cursor = WatchCursor(watcher.scope, sent: state, frame)
    watcher.cursor = cursor
    watcher.isStale = false
    watcher.resumed = nil
    noteEdge(cursor.nextEdge)
  }

  /// Sends the next waiting watcher its whole state. Returns false if no watcher waits for one or the quotas are used up.
  func sendState(host: Instant) -> Bool {
    guard let watcher = states.popFirst() else { return false }
    guard watcher.isOpen else { return true }
    if let player = watcher.player, player.stored == nil, !player.isTroubled { return true }
    let frame = watcher.group.frame
    let state = WatchedState(
      frame.game, player: watcher.player?.stored, host: watcher.cursor?.next(frame.game, player: nil, host: host).host ?? host)
    set(watcher, state, frame)
    guard let bytes = watcher.group.stateBytes(watcher.scope, state, images) else {
      watcher.drop("An image may have \(ImageWriter.bytesMax) bytes, and this one would have more: watch fewer keys.", event: "")
      return true
    }
    send(bytes, to: watcher, state, isState: true)
    if watcher.isOpen, !watcher.isWritable { states.hold(bytes.count, for: watcher) }
    return true
  }

  func release(_ watcher: Watcher) {
    if states.release(watcher) { workLater() }
  }

  /// Sends a watcher an event that many watchers get. Watchers at the same position are sent the same buffer.
  private func send(_ change: SharedChange, to watcher: Watcher, _ state: WatchedState) {
    guard case .events(let stream) = watcher.sink, stream.isChunked, change.text != nil else {
      if change.text?.isEmpty != true { send(change.text, to: watcher, state) }
      return
    }
    if let event = change.event(at: position(of: state)) {
      stream.write(framed: event)
      show(watcher, "sent", at: state.game.revision)
    }
  }

  /// Shows viewers of live requests that a watcher was sent a revision, or that its connection ended.
  func show(_ watcher: Watcher, _ what: String, at revision: Int64?) {
    guard let views = hub.views, views.isLooking else { return }
    let (game, player) = (watcher.group.game, watcher.scope.context.player)
    var line = LiveLine(.watch, at: clock.now, game: game)
    line.door = "watch"
    line.what = what
    (line.reader, line.uid, line.player) = (watcher.reader.text, Int64(watcher.user), player)
    (line.since, line.revision) = (watcher.since, revision)
    views.note(line, game: game, player: player)
  }

  /// - Parameter bytes: The event without its id. If it is nil, the event exceeds its limit and the whole state is sent instead.
  func send(_ bytes: [UInt8]?, to watcher: Watcher, _ state: WatchedState, isState: Bool = false) {
    guard let text = bytes else {
      watcher.isStale = true
      return enqueue(watcher)
    }
    let position = position(of: state)
    if watcher.stream != nil { show(watcher, "sent", at: state.game.revision) }
    switch watcher.sink {
    case .events(let stream):
      let id = WatchEventEncoder.id(position)
      stream.write(Array(id.utf8), text)
    case .images(let stream):
      stream.write(ImageFrame.head(isState ? .image : .patch, id: position.text, payloadBytes: text.count), text)
    case .notices(let stream, let make):
      stream.write(ByteBuffer(bytes: make(position)))
    case .once(let answer):
      remove(watcher)
      answer(state)
    }
  }

  private func position(of state: WatchedState) -> WatchPosition {
    WatchPosition(epoch: epoch, revision: state.game.revision, playerRevision: state.player?.revision ?? 0, instant: state.host)
  }
}
