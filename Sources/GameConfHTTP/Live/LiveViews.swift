// The viewers of live requests on all event loops, and the way of lines from the rings to a viewer's stream.

internal import GameConfAPI
internal import GameConfCore
package import GameConfEngine
package import GameConfServer
package import GameConfStorage
internal import NIOCore
internal import Synchronization

/// The limits of viewers.
package enum LiveLimits {
  /// Viewers at once.
  package static let viewersMax = 8
  /// The memory of one viewer: its rings on all event loops, and the lines on their way to it.
  package static let bytesMax = 256 << 10
  /// The part of it that may be on its way to a viewer.
  static let pieceBytesMax = 64 << 10
  /// From one look at the rings to the next.
  static let lookMilliseconds: Int64 = 100
  /// The longest time without a sign of life, in looks.
  static let looksPerSign = 150

  static var wire: [(String, Value)] {
    [("live_viewers_max", .integer(Int64(viewersMax))), ("live_viewer_bytes_max", .integer(Int64(bytesMax)))]
  }
}

/// The viewers of what games request.
package final class LiveViews: PublicationObserver {
  private struct State {
    var viewers: Set<Int> = []
    var lastID = 0
    var server: HTTPServer<DaemonApp>?
    var loops: [NIOLoopBound<LiveLoop>] = []
  }

  let clock: any HostClock
  private let secrets: SecretReaders
  private let held = Mutex(State())
  /// True while somebody looks.
  private let isOpen = Atomic(false)

  /// Nobody looks yet.
  package init(clock: any HostClock, secrets: SecretReaders) {
    self.clock = clock
    self.secrets = secrets
  }

  /// True while somebody looks.
  var isLooking: Bool { isOpen.load(ordering: .relaxed) }

  /// The number of viewers.
  var count: Int { held.withLock { $0.viewers.count } }

  /// Observes a server's answers while somebody looks.
  package func attach(_ server: HTTPServer<DaemonApp>) async {
    let loops = Mutex<[NIOLoopBound<LiveLoop>]>([])
    // A loop makes its own; it stays, since it takes nothing while nobody looks.
    await server.observe { [clock, secrets] eventLoop in
      let loop = LiveLoop(clock: clock, secrets: secrets)
      loops.withLock { $0.append(NIOLoopBound(loop, eventLoop: eventLoop)) }
      return loop
    }
    await server.observe(by: nil)
    held.withLock { held in
      held.server = server
      held.loops = loops.withLock { $0 }
    }
  }

  /// A viewer's number.
  /// - Throws: `SERVER_FULL` when as many look as may.
  func open(_ filter: LiveFilter) async throws(Problem) -> Int {
    let opened = held.withLock { held -> (id: Int, State)? in
      guard held.viewers.count < LiveLimits.viewersMax else { return nil }
      held.lastID += 1
      held.viewers.insert(held.lastID)
      return (held.lastID, held)
    }
    guard let (id, state) = opened else {
      throw Problem(
        .serverFull,
        "\(LiveLimits.viewersMax) viewers look at live requests, the limit. Close one, such as a tab of the panel, and try again.")
    }
    isOpen.store(true, ordering: .relaxed)
    let bytes = (LiveLimits.bytesMax - LiveLimits.pieceBytesMax) / max(1, state.loops.count)
    for each in state.loops {
      try? await each.eventLoop.submit { each.value.add(id, filter, bytesMax: bytes) }.get()
    }
    await observe(state)
    return id
  }

  /// Ends a viewer and frees its rings.
  func close(_ id: Int) async {
    let state = held.withLock { held in
      held.viewers.remove(id)
      return held
    }
    for each in state.loops { try? await each.eventLoop.submit { each.value.remove(id) }.get() }
    await observe(state)
  }

  /// Lets the event loops show their answers, or not.
  private func observe(_ state: State) async {
    let isWanted = held.withLock { !$0.viewers.isEmpty }
    isOpen.store(isWanted, ordering: .relaxed)
    guard isWanted else {
      await state.server?.observe(by: nil)
      return
    }
    let loops = Dictionary(state.loops.map { (ObjectIdentifier($0.eventLoop), $0) }, uniquingKeysWith: { first, _ in first })
    await state.server?.observe { [clock, secrets] in loops[ObjectIdentifier($0)]?.value ?? LiveLoop(clock: clock, secrets: secrets) }
  }

  /// Takes lines out of a viewer's rings on all loops, in the order of time.
  func take(_ id: Int, bytesMax: Int = LiveLimits.pieceBytesMax) async -> (lines: [LineRing.Line], leftOut: Int64) {
    let loops = held.withLock { $0.loops }
    var (lines, leftOut): ([LineRing.Line], Int64) = ([], 0)
    for each in loops {
      let part = try? await each.eventLoop.submit { each.value.take(id, bytesMax: bytesMax / loops.count) }.get()
      lines += part?.lines ?? []
      leftOut += part?.leftOut ?? 0
    }
    lines.sort { $0.microseconds < $1.microseconds }
    return (lines, leftOut)
  }

  /// Notes what happened elsewhere than in an answer, where somebody looks at the game.
  func note(_ line: @autoclosure () -> LiveLine, game: String, player: String?) {
    guard isLooking, let loop = held.withLock({ $0.loops.first }) else { return }
    let line = line()
    loop.eventLoop.execute { loop.value.note(line, game: game, player: player) }
  }

  /// Notes that the image was written that games map: which of them read it is not known.
  func noteImage(of game: String, at revision: Int64) {
    guard isLooking else { return }
    var line = LiveLine(.image, at: clock.now, game: game)
    (line.door, line.what, line.revision) = ("map", "written", revision)
    note(line, game: game, player: nil)
  }

  /// Empties the rings of games that were forgotten, or of which a player was.
  package func receive(_ published: WorldStep) {
    guard isLooking else { return }
    var games = Set(published.games.filter { $0.after == nil }.map(\.game))
    for case .forgotten(let id, _) in published.batch?.changes ?? [] { games.insert(id.game) }
    if games.isEmpty { return }
    for each in held.withLock({ $0.loops }) {
      each.eventLoop.execute { [games] in for game in games { each.value.clear(game) } }
    }
  }
}
