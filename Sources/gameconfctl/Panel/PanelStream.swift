// One stream for a tab of the page, merged from the daemon's.

import GameConfAPI
import GameConfCore
import GameConfTransport
import Glibc

/// Follows a game, as a player sees it where one is named, and the daemon itself, and passes both on as lines of JSON.
///
/// Each line is `{"from": "game" | "daemon", "event": …, "data": …}`. It ends when one of the daemon's streams ends; the page then begins again.
final class PanelStream {
  /// The longest time that nothing may come; the daemon shows a sign of life each 15 seconds.
  private static let idleMilliseconds: Int32 = 60_000

  private struct Source {
    let name: String
    let call: DaemonCall
    var events = EventStreamParser()
    var isTold = false
  }

  private let client: Int32
  private let adminSocket: String
  private let game: String
  private let player: String?
  private let filter: (String) -> SecretFilter

  init(client: Int32, adminSocket: String, game: String, player: String?, filter: @escaping (String) -> SecretFilter) {
    self.client = client
    self.adminSocket = adminSocket
    self.game = game
    self.player = player
    self.filter = filter
  }

  /// Passes on what games request. The daemon has left out every secret.
  func runLive() {
    let target = Calls.liveStream.endpoint.target(["game": game], query: player.map { [("player", $0)] } ?? [])
    guard let call = DaemonCall(adminSocket), call.send(.get, target) else {
      BlockingSocket.send(PanelAnswer.problem(502, "Bad Gateway", "gameconfd does not answer on \(adminSocket).").bytes, to: client)
      return
    }
    BlockingSocket.send(PanelAnswer(status: 200, title: "OK", mediaType: "application/x-ndjson", body: nil).bytes, to: client)
    var lines = JSONLineParser()
    while true {
      var polled = [call.descriptor, client].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let count = poll(&polled, 2, Self.idleMilliseconds)
      if count < 0, errno == EINTR { continue }
      guard count > 0, polled[1].revents == 0 else { return }
      do throws(TransportError) {
        guard let bytes = try call.next() else { return }
        if let status = call.head?.status, status != 200 {
          let problem = (try? JSONReader.value(from: bytes)) ?? ["status": .integer(Int64(status))]
          if !bytes.isEmpty { BlockingSocket.send(Self.line("refused", problem), to: client) }
          continue
        }
        lines.feed(bytes)
        // An empty line is a sign of life, by which both sides see that the other is there.
        var passed: [UInt8] = bytes == [10] ? [10] : []
        while let line = lines.next() {
          guard let value = try? JSONReader.value(from: line) else { continue }
          passed += Self.line(value["kind"]?.stringValue ?? "", value)
        }
        if !passed.isEmpty, !BlockingSocket.send(passed, to: client) { return }
      } catch { return }
    }
  }

  private static func line(_ event: String, _ data: Value) -> [UInt8] {
    JSONWriter.bytes(["from": "live", "event": .string(event), "data": data]) + [10]
  }

  func run() {
    let targets = [
      ("game", Calls.watch.endpoint.target(["game": game], query: player.map { [("player", $0)] } ?? [])),
      ("daemon", Calls.watchAll.endpoint.target()),
    ]
    var sources: [Source] = []
    for (name, target) in targets {
      guard let call = DaemonCall(adminSocket), call.send(.get, target) else {
        BlockingSocket.send(PanelAnswer.problem(502, "Bad Gateway", "gameconfd does not answer on \(adminSocket).").bytes, to: client)
        return
      }
      sources.append(Source(name: name, call: call))
    }
    BlockingSocket.send(PanelAnswer(status: 200, title: "OK", mediaType: "application/x-ndjson", body: nil).bytes, to: client)
    while pass(&sources) {}
  }

  /// Passes on what comes next; false at the end.
  private func pass(_ sources: inout [Source]) -> Bool {
    var polled = (sources.map(\.call.descriptor) + [client]).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let count = poll(&polled, nfds_t(polled.count), Self.idleMilliseconds)
    if count < 0 { return errno == EINTR }
    // A page sends nothing on its stream, so that what comes is its end.
    if count == 0 || polled[sources.count].revents != 0 { return false }
    for at in sources.indices where polled[at].revents != 0 {
      do throws(TransportError) {
        guard let bytes = try sources[at].call.next() else { return false }
        if let status = sources[at].call.head?.status, status != 200, !sources[at].isTold {
          sources[at].isTold = true
          let problem = (try? JSONReader.value(from: bytes)) ?? ["status": .integer(Int64(status))]
          if !write(sources[at].name, "refused", problem) { return false }
          continue
        }
        if bytes.isEmpty { continue }
        let events = sources[at].events.feed(bytes)
        // Comments come through too, so that both sides see that the other is there.
        if events.isEmpty, !BlockingSocket.send([10], to: client) { return false }
        for event in events {
          guard let data = try? JSONReader.value(from: event.data) else { continue }
          if !write(sources[at].name, event.event, data) { return false }
        }
      } catch { return false }
    }
    return true
  }

  private func write(_ name: String, _ event: String, _ data: Value) -> Bool {
    // The daemon's lines are of any game; the one they name says what is secret in them.
    let about = PercentEncoding.encode(data["game"]?.stringValue ?? game)
    let line: Value = ["from": .string(name), "event": .string(event), "data": filter(about).masked(data)]
    return BlockingSocket.send(JSONWriter.bytes(line) + [10], to: client)
  }
}
