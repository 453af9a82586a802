// Clients' queues of events, in lists and single, all sent twice while the daemon is killed: each event counts once.

import GameConfCore
import TestSupport
import Testing

@Suite("Clients' queues of events while the daemon is killed", .serialized)
struct KilledQueueTests {
  private static let events = Int64(TestLength.count(2_000, long: 10_000))

  /// A client's queue, with the numbers of each request by its last event.
  private struct Queue {
    let client: Int
    let events: Int64
    let sender: RetryingSender
    let progress: ClientProgress

    private func event(_ number: Int64) -> String {
      #"{"event":"game_over","mode":"classic","score":\#(number % 10),"reason":"timeUp","#
        + #""sequence":{"client":"0198c5c8-6f2a-7cc1-8a3e-00000000000\#(client)","number":\#(number)}}"#
    }

    private func send(_ body: String) -> RawConnection.Answer? {
      sender.send(
        "POST /v1/games/wheresthedot/players/q\(client)/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// Sends all events in lists of up to this size, each list twice. The second time must change nothing.
    func sendLists(of size: Int64) {
      for first in stride(from: Int64(1), through: events, by: Int64.Stride(size)) {
        let numbers = Array(first...min(events, first + size - 1))
        let body = "[" + numbers.map(event).joined(separator: ",") + "]"
        for isAgain in [false, true] {
          if progress.isOver { return }
          guard let answer = send(body), answer.status == 200, let answers = answer.json.listValue, answers.count == numbers.count,
            answers.allSatisfy({ $0["status"] == 200 })
          else { return progress.fault("\(numbers): not done") }
          if !isAgain { progress.noteAnswers(numbers.count) }
          if isAgain, !answers.allSatisfy({ $0["repeated"] == true }) { return progress.fault("\(numbers): done twice") }
        }
      }
    }

    /// Sends all events one at a time, each twice; the second time up to 250 events later.
    func sendEach() {
      for step in 1...(events + 250) {
        if progress.isOver { return }
        if step <= events {
          guard let answer = send(event(step)), answer.status == 200 else { return progress.fault("\(step): not done") }
          progress.noteAnswers()
        }
        guard step > 250 else { continue }
        guard let again = send(event(step - 250)), again.status == 200, again.headers["gameconf-repeated"] == "true" else {
          return progress.fault("\(step - 250): done twice")
        }
      }
    }

    var sum: Int64 { (1...events).reduce(0) { $0 + $1 % 10 } }
  }

  @Test("65 queued events that are all sent twice count as 65 events, also after a restart")
  func sixtyFive() throws {
    let daemon = try RunningDaemon()
    let queue = Queue(client: 1, events: 65, sender: RetryingSender(daemon.gamesSocket, daemon.serving), progress: ClientProgress())
    queue.sendLists(of: 65)
    try daemon.restart()
    queue.sendLists(of: 10)
    try expect(queue, on: daemon)
  }

  @Test("queued events in lists and single, sent twice over kills and again after a restart, count once")
  func killed() throws {
    let daemon = try RunningDaemon(arguments: ["--log-level", "notice"])
    let progress = ClientProgress()
    let (socket, serving) = (daemon.gamesSocket, daemon.serving)
    @Sendable func queue(_ client: Int, _ progress: ClientProgress) -> Queue {
      Queue(
        client: client, events: client == 3 ? Self.events / 5 : Self.events * 2 / 5, sender: RetryingSender(socket, serving),
        progress: progress)
    }
    try daemon.serve(3, progress, total: Int(Self.events), kills: TestLength.count(2, long: 5)) { client in
      switch client {
      case 0: queue(1, progress).sendLists(of: 256)
      case 1: queue(2, progress).sendLists(of: 37)
      default: queue(3, progress).sendEach()
      }
    }
    for client in 1...3 { try expect(queue(client, progress), on: daemon) }
    try daemon.restart(killing: true)
    for client in 1...3 {
      let again = queue(client, ClientProgress())
      again.sendLists(of: 256)
      try expect(again, on: daemon)
    }
  }

  private func expect(_ queue: Queue, on daemon: RunningDaemon) throws {
    #expect(queue.progress.faults.withLock { $0 } == [])
    let page = try daemon.ask("GET", "/v1/games/wheresthedot/players/q\(queue.client)?history=0")
    try #require(page.status == 200)
    #expect(page.json["scores"]?["lifetime_score"] == .integer(queue.sum))
    #expect(page.json["scores"]?["games_played"] == .integer(queue.events))
  }
}
