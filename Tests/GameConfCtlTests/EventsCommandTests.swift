// Events as lines, and leaderboards as tables.

import GameConfAPI
import GameConfCore
import Testing

@testable import gameconfctl

@Suite("Events and leaderboards on the command line")
struct EventsCommandTests {
  @Test("a line about an event has time, player, event, mode and score, then the rest as JSON")
  func line() {
    let line =
      #"{"cursor":"a-1","at":"2026-11-22T10:00:00Z","player_time":"2026-11-22T10:00:00Z","player":"p","event":"e","score":3,"details":{"a":1}}"#
    #expect(EventWords.line(Array(line.utf8)) == "2026-11-22T10:00:00Z\tp\te\t-\t3\t{\"details\":{\"a\":1}}")
    #expect(EventWords.cursor(Array(line.utf8)) == "a-1")
    #expect(EventWords.json(Array(line.utf8)) == line)
    #expect(EventWords.line(Array("not\u{1b}[2J json".utf8)) == "not\\u{1B}[2J json")
  }

  @Test("characters in an event that control a terminal are escaped, in JSON too")
  func safe() {
    let line = "{\"player\":\"\u{202E}evil\u{7F}\",\"event\":\"e\"}"
    #expect(EventWords.json(Array(line.utf8)) == #"{"player":"\u202eevil\u007f","event":"e"}"#)
    #expect(EventWords.line(Array(line.utf8)).text().contains("\\u{202E}evil\\u{7F}"))
  }

  @Test("a stream's bytes are split into the same lines, however the bytes are divided into pieces")
  func pieces() {
    var parser = JSONLineParser()
    parser.feed(Array("{\"a\"".utf8))
    #expect(parser.next() == nil)
    parser.feed(Array(":1}\n\n{}\n{".utf8))
    #expect(parser.next() == Array("{\"a\":1}".utf8) && parser.next() == Array("{}".utf8) && parser.next() == nil)
    parser.feed(Array("}\n".utf8))
    #expect(parser.next() == Array("{}".utf8))
  }

  @Test("leaderboards are listed from the catalog")
  func boards() async {
    let all: Value = [
      ["id": "classic", "event": "game_over", "mode": "classic", "rows": 20, "enabled": true],
      ["id": "weekly", "event": "game_over", "per": ["parameter": "week"], "rows": ["parameter": "n"], "enabled": ["parameter": "on"]],
    ]
    let some = RecordedDaemon(["GET /v1/games/g/catalog": .json(CatalogAnswer(document: ObjectValue([("leaderboards", all)])))])
    #expect(
      await run("leaderboard", "list", "g", admin: some).out
        == "classic\tgame_over\tclassic\t-\t20\ttrue\nweekly\tgame_over\t-\tparameter week\tparameter n\tparameter on\n")
    let none = RecordedDaemon(["GET /v1/games/g/catalog": .json(Sample.catalog)])
    #expect(await run("leaderboard", "list", "g", admin: none, isTerminal: true).out == "the game has no leaderboards\n")
  }

  @Test("a player's rank on a leaderboard is printed in words")
  func standing() {
    func words(_ rank: Int64?, _ atLeast: Int64?) -> Sentence {
      LeaderboardShow.words(
        LeaderboardStanding(player: "p", rank: rank, rankAtLeast: atLeast, score: 7, at: Instant(seconds: 0)), "p")
    }
    #expect(words(3, nil) == "p: rank 3, score 7")
    #expect(words(nil, 10_001) == "p: rank 10001 or further down, score 7")
    #expect(LeaderboardShow.words(nil, "p\u{1b}") == "p\\u{1B} has no score here yet")
  }
}
