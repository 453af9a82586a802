// Many clients set overrides while the daemon is killed repeatedly: no acknowledged change is lost or doubled.

import GameConfCore
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite("A daemon that is killed at any moment", .serialized)
struct KilledDaemonTests {
  private static let clients = 16
  private static let kills = TestLength.count(8, long: 100)

  /// The answers that the clients received.
  private final class Ledger: Sendable {
    let answered = Mutex<[(reason: String, client: Int, value: Int64, revision: Int64)]>([])
    let isOver = Atomic(false)
    let refusals = Mutex<[String]>([])
    /// A pipe with a byte for each answer, so that the killer can wait for a number of answers.
    let pulse: [Int32]

    init() throws {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw ChildProcess.Failure(description: "no pipe") }
      _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
      pulse = ends
    }

    deinit { for end in pulse { close(end) } }

    /// Waits for this many answers; false if they do not come.
    func wait(for count: Int) -> Bool {
      for _ in 0..<count {
        var poller = pollfd(fd: pulse[0], events: Int16(POLLIN), revents: 0)
        var byte: UInt8 = 0
        guard poll(&poller, 1, 30_000) > 0, read(pulse[0], &byte, 1) == 1 else { return false }
      }
      return true
    }
  }

  private struct Client {
    let number: Int
    let sender: RetryingSender
    let ledger: Ledger

    /// Sets one value after another. Each request is sent with its id until it is answered.
    func run() {
      var value: Int64 = 0
      while !ledger.isOver.load(ordering: .relaxed) {
        value += 1
        let reason = "c\(number)-\(value)"
        let body = #"{"value":\#(value),"reason":"\#(reason)"}"#
        let path = RunningDaemon.path("lives", player: number == 0 ? nil : "c\(number)")
        let request =
          "PUT \(path) HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: \(reason)\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let answer = sender.send(request)
        guard let answer, answer.status == 200 || answer.status == 201, let revision = answer.json["revision"]?.integerValue else {
          ledger.refusals.withLock { $0.append("\(reason): \(answer?.text ?? "no answer")") }
          return
        }
        ledger.answered.withLock { $0.append((reason, number, value, revision)) }
        var byte: UInt8 = 1
        write(ledger.pulse[1], &byte, 1)
      }
    }
  }

  @Test("16 clients over many kills: every acknowledged override is stored once, with a rising revision and one audit line")
  func killed() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog], arguments: ["--log-level", "notice"])
    let ledger = try Ledger()
    let threads = try ClientThreads(Self.clients) { [socket = daemon.adminSocket, serving = daemon.serving] number in
      Client(number: number, sender: RetryingSender(socket, serving), ledger: ledger).run()
    }
    var random = SystemRandomNumberGenerator()
    var failure: (any Error)?
    do {
      for _ in 0..<Self.kills {
        let count = Int.random(in: 0...24, using: &random)
        try #require(ledger.wait(for: count))
        try daemon.restart(killing: true)
      }
    } catch { failure = error }
    ledger.isOver.store(true, ordering: .relaxed)
    threads.join()
    if let failure { throw failure }
    #expect(ledger.refusals.withLock { $0 }.isEmpty)
    let answered = ledger.answered.withLock { $0 }
    #expect(answered.count > Self.kills)

    var lines: [Value] = []
    while true {
      let older = lines.last?["id"]?.integerValue.map { "&before=\($0)" } ?? ""
      let page = try daemon.audit("limit=1000" + older)
      if page.isEmpty { break }
      lines += page
    }
    let sets = lines.filter { $0["action"] == "override.set" }.reversed().map { $0 }
    var revisions: [String: Int64] = [:]
    for line in sets {
      let reason = line["reason"]?.stringValue ?? ""
      #expect(revisions[reason] == nil, "\(reason) stands twice in the audit")
      revisions[reason] = line["revision"]?.integerValue
    }
    #expect(sets.count == answered.count)
    let inOrder = sets.compactMap { $0["revision"]?.integerValue }
    #expect(zip(inOrder, inOrder.dropFirst()).allSatisfy(<))
    #expect(answered.allSatisfy { revisions[$0.reason] == $0.revision })
    for number in 0..<Self.clients {
      let own = answered.filter { $0.client == number }
      #expect(zip(own, own.dropFirst()).allSatisfy { $0.revision < $1.revision })
      let value = try daemon.read("lives", player: number == 0 ? nil : "c\(number)")["value"]
      if let last = own.last { #expect(value == .integer(last.value)) }
    }
    #expect(try daemon.overrides().count == Set(answered.map(\.client)).count)
    #expect(try daemon.ask("GET", "/health/ready?strict=true", admin: true).status == 200)
    print("\(answered.count) overrides were answered over \(Self.kills) kills")
  }
}
