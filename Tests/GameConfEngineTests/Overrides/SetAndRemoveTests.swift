// Setting and removing overrides: values, revisions, refusals, preconditions.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

private typealias Fixture = OverrideFixture

@Suite("Setting and removing overrides")
struct SetAndRemoveTests {
  private let fixture = OverrideFixture()

  @Test("setting an override raises the game's revision, is published before it is answered, and has one audit line")
  func set() async throws {
    let outcome = try await fixture.set(3, "time", Fixture.context(why: "too hard"))
    #expect(outcome.revision == 1 && outcome.playerRevision == nil)
    #expect(try await fixture.inForce("time") == 3.0)
    let batch = try #require(fixture.published.first)
    #expect(fixture.published.count == 1)
    guard case .revision("g", 1) = batch.changes.first, case .overrides(let slot, revision: 1, playerRevision: nil) = batch.changes[1],
      case .audited = batch.changes.last, batch.changes.count == 3
    else {
      Issue.record("the revision, the override and its line: \(batch.changes)")
      return
    }
    #expect(slot.inForce?.value == 3.0)
    let audits = try await fixture.audits()
    #expect(audits.map(\.action) == [.overrideSet])
    #expect(audits.first?.before == nil && audits.first?.after == 3.0 && audits.first?.reason == "too hard" && audits.first?.revision == 1)
    #expect(try await fixture.set(4, "time").revision == 2)
    #expect(try await fixture.audits().last?.before == 3.0)
  }

  @Test("a player's override raises the revisions of the game and of the player, and the game-wide override stays")
  func player() async throws {
    try await fixture.set(3, "time")
    let outcome = try await fixture.set(4, "time", player: "p1")
    #expect(outcome.revision == 2 && outcome.playerRevision == 1)
    #expect(try await fixture.inForce("time") == 3.0)
    #expect(try await fixture.inForce("time", player: "p1") == 4.0)
    #expect(try await fixture.remove("time", player: "p1").playerRevision == 2)
    #expect(try await fixture.inForce("time", player: "p1") == nil)
  }

  @Test("removing an override is one change, and removing it again changes nothing")
  func remove() async throws {
    try await fixture.set(3, "time")
    let removed = try await fixture.remove("time")
    #expect(removed.revision == 2 && removed.removed.map(\.value) == [3.0] && removed.isChange)
    let again = try await fixture.remove("time")
    #expect(again.revision == 2 && !again.isChange && again.audits.isEmpty)
    #expect(try await fixture.audits().map(\.action) == [.overrideSet, .overrideRemoved])
    #expect(fixture.published.count == 2)
    #expect(try await fixture.store.read { try $0.overrides(at: Fixture.slot("time")).isEmpty })
    #expect(try await fixture.store.read { try $0.revision(at: Fixture.slot("time")) } == 2)
  }

