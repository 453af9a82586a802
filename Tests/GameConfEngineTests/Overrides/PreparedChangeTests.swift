// A large change of overrides that is computed before its transaction has the same result as one computed in it.
import GameConfCore
import Synchronization
import TestStore
import Testing

@testable import GameConfEngine
import GameConfStorage

private typealias Fixture = OverrideFixture

/// An ``OverrideChecking`` with a settable revision. It counts the checked values and the preparations of constraint checks.
private final class PublishedChecking: OverrideChecking {
  let table = TableChecking()
  private let isKnown: Bool
  private let state = Mutex((revision: Int64(0), admissions: 0, finders: 0, outdated: 0))

  init(isKnown: Bool = true) { self.isKnown = isKnown }

  var admissions: Int { state.withLock { $0.admissions } }
  var finders: Int { state.withLock { $0.finders } }
  func serve(_ revision: Int64) { state.withLock { $0.revision = revision } }

  func has(game: String) -> Bool { table.has(game: game) }
  /// Makes every second read of the revision return the former one, this many times, as if the game had changed in between.
  func serveOutdated(_ times: Int) { state.withLock { $0.outdated = 2 * times } }

  func revision(of game: String) -> Int64? {
    guard isKnown else { return nil }
    return state.withLock { state in
      state.outdated = max(0, state.outdated - 1)
      return state.outdated % 2 == 1 ? state.revision - 1 : state.revision
    }
  }
  func nearestNames(toUnknown key: String, in game: String) -> [String]? { table.nearestNames(toUnknown: key, in: game) }
  func keys(boundWith key: String, in game: String) -> Set<String>? { table.keys(boundWith: key, in: game) }
  func admit(_ value: Value, for key: String, player: String?, in game: String) throws(ChangeRefusal) -> Value {
    state.withLock { $0.admissions += 1 }
    return try table.admit(value, for: key, player: player, in: game)
  }
  func faults(in game: String, values: OverriddenValues, player: String?, at instant: Instant) -> [ConstraintFault] {
    table.faults(in: game, values: values, player: player, at: instant)
  }
  func finder(in game: String, over gameWide: [String: Value], at instant: Instant) -> FaultFinder {
    state.withLock { $0.finders += 1 }
    return { player, own in self.faults(in: game, values: OverriddenValues(game: gameWide, player: own), player: player, at: instant) }
  }
}

/// A store, and an ``OverrideChecking`` that has the revision which the store published last.
private struct Served {
  let store = MemoryStore()
  let checking: PublishedChecking

  init(isKnown: Bool = true) {
    checking = PublishedChecking(isKnown: isKnown)
    store.publish { [checking] batch in
      for case .overrides(_, let revision, _) in batch.changes { checking.serve(revision) }
      for case .overridesMany(let many) in batch.changes { checking.serve(many.revision) }
      return nil
    }
  }

  func take(
    _ rows: [OverrideRow], replacing: Bool = false, _ context: ChangeContext = Fixture.context()
  ) async throws(ChangeRefusal) -> OverrideOutcome? {
    try await OverrideService(store: store, checking: checking).importRows(rows, into: "g", replacing: replacing, context).fresh
  }

  func clear(_ selection: OverrideSelection, _ context: ChangeContext = Fixture.context()) async throws(ChangeRefusal) -> OverrideOutcome? {
    try await OverrideService(store: store, checking: checking).clear(selection, in: "g", context).fresh
  }

  func lines() async throws -> [AuditRecord] { try await store.audits(AuditSelection(limit: 1_000)) }

  func contents() async throws -> StoreContents { try await store.contents() }

  /// Returns the stored overrides and every revision as texts, for a comparison.
  func state() async throws -> [String] {
    let contents = try await contents()
    return contents.state.sortedOverrides.map { "\($0)" } + ["\(contents.state.revisions)"]
      + contents.state.slotRevisions.map { "\($0)" }.sorted()
  }
}

@Suite("Large changes of overrides that are computed before their transaction")
struct PreparedChangeTests {
  private static let count = ChangePreparation.slotsMin + 44

  /// Import rows that override `low` for every player, `high` with a separate reason for every third one, and two keys for the whole game.
  private static let rows: [OverrideRow] =
    [OverrideRow(key: "high", value: 20)]
    + (0..<count).flatMap { number in
      var rows = [OverrideRow(player: "p\(number)", key: "low", value: .integer(Int64(number % 16)))]
      if number % 3 == 0 { rows.append(OverrideRow(player: "p\(number)", key: "high", value: 22, reason: "third")) }
      return rows
    } + [OverrideRow(key: "time", value: 3)]

