// Tests the cache of answers with all values of a game: one answer serves all anonymous callers as long as it is valid.

import GameConfAPI
import GameConfCore
import GameConfEngine
import Testing

@testable import GameConfHTTP
@testable import GameConfServer

@Suite("The cached answer with all values of a game")
struct ServingConfigTests {
  private static let config = "/v1/games/cave/config"
  private static let noon = "2026-11-21T12:00:00Z"

  private static func values(_ answer: RawAnswer) throws -> ObjectValue {
    try #require(try JSONReader.value(from: answer.body)["values"]?.objectValue)
  }

  @Test("the second request for all values of a game gets the cached answer of the first request, byte for byte")
  func cached() throws {
    let games = try EmbeddedGames([.served()], at: Self.noon)
    let first = try games.ask(Self.config)
    #expect(games.readyAnswers == 0)
    let second = try games.ask(Self.config)
    #expect(games.readyAnswers == 1)
    #expect(first == second)
    #expect(first.status == 200 && first.fields["gameconf-revision"] == "7" && first.fields["content-type"] == "application/json")
    #expect(try Self.values(first).names == ["first", "second", "today", "title", "last"])
    #expect(first.text.hasPrefix(#"{"game":"cave","revision":7,"values":{"first":1,"second":"two","today":""#))
  }

  @Test("a cached answer serves HEAD, conditional requests and Connection: close in the same way as an uncached answer")
  func conditional() throws {
    let games = try EmbeddedGames([.served()], at: Self.noon)
    let fresh = try games.ask(Self.config, method: "HEAD")
    let whole = try games.ask(Self.config)
    let tag = try #require(whole.fields["etag"])
    #expect(games.readyAnswers == 1)
    #expect(try games.ask(Self.config, method: "HEAD") == fresh)
    #expect(fresh.fields == whole.fields && fresh.body.isEmpty)

    let notModified = try games.ask(Self.config, fields: ["If-None-Match: \(tag)"])
    #expect(notModified.status == 304 && notModified.fields["etag"] == tag && notModified.body.isEmpty)
    #expect(try games.ask(Self.config, method: "HEAD", fields: ["If-None-Match: W/\(tag)"]).status == 304)
    #expect(try games.ask(Self.config, fields: ["If-None-Match: \"other\""]) == whole)

    let closing = try games.ask(Self.config, fields: ["Connection: close"])
    #expect(closing.fields["connection"] == "close" && closing.body == whole.body)
  }

  @Test("the values in a cached answer are counted at each request, by the layer that gave them")
  func counted() throws {
    let games = try EmbeddedGames([.served("counted_cave")], at: Self.noon)
    func count(_ layer: Layer) -> UInt64 {
      games.tallies.totals(adding: games.serving.counters.tallies).first {
        $0.name == EvaluationTallies.CounterLabels(game: "counted_cave", layer: layer)
      }?.count ?? 0
    }
    let config = "/v1/games/counted_cave/config"
    let tag = try #require(try games.ask(config).fields["etag"])
    #expect(count(.catalogDefault) == 5)
    for _ in 0..<3 { _ = try games.ask(config) }
    #expect(games.readyAnswers == 3 && count(.catalogDefault) == 20)
    #expect(try games.ask(config, fields: ["If-None-Match: \(tag)"]).status == 304)
    #expect(count(.catalogDefault) == 25)
    // A cached answer of another game is counted for that game.
    games.publish([.served("counted_cave"), .served("other_cave", daily: false)])
    for target in ["/v1/games/other_cave/config", config, "/v1/games/other_cave/config", config] { _ = try games.ask(target) }
    #expect(count(.catalogDefault) == 35)
  }

  @Test("a cached answer with a daily value is replaced at midnight")
  func midnight() throws {
    let games = try EmbeddedGames([.served()], at: "2026-11-21T23:59:57.5Z")
    let before = try games.ask(Self.config)
    #expect(try games.ask(Self.config) == before)
    #expect(games.readyAnswers == 1)
    games.pass(seconds: 1)
    #expect(try games.ask(Self.config).body == before.body)
    #expect(games.readyAnswers == 2)
    // In the last second before a change, answers are not cached.
    games.pass(seconds: 1.4)
    #expect(try games.ask(Self.config).body == before.body)
    #expect(games.readyAnswers == 2)
    games.pass(seconds: 0.1)
    let after = try games.ask(Self.config)
    #expect(games.readyAnswers == 2)
    #expect(try Self.values(after)["today"] == .string(DailyHash.digits(salt: "salt", day: DailyHash.day(of: games.clock.now))))
    #expect(after.body != before.body && after.fields["etag"] != before.fields["etag"])
    #expect(try games.ask(Self.config, fields: ["If-None-Match: \(before.fields["etag"] ?? "")"]).status == 200)
    #expect(try games.ask(Self.config) == after)
    #expect(games.readyAnswers == 3)
  }

  @Test("a cached answer equals a newly evaluated one at every second around midnight", arguments: [1, 2, 3, 5, 7, 30, 3_600, 90_000])
  func always(stepSeconds: Int) throws {
    let games = try EmbeddedGames([.served()], at: "2026-11-21T23:59:31.25Z")
    for _ in 0..<70 {
      let reply = try games.ask(Self.config)
      let made = try games.ask(Self.config, usesReadyAnswers: false)
      #expect(reply.body == made.body)
      games.pass(seconds: Double(stepSeconds))
    }
    #expect(games.serving.counters.readyAnswers > 0 || stepSeconds >= 3_600)
  }

