// RevenueCat's calls and the bridge's key, with requests that no library sends.

import GameConfCore
import Glibc
import Testing

@Suite("RevenueCat's calls")
struct RevenueCatCallTests {
  private static let base = "/v1/games/kidsdoku2/revenuecat"

  private func receipt(_ user: String, _ token: String, _ product: String = "monthly_sub_2") -> Value {
    ["app_user_id": .string(user), "fetch_token": .string(token), "product_id": .string(product)]
  }

  private func active(_ answer: RawConnection.Answer) -> [String] {
    answer.json["subscriber"]?["subscriptions"]?.objectValue?.names ?? []
  }

  @Test("unknown calls and invalid input are refused with RevenueCat's error codes, and change nothing")
  func refused() throws {
    let daemon = try RunningDaemon()
    let long = String(repeating: "x", count: 257)
    let cases: [(method: String, path: String, body: Value?, status: Int, code: Int64)] = [
      ("GET", "/v1/config/default", nil, 404, 7259), ("GET", "/v1/subscribers/p/virtual_currencies", nil, 404, 7259),
      ("POST", "/v1/subscribers/redeem_purchase", [:], 405, 7259), ("GET", "/v1/customer", nil, 404, 7259), ("GET", "/", nil, 404, 7259),
      ("GET", "/../../kidsdoku2/config", nil, 404, 7259), ("DELETE", "/v1/subscribers/p", nil, 405, 7259),
      ("GET", "/v1/subscribers/\(long)", nil, 400, 7220), ("GET", "/v1/subscribers/a%00b", nil, 400, 7220),
      ("GET", "/v1/subscribers/..", nil, 400, 7220),
      ("GET", "/v1/subscribers/%2E%2E", nil, 400, 7220),
      ("GET", "/v1/subscribers/%FF", nil, 400, 7259),
      ("POST", "/v1/receipts", nil, 400, 7105), ("POST", "/v1/receipts", [], 400, 7105), ("POST", "/v1/receipts", [:], 400, 7105),
      ("POST", "/v1/receipts", receipt("p", "appl_1"), 422, 7103), ("POST", "/v1/receipts", receipt("p", "test_" + long), 422, 7103),
      ("POST", "/v1/receipts", receipt("p", "test_1", "no_such"), 404, 7105), ("POST", "/v1/receipts", receipt(long, "test_1"), 400, 7220),
      ("POST", "/v1/subscribers/identify", ["app_user_id": "a"], 400, 7105),
    ]
    for each in cases {
      let answer = try daemon.ask(each.method, Self.base + each.path, body: each.body)
      #expect(answer.status == each.status, "\(each.method) \(each.path): \(answer.status) \(answer.text)")
      #expect(answer.json["code"]?.integerValue == each.code, "\(each.method) \(each.path): \(answer.text)")
      #expect(answer.json["message"]?.stringValue?.isEmpty == false && answer.headers["content-type"] == "application/json")
    }
    let browser = try daemon.ask(
      "POST", Self.base + "/v1/receipts", body: receipt("p", "test_1"), headers: ["Origin": "http://evil.example"])
    #expect(browser.status == 403 && browser.json["code"] == 7225 && browser.headers["content-type"] == "application/json")
    #expect(try daemon.read(at: "/v1/games/kidsdoku2/players", admin: true)["players"] == [])
    #expect(try daemon.ask("GET", "/v1/games/none/revenuecat/v1/subscribers/p").json["code"] == 7225)
    #expect(try daemon.ask("GET", Self.base + "/v1/subscribers/p", admin: true).status == 403, "on the games socket alone")
  }

  @Test("RevenueCat's calls accept unusual ids, and bodies of any length except a receipt's")
  func odd() throws {
    let daemon = try RunningDaemon()
    for id in ["a/b", "😀", "a b", "%2F", "$RCAnonymousID:x", String(repeating: "é", count: 128), "identify"] {
      let path = Self.base + "/v1/subscribers/" + PercentEncoding.encode(id)
      if id != "identify" {
        let answer = try daemon.ask("GET", path)
        #expect(answer.status == 200 && answer.json["subscriber"]?["original_app_user_id"] == .string(id), "\(id): \(answer.text)")
      }
      #expect(try daemon.ask("GET", path + "/offerings").status == 200, "\(id)")
      let bought = try daemon.ask("POST", Self.base + "/v1/receipts", body: receipt(id, "test_odd_" + SHA256.hex(of: id)))
      #expect(bought.status == 200 && active(bought) == ["monthly_sub_2"], "\(id): \(bought.text)")
    }
    let connection = try RawConnection(daemon.gamesSocket)
    connection.send(
      "POST \(Self.base)/v1/receipts HTTP/1.1\r\nHost: l\r\nContent-Type: application/json\r\nContent-Length: 10485760\r\n\r\n{")
    let answer = try #require(connection.answer())
    #expect(answer.status == 413 && answer.json["code"] == 7105)
  }

