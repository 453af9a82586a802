// The watches with which admins follow all games, new rows of the audit log, and degradations.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage
internal import GameConfServer
internal import NIOCore

struct AdminNotice: Sendable {
  /// The number of this step. A reconnecting client resumes after it.
  var step: Int64
  var world: World
  /// The games with a new revision or new degradations.
  var games: [GameSnapshot] = []
  var goneGames: [String] = []
  var lines: [AuditRecord] = []
  /// The id of the newest row of the audit log, if there may be rows that are not in `lines`.
  var logReaches: Int64?
  /// The health of the store; nil if the step did not change it.
  var store: StoreHealth?
  /// True if the degradations have changed.
  var isOfDegradations = false
}

/// The admins' watchers that are connected on one event loop.
///
/// A reconnecting watcher is sent the present state of the games and the store. Each row of the audit log is sent once, in the order of
/// ids. A gap in the ids means that another host has written rows; the audit log is then read from the store.
final class AdminWatches {
  /// The maximum number of missed rows to send. A reconnecting watcher that missed more gets the state, and must read the audit log itself.
  static let linesMax = AuditSelection.linesMax

  private final class AdminWatcher {
    let stream: OutgoingStream
    let role: PeerRole
    /// The last position that was sent to the watcher, or from which it resumes; nil until one is known.
    var position: AdminPosition?
    /// True if the watcher was sent the state, or the events that it missed.
    var hasBegun = false
    /// True while the audit log is read for the watcher. Nothing else is sent to the watcher during the read.
    var isCatchingUp = false
    /// True if an event was not sent, because the audit log was being read or because the client did not read.
    var isBehind = false

    init(_ stream: OutgoingStream, _ role: PeerRole, _ position: AdminPosition?) {
      self.stream = stream
      self.role = role
      self.position = position
    }
  }

  private unowned let hub: WatchHub
  private let store: any Store
  private let health: DaemonHealth
  private let secrets: SecretReaders
  private let eventLoop: any EventLoop
  private var watchers: [ObjectIdentifier: AdminWatcher] = [:]
  private var comments: Scheduled<Void>?

  init(_ hub: WatchHub, _ services: DaemonServices, on eventLoop: any EventLoop) {
    self.hub = hub
    store = services.store
    health = services.health
    secrets = services.secrets
    self.eventLoop = eventLoop
  }

  /// The user of each watcher, with the number of bytes that its client has not read.
  var watched: [(user: UInt32, bytes: Int)] { watchers.values.map { ($0.role.uid, $0.stream.bytesQueued) } }

  /// Adds a connection, and sends it the state or the events that it missed.
  func add(_ stream: OutgoingStream, _ role: PeerRole, resumed position: AdminPosition?) {
    let watcher = AdminWatcher(stream, role, position)
    let id = ObjectIdentifier(watcher)
    watchers[id] = watcher
    stream.onClosed = { [weak self] in self?.remove(id) }
    stream.onWritable = { [weak self, weak watcher] in
      if let self, let watcher, watcher.isBehind, watcher.stream.isWritable { self.catchUp(watcher) }
    }
    stream.onDrain = { [weak watcher] in
      watcher?.stream.write(ByteBuffer(string: "retry: \(Int.random(in: 200...2000))\n\n"))
      watcher?.stream.finish()
    }
    catchUp(watcher)
    if comments == nil { commentLater() }
  }

  private func commentLater() {
    comments = eventLoop.assumeIsolated().scheduleTask(in: .seconds(Int64(WatchLoop.WatchTiming.commentSeconds))) {
      for watcher in self.watchers.values where watcher.stream.isWritable { watcher.stream.write(ByteBuffer(string: ":\n\n")) }
      self.commentLater()
    }
  }

  private func remove(_ id: ObjectIdentifier) {
    watchers[id] = nil
    if watchers.isEmpty {
      comments?.cancel()
      comments = nil
    }
  }

  /// Sends the changes of a step to all watchers.
  func take(_ notice: AdminNotice) {
    for watcher in watchers.values {
      if watcher.isCatchingUp || watcher.isBehind || !watcher.stream.isWritable {
        watcher.isBehind = true
        continue
      }
      guard var position = watcher.position else { continue }
      // After a restore, positions in the audit log are no longer comparable.
      if position.epoch != notice.world.epoch {
        catchUp(watcher)
        continue
      }
      // A watcher that caught up meanwhile has received this step already.
      if notice.step > position.step {
        position.step = notice.step
        let all = notice.games.isEmpty ? [] : health.degradations(in: notice.world)
        for game in notice.games { send(.game, summary(of: game, all).wire, position, to: watcher) }
        for game in notice.goneGames { send(.gone, ["game": .string(game)], position, to: watcher) }
        if let store = notice.store { send(.store, ["state": .string(store.word)], position, to: watcher) }
        if notice.isOfDegradations { send(.degraded, ["degraded": degraded(in: notice.world, for: watcher)], position, to: watcher) }
      }
      let newest = max(notice.logReaches ?? 0, notice.lines.map(\.id).max() ?? 0)
      sendLines(notice.lines, of: notice.world, &position, to: watcher)
      watcher.position = position
      if position.line < newest { catchUp(watcher) }
    }
  }