  @Test("if the host's clock is set, cached answers are dropped within a second")
  func clockSet() throws {
    let games = try EmbeddedGames([.served()], at: Self.noon)
    let today = try games.ask(Self.config)
    games.setClock(bySeconds: -86_400)
    let yesterday = try games.ask(Self.config)
    #expect(try Self.values(yesterday)["today"] != Self.values(today)["today"])
    games.setClock(bySeconds: 86_400)
    #expect(try games.ask(Self.config).body == today.body)
  }

  @Test("the cached answer of a game without time-dependent values is valid until the game changes")
  func stateChanges() throws {
    let games = try EmbeddedGames([.served(daily: false), .served("other", revision: 3)], at: Self.noon)
    let before = try games.ask(Self.config)
    games.pass(seconds: 400 * 86_400)
    #expect(try games.ask(Self.config).body == before.body)
    #expect(games.readyAnswers == 1)
    games.publish([
      .served(revision: 8, daily: false, layers: ["second": GameLayers(override: "forced", revision: 8)]), .served("other", revision: 3),
    ])
    let after = try games.ask(Self.config)
    #expect(try Self.values(after)["second"] == "forced" && after.fields["gameconf-revision"] == "8")
    #expect(try games.ask("/v1/games/other/config").fields["gameconf-revision"] == "3")
    #expect(try games.ask(Self.config) == after)
    #expect(games.readyAnswers == 2)
  }

  @Test("an answer with a value that may change at an unpredictable time is not cached")
  func timeDependent() throws {
    var clocked = Parameter(key: "clocked", type: .boolean, defaultValue: .value(false), section: "A", description: "By the time.")
    clocked.rules = [
      Rule(
        condition: try LogicExpression(compiling: [">": [["var": "$flagd.timestamp"], 1_795_262_402]]), value: .value(true))
    ]
    let games = try EmbeddedGames([.served(more: [clocked])], at: Self.noon)
    #expect(try Self.values(games.ask(Self.config))["clocked"] == false)
    games.pass(seconds: 3)
    #expect(try Self.values(games.ask(Self.config))["clocked"] == true)
    #expect(games.readyAnswers == 0)
  }

  @Test(
    "a request for values with a query is not answered from the cache",
    arguments: ["?locale=fr", "?player=p", "?keys=title", "?detail=full", "?locale=*"])
  func queries(query: String) throws {
    let games = try EmbeddedGames([.served()], at: Self.noon)
    let bare = try games.ask(Self.config)
    let reply = try games.ask(Self.config + query)
    #expect(games.readyAnswers == 0)
    #expect(try games.ask(Self.config) == bare)
    #expect(try games.ask(Self.config + query) == reply)
    #expect(games.readyAnswers == 1)
    #expect(query == "?player=p" || reply.body != bare.body)
  }

  @Test("a request for values with a context neither uses the cache nor fills it")
  func contexts() throws {
    let games = try EmbeddedGames([.served()], at: Self.noon)
    let french = try games.ask(Self.config, method: "POST", body: #"{"context":{"locale":"fr"}}"#)
    #expect(try Self.values(french)["title"] == "Grotte")
    #expect(try games.ask(Self.config, method: "POST").status == 200)
    #expect(games.serving.cached.isEmpty)
    #expect(try Self.values(games.ask(Self.config))["title"] == "Cave")
    #expect(try Self.values(games.ask(Self.config, method: "POST", body: #"{"context":{"locale":"fr"}}"#))["title"] == "Grotte")
  }

  @Test("the values of a game with secret parameters are evaluated for each client by its role", arguments: [true, false])
  func secrets(readerFirst: Bool) throws {
    var secret = Parameter(key: "secret", type: .string, defaultValue: .value("s3cret"), section: "A", description: "For readers.")
    secret.isSecret = true
    let games = try EmbeddedGames([.served(more: [secret])], at: Self.noon, secrets: ["cave": [42]])
    for isReader in [readerFirst, !readerFirst, readerFirst] {
      #expect(try games.ask(Self.config, uid: isReader ? 42 : 1).text.contains("s3cret") == isReader)
    }
    #expect(games.serving.cached.isEmpty)
  }

  @Test("a client that may use only some games neither uses the cache of answers nor fills it")
  func restricted() throws {
    let games = try EmbeddedGames([.served()], at: Self.noon)
    _ = try games.ask(Self.config, usesReadyAnswers: false)
    #expect(games.serving.cached.isEmpty)
    let reply = try games.ask(Self.config)
    #expect(try games.ask(Self.config, usesReadyAnswers: false) == reply)
    #expect(try games.ask(Self.config, fields: ["If-None-Match: *"], usesReadyAnswers: false).status == 304)
    #expect(games.readyAnswers == 0)
  }

  @Test("another spelling of the path to a game's values gets the same answer and does not fill the cache")
  func spellings() throws {
    let games = try EmbeddedGames([.served()], at: Self.noon)
    let answer = try games.ask("/v1/games/c%61ve/config")
    for spelling in ["/v1/games/%63ave/config", "/v1/games/cave/config?", "http://x/v1/games/cave/config"] {
      #expect(try games.ask(spelling).body == answer.body)
    }
    #expect(games.serving.cached.answer(to: Array(Self.config.utf8)[...]) != nil)
    #expect(games.serving.cached.answer(to: Array("/v1/games/c%61ve/config".utf8)[...]) == nil)
  }
}
