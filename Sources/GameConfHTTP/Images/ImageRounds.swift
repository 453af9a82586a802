// Decides which games' images are written to files, in round-robin order and within a limit of bytes per second.

internal import GameConfAPI
internal import GameConfCore
package import GameConfEngine
package import GameConfStorage
package import GameConfImages

package enum ImageLimits {
  /// The maximum size of a published image. Games read larger ones over the socket.
  package static let bytesMax = 2 << 20
  /// The bytes written in a second. Half a second's bytes may be saved up and written in one burst.
  package static let bytesPerSecondMax = 4 << 20
  /// The minimum time between the starts of two rounds over all games' images.
  package static let pauseMilliseconds: Int64 = 5
  /// The time between two heartbeats that the daemon writes into the control page of each game.
  package static let beatMilliseconds: Int64 = 1_000

  static var wire: [(String, Value)] {
    [
      ("mapped_image_bytes_max", .integer(Int64(bytesMax))),
      ("mapped_image_bytes_per_second_max", .integer(Int64(bytesPerSecondMax))),
      ("mapped_image_pause_milliseconds", .integer(pauseMilliseconds)),
    ]
  }
}

/// Writes the mapped images of all games, a round at a time. One thread calls ``round(_:)`` when an image may be due.
package final class ImageRounds {
  private struct PublishedImage {
    var frame: WatchedSnapshot
    var cursor: WatchCursor
    var epoch: UInt64
    /// True if the image exceeds ``ImageLimits/bytesMax`` and is therefore not published.
    var isTooLong = false
  }

  private let folder: ImageFolder
  private let clock: any HostClock
  private let uptime: () -> Int64
  /// True if the games socket is restricted to some users. In that case no image is published, because every process could read the file.
  private let isNarrowed: Bool
  /// The scope of the published values: a caller without player, language, attributes and secrets.
  private let scope = WatchScope(EvaluationContext(), WatchSelection(isWhole: true))

  private var shown: [String: PublishedImage] = [:]
  private var failures: [String: String] = [:]
  private var isFirst = true
  private var nextRound: Int64 = 0
  private var nextBeat: Int64 = 0
  private var bytesLeft = ImageLimits.bytesMax
  private var refilledAt: Int64
  private var last = ""
  /// Called with the game and the revision after an image was written.
  package var written: ((String, Int64) -> Void)?

  /// - Parameter uptime: Returns the milliseconds of a monotonic clock.
  package init(_ folder: ImageFolder, clock: any HostClock, isNarrowed: Bool, uptime: @escaping () -> Int64) {
    self.folder = folder
    self.clock = clock
    self.isNarrowed = isNarrowed
    self.uptime = uptime
    refilledAt = uptime()
  }

  /// The reasons why images are not published, as sentences for the operator.
  package var troubles: [String] {
    let long = shown.filter(\.value.isTooLong).keys.sorted().map {
      "the image of \($0) would have more than \(ImageLimits.bytesMax) bytes: it is not mapped, and games read it over the socket"
    }
    return Set(failures.values).sorted().map { "images are not mapped: \($0); it is tried again each second" } + long
  }

  /// Writes the images that are due.
  /// - Returns: The milliseconds until the next call, unless the world changes before.
  package func round(_ world: World) -> Int64 {
    let now = uptime()
    if now >= nextBeat { beat(now) }
    if now >= nextRound { write(world, now) }
    var wait = nextBeat - uptime()
    if isDue(anyOf: world) { wait = min(wait, max(nextRound - uptime(), bytesLeft > 0 ? 0 : untilRefill())) }
    let host = clock.now
    for each in shown.values {
      if let edge = each.cursor.nextEdge { wait = min(wait, max(1, edge.milliseconds - host.milliseconds)) }
    }
    return max(0, wait)
  }

  /// Marks the images of all games as no longer updated, in the control pages that games read.
  package func stop() { folder.stop() }

  private func beat(_ now: Int64) {
    nextBeat = now + ImageLimits.beatMilliseconds
    for game in folder.beat() { shown[game] = nil }
    // The image of a game that is not in `shown` is due, so a failed write is repeated.
    for game in failures.keys { shown[game] = nil }
    for (game, each) in shown where each.cursor.isTimeDependent { look(game, each) }
  }

  private func write(_ world: World, _ now: Int64) {
    do throws(ImageFault) {
      try folder.open()
      failures[""] = nil
    } catch {
      failures[""] = error.message
      return
    }
    if isFirst {
      isFirst = false
      folder.withdrawAll(but: isNarrowed ? [] : Set(world.games.map(\.game)))
    }
    for game in shown.keys.sorted() where isNarrowed || world[game] == nil {
      folder.withdraw(game)
      shown[game] = nil
      failures[game] = nil
    }
    if isNarrowed { return }
    passEdges()
    refill(now)
    // Round-robin, so that a game that changes constantly does not starve the others.
    let order = world.games.filter { $0.game > last } + world.games.filter { $0.game <= last }
    for game in order where isDue(game, world) {
      guard bytesLeft > 0 else { break }
      nextRound = now + ImageLimits.pauseMilliseconds
      last = game.game
      publish(game, world)
    }
  }

  private func publish(_ game: GameSnapshot, _ world: World) {
    let state = WatchedState(game, host: max(clock.now, shown[game.game]?.cursor.sent.host ?? clock.now))
    let frame = shown[game.game].flatMap { $0.frame.game === game ? $0.frame : nil } ?? WatchedSnapshot(game)
    var next = PublishedImage(frame: frame, cursor: WatchCursor(scope, sent: state, frame), epoch: world.epoch)
    if let bytes = WatchImage(epoch: world.epoch, clock).whole(scope, state, bytesMax: ImageLimits.bytesMax) {
      bytesLeft -= bytes.count
      do throws(ImageFault) {
        try folder.publish(bytes, of: game.game)
        failures[game.game] = nil
        written?(game.game, game.revision)
      } catch {
        failures[game.game] = error.message
      }
    } else {
      folder.withdraw(game.game)
      failures[game.game] = nil
      next.isTooLong = true
    }
    shown[game.game] = next
  }

  private func isDue(_ game: GameSnapshot, _ world: World) -> Bool {
    guard let known = shown[game.game] else { return true }
    return known.frame.game !== game || known.epoch != world.epoch
  }

  private func isDue(anyOf world: World) -> Bool {
    // A folder that cannot be opened is tried again at the next heartbeat only.
    if failures[""] != nil || isNarrowed { return false }
    return world.games.contains { isDue($0, world) }
  }

  /// Makes each image due whose values have changed without a write, for example at the end of an override's time window.
  private func passEdges() {
    let host = clock.now
    for (game, each) in shown { if let edge = each.cursor.nextEdge, edge <= host { look(game, each) } }
  }

  private func look(_ game: String, _ known: PublishedImage) {
    var next = known
    let state = next.cursor.next(known.frame.game, player: nil, host: clock.now)
    let update = next.cursor.move(to: state, by: WatchStep(from: known.frame.game, to: known.frame), scope)
    if case .nothing = update { shown[game] = next } else { shown[game] = nil }
  }

  private func refill(_ now: Int64) {
    bytesLeft = min(ImageLimits.bytesMax, bytesLeft + Int(min(now - refilledAt, 60_000)) * ImageLimits.bytesPerSecondMax / 1000)
    refilledAt = now
  }

  private func untilRefill() -> Int64 { Int64(1 - bytesLeft) * 1000 / Int64(ImageLimits.bytesPerSecondMax) + 1 }
}