  @Test("an import and a clear leave the same overrides, revisions and audit lines as if computed in the transaction")
  func same() async throws {
    let (before, within) = (Served(), Served(isKnown: false))
    for _ in 0..<2 {
      let made = try #require(try await before.take(Self.rows))
      let received = try #require(try await within.take(Self.rows))
      #expect(made == received)
    }
    // The two game-wide rows are checked with each group of players. If the transactions checked all rows again, the count would double.
    #expect((2 * Self.rows.count..<3 * Self.rows.count).contains(before.checking.admissions))
    #expect(try await before.state() == within.state())
    #expect(try await before.clear(OverrideSelection(.players, keys: ["low"])) == within.clear(OverrideSelection(.players, keys: ["low"])))
    #expect(try await before.state() == within.state())
    #expect(try await before.lines() == within.lines())
    #expect(try await before.contents().state.revisions == ["g": 3])
  }

  @Test("an import that replaces all overrides leaves the same as if computed in the transaction, also without rows", arguments: [0, 3])
  func replacing(part: Int) async throws {
    let (before, within) = (Served(), Served(isKnown: false))
    for served in [before, within] { _ = try await served.take(Self.rows) }
    let rows = Self.rows.enumerated().filter { part > 0 && $0.offset % part == 1 }.map(\.element)
    let more = part > 0 ? [OverrideRow(player: "new", key: "name", value: "x")] : []
    let admissions = before.checking.admissions
    let made = try #require(try await before.take(rows + more, replacing: true))
    #expect(try await within.take(rows + more, replacing: true) == made)
    #expect(made.slots.count == Self.rows.count + more.count && made.removed.count == Self.rows.count - rows.count)
    #expect(try await before.state() == within.state())
    #expect(try await before.lines() == within.lines())
    #expect(try await before.contents().state.sortedOverrides.count == rows.count + more.count)
    // The rows are admitted before the transaction, and not again in it.
    #expect(before.checking.admissions == admissions + rows.count + more.count)
  }

  @Test("if the served revision is not the store's, the transaction computes and checks the change itself")
  func meanwhile() async throws {
    let served = Served()
    _ = try await served.take(Self.rows)
    let before = (served.checking.admissions, served.checking.finders)
    // The served revision differs from the store's, so no result that was computed from it may be written.
    served.checking.serve(0)
    let outcome = try #require(try await served.take(Self.rows))
    #expect(outcome.revision == 2 && outcome.lines.count == Self.rows.count)
    #expect(served.checking.admissions == before.0 + Self.rows.count)
    #expect(served.checking.finders > before.1)
    let rest = try #require(try await served.clear(OverrideSelection(.all)))
    #expect(rest.revision == 3)
    #expect(try await served.contents().state.sortedOverrides.isEmpty)
  }

  @Test(
    "if another change comes between preparation and transaction, the large one is computed again, and refused if it conflicts",
    arguments: [10, 21] as [Int64])
  func between(high: Int64) async throws {
    let served = Served()
    let (opened, door) = AsyncStream<Int>.makeStream()
    served.store.publish { [checking = served.checking] batch in
      for case .overrides(_, let revision, _) in batch.changes { checking.serve(revision) }
      for case .overridesMany(let many) in batch.changes { checking.serve(many.revision) }
      // The writer waits here until the test closes the stream, and the transactions behind it wait too.
      return { for await _ in opened {} }
    }
    let overrides = OverrideService(store: served.store, checking: served.checking)
    let first = Task { try await overrides.change(.set(3), at: Fixture.slot("time"), Fixture.context()) }
    while served.checking.revision(of: "g") != 1 { await Task.yield() }
    let second = Task { try await overrides.change(.set(.integer(high)), at: Fixture.slot("high", player: "p14"), Fixture.context()) }
    while served.store.health.writesWaiting < 2 { await Task.yield() }
    let large = Task { try await served.take(Self.rows) }
    while served.store.health.writesWaiting < 3 { await Task.yield() }
    #expect(served.checking.finders > 0, "it is made out before its turn")
    door.finish()
    _ = try await (first.value, second.value)
    if high == 10 {
      // The import would set this player's `low` to 14, above the new `high`.
      await #expect(throws: ChangeRefusal.self) { try await large.value }
      #expect(try await served.contents().state.sortedOverrides.count == 2)
    } else {
      #expect(try await large.value?.revision == 3)
      let made = try await served.contents().state.sortedOverrides
      #expect(made.count == Self.rows.count + 1)
      #expect(made.allSatisfy { $0.inForce?.revision == ($0.slot == Fixture.slot("high", player: "p14") ? 2 : 3) })
    }
  }

