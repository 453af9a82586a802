// One revision of an epoch names one value, through any failure of the database.
import GameConfCore
import GameConfEngine
import Glibc
import Synchronization
import Testing

@testable import GameConfStorage

/// The answers of every world (the snapshots of all games) that hosts have published, by epoch and revision.
final class ShownWorlds: Sendable {
  private struct Name: Hashable {
    var epoch: UInt64
    var revision: Int64
  }

  private struct State {
    var answers: [Name: [HistorySlot: Value]] = [:]
    var comparison = HistoryComparison()
    var faults: [String] = []
  }

  private let held = Mutex(State())
  private let now: Int64

  /// - Parameter now: The time at which the worlds are evaluated.
  init(now: Int64) { self.now = now }

  /// The revisions that named two values.
  var faults: [String] { held.withLock { $0.faults } }

  /// Records the answers of a published world.
  func note(_ world: World) {
    guard let game = world["g"] else { return }
    let answers = HistoryWorld.answers(world, now: now).mapValues(\.value)
    held.withLock { held in
      let name = Name(epoch: world.epoch, revision: game.revision)
      if let before = held.answers.updateValue(answers, forKey: name), before != answers {
        let slots = answers.filter { before[$0.key] != $0.value }.map { "\($0.key) is \($0.value), and was \(before[$0.key] ?? .null)" }
        held.faults.append("revision \(name.revision): \(slots.sorted())")
      }
      do { try held.comparison.noteRevisions(world, of: world.epoch, now: now) } catch { held.faults.append("\(error)") }
    }
  }

  /// The parts of a host that record its worlds.
  var parts: HistoryParts {
    var parts = HistoryParts()
    parts.publication = { [self] publication, _, live in
      { batch in
        let rest = publication(batch)
        return { [self] in
          await rest?()
          note(live.present.world)
        }
      }
    }
    return parts
  }
}

extension HistoryRun {
  /// Serves the catalog that is in force in the fleet.
  func follow() async throws {
    #expect(await reload.follow(["g"], now: Instant(seconds: HistoryModel().now)).isEmpty)
  }

  func perform(_ step: HistoryStep, by model: HistoryModel = HistoryModel()) async throws {
    _ = try await perform(HistoryAct(step: step, host: 0, isDryRun: false, isCompared: false), by: model)
  }

  /// Polls the database until the store is healthy.
  func recovers() async {
    while store.health.condition != .good { try? await look() }
  }

  /// Polls the database until the store is unhealthy.
  func fails() async {
    while store.health.condition == .good { try? await look() }
  }

  private func look() async throws(StoreError) {
    switch opened {
    case .sqlite(let store): try await store.look()
    case .postgres(let store): try await store.look()
    }
  }

  /// The overrides of the game that are in force for all players.
  var inForce: [String: Value] {
    (live.present.world["g"]?.overrides.game ?? [:]).reduce(into: [:]) { $0[$1.key] = $1.value.inForce?.value }
  }
}

private func slot(_ key: String) -> HistorySlot { HistorySlot(player: nil, key: key) }

