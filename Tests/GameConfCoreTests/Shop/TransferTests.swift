// Tests the records in a ledger about the other players of its transfers, and how these are forgotten.

import GameConfCore
import Testing

@Suite("Partners of transfers between ledgers")
struct TransferTests {
  /// Returns the ledgers of players who each restore the purchases of the player before; the first one bought the product.
  private func chain(_ players: [String], product: String = "season") throws -> [Ledger] {
    var shops = try players.map { try Shop(.dots, player: $0) }
    try shops[0].buy(product)
    for at in shops.indices.dropFirst() {
      let moved = try shops[at].ledger.transferring(from: shops[at - 1].ledger, now: shops[at].now, othersNow: shops[at].now)
      (shops[at].ledger, shops[at - 1].ledger) = (moved.ledger, moved.other)
    }
    return shops.map(\.ledger)
  }

  private func text(_ ledger: Ledger) -> String { JSONWriter.text(ledger.encoded) }

  /// Returns the ledger as an earlier version, which had no partners, encoded it.
  private func older(_ ledger: Ledger) throws -> Ledger {
    var form = try #require(ledger.encoded.objectValue)
    form["partners"] = nil
    return try Ledger(decoding: .object(form))
  }

  @Test("a ledger names its transfer partners; forgetting one removes its name everywhere, and changes no transaction and no log event")
  func forgotten() throws {
    let ledgers = try chain(["ada", "bob", "zoe"])
    #expect(ledgers.map { $0.partners.map(\.text).sorted() } == [["bob"], ["ada", "zoe"], ["bob"]])
    for (at, other) in [(0, "bob"), (1, "ada"), (1, "zoe"), (2, "bob")] {
      let left = try #require(ledgers[at].forgetting(other))
      #expect(text(ledgers[at]).contains(other) && !text(left).contains(other))
      #expect(left.transactions.map(\.id) == ledgers[at].transactions.map(\.id) && left.log.map(\.event) == ledgers[at].log.map(\.event))
      #expect(left.transactions.map(\.held) == ledgers[at].transactions.map(\.held))
      #expect(try Ledger(decoding: left.encoded) == left && left.forgetting(other) == nil)
    }
    #expect(ledgers[0].forgetting("zoe") == nil && ledgers[2].forgetting("ada") == nil && ledgers[0].forgetting("ada") == nil)
    #expect(text(try #require(ledgers[1].forgetting("ada"))).contains("zoe"))
  }

