// A thousand simulated purchases while the daemon is killed repeatedly: each is made once.

import GameConfCore
import Synchronization
import TestSupport
import Testing

@Suite("Purchases while the daemon is killed", .serialized)
struct KilledPurchasesTests {
  private static let clients = 10
  private static let purchases = TestLength.count(20, long: 100)
  private static let kills = TestLength.count(2, long: 10)
  private static let catalog = """
    gameconf: 1
    game: shop
    title: Shop
    locales: [en]
    simulation: {purchases: games}
    products:
      coins: {type: consumable, name: {en: Coins}, price: {USD: "0.99"}}
      gems: {type: consumable, name: {en: Gems}, price: {USD: "1.99"}}
    """

  /// The answers that the clients received: by player, the transaction of each request.
  private final class AnsweredPurchases: Sendable {
    let transactions = Mutex<[String: [String: String]]>([:])
    let progress = ClientProgress()
  }

  /// Buys for its own player and for one that all clients share. Each purchase is sent with its id until it is answered, and one of ten again.
  private struct Client {
    let number: Int
    let sender: RetryingSender
    let till: AnsweredPurchases

    func run() {
      for purchase in 0..<KilledPurchasesTests.purchases {
        if till.progress.isOver { return }
        let player = purchase.isMultiple(of: 2) ? "p\(number)" : "shared"
        let key = "c\(number)-\(purchase)"
        let body = #"{"product":"\#(purchase.isMultiple(of: 3) ? "gems" : "coins")"}"#
        let request =
          "POST /v1/games/shop/players/\(player)/purchases HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: \(key)\r\n"
          + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        guard let answer = sender.send(request), answer.status == 201, let id = answer.json["transaction"]?["id"]?.stringValue else {
          return till.progress.fault("\(key): no purchase")
        }
        till.transactions.withLock { $0[player, default: [:]][key] = id }
        till.progress.noteAnswers()
        guard purchase % 10 == number % 10 else { continue }
        guard let again = sender.send(request), again.status == 201, again.body == answer.body else {
          return till.progress.fault("\(key): a repeat is answered otherwise than \(answer.text)")
        }
        till.progress.repeated.add(1, ordering: .relaxed)
      }
    }
  }

  @Test("ten clients over kills: each purchase is stored once, with the answered id, numbered without a gap")
  func killed() throws {
    let daemon = try RunningDaemon(catalogs: ["shop.yaml": Self.catalog], arguments: ["--log-level", "notice"])
    let till = AnsweredPurchases()
    let total = Self.clients * Self.purchases
    try daemon.serve(Self.clients, till.progress, total: total, kills: Self.kills) {
      [socket = daemon.gamesSocket, serving = daemon.serving] number in
      Client(number: number, sender: RetryingSender(socket, serving), till: till).run()
    }
    try compare(daemon, till)
    try daemon.restart(killing: true)
    try compare(daemon, till)
    let repeated = till.progress.repeated.load(ordering: .relaxed)
    #expect(repeated == total / 10)
    print("\(total) purchases of \(Self.clients + 1) players, \(repeated) sent twice, \(Self.kills) kills")
  }

  private func compare(_ daemon: RunningDaemon, _ till: AnsweredPurchases) throws {
    for (player, answered) in till.transactions.withLock({ $0 }) {
      let path = "/v1/games/shop/players/\(player)"
      let list = try daemon.read(at: path + "/transactions")["transactions"]?.listValue ?? []
      let ids = list.compactMap { $0["id"]?.stringValue }
      #expect(ids.count == answered.count, "\(player)")
      #expect(Set(ids) == Set(answered.values), "\(player)")
      #expect(Set(answered.values).count == answered.count, "\(player)")
      // A transaction's id ends with the number of the player's transactions so far.
      #expect(ids.compactMap { Int($0.suffix(6)) } == Array(1...answered.count), "\(player)")
      let log = try daemon.read(at: path + "/store/log?limit=1000")["entries"]?.listValue ?? []
      #expect(log.count == answered.count, "\(player)")
      #expect(log.allSatisfy { $0["event"] == "purchased" }, "\(player)")
    }
  }
}