extension FleetTests {
  @Test("a host that loses its database ends time windows in a separate epoch, so that no revision of the fleet names two values")
  func ownEpoch() async throws {
    let model = HistoryModel()
    let shown = ShownWorlds(now: model.now)
    let proxy = try ProxyToServer(to: settings.serverFolder)
    let file = HistoryFile()
    let (cut, other) = (
      try HistoryHost("cut", file, on: settings.through(proxy), shown.parts), try HistoryHost("other", file, on: settings, shown.parts)
    )
    let (otherRun, cutRun) = (try await other.start(), try await cut.start())
    try await cutRun.follow()
    defer {
      proxy.hold(false)
      cutRun.close()
      otherRun.close()
    }
    for key in ["a", "b"] { try await otherRun.perform(.window(slot(key), 7, after: 0, lasting: 10)) }
    try await cut.catchUp(cutRun)
    let before = cutRun.live.present.world
    #expect(cutRun.inForce == ["a": 7, "b": 7])
    proxy.hold(true)
    try breakConnections()
    await cutRun.fails()
    try await cutRun.applyDue(now: model.now + 20)
    #expect(cutRun.inForce.isEmpty)
    #expect(cutRun.live.present.world.epoch != before.epoch)
    proxy.hold(false)
    await cutRun.recovers()
    await otherRun.recovers()
    #expect(cutRun.live.present.world.epoch == before.epoch)
    for value in Int64(5)...6 { try await otherRun.perform(.set(slot("c"), value)) }
    try await cut.catchUp(cutRun)
    try await cutRun.applyDue(now: model.now + 20)
    try await other.catchUp(otherRun)
    for run in [cutRun, otherRun] { #expect(run.inForce == ["c": 6]) }
    #expect(shown.faults.isEmpty)
  }

  @Test(
    "while the server's disk is full, a host ends time windows in another epoch, and tries each second whether it can save again")
  func fullServer() async throws {
    let model = HistoryModel()
    let shown = ShownWorlds(now: model.now)
    let file = HistoryFile()
    let (host, other) = (
      try HistoryHost("host", file, on: settings, shown.parts), try HistoryHost("other", file, on: settings, shown.parts)
    )
    let (run, otherRun) = (try await host.start(), try await other.start())
    try await otherRun.follow()
    defer {
      run.close()
      otherRun.close()
    }
    try await run.perform(.window(slot("a"), 7, after: 0, lasting: 10))
    let epoch = run.live.present.world.epoch
    let admin = try PostgresConnection(settings, for: .following)
    defer { admin.close() }
    _ = try admin.round([
      PostgresCommand(
        """
        CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$
        """)
    ])
    for table in ["game_revisions", "leases"] {
      _ = try admin.round([
        PostgresCommand("CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON \(table) FOR EACH ROW EXECUTE FUNCTION full_disk()")
      ])
    }
    await #expect(throws: HistoryStoreTrouble.self) { try await run.perform(.set(slot("c"), 5)) }
    #expect(run.store.health.condition == .noSpace)
    try await run.applyDue(now: model.now + 20)
    #expect(run.inForce.isEmpty)
    #expect(run.live.present.world.epoch != epoch)
    guard case .postgres(let store) = run.opened else { return }
    try await store.look()
    #expect(store.health.condition == .noSpace, "the server answers, and has no room yet")
    for table in ["game_revisions", "leases"] { _ = try admin.round([PostgresCommand("DROP TRIGGER full_disk ON \(table)")]) }
    await run.recovers()
    #expect(try admin.round([PostgresCommand("SELECT name FROM leases")]).first?.rows.isEmpty == true, "nothing of the attempts stays")
    try await run.perform(.set(slot("c"), 5))
    #expect(run.live.present.world.epoch == epoch)
    try await run.applyDue(now: model.now + 20)
    try await other.catchUp(otherRun)
    for each in [run, otherRun] { #expect(each.inForce == ["c": 5]) }
    #expect(shown.faults.isEmpty)
  }
}

extension FleetTests {
  /// Starts two hosts with separate catalog files. The worlds of the second are recorded.
  private func twoHosts(noting shown: ShownWorlds) async throws -> (HistoryHost, HistoryRun, HistoryHost, HistoryRun) {
    let one = try HistoryHost("one", HistoryFile(), on: settings)
    let other = try HistoryHost("other", HistoryFile(), on: settings, shown.parts)
    return (one, try await one.start(), other, try await other.start())
  }

  @Test("a catalog from another host gets its own revision, even if this host served other changes of the game before reading it")
  func laterCatalog() async throws {
    let model = HistoryModel()
    let shown = ShownWorlds(now: model.now)
    let (one, oneRun, other, otherRun) = try await twoHosts(noting: shown)
    defer {
      oneRun.close()
      otherRun.close()
    }
    func catchUp() async throws {
      // Following a catalog may make a change that the first host has to follow in turn.
      for _ in 0..<2 {
        try await other.catchUp(otherRun)
        try await one.catchUp(oneRun)
      }
    }
    func title() -> String? { otherRun.live.present.world["g"]?.catalog.title }
    try await otherRun.follow()
    let first = try #require(otherRun.live.present.world["g"]?.revision)
    // The second catalog quarantines an override, and the third arrives together with an override of this host.
    for (number, change) in [(2, nil), (1, HistoryStep.set(slot("a"), 70)), (4, .set(slot("c"), 5))] {
      if let change, number == 1 { try await oneRun.perform(change) }
      try await catchUp()
      let before = otherRun.live.present.world["g"]?.revision
      let former = title()
      try await one.accept(number, oneRun, isDryRun: false, now: model.now)
      try await otherRun.opened.catchUp()
      #expect(title() == former, "the catalog is known, and not read yet")
      if change == nil { #expect(otherRun.live.present.world["g"]?.revision == before) }
      if let change, number == 4 { try await otherRun.perform(change) }
      try await catchUp()
      #expect(title() == "G \(number)")
      let served = [oneRun, otherRun].map { HistoryWorld.lines($0.live.present.world, now: model.now) }
      #expect(served[0] == served[1])
      #expect(shown.faults.isEmpty)
    }
    #expect(otherRun.live.present.world["g"]?.revision ?? 0 > first + 3)
  }
}

extension FleetTests {
  @Test("a revision names the same value on hosts that have read a new catalog and on hosts that have not")
  func catalogOfThree() async throws {
    let model = HistoryModel()
    let shown = ShownWorlds(now: model.now)
    let files = (HistoryFile(), HistoryFile(), HistoryFile())
    let one = try HistoryHost("one", files.0, on: settings)
    let (second, third) = (
      try HistoryHost("second", files.1, on: settings, shown.parts), try HistoryHost("third", files.2, on: settings, shown.parts)
    )
    let (oneRun, secondRun, thirdRun) = (try await one.start(), try await second.start(), try await third.start())
    defer { for run in [oneRun, secondRun, thirdRun] { run.close() } }
    for run in [secondRun, thirdRun] { try await run.follow() }
    func titles() -> [String?] { [oneRun, secondRun, thirdRun].map { $0.live.present.world["g"]?.catalog.title } }
    // The files return to the first catalog, which the hosts accepted before.
    for (number, value) in [(4, Int64(5)), (0, 6)] {
      try await one.accept(number, oneRun, isDryRun: false, now: model.now)
      try await oneRun.perform(.set(slot("c"), value))
      for run in [secondRun, thirdRun] { try await run.opened.catchUp() }
      try await second.catchUp(secondRun)
      // The third host has the revision that the second gave the catalog's keys, but not the catalog.
      try await thirdRun.opened.catchUp()
      #expect(titles() == ["G \(number)", "G \(number)", "G \(number == 0 ? 4 : 0)"])
      for _ in 0..<2 {
        for (host, run) in [(third, thirdRun), (second, secondRun), (one, oneRun)] { try await host.catchUp(run) }
      }
      #expect(titles() == Array(repeating: "G \(number)", count: 3))
      let lines = [oneRun, secondRun, thirdRun].map { HistoryWorld.lines($0.live.present.world, now: model.now) }
      #expect(lines[0] == lines[1] && lines[0] == lines[2])
      #expect(shown.faults.isEmpty)
    }
  }

  @Test("when a former catalog is accepted again before all hosts have read the newer one, no host stays at an older revision")
  func catalogAcceptedAgain() async throws {
    let model = HistoryModel()
    let shown = ShownWorlds(now: model.now)
    let (one, oneRun, other, otherRun) = try await twoHosts(noting: shown)
    defer {
      oneRun.close()
      otherRun.close()
    }
    try await otherRun.follow()
    for number in [4, 0] {
      try await one.accept(number, oneRun, isDryRun: false, now: model.now)
      try await otherRun.opened.catchUp()
    }
    for _ in 0..<2 {
      try await other.catchUp(otherRun)
      try await one.catchUp(oneRun)
    }
    #expect(otherRun.live.present.world["g"]?.revision == oneRun.live.present.world["g"]?.revision)
    #expect(otherRun.live.present.world["g"]?.catalog.title == "G 0")
    #expect(shown.faults.isEmpty)
  }
}

@Suite("Epochs of a single host")
struct OwnEpochTests {
  @Test("a time window that ends while the database is away is served in a separate epoch, so no revision of the database names two values")
  func fileAway() async throws {
    let model = HistoryModel()
    let shown = ShownWorlds(now: model.now)
    let host = try HistoryHost("host", HistoryFile(), on: nil, shown.parts)
    let run = try await host.start()
    defer { run.close() }
    try await run.perform(.window(slot("a"), 7, after: 0, lasting: 10))
    let epoch = run.live.present.world.epoch
    let (path, away) = (run.directory.path + "/gameconfd.db", run.directory.path + "/away.db")
    for suffix in ["", "-wal"] { rename(path + suffix, away + suffix) }
    await run.fails()
    try await run.applyDue(now: model.now + 20)
    #expect(run.inForce.isEmpty)
    #expect(run.live.present.world.epoch != epoch)
    for suffix in ["", "-wal"] { rename(away + suffix, path + suffix) }
    await run.recovers()
    #expect(run.live.present.world.epoch == epoch)
    try await run.perform(.set(slot("c"), 5))
    try await run.applyDue(now: model.now + 20)
    #expect(run.inForce == ["c": 5])
    #expect(shown.faults.isEmpty)
  }
}
