// Events of a thousand players while the daemon is killed again and again: every sum is exact.

import GameConfCore
import Glibc
import Synchronization
import Testing

@Suite("Players while the daemon is killed", .serialized)
struct KilledPlayersTests {
  private static let clients = 32
  private static let players = 1_000
  private static let kills = 5

  /// `GAMECONF_EVENTS=100000` is the long run.
  private static var events: Int { getenv("GAMECONF_EVENTS").flatMap { Int(String(cString: $0)) } ?? 6_400 }

  /// What the clients were answered.
  private final class Tally: Sendable {
    let scores = Mutex<[Int: (sum: Int64, games: Int64)]>([:])
    let isOver = Atomic(false)
    let answered = Atomic(0)
    let repeated = Atomic(0)
    let faults = Mutex<[String]>([])

    func fault(_ words: String) {
      faults.withLock { $0.append(words) }
      isOver.store(true, ordering: .relaxed)
    }
  }

  /// Sends its share of the events, each until it is answered, and one of a hundred once more.
  private final class Client {
    private let number: Int
    private let share: Int
    private let socket: String
    private let tally: Tally
    private var connection: RawConnection?

    init(_ number: Int, share: Int, _ socket: String, _ tally: Tally) {
      self.number = number
      self.share = share
      self.socket = socket
      self.tally = tally
    }

    func run() {
      var random = SystemRandomNumberGenerator()
      for event in 0..<share {
        if tally.isOver.load(ordering: .relaxed) { return }
        let player = Int.random(in: 0..<KilledPlayersTests.players, using: &random)
        let score = Int64.random(in: 0...9, using: &random)
        let mode = Bool.random(using: &random) ? "classic" : "arcade"
        let body = #"{"event_id":"c\#(number)-\#(event)","event":"game_over","mode":"\#(mode)","score":\#(score),"reason":"timeUp"}"#
        let request =
          "POST /v1/games/wheresthedot/players/p\(player)/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        guard let answer = send(request) else { return tally.fault("\(body): no answer") }
        guard answer.status == 200 else { return tally.fault("\(body): \(answer.status) \(answer.text)") }
        tally.scores.withLock { scores in
          let known = scores[player] ?? (0, 0)
          scores[player] = (known.sum + score, known.games + 1)
        }
        tally.answered.add(1, ordering: .relaxed)
        guard event % 100 == number % 100 else { continue }
        guard let again = send(request), again.status == 200, again.body == answer.body else {
          return tally.fault("\(body): a repeat is answered otherwise than \(answer.text)")
        }
        tally.repeated.add(1, ordering: .relaxed)
      }
    }

    /// The answer to a request, sent again over other connections until there is one.
    private func send(_ request: String) -> RawConnection.Answer? {
      let end = time(nil) + 60
      while time(nil) < end {
        if connection == nil { connection = try? RawConnection(socket) }
        if let connection, connection.send(request), let answer = connection.answer() {
          // Said while it drains or starts; nothing has been done then.
          if answer.status != 503, answer.status != 429 { return answer }
        }
        connection = nil
        poll(nil, 0, 2)
      }
      return nil
    }
  }

  @Test("32 clients, a thousand players, one event of a hundred sent twice, five kills: the sums are exact")
  func killed() throws {
    let daemon = try RunningDaemon(arguments: ["--log-level", "notice"])
    let tally = Tally()
    let share = Self.events / Self.clients
    var threads: [pthread_t] = []
    for number in 0..<Self.clients {
      let client = Unmanaged.passRetained(Client(number, share: share, daemon.gamesSocket, tally))
      var thread = pthread_t()
      let result = pthread_create(
        &thread, nil,
        { client in
          if let client { Unmanaged<Client>.fromOpaque(client).takeRetainedValue().run() }
          return nil
        }, client.toOpaque())
      try #require(result == 0)
      threads.append(thread)
    }
    let failure = killNowAndThen(daemon, tally, of: share * Self.clients)
    if failure != nil { tally.isOver.store(true, ordering: .relaxed) }
    for thread in threads { pthread_join(thread, nil) }
    if let failure { throw failure }
    #expect(tally.faults.withLock { $0 } == [])
    #expect(tally.answered.load(ordering: .relaxed) == share * Self.clients)
    try compare(daemon, tally)
    try daemon.restart()
    try compare(daemon, tally)
    let repeated = tally.repeated.load(ordering: .relaxed)
    #expect(repeated > 0)
    print("\(share * Self.clients) events of \(tally.scores.withLock { $0.count }) players, \(repeated) sent twice, \(Self.kills) kills")
  }

  /// Kills at five moments spread over the run.
  private func killNowAndThen(_ daemon: RunningDaemon, _ tally: Tally, of total: Int) -> (any Error)? {
    do {
      for kill in 1...Self.kills {
        let due = total * kill / (Self.kills + 1)
        let isReached = daemon.waits(seconds: 300) {
          tally.answered.load(ordering: .relaxed) >= due || tally.isOver.load(ordering: .relaxed)
        }
        try #require(isReached)
        try daemon.restart(killing: true)
      }
      return nil
    } catch { return error }
  }

  private func compare(_ daemon: RunningDaemon, _ tally: Tally) throws {
    for (player, expected) in tally.scores.withLock({ $0 }) {
      let answer = try daemon.ask("GET", "/v1/games/wheresthedot/players/p\(player)?history=0").json
      #expect(answer["scores"]?["lifetime_score"] == .integer(expected.sum), "p\(player)")
      #expect(answer["scores"]?["games_played"] == .integer(expected.games), "p\(player)")
    }
  }
}
