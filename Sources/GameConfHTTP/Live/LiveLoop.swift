// The viewers of one event loop's answers, with their rings.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfStorage
package import GameConfServer
internal import NIOCore

/// The lines that a viewer sees.
struct LiveFilter: Sendable {
  let game: String
  /// The player; nil for every line of the game.
  let player: ByteText?

  /// True if it sees a line.
  func shows(player: String?) -> Bool {
    guard let wanted = self.player else { return true }
    return player.map { ByteText($0) == wanted } ?? false
  }
}

/// Observes the answers of an event loop and puts lines into the viewers' rings, on the loop alone: no answer waits for a viewer.
package final class LiveLoop: AnswerObserver {
  package typealias App = DaemonApp

  private struct Viewer {
    let id: Int
    let filter: LiveFilter
    var ring: LineRing
  }

  private let clock: any HostClock
  private let secrets: SecretReaders
  private var viewers: [Viewer] = []
  /// The newest line's time, so that lines of one loop stay in order.
  private var last: Int64 = 0

  init(clock: any HostClock, secrets: SecretReaders) {
    self.clock = clock
    self.secrets = secrets
  }

  /// The bytes in all rings.
  var bytes: Int { viewers.reduce(0) { $0 + $1.ring.bytes } }

  /// Adds a viewer with a ring of its own.
  func add(_ id: Int, _ filter: LiveFilter, bytesMax: Int) {
    viewers.append(Viewer(id: id, filter: filter, ring: LineRing(bytesMax: bytesMax)))
  }

  /// Removes a viewer with its ring.
  func remove(_ id: Int) { viewers.removeAll { $0.id == id } }

  /// Takes lines out of a viewer's ring.
  func take(_ id: Int, bytesMax: Int) -> (lines: [LineRing.Line], leftOut: Int64) {
    guard let at = viewers.firstIndex(where: { $0.id == id }) else { return ([], 0) }
    return viewers[at].ring.take(bytesMax: bytesMax)
  }

  /// Empties the rings of a game's viewers, so that forgotten data is not shown.
  func clear(_ game: String) {
    for at in viewers.indices where viewers[at].filter.game == game { viewers[at].ring.clear() }
  }

  /// True if a viewer sees lines of a game.
  func looks(at game: String) -> Bool { viewers.contains { $0.filter.game == game } }

  /// True if a viewer sees lines of a game about that player, or about no player.
  func looks(at game: String, player: String?) -> Bool {
    viewers.contains { $0.filter.game == game && $0.filter.shows(player: player) }
  }

  // MARK: Lines

  private var now: Int64 {
    last = max(last + 1, clock.now.milliseconds * 1_000)
    return last
  }

  /// Puts a line into the ring of each viewer who sees it. Its text is made if there is one.
  func note(_ line: @autoclosure () -> LiveLine, game: String, player: String?) {
    guard looks(at: game, player: player) else { return }
    append(line().json, game: game, player: player)
  }

  private func append(_ line: [UInt8], game: String, player: String?) {
    let at = now
    let bytes = line + [UInt8(ascii: "\n")]
    for place in viewers.indices where viewers[place].filter.game == game && viewers[place].filter.shows(player: player) {
      viewers[place].ring.append(bytes, at: at)
    }
  }

  // MARK: The loop's answers

  package func gave(ready body: UnsafeRawBufferPointer, to target: UnsafeRawBufferPointer, for peer: Peer<PeerRole>) {
    guard let read = ReadyTarget(target), looks(at: read.game, player: nil) else { return }
    var line = LiveLine(.read, at: clock.now, game: read.game)
    line.reader = LiveReader(peer, program: nil).text
    (line.uid, line.pid) = (Int64(peer.role.uid), Int64(peer.role.pid))
    line.door = read.key == nil ? "config" : "value"
    line.fill(from: Array(body), key: read.key, hides: false)
    append(line.json, game: read.game, player: nil)
  }

  package func gave(_ answer: ObservedAnswer<DaemonApp>) {
    guard let seen = LiveRequest(answer), looks(at: seen.game, player: seen.player) else { return }
    for line in LiveLines(seen, answer, secrets: secrets, now: clock.now).lines {
      append(line.json, game: seen.game, player: seen.player)
    }
  }
}

/// The game and the key of a ready answer's target, `/v1/games/{game}/config` or `/v1/games/{game}/config/{key}`.
struct ReadyTarget {
  let game: String
  /// The key; nil for everything.
  let key: String?

  private static let start = Array("/v1/games/".utf8)
  private static let middle = Array("config".utf8)

  init?(_ target: UnsafeRawBufferPointer) {
    guard target.count > Self.start.count, target.starts(with: Self.start) else { return nil }
    let rest = target[Self.start.count...]
    let parts = rest.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, parts[1].elementsEqual(Self.middle) else { return nil }
    game = String(decoding: UnsafeRawBufferPointer(rebasing: parts[0]), as: UTF8.self)
    key = parts.count == 3 ? String(decoding: UnsafeRawBufferPointer(rebasing: parts[2]), as: UTF8.self) : nil
  }
}
