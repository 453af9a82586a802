// Publishes an image file of each game, which games map into their memory, after each change of the world.

internal import GameConfCore
package import GameConfEngine
package import GameConfStorage
internal import GameConfImages
internal import Synchronization

/// The publisher of mapped images. It has its own thread, so that the answer to a write does not wait for a file.
package final class MappedImages: PublicationObserver {
  private struct State {
    var world: World
    var troubles: [String]
    var isEnding = false
    var ended: CheckedContinuation<Void, Never>?
    var isRunning = false
  }

  private let held: Mutex<State>
  private let bell = Wakeup()

  /// Creates a publisher, which publishes nothing before ``start(in:boot:clock:isNarrowed:changed:)``.
  package init(_ world: World) { held = Mutex(State(world: world, troubles: [])) }

  /// The degradation that reports that images are not published; empty if they are.
  var findings: [DegradationList.DegradationFinding] {
    let troubles = held.withLock { $0.troubles }
    return troubles.isEmpty ? [] : [DegradationList.DegradationFinding(.imagesFailing, details: troubles)]
  }

  /// Starts the thread that publishes.
  /// - Parameters:
  ///   - path: The folder of the files.
  ///   - boot: The id of the host's boot, see ``BootID``. If it is nil, nothing is published.
  ///   - isNarrowed: True if the games socket is restricted to some users.
  ///   - views: The viewers of live requests. They see a line about each image of a game, except for the first image.
  ///   - changed: Called when ``findings`` have changed.
  package func start(
    in path: String, boot: [UInt8]?, clock: any HostClock, isNarrowed: Bool, views: LiveViewers? = nil,
    changed: @escaping @Sendable () -> Void
  ) {
    guard let boot else {
      let storeError = "images are not mapped: the host's boot id cannot be read"
      held.withLock { $0.troubles = [storeError] }
      return changed()
    }
    held.withLock { $0.isRunning = true }
    let isStarted = ImageThread.start { [self] in
      let uptime = UptimeClock()
      let rounds = ImageRounds(ImageFolder(path, boot: boot), clock: clock, isNarrowed: isNarrowed) { uptime.milliseconds }
      var games: Set<String> = []
      // A game's first image is not shown to viewers, because nothing has changed for the game.
      rounds.written = { game, revision in if !games.insert(game).inserted { views?.noteImage(of: game, at: revision) } }
      var reported: [String] = []
      while true {
        let rung = bell.count
        let (world, isEnding) = held.withLock { ($0.world, $0.isEnding) }
        if isEnding { break }
        let wait = rounds.round(world)
        let troubles = rounds.troubles
        if troubles != reported {
          reported = troubles
          held.withLock { $0.troubles = troubles }
          changed()
        }
        bell.wait(since: rung, milliseconds: wait)
      }
      rounds.stop()
      held.withLock { held in
        held.isRunning = false
        return held.ended
      }?.resume()
    }
    if !isStarted { held.withLock { $0.isRunning = false } }
  }

  package func receive(_ published: WorldStep) {
    let isChanged = held.withLock { held in
      defer { held.world = published.world }
      return held.world.epoch != published.world.epoch || !published.games.isEmpty
    }
    if isChanged { bell.ring() }
  }

  /// Marks the images of all games as no longer updated, and returns when the marks are written.
  package func stop() async {
    await withCheckedContinuation { continuation in
      let isRunning = held.withLock { held in
        held.isEnding = true
        if held.isRunning { held.ended = continuation }
        return held.isRunning
      }
      if isRunning { bell.ring() } else { continuation.resume() }
    }
  }
}
