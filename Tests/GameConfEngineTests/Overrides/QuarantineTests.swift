// What a new catalog no longer admits is kept and not served.
import GameConfCore
import GameConfEngine
import Testing

private typealias Bench = OverrideBench

@Suite("Quarantine of overrides")
struct QuarantineTests {
  private let bench = OverrideBench()

  @discardableResult
  private func accept(_ candidate: TableChecking, at seconds: Int64 = 1000) async throws -> [OverrideRecord] {
    try await bench.store.writeSurviving(WriteMode(isAlone: true), refusing: StoreError.self) { turn in
      let revision = try turn.nextRevision(of: "g")
      return try QuarantineOverrides()(in: turn, game: "g", checking: candidate, revision: revision, now: Instant(seconds: seconds))
    }
  }

  @Test("a value out of the new range, of a new type, or of a key that is gone is quarantined, in every scope and window")
  func inadmissible() async throws {
    try await bench.set(3, "time")
    try await bench.set(8, "time", player: "p")
    try await bench.set(9, "time", from: 2000, until: 3000)
    try await bench.set("x", "name")
    var candidate = TableChecking()
    candidate.keys["time"] = .double(1...5)
    candidate.keys["name"] = nil
    let taken = try await accept(candidate)
    #expect(taken.map(\.value) == ["x", 9.0, 8.0])
    #expect(try await bench.inForce("time") == 3.0)
    #expect(try await bench.inForce("time", player: "p") == nil)
    #expect(try await bench.inForce("name") == nil)
    let listed = try await bench.store.read { try $0.overrides(in: "g", OverrideSelection(.all)) }.flatMap(\.records)
    #expect(listed.count == 4 && listed.filter { $0.quarantined == nil }.map(\.value) == [3.0])
    #expect(listed.first { $0.slot.key == "name" }?.quarantined == "the catalog has no parameter 'name'")
    #expect(try await bench.audits().suffix(3).map(\.action) == [.overrideQuarantined, .overrideQuarantined, .overrideQuarantined])
    #expect(try await accept(candidate).isEmpty)
  }

  @Test("of a broken constraint the overrides of the keys it names are quarantined, and no others")
  func constraint() async throws {
    try await bench.set(20, "high")
    try await bench.set(18, "low")
    try await bench.set(3, "time")
    var candidate = TableChecking()
    candidate.ceiling = 17
    #expect(try await accept(candidate).map(\.slot.key) == ["high", "low"])
    #expect(try await bench.inForce("time") == 3.0)
    #expect(try await bench.inForce("high") == nil)
  }

  @Test("a window whose time will come to break a constraint is quarantined, the standing override beneath is not")
  func laterWindow() async throws {
    try await bench.set(12, "high")
    try await bench.set(20, "high", from: 2000, until: 3000)
    try await bench.set(20, "high", player: "p")
    var candidate = TableChecking()
    candidate.ceiling = 17
    let taken = try await accept(candidate)
    #expect(taken.map { $0.window?.id } == ["w2", nil] && taken.map(\.slot.player) == [nil, "p"])
    #expect(try await bench.inForce("high") == 12)
  }

  @Test("a release serves it again once it is admitted, and is refused before")
  func release() async throws {
    try await bench.set(8, "time")
    var candidate = TableChecking()
    candidate.keys["time"] = .double(1...5)
    try await accept(candidate)
    let store = bench.store
    await #expect(throws: ChangeRefusal.self) {
      _ = try await ChangeOverride(store: store, checking: candidate)(.release, at: Bench.slot("time"), Bench.context())
    }
    let change = ChangeOverride(store: store, checking: TableChecking())
    let released = try await change(.release, at: Bench.slot("time"), Bench.context()).fresh
    #expect(released?.revision == 3)
    #expect(try await bench.inForce("time") == 8.0)
    await #expect(throws: ChangeRefusal.notQuarantined) {
      _ = try await change(.release, at: Bench.slot("time"), Bench.context())
    }
  }

  @Test("a new value takes the place of a quarantined one; one of a key that is gone can be removed")
  func replace() async throws {
    try await bench.set(8, "time")
    try await bench.set("x", "name")
    var candidate = TableChecking()
    candidate.keys["time"] = .double(1...5)
    candidate.keys["name"] = nil
    try await accept(candidate)
    _ = try await ChangeOverride(store: bench.store, checking: candidate)(.set(2), at: Bench.slot("time"), Bench.context())
    #expect(try await bench.inForce("time") == 2.0)
    let change = ChangeOverride(store: bench.store, checking: candidate)
    #expect(try await change(.remove(), at: Bench.slot("name"), Bench.context()).fresh?.isChange == true)
    await #expect(throws: ChangeRefusal.self) {
      _ = try await change(.remove(), at: Bench.slot("name"), Bench.context())
    }
  }
  @Test("an undo puts a quarantined override back into quarantine, also once it is admitted")
  func undo() async throws {
    try await bench.set(8, "time")
    try await bench.set(9, "time", player: "p")
    var candidate = TableChecking()
    candidate.keys["time"] = .double(1...5)
    try await accept(candidate)
    let set = try await bench.set(2, "time")
    let removed = try await bench.remove("time", player: "p")
    for line in [set, removed] { try await bench.revert(line.audits[0]) }
    #expect(try await bench.inForce("time") == nil)
    #expect(try await bench.inForce("time", player: "p") == nil)
    let listed = try await bench.store.read { try $0.overrides(in: "g", OverrideSelection(.all)) }.flatMap(\.records)
    #expect(listed.map(\.value) == [8.0, 9.0] && listed.allSatisfy { $0.quarantined != nil })
  }
}
