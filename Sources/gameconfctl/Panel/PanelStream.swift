// Merges two streams of the daemon into one stream for a tab of the page.

import GameConfAPI
import GameConfCore
import GameConfTransport
import Glibc

/// Follows the changes of a game and of the daemon, and sends both to the page as lines of JSON. If a player is named, it follows the game
/// as the player sees it.
///
/// Each line is `{"from": "game" | "daemon", "event": …, "data": …}`. The stream ends when one of the daemon's streams ends; the page then
/// reconnects.
final class PanelStream {
  /// The time without data in milliseconds after which the stream ends. The daemon sends a keep-alive every 15 seconds.
  private static let idleMilliseconds: Int32 = 60_000

  private struct MergedStream {
    let name: String
    let answer: StreamedResponse
    var events = EventStreamParser()
  }

  private let client: Int32
  private let daemon: UnixHTTPClient
  private let game: String
  private let player: String?
  private let filter: (String) -> SecretFilter?

  init(client: Int32, daemon: UnixHTTPClient, game: String, player: String?, filter: @escaping (String) -> SecretFilter?) {
    self.client = client
    self.daemon = daemon
    self.game = game
    self.player = player
    self.filter = filter
  }

  /// Sends the live requests about a game to the page. The daemon leaves every secret value out of them.
  func runLive() {
    let target = Calls.liveStream.endpoint.target(["game": game], query: player.map { [("player", $0)] } ?? [])
    guard let answer = try? daemon.openWaiting(OutgoingRequest(.get, target)) else {
      BlockingSocket.send(
        PanelAnswer.problem(502, "Bad Gateway", "gameconfd does not answer on \(daemon.socketPath).").bytes, to: client)
      return
    }
    BlockingSocket.send(PanelAnswer(status: 200, title: "OK", mediaType: "application/x-ndjson", body: nil).bytes, to: client)
    var lines = JSONLineParser()
    while let bytes = try? answer.body.ready(), pass(bytes, of: answer.head.status, &lines) {
      var polled = [answer.body.descriptor, client].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let count = poll(&polled, 2, Self.idleMilliseconds)
      if count == 0 || count < 0 && errno != EINTR || polled[1].revents != 0 { return }
    }
  }

  /// Forwards lines about live requests to the page; returns false if the stream must end.
  private func pass(_ bytes: [UInt8], of status: Int, _ lines: inout JSONLineParser) -> Bool {
    if bytes.isEmpty { return true }
    if status != 200 {
      BlockingSocket.send(Self.line("refused", (try? JSONReader.value(from: bytes)) ?? ["status": .integer(Int64(status))]), to: client)
      return false
    }
    lines.feed(bytes)
    // An empty line is a keep-alive. It is forwarded, because a failed write shows that the page's connection is lost.
    var passed: [UInt8] = bytes == [10] ? [10] : []
    while let line = lines.next() {
      guard let value = try? JSONReader.value(from: line) else { continue }
      passed += Self.line(value["kind"]?.stringValue ?? "", value)
    }
    return passed.isEmpty || BlockingSocket.send(passed, to: client)
  }

  private static func line(_ event: String, _ data: Value) -> [UInt8] {
    JSONWriter.bytes(["from": "live", "event": .string(event), "data": data]) + [10]
  }

  func run() {
    let targets = [
      // The page edits texts in all languages, so it needs the values with every locale.
      ("game", Calls.watch.endpoint.target(["game": game], query: [("locale", "*")] + (player.map { [("player", $0)] } ?? []))),
      ("daemon", Calls.watchAll.endpoint.target()),
    ]
    var sources: [MergedStream] = []
    for (name, target) in targets {
      guard let answer = try? daemon.openWaiting(OutgoingRequest(.get, target)) else {
        BlockingSocket.send(
          PanelAnswer.problem(502, "Bad Gateway", "gameconfd does not answer on \(daemon.socketPath).").bytes, to: client)
        return
      }
      sources.append(MergedStream(name: name, answer: answer))
    }
    BlockingSocket.send(PanelAnswer(status: 200, title: "OK", mediaType: "application/x-ndjson", body: nil).bytes, to: client)
    // The first bytes of a stream may have arrived together with its response's head; poll() would not report them.
    for at in sources.indices where !pass(&sources[at]) { return }
    while passNext(&sources) {}
  }

  /// Waits until one of the daemon's streams has data and forwards it; returns false if the stream must end.
  private func passNext(_ sources: inout [MergedStream]) -> Bool {
    var polled = (sources.map(\.answer.body.descriptor) + [client]).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let count = poll(&polled, nfds_t(polled.count), Self.idleMilliseconds)
    if count < 0 { return errno == EINTR }
    // A page sends nothing on its stream, so readable bytes mean that it has closed the connection.
    if count == 0 || polled[sources.count].revents != 0 { return false }
    for at in sources.indices where polled[at].revents != 0 && !pass(&sources[at]) { return false }
    return true
  }

  /// Forwards the data of one of the daemon's streams to the page; returns false if the stream must end.
  private func pass(_ source: inout MergedStream) -> Bool {
    guard let bytes = try? source.answer.body.ready() else { return false }
    if bytes.isEmpty { return true }
    if source.answer.head.status != 200 {
      _ = write(source.name, "refused", (try? JSONReader.value(from: bytes)) ?? ["status": .integer(Int64(source.answer.head.status))])
      return false
    }
    let events = source.events.feed(bytes)
    // A comment in the daemon's stream is a keep-alive. It is forwarded, because a failed write shows that the page's connection is lost.
    if events.isEmpty { return BlockingSocket.send([10], to: client) }
    return events.allSatisfy { event in
      guard let data = try? JSONReader.value(from: event.data) else { return true }
      return write(source.name, event.event, data)
    }
  }

  private func write(_ name: String, _ event: String, _ data: Value) -> Bool {
    // An event of the daemon may be about any game. The game that the event names determines which values are secret.
    let about = PercentEncoding.encode(data["game"]?.stringValue ?? game)
    // No value may be shown while it is not known which keys are secret. The page reconnects when the stream ends.
    guard let filter = filter(about) else { return false }
    let line: Value = ["from": .string(name), "event": .string(event), "data": filter.masked(data)]
    return BlockingSocket.send(JSONWriter.bytes(line) + [10], to: client)
  }
}