  @Test("RevenueCat's calls refuse a body truncated at any byte")
  func cut() throws {
    let daemon = try RunningDaemon()
    let whole = JSONWriter.text(receipt("p", "test_cut"))
    let connection = try RawConnection(daemon.gamesSocket)
    for count in 0..<whole.utf8.count {
      let part = String(decoding: whole.utf8.prefix(count), as: UTF8.self)
      connection.send(
        "POST \(Self.base)/v1/receipts HTTP/1.1\r\nHost: l\r\nContent-Type: application/json\r\nContent-Length: \(count)\r\n\r\n\(part)")
      let answer = try #require(connection.answer())
      #expect(answer.status == 400 && answer.json["code"]?.integerValue != nil, "\(part): \(answer.text)")
    }
    #expect(active(try daemon.ask("GET", Self.base + "/v1/subscribers/p")) == [])
  }

  @Test("a RevenueCat token buys once, also if it is sent again, over a kill, and by two users simultaneously")
  func tokens() throws {
    let daemon = try RunningDaemon()
    let target = Self.base + "/v1/receipts"
    for _ in 0..<2 { #expect(active(try daemon.ask("POST", target, body: receipt("anna", "test_one"))) == ["monthly_sub_2"]) }
    func count(_ player: String) throws -> Int? {
      try daemon.read(at: "/v1/games/kidsdoku2/players/\(player)/transactions")["transactions"]?.listValue?.count
    }
    #expect(try count("anna") == 1)
    try daemon.restart(killing: true)
    #expect(active(try daemon.ask("POST", target, body: receipt("anna", "test_one"))) == ["monthly_sub_2"])
    #expect(try count("anna") == 1)
    let other = try daemon.ask("POST", target, body: receipt("ben", "test_one"))
    #expect(other.status == 422 && other.json["code"] == 7102, "\(other.text)")
    let users = (0..<8).map { "user\($0)" }
    let connections = try users.map { _ in try RawConnection(daemon.gamesSocket) }
    for (user, connection) in zip(users, connections) {
      let body = JSONWriter.text(receipt(user, "test_shared"))
      connection.send(
        "POST \(target) HTTP/1.1\r\nHost: l\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }
    let statuses = try connections.map { try #require($0.answer()).status }
    #expect(statuses.filter { $0 == 200 }.count == 1 && statuses.filter { $0 == 422 }.count == 7, "\(statuses)")
    #expect(try users.compactMap { try count($0) }.reduce(0, +) == 1)
    // A dry run neither buys nor uses the token up.
    #expect(try daemon.ask("POST", target + "?dry_run=true", body: receipt("carl", "test_dry")).status == 200)
    #expect(try count("carl") == 0 && active(try daemon.ask("POST", target, body: receipt("dora", "test_dry"))) == ["monthly_sub_2"])
  }

  @Test("a receipt of an anonymous user that is sent again after the login is the same purchase, by either id")
  func receiptAfterLogin() throws {
    let daemon = try RunningDaemon()
    let (anonymous, target) = ("$RCAnonymousID:0123456789abcdef0123456789abcdef", Self.base + "/v1/receipts")
    #expect(active(try daemon.ask("POST", target, body: receipt(anonymous, "test_early"))) == ["monthly_sub_2"])
    let login: Value = ["app_user_id": .string(anonymous), "new_app_user_id": "anna"]
    let answer = try daemon.ask("POST", Self.base + "/v1/subscribers/identify", body: login)
    #expect(active(answer) == ["monthly_sub_2"], "\(answer.text)")
    for user in [anonymous, "anna"] {
      let again = try daemon.ask("POST", target, body: receipt(user, "test_early"))
      #expect(again.status == 200 && active(again) == ["monthly_sub_2"], "\(user): \(again.text)")
    }
    let transactions = try daemon.read(at: "/v1/games/kidsdoku2/players/anna/transactions")["transactions"]?.listValue
    #expect(transactions?.count == 1)
    #expect(try daemon.ask("POST", target, body: receipt("ben", "test_early")).status == 422)
  }

  @Test("RevenueCat's call to buy is refused if the catalog lets only admins buy, while RevenueCat's reads are answered")
  func closed() throws {
    let text = String(decoding: try #require(TemporaryFolder.read(Built.tree + "/Defaults/kidsdoku2.yaml")), as: UTF8.self)
    let closed = text.replacing("purchases: games", with: "purchases: admin")
    try #require(closed != text)
    let daemon = try RunningDaemon(catalogs: ["kidsdoku2.yaml": closed])
    let answer = try daemon.ask("POST", Self.base + "/v1/receipts", body: receipt("anna", "test_one"))
    #expect(answer.json["code"] == 7101, "\(answer.text)")
    #expect(try daemon.control("iap", "buy", "kidsdoku2", "anna", "monthly_sub_2").status == 0)
    #expect(active(try daemon.ask("GET", Self.base + "/v1/subscribers/anna")) == ["monthly_sub_2"])
  }

  @Test("RevenueCat's reads answer any number of new subscribers, and do not store them")
  func newSubscribers() throws {
    let daemon = try RunningDaemon()
    let connection = try RawConnection(daemon.gamesSocket)
    for number in 0..<1_000 {
      connection.send("GET \(Self.base)/v1/subscribers/new\(number) HTTP/1.1\r\nHost: l\r\n\r\n")
      #expect(connection.answer()?.status == 200)
    }
    #expect(try daemon.read(at: "/v1/games/kidsdoku2/players", admin: true)["players"] == [])
  }

  @Test("the bridge accepts RevenueCat's calls only with the game's key, on any path")
  func bridge() throws {
    let bridge = try RevenueCatBridge(RunningDaemon(), game: "kidsdoku2")
    let key = "Authorization: Bearer \(RevenueCatBridge.key)"
    let subscriber = try bridge.curl("/v1/subscribers/anna", "-H", key)
    #expect(subscriber.status == 200 && subscriber.body["subscriber"]?["original_app_user_id"] == "anna", "\(subscriber.text)")
    #expect(try bridge.curl("/v1/games", "-H", key).body["code"] == 7259, "the key opens nothing else")
    #expect(try bridge.curl("/v1/subscribers/anna", "-H", "Authorization: Bearer test_another0123456789").body["code"] == 7225)
    #expect(try bridge.curl("/v1/subscribers/anna").status == 401)
    #expect(
      try bridge.curl("/v1/health").status == 200
        && bridge.curl("/v1/subscribers/a/health_report_availability").body["report_logs"] == false)
    #expect(try bridge.curl("/v1/subscribers/anna", "-H", key, "-H", "Origin: http://evil.example").status == 403)
    let log = bridge.daemon.stop()
    #expect(!log.errors.contains(RevenueCatBridge.key))
  }

  @Test(
    "a bridge refuses a RevenueCat key that is short or not of a Test Store, two keys of a game, and the admin socket",
    arguments: [
      ("appl_0123456789abcdef0123", [], "must begin with test_"), ("test_short", [], "at least 20"), ("", [], "must begin with test_"),
      ("test_0123456789abcdef 0123", [], "at least 20"), ("test_0123456789abcdef0123", ["--admin"], "exclude each other"),
      ("test_0123456789abcdef0123", ["--revenuecat", "kidsdoku2=KEY"], "two keys"),
      ("test_0123456789abcdef0123", ["--revenuecat", "other=KEY"], "same key"),
      ("test_0123456789abcdef0123", ["--revenuecat", "kidsdoku2"], "write the game"),
    ] as [(String, [String], String)])
  func keys(key: String, more: [String], words: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(key, to: "key")
    let more = more.map { $0.replacing("KEY", with: folder.path + "/key") }
    let ending = try ChildProcess(
      Built.control, ["bridge", "--revenuecat", "kidsdoku2=\(folder.path)/key"] + more,
      environment: ["GAMECONF_SOCKET": folder.path + "/none.sock"]
    ).waitForEnd()
    #expect(ending.status == 2 && ending.errors.contains(words), "\(ending)")
  }

  @Test("gameconfctl creates random RevenueCat keys that a bridge accepts")
  func newKeys() throws {
    let keys = try (0..<2).map { _ in try ChildProcess(Built.control, ["iap", "key"]).waitForEnd().output.filter { !$0.isNewline } }
    #expect(keys[0] != keys[1] && keys.allSatisfy { $0.hasPrefix("test_") && $0.utf8.count >= 20 })
  }
}
