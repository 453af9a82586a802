// A player who gave purchases to others, or has some of theirs, is forgotten in their purchases too.
import GameConfCore
import GameConfEngine
import Testing

@Suite("Forgetting players who exchanged purchases")
struct ForgottenBuyerTests {
  private func bench() async throws -> ShopBench {
    let bench = try await ShopBench()
    for product in ["removeads", "theme.aurora"] { try await bench.buy(product, "ada") }
    try await bench.buy("coins", "other")
    for (taker, giver) in [("bob", "ada"), ("zoe", "bob")] {
      _ = try await bench.desk.change(bench.id(taker), .transferPurchases(from: giver), bench.change())
    }
    return bench
  }

  private func forget(_ bench: ShopBench, _ player: String, dryRun: Bool = false) async throws -> ForgottenPlayer {
    let answer = try await bench.desk.change(bench.id(player), .forget, bench.change(dryRun: dryRun))
    return try #require(answer.fresh).outcome
  }

  /// What is stored of each, as it is written; nothing of whom the store has no ledger.
  private func stored(_ bench: ShopBench, _ players: [String] = ["ada", "bob", "zoe", "other"]) async throws -> [String?] {
    let ids = players.map { bench.id($0) }
    return try await bench.store.read { view in
      try ids.map { id in try view.player(id).ledger.map { JSONWriter.text($0.encoded) } }
    }
  }

  private func revisions(_ bench: ShopBench) async throws -> [Int64] {
    let ids = ["ada", "bob", "zoe", "other"].map { bench.id($0) }
    return try await bench.store.read { view in try ids.map { try view.player($0).revision } }
  }

  @Test("one amid a chain goes out of those on both sides, and of nobody else's", arguments: [false, true])
  func chain(dryRun: Bool) async throws {
    let bench = try await bench()
    let (before, revised) = (try await stored(bench), try await revisions(bench))
    #expect(before[0]?.contains("bob") == true && before[2]?.contains("bob") == true)
    let gone = try await forget(bench, "bob", dryRun: dryRun)
    #expect(gone.transfers == 2 && gone.rows.transactions == 0 && gone.isKnown)
    let after = try await stored(bench)
    if dryRun {
      #expect(after == before)
      #expect(try await revisions(bench) == revised)
      return
    }
    #expect(after[1] == nil && after[3] == before[3] && after.allSatisfy { $0?.contains("bob") != true })
    #expect(try await revisions(bench) == [revised[0] + 1, revised[1] + 1, revised[2] + 1, revised[3]])
    #expect(try await bench.held("zoe") == ["ad_free", "theme.aurora"])
    #expect(try await bench.view("zoe").ledger.transactions.allSatisfy { $0.transferredFrom == nil })
    let published = bench.published.suffix(6).compactMap { if case .player(let id, let player) = $0 { (id.player, player) } else { nil } }
    #expect(published.map(\.0) == ["ada", "zoe", "bob"])
    for (name, player) in published {
      let id = bench.id(name)
      let stored = try await bench.store.read { try $0.player(id) }
      #expect(stored == player)
    }
    let lines = try await bench.audits()
    #expect(lines.last?.detail?["transfers"] == 2 && lines.allSatisfy { !JSONWriter.text($0.detail ?? [:]).contains("bob") })
    #expect(try await forget(bench, "bob").isKnown == false)
  }

  @Test("both ends of a chain go after each other, also when history and log were cleared in between")
  func ends() async throws {
    let bench = try await bench()
    for player in ["ada", "bob"] { try await bench.act(.clear, player) }
    try await bench.restart()
    #expect(try await forget(bench, "ada").transfers == 1)
    #expect(try await forget(bench, "zoe").transfers == 1)
    let left = try await stored(bench, ["bob"]).first
    #expect(left??.contains("ada") == false && left??.contains("zoe") == false)
    #expect(try await bench.view("bob").ledger.partners.isEmpty)
    #expect(try await forget(bench, "bob").transfers == 0)
  }

  @Test("one who comes back is another: nobody's partner, and free to exchange again")
  func comesBack() async throws {
    let bench = try await bench()
    _ = try await forget(bench, "ada")
    try await bench.buy("premium", "ada")
    #expect(try await bench.view("ada").ledger.partners.isEmpty)
    _ = try await bench.desk.change(bench.id("bob"), .transferPurchases(from: "ada"), bench.change())
    #expect(try await bench.view("bob").ledger.partners.map(\.text).sorted() == ["ada", "zoe"])
  }
}
