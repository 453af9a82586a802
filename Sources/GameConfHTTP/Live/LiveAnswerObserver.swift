// The observer of one event loop's answers, which writes lines for viewers of live requests into a ring buffer for each viewer.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfStorage
package import GameConfServer

/// The game whose requests a viewer sees, and the player if the viewer sees only one player's requests.
struct LiveFilter: Sendable {
  let game: String
  /// The player whose lines the viewer sees; nil for all lines of the game.
  let player: ByteText?

  /// True if the viewer sees a line about this player. A viewer of one player does not see lines about no player.
  func shows(player: String?) -> Bool {
    guard let wanted = self.player else { return true }
    return player.map { ByteText($0) == wanted } ?? false
  }
}

/// Observes the answers of one event loop, and appends lines about them to the viewers' ring buffers. No answer waits for a viewer.
package final class LiveAnswerObserver: AnswerObserver {
  package typealias App = DaemonApp

  private struct Viewer {
    let id: Int
    let filter: LiveFilter
    var ring: LineRing
  }

  private let clock: any HostClock
  private let secrets: SecretReaders
  private var viewers: [Viewer] = []
  /// The time of the newest line in microseconds. Each line gets a later time than the one before, so that lines sort in the order of the
  /// answers.
  private var last: Int64 = 0

  init(clock: any HostClock, secrets: SecretReaders) {
    self.clock = clock
    self.secrets = secrets
  }

  /// The number of bytes in use in all viewers' ring buffers.
  var bytes: Int { viewers.reduce(0) { $0 + $1.ring.bytes } }

  /// Adds a viewer with a new ring buffer.
  func add(_ id: Int, _ filter: LiveFilter, bytesMax: Int) {
    viewers.append(Viewer(id: id, filter: filter, ring: LineRing(bytesMax: bytesMax)))
  }

  /// Removes a viewer and frees its ring buffer.
  func remove(_ id: Int) { viewers.removeAll { $0.id == id } }

  /// Removes lines from a viewer's ring buffer and returns them, with the number of lines that were dropped before them.
  func take(_ id: Int, bytesMax: Int) -> (lines: [LineRing.Line], leftOut: Int64) {
    guard let at = viewers.firstIndex(where: { $0.id == id }) else { return ([], 0) }
    return viewers[at].ring.take(bytesMax: bytesMax)
  }

  /// Empties the ring buffers of a game's viewers. Called when the game or one of its players was forgotten, so that no deleted data is
  /// shown.
  func clear(_ game: String) {
    for at in viewers.indices where viewers[at].filter.game == game { viewers[at].ring.clear() }
  }

  func looks(at game: String) -> Bool { viewers.contains { $0.filter.game == game } }

  /// True if the game has a viewer who sees lines about this player.
  func looks(at game: String, player: String?) -> Bool {
    viewers.contains { $0.filter.game == game && $0.filter.shows(player: player) }
  }

  // MARK: Lines

  private var now: Int64 {
    last = max(last + 1, clock.now.milliseconds * 1_000)
    return last
  }

  /// Appends a line to the ring buffers of all viewers who see it. The line is not created if there is no such viewer.
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
    guard let read = ConfigReadTarget(target), looks(at: read.game, player: nil) else { return }
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

/// The game and the key in the path of a read whose answer was encoded in advance: `/v1/games/{game}/config` or
/// `/v1/games/{game}/config/{key}`.
struct ConfigReadTarget {
  let game: String
  /// The requested key; nil for a read of all values.
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
