// The simulated store on the command line, against recorded responses: requests, output and exit status.

import GameConfAPI
import GameConfCore
import GameConfTransport
import Testing

@testable import gameconfctl

private enum Shop {
  static func transaction(
    _ id: String, _ product: String, state: String = "purchased", isActive: Bool = true, expires: Int64? = nil, finished: Int64? = nil
  ) -> WireTransaction {
    var record = WireTransaction(
      id: id, originalID: id, reason: "purchase", state: state, isActive: isActive, purchasedAt: Instant(seconds: 100))
    record.product = product
    record.price = ShopPrice(currency: "USD", amount: "4.99")
    record.expiresAt = expires.map { Instant(seconds: $0) }
    record.finishedAt = finished.map { Instant(seconds: $0) }
    return record
  }

  static func answer(_ status: String, _ transaction: WireTransaction? = nil, error: String? = nil) -> ShopActAnswer {
    ShopActAnswer(
      game: "g", player: "p", playerRevision: 3, at: Instant(seconds: 100), status: status, error: error, transaction: transaction)
  }

  static func list(_ transactions: WireTransaction...) -> Response {
    .json(TransactionList(game: "g", player: "p", at: Instant(seconds: 100), transactions: transactions))
  }

  static let behaviour = WireBehaviour(
    fail: ["purchase": SimulatedFailure(error: "not_allowed", times: 2)], asksToBuy: true)

  static func behaves(_ behaviour: WireBehaviour) -> Response {
    .json(BehaviourAnswer(game: "g", player: "p", playerRevision: 8, behaviour: behaviour))
  }
}