  /// Sends the rows of the audit log that continue the watcher's position without a gap.
  /// - Parameter isFromLog: True if the rows were read from the audit log, whose ids may have gaps.
  private func sendLines(
    _ lines: [AuditRecord], of world: World, _ position: inout AdminPosition, to watcher: AdminWatcher, isFromLog: Bool = false
  ) {
    for line in lines where line.id == position.line + 1 || (isFromLog && line.id > position.line) {
      position.line = line.id
      let hidden = line.game.flatMap { world[$0] }.map { secrets.hidden(from: watcher.role, in: $0) } ?? HiddenKeys.all
      send(.audit, line.wire(hiding: hidden).wire, position, to: watcher)
    }
  }

  /// Reads the audit log since the watcher's position, and sends its rows and the state.
  private func catchUp(_ watcher: AdminWatcher) {
    if watcher.isCatchingUp || !watcher.stream.isOpen { return }
    watcher.isCatchingUp = true
    watcher.isBehind = false
    let after = watcher.position?.line
    let read = eventLoop.makeFutureWithTask { [store] in await Self.log(of: store, after: after) }
    read.assumeIsolated().whenSuccess { log in self.catchUp(watcher, with: log) }
  }

  /// Returns the id of the newest row of the audit log, and the rows with ids above `after`; nil if the store cannot be read.
  private static func log(of store: any Store, after: Int64?) async -> AuditLogRead? {
    try? await store.read(deadlineMilliseconds: readMilliseconds) { view in
      let newest = try view.audits(AuditSelection(limit: 1)).first?.id ?? 0
      // A position beyond the newest row is from an audit log that a restore has replaced.
      guard let after, after < newest else { return AuditLogRead(newest: newest, missed: []) }
      return AuditLogRead(newest: newest, missed: try view.audits(AuditSelection(after: after, limit: linesMax)).reversed())
    }
  }

  /// The time limit of a read of the audit log.
  private static let readMilliseconds = 2_000
  /// The pause before a failed read of the audit log is repeated.
  private static let logAgainMilliseconds: Int64 = 1_000

  private struct AuditLogRead: Sendable {
    var newest: Int64
    /// The rows that the watcher missed, oldest first.
    var missed: [AuditRecord]
  }

  /// - Parameter log: The rows of the audit log; nil if the store could not be read.
  private func catchUp(_ watcher: AdminWatcher, with log: AuditLogRead?) {
    watcher.isCatchingUp = false
    guard watcher.stream.isOpen else { return }
    let (world, ring) = hub.adminState
    let known = watcher.position.flatMap { $0.epoch == world.epoch ? $0 : nil }
    var position = AdminPosition(epoch: world.epoch, line: log?.newest ?? known?.line ?? 0, run: ring.run, step: ring.step)
    var missed: [AuditRecord] = []
    let isAllRead = log.map { log in log.missed.last.map { $0.id >= log.newest } ?? ((known?.line ?? 0) <= log.newest) } ?? false
    if let known, let log, isAllRead || (watcher.hasBegun && !log.missed.isEmpty) {
      missed = log.missed
      position.line = known.line
    }
    // One read did not return all missed rows. A reconnecting watcher gets the state instead, and a connected watcher gets the remaining
    // rows later.
    let isWhole = known == nil || (log != nil && position.line != known?.line)
    if let known, !isWhole, let due = ring.due(since: known) {
      let all = health.degradations(in: world)
      for game in due.games.sorted() {
        if let snapshot = world[game] {
          send(.game, summary(of: snapshot, all).wire, position, to: watcher)
        } else {
          send(.gone, ["game": .string(game)], position, to: watcher)
        }
      }
      if due.isOfStore {
        send(.store, ["state": .string(health.store.health.word)], position, to: watcher)
        send(.degraded, ["degraded": degraded(in: world, for: watcher)], position, to: watcher)
      }
    } else {
      let all = health.degradations(in: world)
      let games: [Value] = world.games.map { summary(of: $0, all).wire }
      let state: Value = [
        "games": .list(games), "store": ["state": .string(health.store.health.word)], "degraded": degraded(in: world, for: watcher),
      ]
      send(.state, state, position, to: watcher)
    }
    sendLines(missed, of: world, &position, to: watcher, isFromLog: true)
    // Without the audit log, the row from which a new watcher continues is unknown.
    watcher.position = log == nil && known == nil ? nil : position
    watcher.hasBegun = watcher.position != nil
    if log == nil {
      watcher.isBehind = true
      return catchUpLater(watcher)
    }
    if !isAllRead, !isWhole { watcher.isBehind = true }
    if watcher.isBehind, watcher.stream.isWritable { catchUp(watcher) }
  }

  private func catchUpLater(_ watcher: AdminWatcher) {
    _ = eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(Self.logAgainMilliseconds)) { [weak watcher] in
      if let watcher, watcher.isBehind, watcher.stream.isWritable { self.catchUp(watcher) }
    }
  }

  private func summary(of game: GameSnapshot, _ degraded: [GameConfAPI.Degradation]) -> GameSummary {
    GameSummary(
      game: game.game, title: game.catalog.title, revision: game.revision, degraded: degraded.filter { $0.game == game.game })
  }

  private func degraded(in world: World, for watcher: AdminWatcher) -> Value {
    .list(health.degradations(in: world, visibleTo: watcher.role).map(\.wire))
  }

  private enum AdminEvent: String { case state, game, gone, audit, store, degraded }

  private func send(_ event: AdminEvent, _ data: Value, _ position: AdminPosition, to watcher: AdminWatcher) {
    let text = "id: \(position.text)\nevent: \(event.rawValue)\ndata: \(JSONWriter.text(data))\n\n"
    watcher.stream.write(ByteBuffer(string: text))
  }
}
