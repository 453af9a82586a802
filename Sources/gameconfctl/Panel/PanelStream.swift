// One stream for a tab of the page, merged from the daemon's streams.

import GameConfAPI
import GameConfCore
import GameConfTransport
import Glibc

/// Follows a game, as a player sees it if one is named, and the daemon itself, and forwards both as lines of JSON.
///
/// Each line is `{"from": "game" | "daemon", "event": …, "data": …}`. It ends when one of the daemon's streams ends; the page then
/// reconnects.
final class PanelStream {
  /// The time without bytes after which the stream ends; the daemon sends a keep-alive every 15 seconds.
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
  private let filter: (String) -> SecretFilter

  init(client: Int32, daemon: UnixHTTPClient, game: String, player: String?, filter: @escaping (String) -> SecretFilter) {
    self.client = client
    self.daemon = daemon
    self.game = game
    self.player = player
    self.filter = filter
  }

  /// Forwards the live requests of games. The daemon has left out every secret.
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

  /// Forwards lines of live requests; returns false at the end.
  private func pass(_ bytes: [UInt8], of status: Int, _ lines: inout JSONLineParser) -> Bool {
    if bytes.isEmpty { return true }
    if status != 200 {
      BlockingSocket.send(Self.line("refused", (try? JSONReader.value(from: bytes)) ?? ["status": .integer(Int64(status))]), to: client)
      return false
    }
    lines.feed(bytes)
    // An empty line is a keep-alive, by which both sides detect a lost connection.
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
      // The page edits values as they are stored, with every language.
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
    // The first bytes of a body may have arrived with its head.
    for at in sources.indices where !pass(&sources[at]) { return }
    while passNext(&sources) {}
  }

  /// Waits for the next bytes and forwards them; returns false at the end.
  private func passNext(_ sources: inout [MergedStream]) -> Bool {
    var polled = (sources.map(\.answer.body.descriptor) + [client]).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let count = poll(&polled, nfds_t(polled.count), Self.idleMilliseconds)
    if count < 0 { return errno == EINTR }
    // A page sends nothing on its stream, so readable bytes mean its end.
    if count == 0 || polled[sources.count].revents != 0 { return false }
    for at in sources.indices where polled[at].revents != 0 && !pass(&sources[at]) { return false }
    return true
  }

  /// Forwards the bytes of a source; returns false at its end.
  private func pass(_ source: inout MergedStream) -> Bool {
    guard let bytes = try? source.answer.body.ready() else { return false }
    if bytes.isEmpty { return true }
    if source.answer.head.status != 200 {
      _ = write(source.name, "refused", (try? JSONReader.value(from: bytes)) ?? ["status": .integer(Int64(source.answer.head.status))])
      return false
    }
    let events = source.events.feed(bytes)
    // Comments of the stream are forwarded as keep-alives, by which both sides detect a lost connection.
    if events.isEmpty { return BlockingSocket.send([10], to: client) }
    return events.allSatisfy { event in
      guard let data = try? JSONReader.value(from: event.data) else { return true }
      return write(source.name, event.event, data)
    }
  }

  private func write(_ name: String, _ event: String, _ data: Value) -> Bool {
    // The daemon's events may be of any game; the game that they name determines the secrets.
    let about = PercentEncoding.encode(data["game"]?.stringValue ?? game)
    let line: Value = ["from": .string(name), "event": .string(event), "data": filter(about).masked(data)]
    return BlockingSocket.send(JSONWriter.bytes(line) + [10], to: client)
  }
}