  @Test("an override with an invalid value, key, player, game or reason is refused and changes nothing")
  func refused() async throws {
    let range = AdmissionFault(.outOfRange, message: "within 0.5...10.0, please")
    await #expect(throws: ChangeRefusal.inadmissible(key: "time", range)) {
      try await fixture.set(99, "time")
    }
    let type = AdmissionFault(.typeMismatch, message: "another type, please")
    await #expect(throws: ChangeRefusal.inadmissible(key: "low", type)) {
      try await fixture.set(2.5, "low")
    }
    await #expect(throws: ChangeRefusal.unknownKey("tim", nearest: ["high", "low", "name", "time"])) { try await fixture.set(1, "tim") }
    await #expect(throws: ChangeRefusal.unknownKey("tim", nearest: ["high", "low", "name", "time"])) { try await fixture.remove("tim") }
    await #expect(throws: ChangeRefusal.notAPlayer("a\nb")) { try await fixture.set(1, "time", player: "a\nb") }
    await #expect(throws: ChangeRefusal.notAPlayer("")) { try await fixture.remove("time", player: "") }
    await #expect(throws: ChangeRefusal.unknownGame("x")) {
      _ = try await OverrideService(store: fixture.store, checking: fixture.checking).change(
        .set(1), at: OverrideSlot(game: "x", key: "time"), Fixture.context())
    }
    let long = String(repeating: "x", count: 1025)
    for reason in [long, "a\nb"] {
      await #expect(throws: ChangeRefusal.reason(bytesMax: 1024)) { try await fixture.set(1, "time", Fixture.context(why: reason)) }
    }
    #expect(try await fixture.audits().isEmpty)
    #expect(fixture.published.isEmpty)
    #expect(try await fixture.set(1, "time", Fixture.context(why: String(repeating: "x", count: 1024))).revision == 1)
  }

  @Test("a constraint is checked for game-wide values, for a player's values, and at later beginnings and ends of windows")
  func constraints() async throws {
    let order = ConstraintFault(id: "order", keys: ["low", "high"], message: "low must not exceed high")
    await #expect(throws: ChangeRefusal.constraint([order], at: nil)) { try await fixture.set(17, "low") }
    try await fixture.set(10, "high", from: 2000, until: 3000)
    await #expect(throws: ChangeRefusal.constraint([order], at: Instant(seconds: 2000))) { try await fixture.set(12, "low") }
    try await fixture.set(12, "low", until: 2000)
    await #expect(throws: ChangeRefusal.constraint([order], at: Instant(seconds: 2000))) { try await fixture.set(11, "low", player: "p") }
    await #expect(throws: ChangeRefusal.constraint([order], at: nil)) { try await fixture.set(11, "high", player: "p") }
    try await fixture.set(9, "low", player: "p")
    try await fixture.set(9, "high", player: "p")
    #expect(try await fixture.audits().count == 4)
  }

  @Test("removing an override is refused if that would violate a constraint")
  func removalBreaks() async throws {
    try await fixture.set(2, "low")
    try await fixture.set(3, "high")
    let order = ConstraintFault(id: "order", keys: ["low", "high"], message: "low must not exceed high")
    await #expect(throws: ChangeRefusal.constraint([order], at: nil)) { try await fixture.remove("low") }
    try await fixture.remove("high")
    try await fixture.remove("low")
  }

  @Test("a dry run returns the expected outcome and changes nothing")
  func dryRun() async throws {
    let would = try await fixture.set(3, "time", Fixture.context(dryRun: true))
    #expect(would.revision == 1 && would.slots.first?.inForce?.value == 3.0)
    await #expect(throws: ChangeRefusal.self) { try await fixture.set(99, "time", Fixture.context(dryRun: true)) }
    #expect(try await fixture.inForce("time") == nil)
    #expect(try await fixture.audits().isEmpty && fixture.published.isEmpty)
    #expect(try await fixture.set(3, "time").revision == 1)
  }

  @Test("a change is refused if its precondition on the revision of the override or of the game does not hold")
  func preconditions() async throws {
    try await fixture.set(3, "time", Fixture.context(if: .slotRevision(0)))
    try await fixture.set("x", "name")
    await #expect(throws: ChangeRefusal.changedMeanwhile(revision: 1)) {
      try await fixture.set(4, "time", Fixture.context(if: .slotRevision(2)))
    }
    await #expect(throws: ChangeRefusal.changedMeanwhile(revision: 2)) {
      try await fixture.set(4, "time", Fixture.context(if: .gameRevision(1)))
    }
    #expect(try await fixture.set(4, "time", Fixture.context(if: .slotRevision(1))).revision == 3)
    #expect(try await fixture.remove("time", Fixture.context(if: .gameRevision(3))).revision == 4)
  }

  @Test("while the store cannot write, nothing changes, and reads work", arguments: [StoreError.noSpace, .readOnly, .unavailable("gone")])
  func storeFails(error: StoreError) async throws {
    try await fixture.set(3, "time")
    fixture.store.fail(with: error)
    await #expect(throws: ChangeRefusal.store(error)) { try await fixture.set(4, "time") }
    #expect(try await fixture.inForce("time") == 3.0)
    fixture.store.fail(with: nil)
    #expect(try await fixture.set(4, "time").revision == 2)
  }

  @Test("the 20,001st override of players is refused; the 20,000th and a replacement are not")
  func playerLimit() async throws {
    let rows = (1..<OverrideLimits.playerOverridesMax).map { OverrideRow(player: "p\($0)", key: "name", value: "x") }
    _ = try await OverrideService(store: fixture.store, checking: fixture.checking).importRows(rows, into: "g", Fixture.context())
    try await fixture.set("x", "name", player: "last")
    await #expect(throws: ChangeRefusal.tooManyPlayerOverrides(max: 20_000)) { try await fixture.set("x", "name", player: "more") }
    try await fixture.set("y", "name", player: "last")
    try await fixture.set("z", "name")
  }
}
