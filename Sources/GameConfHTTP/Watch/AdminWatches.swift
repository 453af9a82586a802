// Watches of the daemon as a whole: its games, new lines of their audit logs, what is degraded.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage
internal import GameConfServer
internal import NIOCore

/// The notice to admins of a step.
struct AdminNotice: Sendable {
  /// The step's number; nil for one that is about lines only.
  var step: Int64
  var world: World
  /// The games that have another revision or are degraded otherwise.
  var games: [GameSnapshot] = []
  var goneGames: [String] = []
  var lines: [AuditRecord] = []
  /// The id up to which the log has lines, where others than these may be among them.
  var logReaches: Int64?
  /// The health of the store, where the step is about that.
  var store: StoreHealth?
  /// True if the step is about what is degraded.
  var isOfDegradations = false
}

/// The admins' watchers of one event loop.
///
/// Games and the store are states: who comes back is sent their present state. Lines of the audit log are steps: each is sent once, in the order of
/// their ids. A line that does not follow the one before shows that another host has written between the two: then the log itself is read.
final class AdminWatches {
  /// The most missed lines that are sent; beyond that one who comes back is sent the state, and reads the log.
  static let linesMax = AuditSelection.linesMax

  /// A connection.
  private final class Watcher {
    let stream: OutgoingStream
    let role: PeerRole
    /// The position that the watcher has, or says it had; nil until it was sent anything.
    var position: AdminPosition?
    /// True if it was sent the state, or what it had missed before it came back.
    var hasBegun = false
    /// True if the log is being read for it; nothing else is sent meanwhile.
    var isCatchingUp = false
    /// True if something was left out meanwhile, or because the client did not take it.
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
  private var watchers: [ObjectIdentifier: Watcher] = [:]
  private var comments: Scheduled<Void>?

  init(_ hub: WatchHub, _ services: DaemonServices, on eventLoop: any EventLoop) {
    self.hub = hub
    store = services.store
    health = services.health
    secrets = services.secrets
    self.eventLoop = eventLoop
  }

  /// The users of the watchers, with the bytes that wait for each.
  var watched: [(user: UInt32, bytes: Int)] { watchers.values.map { ($0.role.uid, $0.stream.bytesQueued) } }

