// Serves games through the real routes of values, on an event loop and a clock that the test advances.

import GameConfAPI
import GameConfCore
import GameConfEngine
import GameConfStorage
import NIOCore
import NIOEmbedded
import Synchronization
import TestStore

@testable import GameConfHTTP
@testable import GameConfServer

/// A host's clock that shows the time that the test sets.
final class HandMovedClock: HostClock {
  private let milliseconds: Mutex<Int64>

  init(_ text: String) throws { milliseconds = Mutex(try Instant(parsing: text).milliseconds) }

  var now: Instant { Instant(milliseconds: milliseconds.withLock { $0 }) }
  var isFrozen: Bool { false }

  func move(seconds: Double) { milliseconds.withLock { $0 += Int64(seconds * 1000) } }
}

/// The bytes of one complete answer.
struct RawAnswer: Equatable {
  struct NotWhole: Error { let text: String }

  var status = 0
  var fields: [String: String] = [:]
  var body: [UInt8] = []

  var text: String { String(decoding: body, as: UTF8.self) }

  init(_ bytes: [UInt8], toHead: Bool) throws {
    let whole = String(decoding: bytes, as: UTF8.self)
    guard let headEnd = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { throw NotWhole(text: whole) }
    let lines = String(decoding: bytes[..<(headEnd - 4)], as: UTF8.self).split(separator: "\r\n")
    guard let code = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { throw NotWhole(text: whole) }
    status = code
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { throw NotWhole(text: whole) }
      fields[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    body = Array(bytes[headEnd...])
    let length = toHead || status == 204 || status == 304 ? 0 : fields["content-length"].flatMap { Int($0) }
    if body.count != length { throw NotWhole(text: whole) }
  }
}

/// An event loop that serves games without sockets, and that the test advances.
final class EmbeddedGames {
  let clock: HandMovedClock
  let eventLoop = EmbeddedEventLoop()
  let serving: AppLoop<DaemonApp>
  let tallies = EvaluationTallies()
  private var served = ServedWorld()
  private var channels: [EmbeddedChannel] = []

  init(_ games: [GameSnapshot], at time: String, secrets: [String: [UInt32]] = [:]) throws {
    let clock = try HandMovedClock(time)
    let players = PlayerCache(store: MemoryStore())
    // Puts the player into the cache, because the task that reads a player would not run on an event loop that the test advances.
    players.apply(games.map { .player(PlayerID(game: $0.game, player: "p"), StoredPlayer()) })
    // Disables work on other threads, because this event loop would not receive its result.
    let routes = ConfigRoutes(
      clock: clock, secrets: SecretReaders(secrets), players: players, plays: PlayCache(store: MemoryStore()), tallies: tallies,
      longWork: SlicedWork(), fullKeysOnLoopMax: .max
    ).routes
    let router = try DaemonRoutes.router(routes, version: "1.0.0")
    self.clock = clock
    var limits = ServerLimits()
    limits.bodyBytesOnLoopMax = .max
    limits.handlerMicroseconds = 1_000_000_000
    serving = AppLoop(
      on: eventLoop, router: router, limits: limits, state: LoopState(snapshot: ServedWorld()),
      wallClock: {
        let now = clock.now.milliseconds
        return (Int(now / 1000), Int(now % 1000) * 1_000_000)
      })
    publish(games)
  }

  deinit { for channel in channels { _ = try? channel.finish(acceptAlreadyClosed: true) } }

  func publish(_ games: [GameSnapshot]) {
    served = ServedWorld(
      World(games: games), since: served,
      ServedGame.EncodingPositions(
        valueRoute: serving.router.ordinal(of: GameConfAPI.Calls.value.endpoint.id) ?? 0, tallies: tallies, positions: ReadPositions()))
    serving.state = served.state()
  }

  /// Moves the clock, and advances the event loop's timers by the same time.
  func pass(seconds: Double) {
    clock.move(seconds: seconds)
    eventLoop.advanceTime(by: .milliseconds(Int64(seconds * 1000)))
  }

  /// Moves the clock, and advances the event loop by one second only, after which it reads the clock again.
  func setClock(bySeconds seconds: Double) {
    clock.move(seconds: seconds)
    eventLoop.advanceTime(by: .seconds(1))
  }

  /// Sends one request on a new connection, and returns the answer.
  func ask(
    _ target: String, method: String = "GET", fields: [String] = [], body: String = "", uid: UInt32 = 1, usesReadyAnswers: Bool = true
  ) throws -> RawAnswer {
    let channel = EmbeddedChannel(loop: eventLoop)
    channels.append(channel)
    let peer = Peer(
      socket: .games, credentials: PeerCredentials(uid: uid, gid: 1, pid: 1),
      role: PeerRole(uid: uid, pid: 1, rank: .game, isOnAdminSocket: true))
    let connection = Connection(serving, AppSession(serving, peer), usesReadyAnswers: usesReadyAnswers) {}
    try channel.pipeline.syncOperations.addHandler(connection)
    try channel.connect(to: SocketAddress(unixDomainSocketPath: "x")).wait()
    var lines = ["\(method) \(target) HTTP/1.1", "Host: x"] + fields
    if !body.isEmpty { lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] }
    try channel.writeInbound(ByteBuffer(string: lines.joined(separator: "\r\n") + "\r\n\r\n" + body))
    eventLoop.run()
    var bytes: [UInt8] = []
    while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
    return try RawAnswer(bytes, toHead: method == "HEAD")
  }

  /// The number of answers that were sent from encoded or cached bytes, without calling a handler.
  var readyAnswers: UInt64 { serving.counters.readyAnswers }
}

extension GameSnapshot {
  /// A small game with a value that changes daily, one that a rule decides, and further parameters.
  static func served(
    _ game: String = "cave", revision: Int64 = 7, daily: Bool = true, more: [Parameter] = [], layers: [String: GameLayers] = [:]
  ) -> GameSnapshot {
    var catalog = Catalog(game: game, title: "Cave", locales: ["en", "fr"])
    var parameters: [Parameter] = [
      Parameter(key: "first", type: .integer, defaultValue: .value(1), section: "A", description: "One."),
      Parameter(key: "second", type: .string, defaultValue: .value("two"), section: "A", description: "Two."),
      Parameter(
        key: "title", type: .localized, defaultValue: .value(.object(["en": "Cave", "fr": "Grotte"])), section: "A", description: "Three."),
      Parameter(key: "last", type: .boolean, defaultValue: .value(true), section: "A", description: "Four."),
    ]
    if daily {
      parameters.insert(
        Parameter(key: "today", type: .string, defaultValue: .dailyHash(salt: "salt"), section: "A", description: "Each day."), at: 2)
    }
    catalog.parameters = parameters + more
    return GameSnapshot(table: ParameterTable(catalog: catalog, layers: layers, revision: revision), GameState(revision: revision))
  }
}