  @Test("an import with an invalid row or a violated constraint is refused as without preparation, and changes nothing")
  func refused() async throws {
    let served = Served()
    var rows = Self.rows
    rows[200].value = "nine"
    do {
      _ = try await served.take(rows)
      Issue.record("a text was taken for a number")
    } catch {
      guard case .rows(let faults) = error else { throw error }
      #expect(faults.map(\.row) == [200])
    }
    rows = Self.rows
    rows[1].value = 23
    rows[2] = OverrideRow(player: "p0", key: "high", value: 22)
    await #expect(throws: ChangeRefusal.self) { try await served.take(rows) }
    #expect(try await served.lines().isEmpty)
    #expect(try await served.contents().state.sortedOverrides.isEmpty)
  }

  @Test("preconditions and dry runs work for a large change as for a small one")
  func conditions() async throws {
    let served = Served()
    let context = Fixture.context(dryRun: true)
    #expect(try await served.take(Self.rows, context)?.lines.count == Self.rows.count)
    #expect(try await served.lines().isEmpty)
    await #expect(throws: ChangeRefusal.changedMeanwhile(revision: 0)) {
      try await served.take(Self.rows, Fixture.context(if: .gameRevision(5)))
    }
    _ = try await served.take(Self.rows, Fixture.context(if: .gameRevision(0)))
    await #expect(throws: ChangeRefusal.changedMeanwhile(revision: 1)) {
      try await served.clear(OverrideSelection(.all), Fixture.context(if: .gameRevision(0)))
    }
    #expect(try await served.contents().state.sortedOverrides.count == Self.rows.count)
  }

  @Test("if the game changes during the preparation, the preparation is repeated a few times", arguments: 0...ChangePreparation.attemptsMax)
  func remade(moves: Int) async throws {
    let served = Served()
    _ = try await served.take(Self.rows)
    let many = Mutex(0)
    served.store.publish { batch in
      for case .overridesMany(_) in batch.changes { many.withLock { $0 += 1 } }
      return nil
    }
    let before = served.checking.admissions
    served.checking.serveOutdated(moves)
    #expect(try await served.take(Self.rows)?.revision == 2)
    #expect(many.withLock { $0 } == (moves < ChangePreparation.attemptsMax ? 1 : 0), "in the turn, where it moves on and on")
    #expect(served.checking.admissions < before + 2 * Self.rows.count)
  }

  @Test("if a time window has ended, the transaction applies its end first and computes the change itself")
  func due() async throws {
    let served = Served()
    let window = WindowRequest(from: Instant(seconds: 1_100), until: Instant(seconds: 1_200))
    _ = try await OverrideService(store: served.store, checking: served.checking).change(
      .set(3, window: window), at: Fixture.slot("time", player: "w"), Fixture.context())
    _ = try await served.take(Self.rows + [OverrideRow(player: "w", key: "name", value: "x")])
    let cleared = try #require(try await served.clear(OverrideSelection(.players), Fixture.context(at: 1_300)))
    #expect(cleared.revision > 3)
    #expect(try await served.lines().contains { $0.action == .windowEnded })
    #expect(try await served.contents().state.allOverrides.allSatisfy { $0.slot.player == nil })
  }
}

/// An ``OverrideChecking`` without a served revision, so that every change is computed in its transaction.
private struct UnservedChecking: OverrideChecking {
  let checking: WorldChecking

  func has(game: String) -> Bool { checking.has(game: game) }
  func nearestNames(toUnknown key: String, in game: String) -> [String]? { checking.nearestNames(toUnknown: key, in: game) }
  func keys(boundWith key: String, in game: String) -> Set<String>? { checking.keys(boundWith: key, in: game) }
  func admit(_ value: Value, for key: String, player: String?, in game: String) throws(ChangeRefusal) -> Value {
    try checking.admit(value, for: key, player: player, in: game)
  }
  func faults(in game: String, values: OverriddenValues, player: String?, at instant: Instant) -> [ConstraintFault] {
    checking.faults(in: game, values: values, player: player, at: instant)
  }
}

@Suite("Game snapshots that are prepared with large changes")
struct PrecomputedGameTests {
  private static let rows =
    (0..<ChangePreparation.slotsMin).flatMap { number in
      ["a", "b"].map { OverrideRow(player: "p\(number)", key: $0, value: .integer(Int64(number % 7))) }
    } + [OverrideRow(key: "c", value: 9)]

  private struct ImportRun {
    let fixture = CatalogFixture()
    let run: CatalogFixture.Run
    let checking: any OverrideChecking

    init(isPrecomputing: Bool) async throws {
      fixture.save("g", .g())
      run = try await fixture.start()
      let known = WorldChecking(run.live.present)
      checking = isPrecomputing ? known : UnservedChecking(checking: known)
    }

