// Undo of a session: what one user changed goes back in one change, and what another changed stays.
import GameConfCore
import GameConfEngine
import Testing

private typealias Bench = OverrideBench

@Suite("Undo of a session")
struct RevertChangesTests {
  private let bench = OverrideBench()

  private func context(at seconds: Int64 = 1000, in session: String? = "s1", by name: String = "ada", dryRun: Bool = false) -> Change {
    var change = Bench.context(at: seconds, by: name, dryRun: dryRun)
    change.session = session
    return change
  }

  @discardableResult
  private func revert(
    session: String? = "s1", author: String? = nil, isForPlayers: Bool = false, _ change: Change
  ) async throws(ChangeRefusal) -> RevertOutcome {
    var selection = AuditSelection(author: author)
    selection.session = session
    let answer = try await RevertChanges(store: bench.store, checking: bench.checking)(
      selection, in: "g", isForPlayers: isForPlayers, change)
    guard let reverted = answer.fresh else { throw .repeatedWithOtherContent }
    return reverted
  }

  @Test("all keys go back in one revision, each to what stood before its first change, and another's stay")
  func whole() async throws {
    try await bench.set(2, "time", context(in: nil, by: "bob"))
    let bobs = try await bench.set(5, "low", player: "p1", context(in: "s2", by: "bob"))
    let first = try await bench.set(3, "time", context())
    try await bench.set(4, "time", context())
    try await bench.set("x", "name", context())
    try await bench.remove("low", player: "p1", context())
    let dry = try await revert(context(dryRun: true))
    #expect(dry.change.slots.count == 3)
    #expect(try await bench.inForce("time") == 4.0)
    let undone = try await revert(context(in: "s3"))
    #expect(undone.left.isEmpty && undone.change.revision == first.revision + 4)
    #expect(try await bench.inForce("time") == 2.0)
    #expect(try await bench.inForce("name") == nil)
    #expect(try await bench.inForce("low", player: "p1") == 5)
    let lines = try await bench.audits()
    #expect(lines.filter { $0.session == "s1" }.allSatisfy { line in lines.contains { $0.id == line.revertedBy } })
    #expect(lines.first { $0.id == bobs.audits[0] }?.revertedBy == nil)
    let own = try #require(lines.first { $0.action == .overrideReverted && $0.key == "time" })
    #expect(own.reverts == first.audits[0] && own.detail?["reverted"]?.listValue?.count == 2 && own.session == "s3")
  }

  @Test("a second undo changes nothing, though the first is of the same session, and what is older than an undo is found behind it")
  func twice() async throws {
    try await bench.set(3, "time", context())
    let second = try await bench.set(4, "time", context())
    try await bench.revert(second.audits[0], context())
    #expect(try await bench.inForce("time") == 3.0)
    let undone = try await revert(context())
    #expect(try await bench.inForce("time") == nil)
    #expect(undone.left.isEmpty)
    let again = try await revert(context())
    #expect(!again.change.isChange && again.left.isEmpty && again.change.revision == undone.change.revision)
  }

  @Test("where another changed the slot in between, only what came after goes back; where another came last, nothing does")
  func between() async throws {
    let first = try await bench.set(3, "time", context())
    try await bench.set(4, "time", context(in: "s2", by: "bob"))
    try await bench.set(5, "time", context())
    let low = try await bench.set(5, "low", context())
    try await bench.set(6, "low", context(in: "s2", by: "bob"))
    let undone = try await revert(context())
    #expect(try await bench.inForce("time") == 4.0)
    #expect(try await bench.inForce("low") == 6)
    #expect(undone.left.map(\.line.id) == [low.audits[0], first.audits[0]])
    #expect(undone.left.map(\.refusal) == [.changedSince, .changedSince])
  }

  @Test("a window that has ended since is nothing to revert, and does not stand in the way of what is older")
  func ended() async throws {
    try await bench.set(3, "time", context())
    try await bench.set(5, "time", until: 1100, context())
    try await bench.tick(1101)
    let undone = try await revert(context(at: 1102))
    #expect(undone.left.isEmpty)
    #expect(try await bench.inForce("time") == nil)
  }

  @Test("who may change players only leaves what is about the game; what no undo brings back is left too")
  func left() async throws {
    let game = try await bench.set(3, "time", context())
    try await bench.set(4, "time", player: "p1", context())
    let other = try await bench.store.write(refusing: StoreError.self) { turn in
      var line = AuditRecord(Change(author: Author(uid: 1000, name: "ada"), now: Instant(seconds: 1), session: "s1"), action: .playerReset)
      line.game = "g"
      return try turn.append(line).id
    }
    let undone = try await revert(isForPlayers: true, context())
    #expect(try await bench.inForce("time") == 3.0)
    #expect(try await bench.inForce("time", player: "p1") == nil)
    #expect(undone.left.map(\.line.id) == [other, game.audits[0]])
    #expect(undone.left.map(\.refusal) == [.notRevertible(.playerReset), nil])
  }
}