  /// Adds a connection, and sends it the state or what it missed.
  func add(_ stream: OutgoingStream, _ role: PeerRole, resumed position: AdminPosition?) {
    let watcher = Watcher(stream, role, position)
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
    comments = eventLoop.assumeIsolated().scheduleTask(in: .seconds(Int64(WatchLoop.Pace.commentSeconds))) {
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

  /// Sends what a step changed.
  func take(_ notice: AdminNotice) {
    for watcher in watchers.values {
      if watcher.isCatchingUp || watcher.isBehind || !watcher.stream.isWritable {
        watcher.isBehind = true
        continue
      }
      guard var position = watcher.position else { continue }
      // Lines of another epoch are another log's.
      if position.epoch != notice.world.epoch {
        catchUp(watcher)
        continue
      }
      // What the log or the ring had already is not sent again.
      if notice.step > position.step {
        position.step = notice.step
        let all = notice.games.isEmpty ? [] : health.degradations(in: notice.world)
        for game in notice.games { send(.game, summary(of: game, all).wire, position, to: watcher) }
        for game in notice.goneGames { send(.gone, ["game": .string(game)], position, to: watcher) }
        if let store = notice.store { send(.store, ["state": .string(store.word)], position, to: watcher) }
        if notice.isOfDegradations { send(.degraded, ["degraded": degraded(in: notice.world, for: watcher)], position, to: watcher) }
      }
      let newest = max(notice.logReaches ?? 0, notice.lines.map(\.id).max() ?? 0)
      tell(notice.lines, of: notice.world, &position, to: watcher)
      watcher.position = position
      if position.line < newest { catchUp(watcher) }
    }
  }

  /// Sends lines that follow the one that was sent last, each the next.
  /// - Parameter isFromLog: whether they are of the log itself, so that nothing is between them.
  private func tell(
    _ lines: [AuditRecord], of world: World, _ position: inout AdminPosition, to watcher: Watcher, isFromLog: Bool = false
  ) {
    for line in lines where line.id == position.line + 1 || (isFromLog && line.id > position.line) {
      position.line = line.id
      let hidden = line.game.flatMap { world[$0] }.map { secrets.hidden(from: watcher.role, in: $0) } ?? HiddenKeys.all
      send(.audit, line.wire(hiding: hidden).wire, position, to: watcher)
    }
  }

  /// Reads what the log has since the watcher's position, and sends that and the state.
  private func catchUp(_ watcher: Watcher) {
    if watcher.isCatchingUp || !watcher.stream.isOpen { return }
    watcher.isCatchingUp = true
    watcher.isBehind = false
    let after = watcher.position?.line
    let read = eventLoop.makeFutureWithTask { [store] in await Self.log(of: store, after: after) }
    read.assumeIsolated().whenSuccess { log in self.catchUp(watcher, with: log) }
  }

  /// The lines of the log; nil when the store cannot be asked.
  private static func log(of store: any Store, after: Int64?) async -> Log? {
    try? await store.read(deadlineMilliseconds: readMilliseconds) { view in
      let newest = try view.audits(AuditSelection(limit: 1)).first?.id ?? 0
      // A line that is not there yet was sent by another log, of an epoch that is over.
      guard let after, after < newest else { return Log(newest: newest, missed: []) }
      return Log(newest: newest, missed: try view.audits(AuditSelection(after: after, limit: linesMax)).reversed())
    }
  }

  /// The longest time that a read of the log may take.
  private static let readMilliseconds = 2_000
  /// The time for which a log that could not be read is left before it is read again.
  private static let logAgainMilliseconds: Int64 = 1_000

  private struct Log: Sendable {
    var newest: Int64
    /// The oldest first.
    var missed: [AuditRecord]
  }

  /// - Parameter log: nil when the store could not be asked.
  private func catchUp(_ watcher: Watcher, with log: Log?) {
    watcher.isCatchingUp = false
    guard watcher.stream.isOpen else { return }
    let (world, ring) = hub.adminState
    let told = watcher.position.flatMap { $0.epoch == world.epoch ? $0 : nil }
    var position = AdminPosition(epoch: world.epoch, line: log?.newest ?? told?.line ?? 0, run: ring.run, step: ring.step)
    var missed: [AuditRecord] = []
    let isAllRead = log.map { log in log.missed.last.map { $0.id >= log.newest } ?? ((told?.line ?? 0) <= log.newest) } ?? false
    if let told, let log, isAllRead || (watcher.hasBegun && !log.missed.isEmpty) {
      missed = log.missed
      position.line = told.line
    }
    // With more lines missed than are read at once, everything begins again for one who comes back; for one who is there the rest follows.
    let isWhole = told == nil || (log != nil && position.line != told?.line)
    if let told, !isWhole, let due = ring.due(since: told) {
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
    tell(missed, of: world, &position, to: watcher, isFromLog: true)
    // Without the log nothing says from where a new watcher is to be sent lines.
    watcher.position = log == nil && told == nil ? nil : position
    watcher.hasBegun = watcher.position != nil
    if log == nil {
      watcher.isBehind = true
      return catchUpLater(watcher)
    }
    if !isAllRead, !isWhole { watcher.isBehind = true }
    if watcher.isBehind, watcher.stream.isWritable { catchUp(watcher) }
  }

  private func catchUpLater(_ watcher: Watcher) {
    _ = eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(Self.logAgainMilliseconds)) { [weak watcher] in
      if let watcher, watcher.isBehind, watcher.stream.isWritable { self.catchUp(watcher) }
    }
  }

  private func summary(of game: GameSnapshot, _ degraded: [GameConfAPI.Degradation]) -> GameSummary {
    GameSummary(
      game: game.game, title: game.catalog.title, revision: game.revision, degraded: degraded.filter { $0.game == game.game })
  }

  private func degraded(in world: World, for watcher: Watcher) -> Value {
    .list(health.degradations(in: world, visibleTo: watcher.role).map(\.wire))
  }

  private enum Event: String { case state, game, gone, audit, store, degraded }

  private func send(_ event: Event, _ data: Value, _ position: AdminPosition, to watcher: Watcher) {
    let text = "id: \(position.text)\nevent: \(event.rawValue)\ndata: \(JSONWriter.text(data))\n\n"
    watcher.stream.write(ByteBuffer(string: text))
  }
}
