// The simulated store over the daemon's sockets: statuses, repeated ids, roles.

import GameConfCore
import Testing

/// A game in which only admins may buy.
private let shop = """
  gameconf: 1
  game: shop
  title: Shop
  bundle: com.example.shop
  locales: [en, fr]
  simulation: {purchases: admin}
  parameters:
    free_levels: {type: integer, default: 2, section: Play, description: Levels that are free.}
  products:
    coins: {type: consumable, name: {en: Coins, fr: Pièces}, price: {USD: "0.99", EUR: "1.09"}}
    gold: {type: auto_renewable, name: {en: Gold}, price: {USD: "4.99"}, group: club, level: 1, period: P1M, grants: [Gold]}
  offerings: {sale: {$rc_monthly: gold}}
  gates:
    levels: {args: {number: integer}, locked_when: {">": [{var: number}, {parameter: free_levels}]}, unless: [Gold]}
  """

@Suite("The simulated store on the running daemon", .serialized)
struct ShopTests {
  private static let clock = ["--clock", "2024-01-31T10:00:00Z"]
  private static let player = "/v1/games/wheresthedot/players/p"

  @Test("a purchase with an Idempotency-Key is created once, with its path in Location")
  func purchase() throws {
    let daemon = try RunningDaemon(arguments: Self.clock)
    let body: Value = ["product": "com.optionalsankur.Dotto.premium"]
    let first = try daemon.ask("POST", Self.player + "/purchases", body: body, headers: ["Idempotency-Key": "k1"])
    #expect(first.status == 201)
    #expect(first.json["status"] == "success")
    #expect(first.json["environment"] == "simulated")
    #expect(first.json["transaction"]?["product"] == "premium")
    #expect(first.headers["gameconf-player-revision"] == first.json["player_revision"]?.integerValue.map(String.init))
    let again = try daemon.ask("POST", Self.player + "/purchases", body: body, headers: ["Idempotency-Key": "k1"])
    #expect(again.status == 201)
    #expect(again.json == first.json)
    let other = try daemon.ask("POST", Self.player + "/purchases", body: ["product": "removeads"], headers: ["Idempotency-Key": "k1"])
    #expect(other.status == 422)
    #expect(other.code == "ID_REUSED")

    let location = try #require(first.headers["location"])
    let read = try daemon.ask("GET", location)
    #expect(read.status == 200)
    #expect(read.json == first.json["transaction"])
    let all = try daemon.ask("GET", Self.player + "/transactions?unfinished=true").json["transactions"]
    #expect(all?.listValue == [read.json])
    let finished = try daemon.ask("POST", location + "/finish")
    #expect(finished.status == 200)
    #expect(finished.json["transaction"]?["finished_at"] == "2024-01-31T10:00:00Z")
    #expect(try daemon.ask("GET", Self.player + "/transactions?unfinished=true").json["transactions"] == [])
    let twice = try daemon.ask("POST", location + "/finish")
    #expect(twice.status == 409)
    #expect(twice.code == "ALREADY_FINISHED")
    #expect(try daemon.ask("GET", Self.player + "/transactions/1").code == "UNKNOWN_TRANSACTION")
  }

