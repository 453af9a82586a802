// The command lines that the panel offers, each parsed by gameconfctl's own parser.

import GameConfAPI
import GameConfCore
import Testing

@testable import gameconfctl

@Suite("The command line that the panel shows for a call")
struct PanelCommandTests {
  private static func line(_ method: GameConfAPI.Method, _ target: String, _ body: String = "{}", secrets: Set<String> = []) throws
    -> String?
  {
    let endpoint = try #require(PanelCalls.endpoint(method, target))
    return PanelCommand(endpoint, target: target, body: try JSONReader.value(from: Array(body.utf8)), secrets: secrets)?.text
  }

  private static let game = "/v1/games/g"
  private static let player = game + "/players/p1"

  private static let rows: [(method: GameConfAPI.Method, target: String, body: String, words: String)] =
    [
      (.put, game + "/overrides/k", #"{"value": 2.5}"#, "config set g k 2.5"),
      (
        .put, game + "/overrides/k?replace=true&window=w1", #"{"value": true, "until": "2026-01-01T00:00:00Z"}"#,
        "config set g k true --until 2026-01-01T00:00:00Z --replace --window w1 --yes"
      ),
      (
        .put, player + "/overrides/k?window=w1", #"{"value": 205, "reason": "why"}"#,
        "config set g k 205 --player p1 --reason why --window w1"
      ),
      (.put, player + "/overrides/k", #"{"value": -1}"#, "config set --player p1 -- g k -1"),
      (.delete, game + "/overrides/k", "{}", "config reset g k"),
      (.delete, player + "/overrides/k?window=w2", "{}", "config reset g k --player p1 --window w2"),
      (.get, game + "/config/k/explain?player=p1", "{}", "config explain g k --player p1"),
      (.post, game + "/audit/7/revert?force=true", #"{"reason": "undone in the panel"}"#, "audit revert g 7 --force"),
      (.post, game + "/audit/revert?author=1000&session=s1", "{}", "audit revert g --author 1000 --session s1"),
      (.patch, player, #"{"lifetime_score": 60}"#, "player score g p1 --lifetime 60"),
      (.patch, player, #"{"best_scores": {"classic": 9}}"#, "player score g p1 --best classic=9"),
      (.delete, player, "{}", "player forget g p1 --yes"),
      (.put, player + "/clock", #"{"advance": "P1M"}"#, "player clock g p1 advance P1M"),
      (.put, player + "/clock", #"{"now": "2026-01-01T00:00:00Z"}"#, "player clock g p1 set 2026-01-01T00:00:00Z"),
      (.put, player + "/settings/k", #"{"value": "x"}"#, "player settings g p1 k x"),
      (.delete, player + "/settings/k", "{}", "player settings g p1 k --reset"),
      (
        .post, player + "/events", #"{"event": "game_over", "mode": "classic", "score": 10}"#,
        "ads event g p1 game_over --mode classic --score 10"
      ),
      (.post, player + "/ads/a/reports", #"{"decision_id": "d1", "outcome": "closed"}"#, "ads report g p1 a d1 closed"),
      (.post, player + "/ads/a/force", "{}", "ads force g p1 a"),
      (.post, player + "/ads/a/reset", "{}", "ads reset g p1 a"),
      (.post, player + "/plays/x/close", "{}", "play close g p1 x"),
      (.delete, "/v1/scenarios/s1", "{}", "scenario end s1 --yes"),
      (.post, game + "/template/rollback", #"{"version": 3, "reason": "in the panel"}"#, "template rollback g 3"),
      (.post, player + "/purchases", #"{"product": "x"}"#, "iap buy g p1 x"),
      (.put, player + "/store/premium", #"{"on": false}"#, "iap premium g p1 off"),
      (.put, player + "/store/behaviour", #"{"ask_to_buy": true, "fail": {}}"#, "iap behaviour g p1 ask-to-buy on"),
      (
        .put, player + "/store/behaviour", #"{"fail": {"purchase": {"error": "network_error"}}}"#,
        "iap behaviour g p1 fail purchase --error network_error"
      ),
      (.put, player + "/store/behaviour", #"{"ask_to_buy": false, "interrupted": false, "fail": {}}"#, "iap behaviour g p1 clear"),
      (.post, player + "/transactions/t1/refund", "{}", "iap refund g p1 t1"),
      (.post, player + "/transactions/t1/refund_decline", "{}", "iap refund g p1 t1 --decline"),
      (.post, player + "/transactions/t1/renewal_on", "{}", "iap cancel g p1 t1 --undo"),
      (.post, player + "/transactions/t1/cancel", "{}", "iap cancel g p1 t1"),
      (.post, player + "/transactions/t1/billing_retry", "{}", "iap retry g p1 t1"),
      (.post, player + "/transactions/t1/accept_price", "{}", "iap price g p1 t1 --accept"),
    ]
    + ["approve", "decline", "resolve", "finish", "renew", "recover", "expire", "revoke"].map { act in
      (.post, player + "/transactions/t1/\(act)", "{}", "iap \(act) g p1 t1")
    }

  @Test("gameconfctl accepts each command line that the panel shows", arguments: rows.indices)
  func commands(at: Int) throws {
    let row = Self.rows[at]
    #expect(try Self.line(row.method, row.target, row.body) == "gameconfctl " + row.words)
    _ = try GameConfCtl.parseAsRoot(row.words.split(separator: " ").map(String.init))
  }

  @Test("a shell reads each word of a shown command line literally")
  func quotes() throws {
    #expect(try Self.line(.put, Self.game + "/overrides/k", #"{"value": "it's $(me)"}"#) == #"gameconfctl config set g k 'it'\''s $(me)'"#)
    #expect(try Self.line(.put, Self.game + "/overrides/k", #"{"value": ""}"#) == "gameconfctl config set g k ''")
    #expect(
      try Self.line(.put, Self.game + "/overrides/k", #"{"value": {"a": 9007199254740993}}"#)
        == #"gameconfctl config set g k --value-json '{"a":9007199254740993}'"#)
    #expect(try Self.line(.put, Self.game + "/overrides/k", #"{"value": 1, "reason": "-x"}"#) == "gameconfctl config set g k 1 --reason=-x")
  }

  @Test("the panel shows no command line for a value that cannot be quoted, nor for a secret")
  func none() throws {
    #expect(try Self.line(.put, Self.game + "/overrides/k", #"{"value": "a\nb"}"#) == nil)
    #expect(try Self.line(.put, Self.game + "/overrides/k", #"{"value": 1, "reason": "a\u202eb"}"#) == nil)
    #expect(try Self.line(.put, Self.game + "/overrides/k", #"{"value": "hush"}"#, secrets: ["k"]) == nil)
    #expect(try Self.line(.post, "/v1/scenarios") == nil)
  }
}
