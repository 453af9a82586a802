// Tests watchers that receive notifications without values, on an event loop that the test advances.

import GameConfCore
import GameConfEngine
import GameConfStorage
import NIOCore
import NIOEmbedded
import TestStore
import Testing

@testable import GameConfHTTP
@testable import GameConfServer

@Suite("Watchers that are only notified")
struct NoticeTests {
  /// One watcher for notifications, with its stream, on its own event loop.
  private final class NotifiedWatcher {
    let eventLoop = EmbeddedEventLoop()
    let channel: EmbeddedChannel
    let loop: WatchLoop
    /// The owner of the event loop's watchers, as in the daemon.
    private let hub: WatchHub
    private let player = PlayerID(game: "cave", player: "p")

    init(_ snapshot: GameSnapshot, player: String? = nil) throws {
      let clock = try HandMovedClock("2026-12-01T00:00:00Z")
      let players = PlayerCache(store: MemoryStore())
      // Puts the player into the cache, because the task that reads a player would not run on an event loop that the test advances.
      players.apply([.player(self.player, StoredPlayer())])
      hub = WatchHub(World(games: [snapshot]), players: players, clock: clock)
      channel = EmbeddedChannel(loop: eventLoop)
      try channel.connect(to: SocketAddress(unixDomainSocketPath: "x")).wait()
      loop = hub.loop(eventLoop)
      let stream = OutgoingStream(.untilClose, SocketOutlet(channel, descriptor: -1)) { _ in }
      loop.add(
        WatchScope(EvaluationContext(player: player)), of: snapshot,
        .notices(stream) { position in Array(position.map { "\($0.revision);" }?.utf8 ?? "".utf8) }, user: 1)
    }

    func take(_ snapshot: GameSnapshot) {
      var notice = WatchNotice(epoch: loop.epoch)
      notice.games = [snapshot]
      loop.take(notice)
    }

    func take(playerRevision: Int64) {
      var notice = WatchNotice(epoch: loop.epoch)
      notice.players = [(player, StoredPlayer(revision: playerRevision))]
      loop.take(notice)
    }

    /// Returns the text that was sent since the last call.
    func received() throws -> String {
      eventLoop.advanceTime(by: .seconds(1))
      var text = ""
      while let buffer = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: buffer) }
      return text
    }
  }

  @Test("a watcher for notifications is notified of a change between its request and its first round", arguments: [nil, "p"])
  func beforeFirstEvent(player: String?) throws {
    let notified = try NotifiedWatcher(.served(revision: 7), player: player)
    notified.take(.served(revision: 8))
    #expect(try notified.received() == "8;")
    #expect(try notified.received() == "")
  }

  @Test("a waiting call with an outdated snapshot, in a game without other watchers, gets the present state", arguments: [nil, "p"])
  func cameLate(player: String?) throws {
    let eventLoop = EmbeddedEventLoop()
    let players = PlayerCache(store: MemoryStore())
    players.apply([.player(PlayerID(game: "cave", player: "p"), StoredPlayer())])
    let old = GameSnapshot.served(revision: 7)
    let new = GameSnapshot.served(revision: 8, layers: ["first": GameLayers(override: .integer(5), revision: 8)])
    let hub = WatchHub(World(games: [old]), players: players, clock: try HandMovedClock("2026-12-01T00:00:00Z"))
    let loop = hub.loop(eventLoop)
    // The request found the old snapshot. The change was published before the watcher was added, when nothing on the event loop was
    // notified.
    hub.receive(WorldStep(nil, before: World(games: [old]), world: World(games: [new])))
    eventLoop.run()
    var received: [Int64] = []
    let scope = WatchScope(EvaluationContext(player: player))
    let known = WatchPosition(epoch: 0, revision: 7, playerRevision: 0, instant: .earliest)
    let mayWait = loop.wait(scope, of: old, after: known, seconds: 30, user: 1) { received.append($0?.game.revision ?? 0) }
    eventLoop.advanceTime(by: .seconds(31))
    #expect(mayWait && received == [8])
  }

  @Test("overrides of many players notify watchers; a reconnecting one gets their keys, or all keys beyond a limit", arguments: [3, 400])
  func many(players count: Int) throws {
    let eventLoop = EmbeddedEventLoop()
    let recent = PlayerCache(store: MemoryStore())
    recent.apply([.player(PlayerID(game: "cave", player: "p1"), StoredPlayer())])
    let old = GameSnapshot.served(revision: 7)
    let before = World(games: [old])
    let hub = WatchHub(before, players: recent, clock: try HandMovedClock("2026-12-01T00:00:00Z"))
    let loop = hub.loop(eventLoop)
    var received: [WatchedState?] = []
    let known = WatchPosition(epoch: 0, revision: 7, playerRevision: 0, instant: .earliest)
    #expect(loop.wait(WatchScope(EvaluationContext(player: "p1")), of: old, after: known, seconds: 30, user: 1) { received.append($0) })
    eventLoop.run()
    let players = (0..<count).map { "p\($0)" }
    let many = BulkOverrides(
      slots: players.map { KeyOverrides(slot: OverrideSlot(game: "cave", player: $0, key: "first")) }, revision: 8, players: players,
      playerRevisions: players.map { _ in 6 })
    let batch = CommittedBatch(number: 1, changes: [.overridesMany(many)], state: StoredState())
    recent.take(batch)
    hub.receive(WorldStep(batch, before: before, world: before.applying(batch.changes)))
    eventLoop.advanceTime(by: .seconds(1))
    #expect(received.map { $0?.game.revision } == [8])
    #expect(received.first??.player?.revision == 6, "the player's id in the stream is made of it")
    #expect(recent.cached(PlayerID(game: "cave", player: "p1"))?.revision == 6)
    // Up to this number of players, the record of changes has each player. Above it, the change counts as one of all players.
    let isNamed = count <= ChangeRing.playersNamedMax
    #expect(hub.due(since: 7, at: 8, in: "cave", player: "p1") == (isNamed ? .keys(["first"]) : .everything))
    #expect(hub.due(since: 7, at: 8, in: "cave", player: "another") == (isNamed ? .keys([]) : .everything))
  }

  @Test("a watcher for notifications receives nothing while nothing changes")
  func nothing() throws {
    let notified = try NotifiedWatcher(.served(revision: 7))
    #expect(try notified.received() == "")
  }

  @Test("a watcher for notifications is notified of a change of its player, also before its first round")
  func player() throws {
    let notified = try NotifiedWatcher(.served(revision: 7), player: "p")
    notified.take(playerRevision: 3)
    #expect(try notified.received() == "7;")
  }
}