  @Test("the same Idempotency-Key on another transaction is another request")
  func keysOfTransactions() throws {
    let daemon = try RunningDaemon(arguments: Self.clock)
    var places: [String] = []
    for product in ["removeads", "theme.aurora"] {
      let answer = try daemon.ask("POST", Self.player + "/purchases", body: ["product": .string(product)])
      places.append(try #require(answer.headers["location"]))
    }
    let key = ["Idempotency-Key": "same"]
    #expect(try daemon.ask("POST", places[0] + "/finish", headers: key).status == 200)
    #expect(try daemon.ask("POST", places[1] + "/finish", headers: key).code == "ID_REUSED")
    #expect(try daemon.ask("POST", places[0] + "/finish", headers: key).status == 200)
  }

  @Test("entitlements list what the player has, what counts as purchased, and whether ads are off")
  func entitlements() throws {
    let daemon = try RunningDaemon(arguments: Self.clock)
    let fresh = try daemon.ask("GET", Self.player + "/entitlements").json
    #expect(fresh["is_ad_free"] == false)
    #expect(fresh["entitlements"] == [])
    #expect(fresh["purchased"] == ["removeads": false, "theme.aurora": false, "theme.inferno": false, "premium": false])
    _ = try daemon.ask("POST", Self.player + "/purchases", body: ["product": "premium"])
    let held = try daemon.ask("GET", Self.player + "/entitlements").json
    #expect(held["is_ad_free"] == true)
    #expect(held["purchased"] == ["removeads": true, "theme.aurora": true, "theme.inferno": true, "premium": true])
    let premium = try #require(held["entitlements"]?.listValue?.first { $0["id"] == "premium" })
    #expect(premium["environment"] == "simulated")
    #expect(premium["is_active"] == true)
    #expect(premium["will_renew"] == false)
    #expect(premium["period_type"] == "normal")
    #expect(premium["expires_at"] == nil)
  }

  @Test("a dry run of a purchase changes nothing, and a failed precondition is refused")
  func conditions() throws {
    let daemon = try RunningDaemon(arguments: Self.clock)
    let dry = try daemon.ask("POST", Self.player + "/purchases?dry_run=true", body: ["product": "premium"])
    #expect(dry.status == 200)
    #expect(dry.json["dry_run"] == true)
    #expect(dry.json["status"] == "success")
    #expect(try daemon.ask("GET", Self.player + "/transactions").json["transactions"] == [])
    let bought = try daemon.ask("POST", Self.player + "/purchases", body: ["product": "premium"])
    let revision = try #require(bought.json["player_revision"]?.integerValue)
    let late = try daemon.ask(
      "PUT", Self.player + "/store/behaviour", body: ["ask_to_buy": true], headers: ["If-Match": "\"\(revision - 1)\""], admin: true)
    #expect(late.status == 412)
    #expect(late.code == "REVISION_CHANGED")
    let held = try daemon.ask(
      "PUT", Self.player + "/store/behaviour", body: ["ask_to_buy": true], headers: ["If-Match": "\"\(revision)\""], admin: true)
    #expect(held.status == 200)
    #expect(held.json["ask_to_buy"] == true)
    let forgotten = try daemon.ask("DELETE", Self.player + "/transactions?dry_run=true", admin: true)
    #expect(forgotten.status == 200)
    #expect(try daemon.ask("DELETE", Self.player + "/transactions", admin: true).status == 204)
    #expect(try daemon.ask("DELETE", Self.player + "/transactions", admin: true).status == 204)
    #expect(try daemon.ask("GET", Self.player + "/transactions").json["transactions"] == [])
    #expect(try daemon.ask("GET", Self.player + "/store/behaviour", admin: true).json["ask_to_buy"] == true)
  }

  @Test("a simulated failure of the store is an answer with status 200, and occurs as many times as its behaviour says")
  func failures() throws {
    let daemon = try RunningDaemon(arguments: Self.clock)
    let behaviour: Value = ["fail": ["load_products": ["error": "network_error", "times": 1], "purchase": ["error": "user_cancelled"]]]
    #expect(try daemon.ask("PUT", Self.player + "/store/behaviour", body: behaviour, admin: true).status == 200)
    let products = "/v1/games/wheresthedot/products"
    #expect(try daemon.ask("GET", products + "?player=other").json["products"]?.listValue?.count == 4)
    let failed = try daemon.ask("GET", products + "?player=p")
    #expect(failed.status == 200)
    #expect(failed.json["status"] == "failed")
    #expect(failed.json["error"] == "network_error")
    #expect(failed.json["products"] == [])
    #expect(try daemon.ask("GET", products + "?player=p").json["status"] == "success")
    for _ in 0..<3 {
      let cancelled = try daemon.ask("POST", Self.player + "/purchases", body: ["product": "premium"])
      #expect(cancelled.status == 200)
      #expect(cancelled.json["status"] == "cancelled")
      #expect(cancelled.json["transaction"] == nil)
    }
    let log = try daemon.ask("GET", Self.player + "/store/log?limit=2").json
    #expect(log["entries"]?.listValue?.map { $0["number"] } == [5, 4])
    #expect(log["next_before"] == 4)
    let rest = try daemon.ask("GET", Self.player + "/store/log?before=4").json
    #expect(rest["entries"]?.listValue?.map { $0["event"] } == ["cancelled", "failed", "behaviour_set"])
    #expect(rest["next_before"] == nil)
  }

  @Test("if only admins may buy, a game's purchase is refused, and its reads are answered")
  func adminsOnly() throws {
    let daemon = try RunningDaemon(catalogs: ["shop.yaml": shop], arguments: Self.clock)
    let player = "/v1/games/shop/players/p"
    let refused = try daemon.ask("POST", player + "/purchases", body: ["product": "gold"])
    #expect(refused.status == 403)
    #expect(refused.code == "PURCHASES_ADMINS_ONLY")
    #expect(try daemon.ask("GET", player + "/transactions").json["transactions"] == [])
    #expect(try daemon.ask("POST", player + "/purchases", body: ["product": "gold"], admin: true).status == 201)
    #expect(try daemon.ask("GET", player + "/entitlements").json["entitlements"]?.listValue?.first?["expires_at"] == "2024-02-29T10:00:00Z")
    #expect(try daemon.ask("POST", player + "/restore").json["delivered"]?.listValue?.count == 1)
    #expect(try daemon.ask("POST", "/v1/games/shop/players/q/restore", body: ["from_player": "p"]).code == "PURCHASES_ADMINS_ONLY")
    for (method, target) in [
      ("POST", player + "/transactions/1/refund"), ("POST", player + "/grants"), ("PUT", player + "/store/behaviour"),
      ("GET", player + "/store/behaviour"), ("PUT", player + "/store/premium"), ("PUT", "/v1/games/shop/clock"), ("PUT", player + "/clock"),
      ("DELETE", player + "/transactions"),
    ] {
      let answer = try daemon.ask(method, target)
      #expect(answer.status == 403, "\(method) \(target)")
      #expect(answer.code == "ADMIN_ONLY", "\(method) \(target)")
    }
  }

  @Test("products are in the requested language, and offerings list their packages")
  func products() throws {
    let daemon = try RunningDaemon(catalogs: ["shop.yaml": shop], arguments: Self.clock)
    func coins(_ query: String) throws -> Value? {
      try daemon.ask("GET", "/v1/games/shop/products" + query).json["products"]?.listValue?.first
    }
    #expect(try coins("")?["name"] == "Coins")
    #expect(try coins("?locale=fr-CA")?["name"] == "Pièces")
    #expect(try coins("?locale=*")?["name"] == ["en": "Coins", "fr": "Pièces"])
    #expect(try coins("")?["store_id"] == "com.example.shop.coins")
    #expect(try coins("")?["price"] == ["EUR": "1.09", "USD": "0.99"])
    let ignoring = try daemon.ask("GET", "/v1/games/shop/products?locale=!")
    #expect(ignoring.status == 200 && ignoring.headers["gameconf-ignored"] == "locale", "\(ignoring.text)")
    let offerings = try daemon.ask("GET", "/v1/games/shop/offerings").json
    #expect(offerings["current"] == "sale")
    #expect(offerings["offerings"] == [["id": "sale", "packages": [["id": "$rc_monthly", "product": "gold", "price": ["USD": "4.99"]]]]])
  }

  @Test("a malformed gate request is refused with a pointer to its fault, also in a list")
  func gates() throws {
    let daemon = try RunningDaemon(catalogs: ["shop.yaml": shop], arguments: Self.clock)
    let gate = "/v1/games/shop/players/p/gates/levels"
    let locked: Value = ["gate": "levels", "locked": true, "reason": "LOCKED", "unlocks_with": ["gold"]]
    #expect(try daemon.ask("POST", gate, body: ["args": ["number": 3]]).json == locked)
    let list = try daemon.ask("POST", gate, body: [["args": ["number": 2]], ["args": ["number": 3]]])
    #expect(list.json == [["gate": "levels", "locked": false, "reason": "OPEN", "unlocks_with": []], locked])
    let wrong = try daemon.ask("POST", gate, body: [["args": ["number": 2]], ["args": ["number": "two"]]])
    #expect(wrong.status == 422)
    #expect(wrong.code == "ARGUMENT_TYPE")
    #expect(wrong.json["pointer"] == "/1/args/number")
    #expect(try daemon.ask("POST", gate).code == "MISSING_ARGUMENT")
    #expect(try daemon.ask("POST", gate + "s", body: ["args": ["number": 3]]).status == 404)
    let another = try daemon.ask("POST", gate, body: ["args": ["number": 3], "context": ["targetingKey": "q"]])
    #expect(another.status == 400)
    #expect(another.json["pointer"] == "/context/targetingKey")
    let overridden = try daemon.ask("PUT", "/v1/games/shop/players/p/overrides/free_levels", body: ["value": 3], admin: true)
    #expect(overridden.status == 201)
    #expect(try daemon.ask("POST", gate, body: ["args": ["number": 3]]).json["locked"] == false)
    #expect(try daemon.ask("POST", "/v1/games/shop/players/q/gates/levels", body: ["args": ["number": 3]]).json == locked)
    let many = Value.list((0..<1000).map { ["args": ["number": .integer($0)]] })
    #expect(try daemon.ask("POST", gate, body: many).json.listValue?.count == 1000)
    #expect(try daemon.ask("POST", gate, body: .list(Array(repeating: ["args": ["number": 1]], count: 1001))).status == 400)
  }

  @Test("simulated clocks move forward only, and keep their time over a restart")
  func clocks() throws {
    let daemon = try RunningDaemon(arguments: Self.clock)
    let game = "/v1/games/kidsdoku2/clock"
    let player = "/v1/games/kidsdoku2/players/p/clock"
    let held = try daemon.ask("PUT", game, body: ["now": "2024-03-01T00:00:00Z", "rate": 0], admin: true)
    #expect(held.json["now"] == "2024-03-01T00:00:00Z")
    #expect(held.json["rate"] == 0.0)
    let ahead = try daemon.ask("PUT", player, body: ["offset_milliseconds": 86_400_000], admin: true)
    #expect(ahead.json["now"] == "2024-03-02T00:00:00Z")
    #expect(ahead.json["game_now"] == "2024-03-01T00:00:00Z")
    for (body, code, status) in [
      (["now": "2024-02-01T00:00:00Z"], "CLOCK_BACKWARDS", 409), (["advance": "P0D"], "INVALID_PERIOD", 422),
      (["advance": "PT"], "INVALID_PERIOD", 422), (["advance": "P9000Y"], "OUTSIDE_CALENDAR", 422), (["rate": -1], "CLOCK_RATE", 422),
      (["rate": 0.00005], "CLOCK_RATE", 422), (["rate": 1e300], "CLOCK_RATE", 422), ([:], "MALFORMED_REQUEST", 400),
    ] as [(Value, String, Int)] {
      let answer = try daemon.ask("PUT", game, body: body, admin: true)
      #expect(answer.code == code, "\(body)")
      #expect(answer.status == status, "\(body)")
    }
    #expect(try daemon.ask("PUT", player, body: ["offset_milliseconds": 1], admin: true).code == "CLOCK_BACKWARDS")
    #expect(try daemon.ask("PUT", game + "?dry_run=true", body: ["advance": "P1Y"], admin: true).json["now"] == "2025-03-01T00:00:00Z")
    try daemon.restart(killing: true)
    #expect(try daemon.ask("GET", game, admin: true).json["now"] == "2024-03-01T00:00:00Z")
    #expect(try daemon.ask("GET", player, admin: true).json["now"] == "2024-03-02T00:00:00Z")
  }

  @Test("purchases persist over a kill and a restart, and a game's own purchases are not audited")
  func purchasesSurvive() throws {
    let daemon = try RunningDaemon(arguments: Self.clock)
    _ = try daemon.ask("POST", Self.player + "/purchases", body: ["product": "premium"])
    let before = try daemon.ask("GET", Self.player + "/transactions").json
    let refunds = Self.player + "/transactions/\(before["transactions"]?.listValue?.first?["id"]?.stringValue ?? "")/refund"
    #expect(try daemon.ask("POST", refunds, body: ["reason": "asked for"], admin: true).status == 200)
    let after = try daemon.ask("GET", Self.player + "/transactions").json
    try daemon.restart(killing: true)
    #expect(try daemon.ask("GET", Self.player + "/transactions").json == after)
    let lines = try daemon.audit(game: "wheresthedot").filter { $0["player"] == "p" }
    #expect(lines.map { $0["action"] } == ["iap.refund"])
    #expect(lines.first?["reason"] == "asked for")
    #expect(lines.first?["after"] == [])
  }
}