    func take(_ rows: [OverrideRow], replacing: Bool = false) async throws {
      _ = try await OverrideService(store: fixture.store, checking: checking).importRows(
        rows, into: "g", replacing: replacing, Fixture.context())
    }

    func clear(_ scope: OverrideSelection.OverrideScope) async throws {
      _ = try await OverrideService(store: fixture.store, checking: checking).clear(OverrideSelection(scope), in: "g", Fixture.context())
    }

    /// Returns the served state in full, for a comparison.
    func served() throws -> [String] {
      let game = try #require(run.world["g"])
      let players = PrecomputedGameTests.rows.compactMap(\.player) + ["new"]
      let values = (players.map { $0 as String? } + [nil]).map { name in
        ["a", "b", "c"].map { "\(run.value($0, player: name) as Any)" }.joined(separator: " ")
      }
      return values + run.revisions(of: players).map { "\($0)" }.sorted()
        + ["\(game.overrides.counts)", "\(game.overrides.players.count)"]
        + game.table.entries.map { "\($0.parameter.key) \($0.layers)" }
    }
  }

  @Test("a snapshot that was prepared before the transaction equals one built override by override, and is published unchanged")
  func same() async throws {
    let (precomputed, single) = (try await ImportRun(isPrecomputing: true), try await ImportRun(isPrecomputing: false))
    let shown = Mutex<[Bool]>([])
    precomputed.fixture.store.publish { [live = precomputed.run.live] batch in
      {
        await live.change { $0.applying(batch.changes) }
        for case .precomputed(_, let after) in batch.changes { shown.withLock { $0.append(live.present.world["g"] === after) } }
      }
    }
    for both in [precomputed, single] { try await both.take(Self.rows) }
    #expect(try precomputed.served() == single.served())
    let some = Array(Self.rows.prefix(100)) + [OverrideRow(player: "new", key: "a", value: 5)]
    for both in [precomputed, single] { try await both.take(some, replacing: true) }
    #expect(try precomputed.served() == single.served())
    for both in [precomputed, single] {
      try await both.take(Self.rows)
      try await both.clear(.players)
    }
    #expect(try precomputed.served() == single.served())
    #expect(shown.withLock { $0 } == [true, true, true, true])
  }

  @Test("if the game has changed since the preparation, its snapshot is built override by override", arguments: [false, true])
  func outdated(isMany: Bool) async throws {
    let world = World(games: [GameSnapshot(catalog: .g(), revision: 1)])
    let game = try #require(world["g"])
    let slot = Fixture.slot("a", player: "p")
    let overridden = KeyOverrides(
      slot: slot,
      records: [OverrideRecord(slot: slot, value: 5, author: .daemon, reason: nil, at: Instant(seconds: 1), revision: 3)])
    var draft = GameDraft(game)
    draft.put(overridden, revision: 3)
    let made = draft.snapshot()
    let many = BulkOverrides(slots: [overridden], revision: 3, players: ["p"], playerRevisions: [1])
    let changes: [StoreChange] = [
      .precomputed(before: game, after: made), isMany ? .overridesMany(many) : .overrides(overridden, revision: 3, playerRevision: 1),
    ]
    #expect(world.applying(changes)["g"] === made)
    let other = world.applying([.revision(game: "g", revision: 2)])
    for late in [other.applying(changes), world.applying([.revision(game: "g", revision: 2)] + changes)] {
      let result = try #require(late["g"])
      #expect(result !== made && result.revision == 3)
      #expect(result.overrides.player("p").values == ["a": 5])
    }
  }

  @Test("a prepared snapshot's overrides become the stored state's, unless other overrides have changed since", arguments: [false, true])
  func stored(isOther: Bool) throws {
    let slots = ["p", "q"].map { Fixture.slot("a", player: $0) }
    let overridden = slots.map { slot in
      KeyOverrides(
        slot: slot,
        records: [OverrideRecord(slot: slot, value: 5, author: .daemon, reason: nil, at: Instant(seconds: 1), revision: 3)])
    }
    let game = GameSnapshot(catalog: .g(), revision: 1)
    var draft = GameDraft(game)
    draft.put(overridden[0], revision: 3)
    var state = StoredState(revisions: ["g": 2])
    if isOther { state.put(overridden[1], revision: 2) }
    let many = BulkOverrides(slots: [overridden[0]], revision: 3, players: ["p"], playerRevisions: [1])
    let made = draft.snapshot()
    state.apply([.precomputed(before: game, after: made), .overridesMany(many)])
    #expect(state[slots[0]] == overridden[0] && state[slots[1]] == (isOther ? overridden[1] : nil))
    #expect(state.overrides(of: "g").isSame(as: made.overrides) == !isOther)
  }
}
