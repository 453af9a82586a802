// The routes that show games' requests and the answers while they happen: as a stream, or as a sample of some seconds.

internal import GameConfAPI
internal import GameConfCore
import GameConfStorage
internal import GameConfServer
internal import Glibc

/// The routes with which viewers see a game's requests and the answers as they happen.
struct LiveRoutes {
  let services: DaemonServices

  var routes: [CallRoute] {
    [
      CallRoute(streaming: Calls.liveStream) { call throws(Problem) in try stream(call) },
      CallRoute(Calls.live) { call throws(Problem) in try sample(call) },
    ]
  }

  private func stream(_ call: CallContext<NoBody>) throws(Problem) -> Reply {
    let (game, player) = (try call.game.snapshot.game, call.text(.livePlayer))
    return .streamTask { () async throws(Problem) in
      let viewer = try await LiveViewer(services, game: game, player: player)
      let start = await viewer.start()
      return StreamedAnswer(endless: Answer(contentType: "application/x-ndjson", body: [])) { writer in
        try await writer.write(start)
        try await viewer.follow { try await writer.write($0) }
      }
    }
  }

  private func sample(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<LiveAnswer> {
    let (game, player) = (try call.game.snapshot, call.text(.livePlayer))
    let seconds = call.number(.liveSeconds) ?? 0
    return .task { () async throws(Problem) in
      let viewer = try await LiveViewer(services, game: game.game, player: player)
      try? await Task.sleep(for: .seconds(seconds))
      var answer = LiveAnswer(game: game.game, player: player, seconds: seconds)
      let taken = await services.views.take(viewer.id, bytesMax: LiveLimits.bytesMax)
      await services.views.close(viewer.id)
      answer.leftOut = taken.leftOut
      for line in taken.lines {
        if let value = try? JSONReader.value(from: line.bytes), let line = try? LiveLine(member: value) { answer.lines.append(line) }
      }
      return .ok(answer, game.revisions)
    }
  }
}

/// One viewer of live requests, from the start of its call until its connection ends.
struct LiveViewer {
  /// Unregisters the viewer when it is deallocated. This covers streams that never began: after a HEAD request, or after a disconnection.
  private final class ViewerRegistration: Sendable {
    let id: Int
    private let views: LiveViewers

    init(_ id: Int, _ views: LiveViewers) { (self.id, self.views) = (id, views) }

    deinit { Task { [id, views] in await views.close(id) } }
  }

  var id: Int { lease.id }
  private let lease: ViewerRegistration
  private let services: DaemonServices
  private let game: String
  private let player: String?

  init(_ services: DaemonServices, game: String, player: String?) async throws(Problem) {
    (self.services, self.game, self.player) = (services, game, player)
    lease = ViewerRegistration(try await services.views.open(LiveFilter(game: game, player: player.map { ByteText($0) })), services.views)
  }

  /// Returns the first lines of the stream: one with the host, the player and the number of watchers, and one for each connected watcher.
  func start() async -> [UInt8] {
    let watchers = await services.watches.readers(of: game).filter { player == nil || $0.player == player }
    var line = LiveLine(.start, at: services.clock.now, game: game)
    line.host = Self.host
    line.player = player
    line.count = Int64(watchers.count)
    if let player { line.isUnknownPlayer = await isUnknown(player) }
    if services.store.health.fleet != nil { line.detail = "Requests to this host only; the other hosts of the database show their own." }
    var bytes = line.json + [UInt8(ascii: "\n")]
    for watcher in watchers {
      var line = LiveLine(.watch, at: services.clock.now, game: game)
      line.door = "watch"
      line.what = "open"
      (line.reader, line.player) = (watcher.reader.text, watcher.player)
      (line.uid, line.since, line.revision) = (Int64(watcher.user), watcher.since, watcher.revision)
      bytes += line.json + [UInt8(ascii: "\n")]
    }
    return bytes
  }

  private func isUnknown(_ player: String) async -> Bool {
    guard let stored = try? await services.players.recent.read(PlayerID(game: game, player: player)) else { return false }
    return stored.revision == 0
  }

  private static var host: String {
    var name = [CChar](repeating: 0, count: 256)
    return gethostname(&name, name.count - 1) == 0
      ? String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : ""
  }

  /// Polls the ring buffers and sends new lines until the client disconnects, the daemon stops or the game is removed.
  /// - Parameter send: Sends bytes to the client, and returns when the client has received them. In the meantime, full ring buffers drop
  ///   their oldest lines.
  func follow(_ send: ([UInt8]) async throws -> Void) async throws {
    var looks = 0
    while true {
      try await Task.sleep(for: .milliseconds(LiveLimits.lookMilliseconds))
      guard services.players.world.world[game] != nil else { return }
      let (lines, leftOut) = await services.views.take(id)
      var bytes: [UInt8] = []
      if leftOut > 0 {
        var line = LiveLine(.leftOut, at: services.clock.now, game: game)
        line.count = leftOut
        bytes += line.json + [UInt8(ascii: "\n")]
      }
      for line in lines { bytes += line.bytes }
      looks = bytes.isEmpty ? looks + 1 : 0
      if looks >= LiveLimits.looksPerSign {
        // Only a failed write shows that the client has disconnected, so an empty line is sent if there is nothing else to send.
        (bytes, looks) = ([UInt8(ascii: "\n")], 0)
      }
      if !bytes.isEmpty { try await send(bytes) }
    }
  }
}
