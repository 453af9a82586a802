// Changes of many overrides together: import, export, clear.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

private typealias Fixture = OverrideFixture

@Suite("Import, export and clear of overrides")
struct ImportAndClearTests {
  private let fixture = OverrideFixture()

  private func take(_ rows: [OverrideRow], _ context: ChangeContext = Fixture.context()) async throws(ChangeRefusal) -> OverrideOutcome? {
    try await OverrideService(store: fixture.store, checking: fixture.checking).importRows(rows, into: "g", context).fresh
  }

  private func rowFaults(_ rows: [OverrideRow]) async -> [RowFault]? {
    do {
      _ = try await take(rows)
      return nil
    } catch { if case .rows(let faults) = error { return faults } else { return nil } }
  }

  @Test("an import raises the revision once and writes an audit line for each row; constraints are checked once, after its last row")
  func whole() async throws {
    let rows = [OverrideRow(key: "low", value: 20), OverrideRow(key: "high", value: 22), OverrideRow(player: "p", key: "time", value: 3)]
    let outcome = try #require(try await take(rows))
    #expect(outcome.revision == 1 && outcome.audits.count == 3)
    #expect(try await fixture.inForce("low") == 20)
    #expect(try await fixture.inForce("time", player: "p") == 3.0)
    #expect(fixture.published.count == 1)
    await #expect(throws: ChangeRefusal.self) { try await take([OverrideRow(key: "low", value: 23)]) }
  }

  @Test("an import with one invalid row of a thousand changes nothing, and the refusal names the row")
  func oneBadRow() async throws {
    var rows = (0..<1000).map { OverrideRow(player: "p\($0)", key: "name", value: "x") }
    rows[700].value = 7
    let faults = await rowFaults(rows)
    #expect(faults?.map(\.row) == [700])
    #expect(try await fixture.audits().isEmpty)
    #expect(try await fixture.store.read { try $0.revision(of: "g") } == 0)
  }

  @Test("import rows that are repeated, overlap, lie in the past or have no player id are each reported")
  func badRows() async throws {
    let window = WindowRequest(from: Instant(seconds: 2000), until: Instant(seconds: 3000))
    let rows = [
      OverrideRow(key: "time", value: 1), OverrideRow(key: "time", value: 2), OverrideRow(key: "time", value: 3, window: window),
      OverrideRow(key: "time", value: 3, window: window),
      OverrideRow(key: "time", value: 3, window: WindowRequest(from: Instant(seconds: 2500), until: Instant(seconds: 3500))),
      OverrideRow(key: "time", value: 3, window: WindowRequest(from: Instant(seconds: 1), until: Instant(seconds: 2))),
      OverrideRow(player: "", key: "time", value: 3), OverrideRow(key: "nothing", value: 3),
      OverrideRow(key: "time", value: 3, window: WindowRequest(from: Instant(seconds: 2500), until: nil)),
    ]
    let faults = try #require(await rowFaults(rows))
    #expect(faults.map(\.row) == [1, 3, 4, 5, 6, 7, 8])
    #expect(faults[0].error == .duplicate(of: 0) && faults[1].error == .duplicate(of: 2))
    #expect(faults[4].error == .refused(.notAPlayer("")))
  }

  /// Returns the overrides of the game g as rows.
  private func rows(of store: any Store, _ scope: OverrideSelection.OverrideScope = .all) async throws -> [OverrideRow] {
    try await store.read { try $0.overrides(in: "g", OverrideSelection(scope)) }.flatMap(\.records).map { record in
      OverrideRow(
        player: record.slot.player, key: record.slot.key, value: record.value,
        window: record.window.map { WindowRequest(from: $0.from, until: $0.until) })
    }
  }

  @Test("exported overrides can be imported again, into an empty store and over themselves")
  func roundTrip() async throws {
    try await fixture.set(3, "time")
    try await fixture.set(5, "time", from: 2000, until: 3000)
    try await fixture.set("é\n", "name", player: "p/1")
    let listed = try await rows(of: fixture.store)
    #expect(listed.count == 3)
    _ = try await take(listed)
    #expect(try await rows(of: fixture.store) == listed)
    let other = OverrideFixture()
    _ = try await OverrideService(store: other.store, checking: other.checking).importRows(listed, into: "g", Fixture.context())
    #expect(try await rows(of: other.store) == listed)
    #expect(try await rows(of: fixture.store, .game).count == 2)
  }

  @Test("an import without rows changes nothing, and one with too many rows is refused")
  func size() async throws {
    #expect(try await take([])?.isChange == false)
    let rows = [OverrideRow](repeating: OverrideRow(key: "time", value: 1), count: OverrideLimits.importRowsMax + 1)
    await #expect(throws: ChangeRefusal.tooManyRows(max: OverrideLimits.importRowsMax)) { try await take(rows) }
  }

  @Test(
    "a clear removes the selected overrides and leaves the rest",
    arguments: [
      (OverrideSelection(.game), ["p time", "q name"]), (OverrideSelection(.players), ["- name", "- time"]),
      (OverrideSelection(.player("p")), ["- name", "- time", "q name"]), (OverrideSelection(.all), []),
      (OverrideSelection(.all, keys: ["name"]), ["- time", "p time"]),
    ])
  func clear(selection: OverrideSelection, left: [String]) async throws {
    try await fixture.set(3, "time")
    try await fixture.set("x", "name")
    try await fixture.set(3, "time", player: "p")
    try await fixture.set("x", "name", player: "q")
    let overrides = OverrideService(store: fixture.store, checking: fixture.checking)
    let outcome = try await overrides.clear(selection, in: "g", Fixture.context()).fresh
    #expect(outcome?.revision == 5 && outcome?.audits.count == 4 - left.count)
    let found = try await fixture.store.read { try $0.overrides(in: "g", OverrideSelection(.all)) }
    #expect(found.map { "\($0.slot.player ?? "-") \($0.slot.key)" } == left)
    #expect(try await overrides.clear(selection, in: "g", Fixture.context()).fresh?.isChange == false)
  }
}
