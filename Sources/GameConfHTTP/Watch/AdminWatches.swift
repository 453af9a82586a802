// Watches of the daemon as a whole: its games, new lines of their audit logs, what is degraded.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer
internal import NIOCore

/// What admins are told of a step.
struct AdminNotice: Sendable {
  var world: World
  /// The games that have another revision or are degraded otherwise.
  var games: [GameSnapshot]
  var goneGames: [String]
  var lines: [AuditRecord]
}

/// The admins' watchers of one event loop.
final class AdminWatches {
  /// A connection.
  private final class Watcher {
    let stream: OutgoingStream
    let role: PeerRole
    /// Whether events were left out because the client did not take them: it is told everything when it does.
    var isBehind = false

    init(_ stream: OutgoingStream, _ role: PeerRole) {
      self.stream = stream
      self.role = role
    }
  }

  private let health: DaemonHealth
  private let secrets: SecretReaders
  private var watchers: [ObjectIdentifier: Watcher] = [:]
  private var world: World
  private var epoch: UInt64 { world.epoch }
  private var lastLine: Int64 = 0
  private var comments: Scheduled<Void>?

  init(_ world: World, _ services: DaemonServices) {
    self.world = world
    health = services.health
    secrets = services.secrets
  }

  /// Takes in a connection and tells it the state.
  func add(_ stream: OutgoingStream, _ role: PeerRole, _ present: World, on eventLoop: any EventLoop) {
    world = present
    let watcher = Watcher(stream, role)
    let id = ObjectIdentifier(watcher)
    watchers[id] = watcher
    stream.onClosed = { [weak self] in self?.remove(id) }
    stream.onWritable = { [weak self, weak watcher] in
      guard let self, let watcher, watcher.isBehind, watcher.stream.isWritable else { return }
      watcher.isBehind = false
      self.send(self.state, to: watcher)
    }
    stream.onDrain = { [weak watcher] in
      watcher?.stream.write(ByteBuffer(string: "retry: \(Int.random(in: 200...2000))\n\n"))
      watcher?.stream.finish()
    }
    send(state, to: watcher)
    if comments == nil { commentLater(on: eventLoop) }
  }

  private func commentLater(on eventLoop: any EventLoop) {
    comments = eventLoop.assumeIsolated().scheduleTask(in: .seconds(Int64(WatchLoop.Pace.commentSeconds))) {
      for watcher in self.watchers.values where watcher.stream.isWritable { watcher.stream.write(ByteBuffer(string: ":\n\n")) }
      self.commentLater(on: eventLoop)
    }
  }

  private func remove(_ id: ObjectIdentifier) {
    watchers[id] = nil
    if watchers.isEmpty {
      comments?.cancel()
      comments = nil
    }
  }

  /// Tells what a step changed.
  func take(_ notice: AdminNotice) {
    world = notice.world
    lastLine = notice.lines.map(\.id).reduce(lastLine, max)
    for game in notice.games { tell(event("game", summary(of: game).wire)) }
    for game in notice.goneGames { tell(event("gone", ["game": .string(game)])) }
    for watcher in watchers.values {
      for line in notice.lines {
        let hidden = line.game.flatMap { notice.world[$0] }.map { secrets.hidden(from: watcher.role, in: $0) } ?? HiddenKeys.all
        send(event("audit", line.wire(hiding: hidden).wire), to: watcher)
      }
    }
  }

  /// Tells how the store is.
  func take(_ health: StoreHealth) { tell(event("store", ["state": .string(health.word)])) }

  private var state: String {
    let games: [Value] = world.games.map { summary(of: $0).wire }
    return event("state", ["games": .list(games), "store": ["state": .string(health.store.health.word)]])
  }

  private func summary(of game: GameSnapshot) -> GameSummary {
    GameSummary(game: game.game, title: game.catalog.title, revision: game.revision, degraded: health.degradations(of: game))
  }

  private func event(_ kind: String, _ data: Value) -> String {
    "id: \(epoch).\(lastLine)\nevent: \(kind)\ndata: \(JSONWriter.text(data))\n\n"
  }

  private func tell(_ event: String) { for watcher in watchers.values { send(event, to: watcher) } }

  private func send(_ event: String, to watcher: Watcher) {
    if watcher.isBehind { return }
    if watcher.stream.isWritable { watcher.stream.write(ByteBuffer(string: event)) } else { watcher.isBehind = true }
  }
}
