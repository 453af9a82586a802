// The revert of a session: one user's changes are reverted in one change, and other users' changes stay.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

private typealias Fixture = OverrideFixture

@Suite("Reverting all changes of a session")
struct RevertChangesTests {
  private let fixture = OverrideFixture()

  private func context(at seconds: Int64 = 1000, in session: String? = "s1", by name: String = "ada", dryRun: Bool = false) -> ChangeContext
  {
    var change = Fixture.context(at: seconds, by: name, dryRun: dryRun)
    change.session = session
    return change
  }

  @discardableResult
  private func revert(
    session: String? = "s1", author: String? = nil, isForPlayers: Bool = false, _ change: ChangeContext
  ) async throws(ChangeRefusal) -> RevertOutcome {
    var selection = AuditSelection(author: author)
    selection.session = session
    let answer = try await OverrideService(store: fixture.store, checking: fixture.checking).revertAll(
      selection, in: "g", isForPlayers: isForPlayers, change)
    guard let reverted = answer.fresh else { throw .repeatedWithOtherContent }
    return reverted
  }

  @Test("the revert restores all keys to their state before the session in one revision, and leaves another user's changes")
  func whole() async throws {
    try await fixture.set(2, "time", context(in: nil, by: "bob"))
    let bobs = try await fixture.set(5, "low", player: "p1", context(in: "s2", by: "bob"))
    let first = try await fixture.set(3, "time", context())
    try await fixture.set(4, "time", context())
    try await fixture.set("x", "name", context())
    try await fixture.remove("low", player: "p1", context())
    let dry = try await revert(context(dryRun: true))
    #expect(dry.change.slots.count == 3)
    #expect(try await fixture.inForce("time") == 4.0)
    let undone = try await revert(context(in: "s3"))
    #expect(undone.left.isEmpty && undone.change.revision == first.revision + 4)
    #expect(try await fixture.inForce("time") == 2.0)
    #expect(try await fixture.inForce("name") == nil)
    #expect(try await fixture.inForce("low", player: "p1") == 5)
    let lines = try await fixture.audits()
    #expect(lines.filter { $0.session == "s1" }.allSatisfy { line in lines.contains { $0.id == line.revertedBy } })
    #expect(lines.first { $0.id == bobs.audits[0] }?.revertedBy == nil)
    let own = try #require(lines.first { $0.action == .overrideReverted && $0.key == "time" })
    #expect(own.reverts == first.audits[0] && own.detail?["reverted"]?.listValue?.count == 2 && own.session == "s3")
  }

  @Test("a session that has reverted one of its changes is reverted to its beginning, and a second revert changes nothing")
  func twice() async throws {
    try await fixture.set(3, "time", context())
    let second = try await fixture.set(4, "time", context())
    try await fixture.revert(second.audits[0], context())
    #expect(try await fixture.inForce("time") == 3.0)
    let undone = try await revert(context())
    #expect(try await fixture.inForce("time") == nil)
    #expect(undone.left.isEmpty)
    let again = try await revert(context())
    #expect(!again.change.isChange && again.left.isEmpty && again.change.revision == undone.change.revision)
  }

  @Test("if another user changed a key during the session, only the session's later changes of the key are reverted")
  func between() async throws {
    let first = try await fixture.set(3, "time", context())
    try await fixture.set(4, "time", context(in: "s2", by: "bob"))
    try await fixture.set(5, "time", context())
    let low = try await fixture.set(5, "low", context())
    try await fixture.set(6, "low", context(in: "s2", by: "bob"))
    let undone = try await revert(context())
    #expect(try await fixture.inForce("time") == 4.0)
    #expect(try await fixture.inForce("low") == 6)
    #expect(undone.left.map(\.line.id) == [low.audits[0], first.audits[0]])
    #expect(undone.left.map(\.refusal) == [.changedSince, .changedSince])
  }

  @Test("a line that another user made under the session's name stays if the session's user or a third user reverts the session")
  func sharedName() async throws {
    var other = context(by: "eve")
    other.author = Author(uid: 666, name: "eve", pid: 1)
    try await fixture.set(3, "time", context())
    let foreign = try await fixture.set(6, "low", other)
    let undone = try await revert(context(in: "s3"))
    #expect(try await fixture.inForce("time") == nil)
    #expect(try await fixture.inForce("low") == 6)
    #expect(undone.left.map(\.line.id) == [foreign.audits[0]])
    // If a third user reverts the session, its owner is the author of its first line, so the other user's change stays.
    var third = context(in: nil, by: "bob")
    third.author = Author(uid: 7, name: "bob", pid: 1)
    #expect(try await revert(third).left.map(\.line.id) == [foreign.audits[0]])
    #expect(try await fixture.inForce("low") == 6)
    try await revert(session: "s1", author: "eve", third)
    #expect(try await fixture.inForce("low") == nil)
  }

  @Test("a time window that has ended since does not prevent the revert of the session's older changes")
  func ended() async throws {
    try await fixture.set(3, "time", context())
    try await fixture.set(5, "time", until: 1100, context())
    try await fixture.tick(1101)
    let undone = try await revert(context(at: 1102))
    #expect(undone.left.isEmpty)
    #expect(try await fixture.inForce("time") == nil)
  }

  @Test("a user who may change only players does not revert changes for the whole game, or lines that cannot be reverted")
  func left() async throws {
    let game = try await fixture.set(3, "time", context())
    try await fixture.set(4, "time", player: "p1", context())
    let other = try await fixture.store.write(refusing: StoreError.self) { transaction in
      let context = ChangeContext(author: Author(uid: 1000, name: "ada"), now: Instant(seconds: 1), session: "s1")
      var line = AuditRecord(context, action: .playerReset)
      line.game = "g"
      return try transaction.append(line).id
    }
    let undone = try await revert(isForPlayers: true, context())
    #expect(try await fixture.inForce("time") == 3.0)
    #expect(try await fixture.inForce("time", player: "p1") == nil)
    #expect(undone.left.map(\.line.id) == [other, game.audits[0]])
    #expect(undone.left.map(\.refusal) == [.notRevertible(.playerReset), nil])
  }
}
