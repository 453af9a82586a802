// A thousand simulated purchases while the daemon is killed again and again: each is made once.

import GameConfCore
import Glibc
import Synchronization
import Testing

@Suite("Purchases while the daemon is killed", .serialized)
struct KilledPurchasesTests {
  private static let clients = 10
  private static let purchases = 100
  private static let kills = 10
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

  /// What the clients were answered: by player, the transaction of each request.
  private final class Till: Sendable {
    let transactions = Mutex<[String: [String: String]]>([:])
    let answered = Atomic(0)
    let repeated = Atomic(0)
    let isOver = Atomic(false)
    let faults = Mutex<[String]>([])

    func fault(_ words: String) {
      faults.withLock { $0.append(words) }
      isOver.store(true, ordering: .relaxed)
    }
  }

  /// Buys for one player of its own and for one that all share; each purchase is sent with its id until it is answered, and one of ten again.
  private final class Client {
    private let number: Int
    private let socket: String
    private let till: Till
    private var connection: RawConnection?

    init(_ number: Int, _ socket: String, _ till: Till) {
      self.number = number
      self.socket = socket
      self.till = till
    }

    func run() {
      for purchase in 0..<KilledPurchasesTests.purchases {
        if till.isOver.load(ordering: .relaxed) { return }
        let player = purchase.isMultiple(of: 2) ? "p\(number)" : "shared"
        let key = "c\(number)-\(purchase)"
        let body = #"{"product":"\#(purchase.isMultiple(of: 3) ? "gems" : "coins")"}"#
        let request =
          "POST /v1/games/shop/players/\(player)/purchases HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: \(key)\r\n"
          + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        guard let answer = send(request), answer.status == 201, let id = answer.json["transaction"]?["id"]?.stringValue else {
          return till.fault("\(key): no purchase")
        }
        till.transactions.withLock { $0[player, default: [:]][key] = id }
        till.answered.add(1, ordering: .relaxed)
        guard purchase % 10 == number % 10 else { continue }
        guard let again = send(request), again.status == 201, again.body == answer.body else {
          return till.fault("\(key): a repeat is answered otherwise than \(answer.text)")
        }
        till.repeated.add(1, ordering: .relaxed)
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

  @Test("ten clients, a thousand purchases with ids, ten kills: each is there once, with the id that was answered, numbered without a gap")
  func killed() throws {
    let daemon = try RunningDaemon(catalogs: ["shop.yaml": Self.catalog], arguments: ["--log-level", "notice"])
    let till = Till()
    let total = Self.clients * Self.purchases
    var threads: [pthread_t] = []
    for number in 0..<Self.clients {
      let client = Unmanaged.passRetained(Client(number, daemon.gamesSocket, till))
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
    let failure = killNowAndThen(daemon, till, of: total)
    if failure != nil { till.isOver.store(true, ordering: .relaxed) }
    for thread in threads { pthread_join(thread, nil) }
    if let failure { throw failure }
    #expect(till.faults.withLock { $0 } == [])
    #expect(till.answered.load(ordering: .relaxed) == total)
    try compare(daemon, till)
    try daemon.restart(killing: true)
    try compare(daemon, till)
    let repeated = till.repeated.load(ordering: .relaxed)
    #expect(repeated == total / 10)
    print("\(total) purchases of \(Self.clients + 1) players, \(repeated) sent twice, \(Self.kills) kills")
  }

  /// Kills at moments spread over the run.
  private func killNowAndThen(_ daemon: RunningDaemon, _ till: Till, of total: Int) -> (any Error)? {
    do {
      for kill in 1...Self.kills {
        let due = total * kill / (Self.kills + 1)
        let isReached = daemon.waits(seconds: 300) {
          till.answered.load(ordering: .relaxed) >= due || till.isOver.load(ordering: .relaxed)
        }
        try #require(isReached)
        try daemon.restart(killing: true)
      }
      return nil
    } catch { return error }
  }

  private func compare(_ daemon: RunningDaemon, _ till: Till) throws {
    for (player, answered) in till.transactions.withLock({ $0 }) {
      let path = "/v1/games/shop/players/\(player)"
      let list = try daemon.ask("GET", path + "/transactions").json["transactions"]?.listValue ?? []
      let ids = list.compactMap { $0["id"]?.stringValue }
      #expect(ids.count == answered.count, "\(player)")
      #expect(Set(ids) == Set(answered.values), "\(player)")
      #expect(Set(answered.values).count == answered.count, "\(player)")
      // An id ends with how many transactions the player had by then.
      #expect(ids.compactMap { Int($0.suffix(6)) } == Array(1...answered.count), "\(player)")
      let log = try daemon.ask("GET", path + "/store/log?limit=1000").json["entries"]?.listValue ?? []
      #expect(log.count == answered.count, "\(player)")
      #expect(log.allSatisfy { $0["event"] == "purchased" }, "\(player)")
    }
  }
}
