// Reverts of audited changes: the restored overrides, and the refusals. Pages of the audit log.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

private typealias Fixture = OverrideFixture

@Suite("Reverts and pages of the audit log")
struct AuditTests {
  private let fixture = OverrideFixture()

  @Test("reverting an audit line restores the value before; a second revert of the line is refused unless it is forced")
  func revert() async throws {
    try await fixture.set(3, "time")
    let second = try await fixture.set(4, "time")
    let reverted = try await fixture.revert(second.audits[0], Fixture.context(by: "bob"))
    #expect(try await fixture.inForce("time") == 3.0)
    #expect(reverted.revision == 3)
    let lines = try await fixture.audits()
    #expect(lines[1].revertedBy == reverted.audits[0])
    #expect(lines[2].reverts == second.audits[0] && lines[2].action == .overrideReverted && lines[2].author.name == "bob")
    #expect(lines[2].before == 4.0 && lines[2].after == 3.0)
    await #expect(throws: ChangeRefusal.alreadyReverted(by: reverted.audits[0])) { try await fixture.revert(second.audits[0]) }
    try await fixture.set(5, "time")
    try await fixture.revert(second.audits[0], force: true)
    #expect(try await fixture.inForce("time") == 3.0)
  }

  @Test("reverting a key's first override leaves no override, and this revert can itself be reverted")
  func redo() async throws {
    let first = try await fixture.set(3, "time")
    let undone = try await fixture.revert(first.audits[0])
    #expect(try await fixture.inForce("time") == nil)
    #expect(try await fixture.store.read { try $0.overrides(at: Fixture.slot("time")).isEmpty })
    try await fixture.revert(undone.audits[0])
    #expect(try await fixture.inForce("time") == 3.0)
  }

  @Test("a change is not reverted if its key has changed since, even if the key has the same value again")
  func changedSince() async throws {
    let first = try await fixture.set(3, "time")
    try await fixture.set(4, "time")
    await #expect(throws: ChangeRefusal.changedSince) { try await fixture.revert(first.audits[0]) }
    try await fixture.set(3, "time")
    await #expect(throws: ChangeRefusal.changedSince) { try await fixture.revert(first.audits[0]) }
    try await fixture.revert(first.audits[0], force: true)
    #expect(try await fixture.inForce("time") == nil)
  }

  @Test("reverting the removal of all of a key's overrides restores them, except windows that have ended since")
  func windows() async throws {
    try await fixture.set(3, "time")
    try await fixture.set(5, "time", from: 2000, until: 3000)
    try await fixture.set(6, "time", from: 4000, until: 5000)
    let removed = try await fixture.remove("time")
    try await fixture.revert(removed.audits[0], Fixture.context(at: 4500))
    let slot = try await fixture.store.read { try $0.overrides(at: Fixture.slot("time")) }
    #expect(slot.records.map(\.value) == [3.0, 6.0] && slot.inForce?.value == 6.0)
  }

  @Test("a time window that begins does not prevent the revert of another window of the key")
  func edgeBetween() async throws {
    try await fixture.set(5, "time", from: 1100, until: 2000)
    let second = try await fixture.set(6, "time", from: 3000, until: 4000)
    try await fixture.tick(1200)
    try await fixture.revert(second.audits[0], Fixture.context(at: 1201))
    #expect(try await fixture.inForce("time") == 5.0)
  }

  @Test("unknown audit lines, another game's lines, and lines about a window's end cannot be reverted")
  func notRevertible() async throws {
    await #expect(throws: ChangeRefusal.unknownAudit(1)) { try await fixture.revert(1) }
    try await fixture.set(5, "time", until: 1002)
    try await fixture.tick(1002)
    await #expect(throws: ChangeRefusal.notRevertible(.windowEnded)) { try await fixture.revert(2) }
    await #expect(throws: ChangeRefusal.unknownAudit(1)) {
      _ = try await OverrideService(store: fixture.store, checking: fixture.checking).revert(1, in: "h", force: true, Fixture.context())
    }
  }

  @Test("a revert is refused if the restored value would violate a constraint")
  func constraint() async throws {
    let low = try await fixture.set(2, "low")
    try await fixture.set(3, "high")
    await #expect(throws: ChangeRefusal.self) { try await fixture.revert(low.audits[0]) }
    #expect(try await fixture.inForce("low") == 2)
  }

  @Test("a dry run of a revert does not mark the audit line as reverted")
  func dryRun() async throws {
    let first = try await fixture.set(3, "time")
    #expect(try await fixture.revert(first.audits[0], Fixture.context(dryRun: true)).slots.first?.isEmpty == true)
    #expect(try await fixture.audits().map(\.revertedBy) == [nil])
    try await fixture.revert(first.audits[0])
  }

  @Test("reading the audit log page by page returns every line once")
  func pages() async throws {
    for number in 1...25 { try await fixture.set(.integer(Int64(number % 4)), "low", player: number.isMultiple(of: 2) ? "p" : nil) }
    var seen: [Int64] = []
    var before: Int64?
    while true {
      let page = try await fixture.store.audits(AuditSelection(game: "g", before: before, limit: 10))
      if page.isEmpty { break }
      seen += page.map(\.id)
      before = page.last?.id
    }
    #expect(seen == (1...25).reversed())
    #expect(try await fixture.store.audits(AuditSelection(player: "p")).count == 12)
    #expect(try await fixture.store.audits(AuditSelection(after: 20, limit: 3)).map(\.id) == [23, 22, 21])
    #expect(try await fixture.store.audits(AuditSelection(game: "h")).isEmpty)
    #expect(try await fixture.store.audit(3, in: "g")?.id == 3)
    #expect(try await fixture.store.audit(3, in: "h") == nil)
  }
}