  @Test("a transferred subscription whose ids already exist in the ledger continues from its own transaction and renews at its end")
  func renamedSubscription() throws {
    var (here, there) = (try Shop(.sudoku, at: "2026-01-10T00:00:00Z"), try Shop(.sudoku, at: "2026-01-10T00:00:00Z", player: "b"))
    try here.buy("monthly")
    let taken = try there.ledger.transferring(from: here.ledger, now: there.now, othersNow: here.now)
    there.ledger = taken.ledger
    try there.move(to: "2026-01-12T00:00:00Z")
    try there.act(.transaction(.expire, try #require(there.ledger.subscription(group: "pro")?.transaction)))
    // The first player is forgotten, and its transaction numbers begin at 1 again.
    here.ledger = Ledger(game: here.catalog.game, player: "p")
    try here.move(to: "2026-01-20T00:00:00Z")
    try here.buy("yearly")
    try there.move(to: "2026-01-20T00:00:00Z")
    let again = try there.ledger.transferring(from: here.ledger, now: there.now, othersNow: here.now)
    let line = try #require(again.ledger.subscription(group: "pro"))
    #expect(again.ledger.transaction(line.transaction)?.product == "yearly")
    #expect(again.ledger.transactions.count == 2)
    let later = again.ledger.settled(at: try Instant(parsing: "2026-06-01T00:00:00Z"))
    let end = try Instant(parsing: "2027-01-20T00:00:00Z")
    #expect(later.transactions.count == 2 && later.nextDueAt == end)
  }

  @Test("a ledger without transfers encodes no partners; partners are encoded in byte order")
  func encoded() throws {
    var shop = try Shop(.dots)
    try shop.buy("premium")
    #expect(shop.ledger.encoded["partners"] == nil && shop.ledger.partners.isEmpty)
    var form = try #require(shop.ledger.encoded.objectValue)
    form["partners"] = ["z", "\u{E9}", "e\u{301}", "a"]
    let read = try Ledger(decoding: .object(form))
    #expect(read.partners.count == 4)
    #expect(text(read).hasSuffix("\"partners\":[\"a\",\"e\u{301}\",\"z\",\"\u{E9}\"]}"))
    form["partners"] = [1]
    let damaged = form
    #expect(throws: Fault.self) { try Ledger(decoding: .object(damaged)) }
  }

  @Test("transfer partners stay when the history is cleared; ledgers of an earlier version derive them from the history")
  func cleared() throws {
    let ledgers = try chain(["ada", "bob"])
    for ledger in ledgers { #expect(try older(ledger) == ledger) }
    let now = ledgers[1].settledUntil
    for ledger in ledgers {
      let cleared = try ledger.after(.clear, catalog: .dots, now: now).ledger
      #expect(cleared.partners == ledger.partners && !cleared.isFresh)
      #expect(try older(cleared).partners.isEmpty)
      let partner = try #require(ledger.partners.first)
      #expect(cleared.forgetting(partner.text)?.partners.isEmpty == true)
    }
  }

  @Test("forgetting a partner gives the same ledger before and after later renewals are settled")
  func due() throws {
    var giver = try Shop(.sudoku, player: "giver")
    try giver.buy("monthly")
    let taker = try Shop(.sudoku, player: "taker")
    let ledger = try taker.ledger.transferring(from: giver.ledger, now: taker.now, othersNow: giver.now).ledger
    let later = try #require(taker.now.adding(CalendarPeriod(count: 1, unit: .year)))
    let first = try #require(ledger.forgetting("giver"))
    #expect(first.settledUntil == ledger.settledUntil && first.settled(at: later) == ledger.settled(at: later).forgetting("giver"))
    #expect(first.settled(at: later).transactions.count == 13)
  }

  @Test("partners with canonically equivalent ids are distinguished when purchases are transferred and when one is forgotten")
  func lookalikes() throws {
    let ledgers = try chain(["e\u{301}", "\u{E9}", "zoe"])
    #expect(ledgers[2].transactions.count == 1)
    let left = try #require(ledgers[1].forgetting("e\u{301}"))
    #expect(left.partners == [ByteText("zoe")] && ledgers[1].forgetting("\u{E9}") == nil)
    #expect(ledgers[2].forgetting("e\u{301}") == nil)
  }

  @Test("the number of transfer partners of a player is limited for the giver and for the recipient", arguments: [true, false])
  func limit(isGiver: Bool) throws {
    func busy(_ shop: Shop, partners: Int) throws -> Ledger {
      var form = try #require(shop.ledger.encoded.objectValue)
      form["partners"] = .list((0..<partners).map { .string("p\($0)") })
      return try Ledger(decoding: .object(form))
    }
    var giver = try Shop(.dots, player: "giver")
    try giver.buy("premium")
    let taker = try Shop(.dots, player: "taker")
    func transfer(_ partners: Int) throws -> Ledger {
      let from = isGiver ? try busy(giver, partners: partners) : giver.ledger
      let to = isGiver ? taker.ledger : try busy(taker, partners: partners)
      return try to.transferring(from: from, now: taker.now, othersNow: giver.now).ledger
    }
    #expect(try transfer(Ledger.partnersMax - 1).transactions.count == 1)
    let refusal = #expect(throws: Refusal.self) { try transfer(Ledger.partnersMax) }
    #expect(refusal?.code == .tooManyTransfers)
  }

  @Test(
    "a forgotten player whose new transaction ids were already transferred can transfer them too, and none occurs twice",
    arguments: ["yearly", "monthly"])
  func renamed(product: String) throws {
    func transfer(from giver: Shop, to taker: inout Shop) throws -> Ledger {
      let moved = try taker.ledger.transferring(from: giver.ledger, now: taker.now, othersNow: giver.now)
      taker.ledger = moved.ledger
      return moved.other
    }
    var (giver, taker) = (try Shop(.sudoku, player: "giver"), try Shop(.sudoku, player: "taker"))
    let first = try giver.buy("club")
    _ = try transfer(from: giver, to: &taker)
    var returned = try Shop(.sudoku, player: "giver")
    #expect(try returned.buy("guild") == first)
    let before = taker.ledger.transactionCount
    returned.ledger = try transfer(from: returned, to: &taker)
    let (club, guild) = (try #require(taker.ledger.transactions.first), try #require(taker.ledger.transactions.last))
    #expect(club.id == first && guild.id != first && guild.originalID == guild.id && taker.ledger.transactionCount == before + 1)
    #expect(taker.ledger.subscription(group: "club")?.originalID == first)
    #expect(taker.ledger.subscription(group: "guild")?.originalID == guild.id)
    try taker.move(by: "P1Y")
    let ids = taker.ledger.settled(at: taker.now).transactions.map(\.id)
    #expect(ids.count > 20 && Set(ids).count == ids.count)
    // The purchases return to the ledger in which they were made. The next purchase there has an id that is not among theirs.
    var again = try Shop(.sudoku, player: "giver")
    again.now = taker.now
    _ = try transfer(from: taker, to: &again)
    _ = try again.buy(product)
    let all = again.ledger.transactions.map(\.id)
    #expect(all.count > 20 && Set(all).count == all.count)
  }
}
