// Tests the foreign names in a ledger: tokens of receipts, and an anonymous id that is an alias of a player.

import GameConfCore
import Testing

@Suite("Aliases and receipt tokens in a ledger")
struct LedgerNamesTests {
  private static let anonymous = "$RCAnonymousID:1"

  private func shops() throws -> (here: Shop, there: Shop) {
    (try Shop(.sudoku, player: "anna"), try Shop(.sudoku, player: Self.anonymous))
  }

  @Test("a login moves durable purchases to the player; each of the two ledgers names the other id, and is decoded as it was encoded")
  func adopted() throws {
    var (here, there) = try shops()
    try there.buy("monthly")
    let adopted = try #require(try here.ledger.adopting(there.ledger, now: here.now, othersNow: there.now))
    #expect(adopted.ledger.alias == Self.anonymous && adopted.anonymous.aliasOf == "anna")
    #expect(adopted.ledger.transactions.count == 1 && adopted.anonymous.transactions.isEmpty)
    #expect(adopted.ledger.partners.map(\.text) == [Self.anonymous] && adopted.anonymous.partners.map(\.text) == ["anna"])
    for ledger in [adopted.ledger, adopted.anonymous] { #expect(try Ledger(decoding: ledger.encoded) == ledger) }
    // A ledger that is reset for the same player keeps the alias; one that is decoded for another player does not.
    #expect(adopted.ledger.fresh(keepingBehaviour: false).alias == Self.anonymous)
    #expect(try Ledger(decoding: adopted.ledger.encoded, for: "ben").alias == nil)
    here.ledger = adopted.ledger
    #expect(try here.ledger.adopting(Ledger(game: "sudoku", player: "other"), now: here.now, othersNow: here.now) == nil)
  }

  @Test("after a player or an anonymous id is forgotten, no ledger names it, also if nothing was bought")
  func forgotten() throws {
    let (here, there) = try shops()
    let adopted = try #require(try here.ledger.adopting(there.ledger, now: here.now, othersNow: there.now))
    let (left, other) = (try #require(adopted.ledger.forgetting(Self.anonymous)), try #require(adopted.anonymous.forgetting("anna")))
    #expect(left.alias == nil && other.aliasOf == nil && left.partners.isEmpty && other.partners.isEmpty)
    #expect(!JSONWriter.text(left.encoded).contains(Self.anonymous) && !JSONWriter.text(other.encoded).contains("anna"))
  }

  @Test("a login is refused if both players have an active subscription of the same group")
  func conflict() throws {
    var (here, there) = try shops()
    try here.buy("monthly")
    try there.buy("yearly")
    #expect(try here.ledger.adopting(there.ledger, now: here.now, othersNow: there.now) == nil)
  }

  @Test("the first receipt token of a transaction is permanent and moves with the transaction")
  func tokens() throws {
    var (here, there) = try shops()
    try there.buy("monthly")
    let id = try #require(there.ledger.transactions.first?.id)
    there.ledger = there.ledger.naming(id, byToken: "d1").naming(id, byToken: "d2")
    #expect(there.ledger.transaction(withToken: "d1") == id && there.ledger.transaction(withToken: "d2") == nil)
    #expect(try Ledger(decoding: there.ledger.encoded) == there.ledger)
    here.ledger = try #require(try here.ledger.adopting(there.ledger, now: here.now, othersNow: there.now)).ledger
    #expect(here.ledger.transaction(withToken: "d1") == id)
  }

  @Test("an introductory offer is only for players without an earlier purchase in the subscription group")
  func introduction() throws {
    var shop = try Shop(.sudoku)
    let club = try #require(shop.catalog.products.first { $0.id == "club" }?.subscription)
    #expect(club.introductoryOffer(for: shop.ledger)?.mode == .freeTrial)
    try shop.buy("club")
    #expect(club.introductoryOffer(for: shop.ledger) == nil)
    #expect(shop.catalog.products.first { $0.id == "club" }?.usualCurrency == "USD")
    #expect(Product(id: "x", kind: .consumable, name: [:], price: ["SEK": "9", "EUR": "1"]).usualCurrency == "EUR")
  }
}
