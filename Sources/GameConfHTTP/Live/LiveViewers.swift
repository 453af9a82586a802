// Registers viewers of live requests on all event loops, and collects the lines of their ring buffers.

internal import GameConfAPI
internal import GameConfCore
package import GameConfEngine
package import GameConfServer
package import GameConfStorage
internal import NIOCore
internal import Synchronization

package enum LiveLimits {
  /// The maximum number of viewers of live requests at the same time.
  package static let viewersMax = 8
  /// The memory of one viewer in bytes: its ring buffers on all event loops, and the lines that are being sent to it.
  package static let bytesMax = 256 << 10
  /// The maximum number of bytes in one write to a viewer.
  static let pieceBytesMax = 64 << 10
  /// The time between two polls of the viewers' ring buffers, in milliseconds.
  static let lookMilliseconds: Int64 = 100
  /// The number of polls without a new line (15 seconds) after which an empty line is sent to show that the stream is alive.
  static let looksPerSign = 150

  static var wire: [(String, Value)] {
    [("live_viewers_max", .integer(Int64(viewersMax))), ("live_viewer_bytes_max", .integer(Int64(bytesMax)))]
  }
}

/// The registry of the clients that view games' requests live (viewers), with their ring buffers on every event loop.
package final class LiveViewers: PublicationObserver {
  private struct State {
    var viewers: Set<Int> = []
    var lastID = 0
    var server: HTTPServer<DaemonApp>?
    var loops: [NIOLoopBound<LiveAnswerObserver>] = []
  }

  let clock: any HostClock
  private let secrets: SecretReaders
  private let held = Mutex(State())
  /// True while there is a viewer. It is atomic, because every event and every change of a watcher checks it without the lock.
  private let isOpen = Atomic(false)

  package init(clock: any HostClock, secrets: SecretReaders) {
    self.clock = clock
    self.secrets = secrets
  }

  /// True while there is a viewer.
  var isLooking: Bool { isOpen.load(ordering: .relaxed) }

  var count: Int { held.withLock { $0.viewers.count } }

  /// Creates an observer on each event loop of a server. The observers get answers only while there is a viewer.
  package func attach(_ server: HTTPServer<DaemonApp>) async {
    let loops = Mutex<[NIOLoopBound<LiveAnswerObserver>]>([])
    // Each observer is created on its own event loop and is retained, though the server calls it only while there is a viewer.
    await server.observe { [clock, secrets] eventLoop in
      loops.withLock { $0.append(NIOLoopBound(LiveAnswerObserver(clock: clock, secrets: secrets), eventLoop: eventLoop)) }
      return nil
    }
    held.withLock { held in
      held.server = server
      held.loops = loops.withLock { $0 }
    }
  }

  /// Registers a viewer and returns the viewer's number.
  /// - Throws: `SERVER_FULL` if there are ``LiveLimits/viewersMax`` viewers already.
  func open(_ filter: LiveFilter) async throws(Problem) -> Int {
    let opened = held.withLock { held -> (id: Int, State)? in
      guard held.viewers.count < LiveLimits.viewersMax else { return nil }
      held.lastID += 1
      held.viewers.insert(held.lastID)
      isOpen.store(true, ordering: .relaxed)
      return (held.lastID, held)
    }
    guard let (id, state) = opened else {
      throw Problem(
        .serverFull,
        "\(LiveLimits.viewersMax) viewers look at live requests, the limit. Close one, such as a tab of the panel, and try again.")
    }
    let bytes = (LiveLimits.bytesMax - LiveLimits.pieceBytesMax) / max(1, state.loops.count)
    for each in state.loops {
      try? await each.eventLoop.submit { each.value.add(id, filter, bytesMax: bytes) }.get()
    }
    await observe(state)
    return id
  }

  /// Removes a viewer and frees its ring buffers.
  func close(_ id: Int) async {
    let state = held.withLock { held in
      held.viewers.remove(id)
      isOpen.store(!held.viewers.isEmpty, ordering: .relaxed)
      return held
    }
    for each in state.loops { try? await each.eventLoop.submit { each.value.remove(id) }.get() }
    await observe(state)
  }

  /// Connects the observers to all event loops if there is a viewer, and otherwise disconnects them. Each event loop decides by the newest
  /// state, so the late end of one viewer does not disconnect the observers while there is another viewer.
  private func observe(_ state: State) async {
    let loops = Dictionary(state.loops.map { (ObjectIdentifier($0.eventLoop), $0) }, uniquingKeysWith: { first, _ in first })
    await state.server?.observe { [self] eventLoop in
      held.withLock { $0.viewers.isEmpty }
        ? nil : loops[ObjectIdentifier(eventLoop)]?.value ?? LiveAnswerObserver(clock: clock, secrets: secrets)
    }
  }

  /// Removes lines from a viewer's ring buffers on all event loops. Returns the lines ordered by time, and the number of lines that were
  /// dropped.
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

  /// Appends a line that does not come from an answer, such as one about an event sent to a watcher, if the game has a viewer.
  func note(_ line: @autoclosure () -> LiveLine, game: String, player: String?) {
    guard isLooking, let loop = held.withLock({ $0.loops.first }) else { return }
    let line = line()
    loop.eventLoop.execute { loop.value.note(line, game: game, player: player) }
  }

  /// Appends a line that says that the image of a game was written to a file. The daemon does not know which games map and read the file.
  func noteImage(of game: String, at revision: Int64) {
    guard isLooking else { return }
    var line = LiveLine(.image, at: clock.now, game: game)
    (line.door, line.what, line.revision) = ("map", "written", revision)
    note(line, game: game, player: nil)
  }

  /// Empties the ring buffers of viewers whose game was removed, or had a player forgotten.
  package func receive(_ published: WorldStep) {
    guard isLooking else { return }
    var games = Set(published.games.filter { $0.after == nil }.map(\.game))
    for case .forgotten(let id, _) in published.batch?.changes ?? [] { games.insert(id.game) }
    clear(games)
  }

  /// Empties the ring buffers of all viewers of these games.
  func clear(_ games: Set<String>) {
    guard isLooking, !games.isEmpty else { return }
    for each in held.withLock({ $0.loops }) {
      each.eventLoop.execute { for game in games { each.value.clear(game) } }
    }
  }
}
