// A thousand players' events while the daemon is killed repeatedly: every sum is exact.

import GameConfCore
import Synchronization
import TestSupport
import Testing

@Suite("Players while the daemon is killed", .serialized)
struct KilledPlayersTests {
  private static let clients = 32
  private static let players = 1_000
  private static let kills = TestLength.count(2, long: 20)
  private static let events = TestLength.count(1_280, long: 64_000)

  /// The answers that the clients received, summed by player.
  private final class AnsweredScores: Sendable {
    let scores = Mutex<[Int: (sum: Int64, games: Int64)]>([:])
    let progress = ClientProgress()
  }

  /// Sends its share of the events, each until it is answered, and one of a hundred again.
  private struct Client {
    let number: Int
    let share: Int
    let sender: RetryingSender
    let tally: AnsweredScores

    func run() {
      var random = SystemRandomNumberGenerator()
      for event in 0..<share {
        if tally.progress.isOver { return }
        let player = Int.random(in: 0..<KilledPlayersTests.players, using: &random)
        let score = Int64.random(in: 0...9, using: &random)
        let mode = Bool.random(using: &random) ? "classic" : "arcade"
        let body = #"{"event_id":"c\#(number)-\#(event)","event":"game_over","mode":"\#(mode)","score":\#(score),"reason":"timeUp"}"#
        let request =
          "POST /v1/games/wheresthedot/players/p\(player)/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        guard let answer = sender.send(request) else { return tally.progress.fault("\(body): no answer") }
        guard answer.status == 200 else { return tally.progress.fault("\(body): \(answer.status) \(answer.text)") }
        tally.scores.withLock { scores in
          let known = scores[player] ?? (0, 0)
          scores[player] = (known.sum + score, known.games + 1)
        }
        tally.progress.noteAnswers()
        guard event % 100 == number % 100 else { continue }
        guard let again = sender.send(request), again.status == 200, again.body == answer.body else {
          return tally.progress.fault("\(body): a repeat is answered otherwise than \(answer.text)")
        }
        tally.progress.repeated.add(1, ordering: .relaxed)
      }
    }
  }

  @Test("32 clients, a thousand players and repeated events over kills: all sums of scores are exact")
  func killed() throws {
    let daemon = try RunningDaemon(arguments: ["--log-level", "notice"])
    let tally = AnsweredScores()
    let share = Self.events / Self.clients
    try daemon.serve(Self.clients, tally.progress, total: share * Self.clients, kills: Self.kills) {
      [socket = daemon.gamesSocket, serving = daemon.serving] number in
      Client(number: number, share: share, sender: RetryingSender(socket, serving), tally: tally).run()
    }
    try compare(daemon, tally)
    try daemon.restart()
    try compare(daemon, tally)
    let repeated = tally.progress.repeated.load(ordering: .relaxed)
    #expect(repeated > 0)
    print("\(share * Self.clients) events of \(tally.scores.withLock { $0.count }) players, \(repeated) sent twice, \(Self.kills) kills")
  }

  private func compare(_ daemon: RunningDaemon, _ tally: AnsweredScores) throws {
    for (player, expected) in tally.scores.withLock({ $0 }) {
      let page = try daemon.ask("GET", "/v1/games/wheresthedot/players/p\(player)?history=0")
      try #require(page.status == 200, "\(page.text)")
      let answer = page.json
      #expect(answer["scores"]?["lifetime_score"] == .integer(expected.sum), "p\(player)")
      #expect(answer["scores"]?["games_played"] == .integer(expected.games), "p\(player)")
    }
  }
}