@Suite("Commands of the simulated store")
struct IapCommandTests {
  @Test("iap products prints a table with prices")
  func products() async {
    let daemon = RecordedDaemon([
      "GET /v1/games/g/products?locale=es": .json(
        ProductList(
          game: "g",
          products: [
            WireProduct(
              id: "premium", storeID: "com.a.premium", type: "non_consumable", name: "Todo",
              price: ObjectValue([("USD", "4.99"), ("EUR", "5.49")]),
              grants: ["ad_free", "premium"]),
            WireProduct(
              id: "monthly", storeID: "monthly", type: "auto_renewable", name: "Mes", price: ObjectValue([("USD", "2.99")]),
              grants: ["Pro"],
              renewal: .init(
                group: "pro", level: 2, period: "P1M", intro: ProductIntro(mode: "free_trial", period: "P1W"), gracePeriod: "P16D")),
          ])),
      "GET /v1/games/g/products?player=p": .json(ProductList(game: "g", products: [], error: "network_error")),
    ])
    let outcome = await run("iap", "products", "g", "--locale", "es", admin: daemon)
    #expect(
      outcome.out == """
        premium\tnon_consumable\t4.99 USD, 5.49 EUR\t-\tTodo\tad_free, premium\tcom.a.premium
        monthly\tauto_renewable\t2.99 USD\tP1M, free_trial 1 × P1W, grace P16D\tMes\tPro\tmonthly

        """)
    #expect(
      await run("iap", "products", "g", "--player", "p", admin: daemon)
        == RunResult(status: 1, out: "loading the products failed: network_error\n", err: ""))
  }

  @Test(
    "iap buy prints the outcome, and exits with 1 if the store refused the purchase",
    arguments: [
      (
        Shop.answer("success", Shop.transaction("1", "premium")), 0, "premium is bought for player p (simulated, 4.99 USD); transaction 1\n"
      ),
      (
        Shop.answer("success", Shop.transaction("1", "monthly", expires: 200)), 0,
        "monthly is bought for player p (simulated, 4.99 USD) until 1970-01-01T00:03:20Z; transaction 1\n"
      ),
      (
        Shop.answer("success", Shop.transaction("1", "premium"), error: "invalid_signature"), 0,
        "premium is bought for player p (simulated, 4.99 USD), but does not verify (invalid_signature): a restore verifies it; transaction 1\n"
      ),
      (
        Shop.answer("pending", Shop.transaction("1", "premium", state: "pending")), 0,
        "the purchase of premium is pending: it waits to be approved or declined; transaction 1\n"
      ),
      (
        Shop.answer("interrupted", Shop.transaction("1", "premium", state: "interrupted")), 0,
        "the purchase of premium is interrupted: it waits to be resolved; transaction 1\n"
      ),
      (Shop.answer("failed", error: "not_allowed"), 1, "the purchase of premium failed: not_allowed\n"),
      (Shop.answer("cancelled", error: "user_cancelled"), 1, "the purchase of premium was cancelled\n"),
      (
        Shop.answer("deferred", Shop.transaction("1", "yearly", expires: 200)), 0,
        "yearly becomes premium at the end of its period, 1970-01-01T00:03:20Z; transaction 1\n"
      ),
      (Shop.answer("kept", Shop.transaction("1", "yearly")), 0, "yearly goes on as it is; transaction 1\n"),
    ] as [(ShopActAnswer, Int32, String)])
  func buy(answer: ShopActAnswer, status: Int32, sentence: String) async {
    let daemon = RecordedDaemon(["POST /v1/games/g/players/p/purchases": .json(answer)])
    let outcome = await run(
      "iap", "buy", "g", "p", "premium", "--currency", "USD", "--reason", "r", "--idempotency-key", "k", admin: daemon)
    #expect(outcome == RunResult(status: status, out: sentence, err: ""))
    let sent = daemon.changes.last
    #expect(sent?.body == ["product": "premium", "currency": "USD", "reason": "r"])
    #expect(sent?.headers == ["Idempotency-Key": "k"])
  }

  @Test("iap buy --dry-run says that nothing was changed, and --finish finishes the transaction")
  func finish() async {
    let daemon = RecordedDaemon([
      "POST /v1/games/g/players/p/purchases?dry_run=true": .json(Shop.answer("success", Shop.transaction("1", "premium"))),
      "POST /v1/games/g/players/p/purchases": .json(Shop.answer("success", Shop.transaction("1", "premium"))),
      "POST /v1/games/g/players/p/transactions/1/finish": .json(Shop.answer("success", Shop.transaction("1", "premium", finished: 100))),
    ])
    let dry = await run("iap", "buy", "g", "p", "premium", "--dry-run", admin: daemon)
    #expect(dry.out.hasPrefix("nothing was changed; without --dry-run: premium is bought"))
    let outcome = await run("iap", "buy", "g", "p", "premium", "--finish", "--idempotency-key", "k", admin: daemon)
    #expect(outcome.out == "premium is bought for player p (simulated, 4.99 USD); transaction 1, finished\n")
    #expect(daemon.changes.last?.headers == [:])
    #expect(await run("iap", "buy", "g", "p", "premium", "--finish", "--dry-run", admin: daemon).status == 2)
  }

  @Test(
    "an act's transaction can be named by its id, or by its product for the newest one to which the act applies",
    arguments: [
      ("refund", "4", "4"), ("refund", "premium", "3"), ("refund", "com.a.premium", "3"), ("approve", "premium", "2"),
      ("decline", "premium", "2"), ("finish", "premium", "1"), ("revoke", "theme", "4"),
    ])
  func naming(verb: String, name: String, id: String) async {
    let transactions = Shop.list(
      Shop.transaction("1", "premium"), Shop.transaction("2", "premium", state: "pending", isActive: false),
      Shop.transaction("3", "premium", finished: 200), Shop.transaction("4", "theme", finished: 200))
    let call = "POST /v1/games/g/players/p/transactions/\(id)/\(verb)"
    let daemon = RecordedDaemon([
      "GET /v1/games/g/players/p/transactions": transactions, call: .json(Shop.answer("success", Shop.transaction(id, "premium"))),
    ])
    let outcome = await run("iap", verb, "g", "p", name, admin: daemon)
    #expect(outcome.status == 0, "\(outcome.err)")
    #expect(daemon.calls.last == call)
  }

  @Test("an act on a product that was never bought is refused, with the most similar bought product")
  func neverBought() async {
    let daemon = RecordedDaemon(["GET /v1/games/g/players/p/transactions": Shop.list(Shop.transaction("1", "premium"))])
    let outcome = await run("iap", "refund", "g", "p", "premum", admin: daemon)
    #expect(outcome.status == 5)
    #expect(outcome.err.contains("Did you mean “premium”?"))
    #expect(daemon.calls == ["GET /v1/games/g/players/p/transactions"])
  }

  @Test(
    "each iap command for an act on a transaction makes its call and prints its sentence",
    arguments: [
      (["refund", "1"], "refund", [:], "monthly is refunded; transaction 1\n"),
      (["refund", "1", "--decline"], "refund_decline", [:], "a refund of monthly is declined; transaction 1\n"),
      (["revoke", "1", "--reason", "r"], "revoke", ["reason": "r"], "monthly is revoked; transaction 1\n"),
      (["expire", "1"], "expire", [:], "monthly is expired; transaction 1\n"),
      (["renew", "1"], "renew", [:], "monthly is renewed until 1970-01-01T00:03:20Z; transaction 1\n"),
      (["cancel", "1"], "cancel", [:], "monthly will not renew; it lasts until 1970-01-01T00:03:20Z; transaction 1\n"),
      (["cancel", "1", "--undo"], "renewal_on", [:], "monthly renews again at 1970-01-01T00:03:20Z; transaction 1\n"),
      (
        ["retry", "1", "--grace", "never"], "billing_retry", ["grace": "never"],
        "billing of monthly is retried; access has ended; transaction 1\n"
      ),
      (["recover", "1"], "recover", [:], "billing of monthly is recovered, paid until 1970-01-01T00:03:20Z; transaction 1\n"),
      (["finish", "1"], "finish", [:], "monthly is finished; transaction 1\n"),
      (["decline", "1"], "decline", [:], "the purchase of monthly is declined; transaction 1\n"),
      (
        ["price", "1", "3.99", "--consent"], "change_price", ["amount": "3.99", "currency": "USD", "needs_consent": true],
        "monthly costs 3.99 USD from 1970-01-01T00:03:20Z on, a rise only if it is accepted before; transaction 1\n"
      ),
      (["price", "1", "--accept"], "accept_price", [:], "the new price of monthly is accepted; transaction 1\n"),
    ] as [([String], String, Value, String)])
  func acts(arguments: [String], word: String, body: Value, sentence: String) async {
    let call = "POST /v1/games/g/players/p/transactions/1/\(word)"
    let daemon = RecordedDaemon([call: .json(Shop.answer("success", Shop.transaction("1", "monthly", expires: 200)))])
    let outcome = await run(["iap", arguments[0], "g", "p"] + Array(arguments.dropFirst()), admin: daemon)
    #expect(outcome == RunResult(status: 0, out: sentence, err: ""))
    #expect(daemon.changes.map(\.body) == [body])
  }

  @Test("iap play performs several acts on one product in order, each on the newest transaction to which it applies")
  func play() async {
    let daemon = RecordedDaemon([
      "GET /v1/games/g/players/p/transactions": Shop.list(Shop.transaction("1", "monthly"), Shop.transaction("2", "monthly")),
      "POST /v1/games/g/players/p/transactions/2/renew": .json(Shop.answer("success", Shop.transaction("3", "monthly", expires: 200))),
      "POST /v1/games/g/players/p/transactions/2/billing_retry": .json(Shop.answer("success", Shop.transaction("3", "monthly"))),
    ])
    let outcome = await run("iap", "play", "g", "p", "monthly", "renew,fail,recover", "--reason", "r", admin: daemon)
    #expect(
      outcome.out == """
        monthly is renewed until 1970-01-01T00:03:20Z; transaction 3
        billing of monthly is retried; access has ended; transaction 3

        """)
    #expect(outcome.status != 0)
    #expect(outcome.err.hasPrefix("2 of 3 acts done; not done: recover\n"), "\(outcome.err)")
    #expect(daemon.changes.map(\.body).prefix(2) == [["reason": "r"], ["reason": "r"]])
  }

  @Test("iap play refuses an unknown act before the first request, with the most similar act", arguments: ["renew,recovr", "renew,", ""])
  func playedWords(acts: String) async {
    let daemon = RecordedDaemon()
    let outcome = await run("iap", "play", "g", "p", "monthly", acts, admin: daemon)
    #expect(outcome.status == 2)
    #expect(outcome.err.hasPrefix("gameconfctl: “") && outcome.err.contains("is not an act."), "\(outcome.err)")
    #expect(daemon.calls == [])
  }

  @Test(
    "iap play refuses a step that lacks its required argument, and one with an argument that it does not take",
    arguments: [
      ("buy:", "write buy:PRODUCT"), ("grant:", "write grant[:PERIOD]"), ("ask:x", "write ask"), ("wait", "write wait:PERIOD"),
      ("renew:x", "“renew:x” is not an act."), ("consnt:4.99", "Did you mean “consent”?"),
    ])
  func steps(acts: String, words: String) async {
    let outcome = await run("iap", "play", "g", "p", "monthly", acts, admin: RecordedDaemon())
    #expect(outcome.status == 2 && outcome.err.contains(words), "\(outcome.err)")
  }

  @Test("a step of iap play has the same effect as the command of that name")
  func stepped() async {
    let daemon = RecordedDaemon([
      "GET /v1/games/g/players/p/store/behaviour": Shop.behaves(Shop.behaviour),
      "PUT /v1/games/g/players/p/store/behaviour": Shop.behaves(Shop.behaviour),
      "POST /v1/games/g/players/p/purchases": .json(Shop.answer("success", Shop.transaction("3", "yearly"))),
      "POST /v1/games/g/players/p/grants": .json(Shop.answer("success", Shop.transaction("4", "yearly"))),
      "POST /v1/games/g/players/q/restore": .json(Shop.answer("success")),
    ])
    let outcome = await run("iap", "play", "g", "p", "Pro", "ask,buy:yearly,grant:7d,to:q", "--reason", "r", admin: daemon)
    #expect(outcome.status == 0, "\(outcome.err)")
    let bodies = daemon.changes.map(\.body)
    #expect(bodies.first??["ask_to_buy"] == true, "\(bodies)")
    #expect(
      bodies.dropFirst() == [
        ["product": "yearly", "reason": "r"], ["entitlement": "Pro", "period": "P7D", "reason": "r"], ["from_player": "p", "reason": "r"],
      ], "\(bodies)")
  }

  @Test("iap behaviour prints the store's behaviour, and changes it only at the revision that it read")
  func behaviour() async {
    var wanted = Shop.behaviour
    wanted.fail["restore"] = SimulatedFailure(error: "unknown")
    let daemon = RecordedDaemon([
      "GET /v1/games/g/players/p/store/behaviour": Shop.behaves(Shop.behaviour),
      "PUT /v1/games/g/players/p/store/behaviour": Shop.behaves(wanted),
    ])
    let shown = await run("iap", "behaviour", "g", "p", admin: daemon)
    #expect(
      shown.out == "fail purchase\tnot_allowed, for 2 more calls\nask-to-buy\ton\ninterrupt\toff\nbilling\tok\ngrace\tproduct\n")
    let outcome = await run("iap", "behaviour", "g", "p", "fail", "restore", "--error", "unknown", admin: daemon)
    #expect(outcome.out.contains("fail restore\tunknown, until cleared\n"))
    let sent = daemon.changes.last
    #expect(sent?.headers == ["If-Match": "\"8\""])
    #expect(sent?.body.flatMap { try? PutBehaviour(wire: $0).behaviour } == wanted)
  }

  @Test(
    "each setting of iap behaviour changes only its own part of the store's behaviour",
    arguments: [
      (["ask-to-buy", "off"], ["fail": ["purchase": ["error": "not_allowed", "times": 2]]]),
      (["interrupt", "on"], ["fail": ["purchase": ["error": "not_allowed", "times": 2]], "ask_to_buy": true, "interrupted": true]),
      (["billing", "fail"], ["fail": ["purchase": ["error": "not_allowed", "times": 2]], "ask_to_buy": true, "billing_fails": true]),
      (["grace", "never"], ["fail": ["purchase": ["error": "not_allowed", "times": 2]], "ask_to_buy": true, "grace": "never"]),
      (["clear"], [:]), (["clear", "purchase"], ["ask_to_buy": true]),
    ] as [([String], Value)])
  func settings(arguments: [String], wanted: Value) async throws {
    let daemon = RecordedDaemon([
      "GET /v1/games/g/players/p/store/behaviour": Shop.behaves(Shop.behaviour),
      "PUT /v1/games/g/players/p/store/behaviour": Shop.behaves(Shop.behaviour),
    ])
    let outcome = await run(["iap", "behaviour", "g", "p"] + arguments, admin: daemon)
    #expect(outcome.status == 0, "\(outcome.err)")
    let body = try #require(daemon.changes.last?.body)
    #expect(try PutBehaviour(wire: body) == PutBehaviour(wire: wanted))
  }

  @Test(
    "iap behaviour with invalid words is a usage error, and no request is sent",
    arguments: [
      ["fail", "purchase"], ["fail", "buying", "--error", "unknown"], ["ask-to-buy"], ["grace", "maybe"],
      ["billing", "--error", "unknown"],
    ])
  func usage(arguments: [String]) async {
    let daemon = RecordedDaemon()
    #expect(await run(["iap", "behaviour", "g", "p"] + arguments, admin: daemon).status == 2)
    #expect(daemon.calls == [])
  }

  @Test("iap premium switches premium access in one call, and prints it as on or off")
  func premium() async {
    var held = EntitlementsAnswer(
      game: "g", player: "p", at: Instant(seconds: 1), isAdFree: false, entitlements: [], purchased: ObjectValue([("premium", true)]))
    held.premium = WirePremium(product: "premium", isOn: true)
    let daemon = RecordedDaemon([
      "GET /v1/games/g/players/p/entitlements": .json(held),
      "PUT /v1/games/g/players/p/store/premium": .json(Shop.answer("success", Shop.transaction("1", "premium"))),
    ])
    #expect(await run("iap", "premium", "g", "p", admin: daemon).out == "on\n")
    #expect(
      await run("iap", "premium", "g", "p", "on", admin: daemon).out
        == "premium is bought for player p (simulated, 4.99 USD); transaction 1\n")
    #expect(daemon.changes.map(\.body) == [["on": true]])
  }

  @Test("iap premium off makes one call, and prints each purchase and grant that it ended")
  func premiumOff() async {
    var answer = Shop.answer("success", Shop.transaction("9", "monthly"))
    var grant = Shop.transaction("10", "Pro")
    (grant.product, grant.entitlement) = (nil, "Pro")
    answer.ended = [Shop.transaction("9", "monthly"), grant]
    let daemon = RecordedDaemon(["PUT /v1/games/g/players/p/store/premium": .json(answer)])
    let ended = await run("iap", "premium", "g", "p", "off", admin: daemon)
    #expect(ended == RunResult(status: 0, out: "monthly is refunded; transaction 9\nPro is revoked; transaction 10\n", err: ""))
    #expect(daemon.changes.map(\.body) == [["on": false]])
    let idle = RecordedDaemon(["PUT /v1/games/g/players/p/store/premium": .json(Shop.answer("kept", nil))])
    #expect(await run("iap", "premium", "g", "p", "off", admin: idle).out == "premium is off already for player p\n")
  }

  @Test("iap clear asks before it deletes a player's transactions")
  func clear() async {
    let daemon = RecordedDaemon(["DELETE /v1/games/g/players/p/transactions?reason=r": .noContent(revision: 1)])
    #expect(await run("iap", "clear", "g", "p", "--reason", "r", admin: daemon).status == 2)
    #expect(await run("iap", "clear", "g", "p", "--reason", "r", admin: daemon, answering: ["n"]).status == 1)
    #expect(daemon.calls == [])
    let outcome = await run("iap", "clear", "g", "p", "--reason", "r", "--yes", admin: daemon)
    #expect(outcome == RunResult(status: 0, out: "every transaction of player p is forgotten\n", err: ""))
  }

  @Test("iap history prints the oldest event first, with Apple's server notifications")
  func history() async {
    let daemon = RecordedDaemon([
      "GET /v1/games/g/players/p/store/log?limit=2&before=9": .json(
        ShopLogAnswer(
          game: "g", player: "p",
          entries: [
            ShopLogLine(number: 8, at: Instant(seconds: 2), event: "finished", transaction: "1", subject: "m"),
            ShopLogLine(
              number: 7, at: Instant(seconds: 1), event: "purchased", notificationType: "SUBSCRIBED", subtype: "INITIAL_BUY",
              transaction: "1",
              subject: "m"),
          ], nextBefore: 7))
    ])
    #expect(
      await run("iap", "history", "g", "p", "--limit", "2", "--before", "9", admin: daemon).out == """
        7\t1970-01-01T00:00:01Z\tpurchased\tSUBSCRIBED\tINITIAL_BUY\tm\t1\t-
        8\t1970-01-01T00:00:02Z\tfinished\t-\t-\tm\t1\t-

        """)
  }
}
