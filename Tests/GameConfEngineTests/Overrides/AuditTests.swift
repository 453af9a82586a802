// Undo: what it restores, and when it is refused.
import GameConfCore
import GameConfEngine
import Testing

private typealias Bench = OverrideBench

@Suite("Audit and undo")
struct AuditTests {
  private let bench = OverrideBench()

  @Test("a revert restores the value before; a second time it is refused, unless forced")
  func revert() async throws {
    try await bench.set(3, "time")
    let second = try await bench.set(4, "time")
    let reverted = try await bench.revert(second.audits[0], Bench.context(by: "bob"))
    #expect(try await bench.inForce("time") == 3.0)
    #expect(reverted.revision == 3)
    let lines = try await bench.audits()
    #expect(lines[1].revertedBy == reverted.audits[0])
    #expect(lines[2].reverts == second.audits[0] && lines[2].action == .overrideReverted && lines[2].author.name == "bob")
    #expect(lines[2].before == 4.0 && lines[2].after == 3.0)
    await #expect(throws: ChangeRefusal.alreadyReverted(by: reverted.audits[0])) { try await bench.revert(second.audits[0]) }
    try await bench.set(5, "time")
    try await bench.revert(second.audits[0], forced: true)
    #expect(try await bench.inForce("time") == 3.0)
  }

  @Test("a revert of the first set leaves nothing forced, and can itself be reverted")
  func redo() async throws {
    let first = try await bench.set(3, "time")
    let undone = try await bench.revert(first.audits[0])
    #expect(try await bench.inForce("time") == nil)
    #expect(try await bench.store.read { try $0.overrides(at: Bench.slot("time")).isEmpty })
    try await bench.revert(undone.audits[0])
    #expect(try await bench.inForce("time") == 3.0)
  }

  @Test("what has changed since is not reverted, also when the value came back")
  func changedSince() async throws {
    let first = try await bench.set(3, "time")
    try await bench.set(4, "time")
    await #expect(throws: ChangeRefusal.changedSince) { try await bench.revert(first.audits[0]) }
    try await bench.set(3, "time")
    await #expect(throws: ChangeRefusal.changedSince) { try await bench.revert(first.audits[0]) }
    try await bench.revert(first.audits[0], forced: true)
    #expect(try await bench.inForce("time") == nil)
  }

  @Test("a removal of standing and windows is taken back whole, save the windows that have ended since")
  func windows() async throws {
    try await bench.set(3, "time")
    try await bench.set(5, "time", from: 2000, until: 3000)
    try await bench.set(6, "time", from: 4000, until: 5000)
    let removed = try await bench.remove("time")
    try await bench.revert(removed.audits[0], Bench.context(at: 4500))
    let slot = try await bench.store.read { try $0.overrides(at: Bench.slot("time")) }
    #expect(slot.records.map(\.value) == [3.0, 6.0] && slot.inForce?.value == 6.0)
  }

  @Test("an edge of a window does not stand in the way of an undo of another window")
  func edgeBetween() async throws {
    try await bench.set(5, "time", from: 1100, until: 2000)
    let second = try await bench.set(6, "time", from: 3000, until: 4000)
    try await bench.tick(1200)
    try await bench.revert(second.audits[0], Bench.context(at: 1201))
    #expect(try await bench.inForce("time") == 5.0)
  }

  @Test("what cannot be reverted is refused: unknown lines, another game's, edges")
  func notRevertible() async throws {
    await #expect(throws: ChangeRefusal.unknownAudit(1)) { try await bench.revert(1) }
    try await bench.set(5, "time", until: 1002)
    try await bench.tick(1002)
    await #expect(throws: ChangeRefusal.notRevertible(.windowEnded)) { try await bench.revert(2) }
    await #expect(throws: ChangeRefusal.unknownAudit(1)) {
      _ = try await RevertAudit(store: bench.store, checking: bench.checking)(1, in: "h", isForced: true, Bench.context())
    }
  }

  @Test("what is restored must be admitted and hold")
  func constraint() async throws {
    let low = try await bench.set(2, "low")
    try await bench.set(3, "high")
    await #expect(throws: ChangeRefusal.self) { try await bench.revert(low.audits[0]) }
    #expect(try await bench.inForce("low") == 2)
  }

  @Test("a dry run of a revert marks nothing")
  func dryRun() async throws {
    let first = try await bench.set(3, "time")
    #expect(try await bench.revert(first.audits[0], Bench.context(dryRun: true)).slots.first?.isEmpty == true)
    #expect(try await bench.audits().map(\.revertedBy) == [nil])
    try await bench.revert(first.audits[0])
  }

  @Test("pages of the log leave nothing out and show nothing twice")
  func pages() async throws {
    for number in 1...25 { try await bench.set(.integer(Int64(number % 4)), "low", player: number.isMultiple(of: 2) ? "p" : nil) }
    let list = ListAudit(store: bench.store)
    var seen: [Int64] = []
    var before: Int64?
    while true {
      let page = try await list(AuditSelection(game: "g", before: before, limit: 10))
      if page.isEmpty { break }
      seen += page.map(\.id)
      before = page.last?.id
    }
    #expect(seen == (1...25).reversed())
    #expect(try await list(AuditSelection(player: "p")).count == 12)
    #expect(try await list(AuditSelection(after: 20, limit: 3)).map(\.id) == [23, 22, 21])
    #expect(try await list(AuditSelection(game: "h")).isEmpty)
    #expect(try await ShowAudit(store: bench.store)(3, in: "g")?.id == 3)
    #expect(try await ShowAudit(store: bench.store)(3, in: "h") == nil)
  }
}
