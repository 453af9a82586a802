// An override that a new catalog does not admit is stored and not served.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

private typealias Fixture = OverrideFixture

@Suite("Quarantine of overrides")
struct QuarantineTests {
  private let fixture = OverrideFixture()

  @discardableResult
  private func accept(_ candidate: TableChecking, at seconds: Int64 = 1000) async throws -> [OverrideRecord] {
    try await fixture.store.writeSurviving(WriteMode(isAlone: true), refusing: StoreError.self) { transaction in
      let revision = try transaction.nextRevision(of: "g")
      return try transaction.quarantineOverrides(in: "g", checking: candidate, revision: revision, now: Instant(seconds: seconds))
    }
  }

  @Test("a value outside the new range, of a new type, or of a removed key is quarantined: game-wide, for a player, or in a window")
  func inadmissible() async throws {
    try await fixture.set(3, "time")
    try await fixture.set(8, "time", player: "p")
    try await fixture.set(9, "time", from: 2000, until: 3000)
    try await fixture.set("x", "name")
    var candidate = TableChecking()
    candidate.keys["time"] = .double(1...5)
    candidate.keys["name"] = nil
    let taken = try await accept(candidate)
    #expect(taken.map(\.value) == ["x", 9.0, 8.0])
    #expect(try await fixture.inForce("time") == 3.0)
    #expect(try await fixture.inForce("time", player: "p") == nil)
    #expect(try await fixture.inForce("name") == nil)
    let listed = try await fixture.store.read { try $0.overrides(in: "g", OverrideSelection(.all)) }.flatMap(\.records)
    #expect(listed.count == 4 && listed.filter { $0.quarantined == nil }.map(\.value) == [3.0])
    #expect(listed.first { $0.slot.key == "name" }?.quarantined == "the catalog has no parameter 'name'")
    #expect(try await fixture.audits().suffix(3).map(\.action) == [.overrideQuarantined, .overrideQuarantined, .overrideQuarantined])
    #expect(try await accept(candidate).isEmpty)
  }

  @Test("if a constraint of the new catalog is violated, only the overrides of its keys are quarantined")
  func constraint() async throws {
    try await fixture.set(20, "high")
    try await fixture.set(18, "low")
    try await fixture.set(3, "time")
    var candidate = TableChecking()
    candidate.ceiling = 17
    #expect(try await accept(candidate).map(\.slot.key) == ["high", "low"])
    #expect(try await fixture.inForce("time") == 3.0)
    #expect(try await fixture.inForce("high") == nil)
  }

  @Test("an override whose time window will violate a constraint is quarantined, and the key's permanent override is not")
  func laterWindow() async throws {
    try await fixture.set(12, "high")
    try await fixture.set(20, "high", from: 2000, until: 3000)
    try await fixture.set(20, "high", player: "p")
    var candidate = TableChecking()
    candidate.ceiling = 17
    let taken = try await accept(candidate)
    #expect(taken.map { $0.window?.id } == ["w2", nil] && taken.map(\.slot.player) == [nil, "p"])
    #expect(try await fixture.inForce("high") == 12)
  }

  @Test("releasing a quarantined override is refused until its value is admitted, and then serves it again")
  func release() async throws {
    try await fixture.set(8, "time")
    var candidate = TableChecking()
    candidate.keys["time"] = .double(1...5)
    try await accept(candidate)
    let store = fixture.store
    await #expect(throws: ChangeRefusal.self) {
      _ = try await OverrideService(store: store, checking: candidate).change(.release, at: Fixture.slot("time"), Fixture.context())
    }
    let overrides = OverrideService(store: store, checking: TableChecking())
    let released = try await overrides.change(.release, at: Fixture.slot("time"), Fixture.context()).fresh
    #expect(released?.revision == 3)
    #expect(try await fixture.inForce("time") == 8.0)
    await #expect(throws: ChangeRefusal.notQuarantined) {
      _ = try await overrides.change(.release, at: Fixture.slot("time"), Fixture.context())
    }
  }

  @Test("a new override replaces a quarantined one, and a quarantined override of a removed key can be removed")
  func replace() async throws {
    try await fixture.set(8, "time")
    try await fixture.set("x", "name")
    var candidate = TableChecking()
    candidate.keys["time"] = .double(1...5)
    candidate.keys["name"] = nil
    try await accept(candidate)
    _ = try await OverrideService(store: fixture.store, checking: candidate).change(.set(2), at: Fixture.slot("time"), Fixture.context())
    #expect(try await fixture.inForce("time") == 2.0)
    let overrides = OverrideService(store: fixture.store, checking: candidate)
    #expect(try await overrides.change(.remove(), at: Fixture.slot("name"), Fixture.context()).fresh?.isChange == true)
    await #expect(throws: ChangeRefusal.self) {
      _ = try await overrides.change(.remove(), at: Fixture.slot("name"), Fixture.context())
    }
  }
  @Test("a revert restores a quarantined override as quarantined, even if it is admitted by then")
  func undo() async throws {
    try await fixture.set(8, "time")
    try await fixture.set(9, "time", player: "p")
    var candidate = TableChecking()
    candidate.keys["time"] = .double(1...5)
    try await accept(candidate)
    let set = try await fixture.set(2, "time")
    let removed = try await fixture.remove("time", player: "p")
    for line in [set, removed] { try await fixture.revert(line.audits[0]) }
    #expect(try await fixture.inForce("time") == nil)
    #expect(try await fixture.inForce("time", player: "p") == nil)
    let listed = try await fixture.store.read { try $0.overrides(in: "g", OverrideSelection(.all)) }.flatMap(\.records)
    #expect(listed.map(\.value) == [8.0, 9.0] && listed.allSatisfy { $0.quarantined != nil })
  }
}
