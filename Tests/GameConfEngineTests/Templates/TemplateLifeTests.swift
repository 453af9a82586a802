// A template's life: pushed, scheduled, activated, rolled back, over catalogs, overrides and restarts.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

@Suite("A template's life")
struct TemplateLifeTests {
  private let fixture = CatalogFixture()

  private func start() async throws -> CatalogFixture.Run {
    fixture.save("g", .g())
    return try await fixture.start()
  }

  private func context(_ seconds: Int64 = 2000, last: Int64? = nil, isDryRun: Bool = false) -> ChangeContext {
    ChangeContext(
      author: Author(uid: 7, name: "ada"), reason: "test", now: Instant(seconds: seconds), isDryRun: isDryRun,
      precondition: last.map { .newestTemplate($0) })
  }

  @discardableResult
  private func push(
    _ text: String, _ run: CatalogFixture.Run, _ timing: TemplateTiming = .now, _ context: ChangeContext? = nil
  ) async throws -> TemplateOutcome {
    return try #require(try await templates(run).push(Array(text.utf8), for: "g", timing, context ?? self.context()).fresh)
  }

  private func templates(_ run: CatalogFixture.Run) -> TemplateService {
    TemplateService(store: fixture.store, present: run.live.present, documents: PlainDocuments())
  }

  @Test("a pushed template is in force for its keys at a new revision, below overrides and above the catalog")
  func pushed() async throws {
    let run = try await start()
    try await fixture.set(run, 50, "b")
    let before = run.revisions()
    let outcome = try await push(#"{"a": 10, "b": 20, "other": 1}"#, run)
    #expect(outcome.version.number == 1)
    #expect(outcome.changedKeys == ["a", "b"])
    #expect(outcome.unknownKeys == ["other"])
    #expect(run.value("a") == 10)
    #expect(run.value("b") == 50)
    #expect(run.value("c") == 3)
    #expect(run.world["g"]?.revision == outcome.revision)
    #expect(run.revisions()["a"] == outcome.revision)
    #expect(run.revisions()["c"] == before["c"])
    try await fixture.unset(run, "b")
    #expect(run.value("b") == 20)
  }

  @Test("after a restart, the template version that was in force is served")
  func restart() async throws {
    let run = try await start()
    try await push(#"{"a": 10}"#, run)
    let again = try await fixture.start()
    #expect(again.value("a") == 10)
    #expect(again.world["g"]?.template?.number == 1)
  }

  @Test("a document that is invalid, too long or not admitted by the catalog is refused and changes nothing")
  func refused() async throws {
    let run = try await start()
    try await push(#"{"a": 10}"#, run)
    let revision = run.world["g"]?.revision
    await #expect(throws: TemplateError.faults([Fault("not admitted", at: "/a")])) {
      try await push(#"{"a": 1000}"#, run)
    }
    await #expect(throws: TemplateError.self) { try await push("[", run) }
    await #expect(throws: TemplateError.tooLong(bytesMax: TemplateLimits.documentBytesMax)) {
      try await push(String(repeating: " ", count: TemplateLimits.documentBytesMax + 1), run)
    }
    #expect(run.world["g"]?.revision == revision)
    #expect(run.value("a") == 10)
  }

  @Test("of two pushes with the same precondition, the second one is refused")
  func expectation() async throws {
    let run = try await start()
    try await push(#"{"a": 10}"#, run, .now, context(last: 0))
    await #expect(throws: TemplateError.changedMeanwhile(version: 1)) { try await push(#"{"a": 11}"#, run, .now, context(last: 0)) }
    #expect(run.value("a") == 10)
  }

  @Test("pushing the newest document again stores no new version")
  func unchanged() async throws {
    let run = try await start()
    try await push(#"{"a": 10}"#, run)
    let again = try await push(#"{"a": 10}"#, run)
    #expect(again.isUnchanged && again.version.number == 1)
  }

  @Test("a dry run of a push names the keys that would change, and changes nothing")
  func dryRun() async throws {
    let run = try await start()
    let outcome = try await push(#"{"a": 10}"#, run, .now, context(isDryRun: true))
    #expect(outcome.changedKeys == ["a"])
    #expect(run.value("a") == 1)
    #expect(run.world["g"]?.template == nil)
  }

  @Test("a version for manual activation waits for it, and a rollback stores the former document as a new version")
  func manual() async throws {
    let run = try await start()
    try await push(#"{"a": 10}"#, run)
    try await push(#"{"a": 20}"#, run, .manual)
    #expect(run.value("a") == 10)
    _ = try await templates(run).activate(nil, of: "g", .now, context())
    #expect(run.value("a") == 20)
    await #expect(throws: TemplateError.alreadyActive(2)) { try await templates(run).activate(2, of: "g", .now, context()) }
    await #expect(throws: TemplateError.unknownVersion(9)) { try await templates(run).activate(9, of: "g", .now, context()) }
    let back = try #require(try await templates(run).rollback(to: nil, of: "g", context()).fresh)
    #expect(back.version.number == 3 && back.version.rollbackOf == 1)
    #expect(run.value("a") == 10)
    #expect(try await fixture.start().value("a") == 10)
  }

  @Test("a rollback is refused if no version was active before")
  func nothingBefore() async throws {
    let run = try await start()
    await #expect(throws: TemplateError.nothingBefore) { try await templates(run).rollback(to: nil, of: "g", context()) }
    try await push(#"{"a": 10}"#, run)
    await #expect(throws: TemplateError.nothingBefore) { try await templates(run).rollback(to: nil, of: "g", context()) }
  }

  @Test("due work ends windows first, then scenarios, then activates templates, so no override of a scenario is quarantined")
  func dueInOrder() async throws {
    let run = try await start()
    let recent = PlayerCache(store: fixture.store)
    let service = PlayerService(
      store: fixture.store, world: run.live.present, recent: recent, rates: WriteRateLimiter(WriteRateLimits()) { 0 })
    try await push(#"{"a": 10}"#, run, .at(Instant(seconds: 1_500)), OverrideFixture.context())
    try await fixture.set(run, 50, "b", until: 1_500)
    var game = ScenarioPlan.Game(game: "g", pointer: "/games/g")
    game.overrides = [ScenarioPlan.Override(key: "a", value: 7, pointer: "/games/g/overrides/a")]
    let plan = ScenarioPlan(isForGame: true, leaseSeconds: 60, games: [game])
    _ = try await service.begin(plan, id: "00000000000a", OverrideFixture.context())
    let before = try #require(try await fixture.store.read { try $0.audits(AuditSelection(limit: 1)) }.first).id
    let due = DueWork(service, templates(run))
    #expect(await due.run(now: Instant(seconds: 1_059)).isEmpty)
    let notes = await due.run(now: Instant(seconds: 2_000))
    #expect(notes.count == 1)
    guard case .ended? = notes.first else {
      Issue.record("\(notes)")
      return
    }
    let lines = try await fixture.store.read { try $0.audits(AuditSelection(limit: 100)) }.filter { $0.id > before }.reversed()
    var order: [String] = []
    for line in lines where order.last != line.action.rawValue { order.append(line.action.rawValue) }
    #expect(order == ["override.window.ended", "override.remove", "scenario.end", "template.activate"])
    #expect(await due.run(now: Instant(seconds: 2_001)).isEmpty)
  }

  @Test("a scheduled version comes into force once at its instant, also after a restart")
  func scheduled() async throws {
    var run = try await start()
    try await push(#"{"a": 10}"#, run, .at(Instant(seconds: 3000)), context(2000))
    #expect(run.value("a") == 1)
    #expect(try await templates(run).activateDue(now: Instant(seconds: 2999)).isEmpty)
    #expect(run.value("a") == 1)
    run = try await fixture.start()
    #expect(try await templates(run).activateDue(now: Instant(seconds: 3000)).isEmpty)
    #expect(run.value("a") == 10)
    let revision = run.world["g"]?.revision
    #expect(try await templates(run).activateDue(now: Instant(seconds: 3001)).isEmpty)
    #expect(run.world["g"]?.revision == revision)
  }

  @Test("a scheduled version that the catalog no longer admits at its instant is dropped, and reported once")
  func scheduledMisfit() async throws {
    let run = try await start()
    try await push(#"{"a": 90}"#, run, .at(Instant(seconds: 3000)))
    fixture.save("g", .g(max: 50))
    _ = try await run.reload(now: CatalogFixture.now, because: .hangUp)
    #expect(try await templates(run).activateDue(now: Instant(seconds: 3000)).keys.sorted() == ["g"])
    #expect(try await templates(run).activateDue(now: Instant(seconds: 3001)).isEmpty)
    #expect(run.value("a") == 1)
  }

  @Test("under a new catalog, the parts of the template that it admits stay in force")
  func newCatalog() async throws {
    let run = try await start()
    try await push(#"{"a": 90, "b": 20}"#, run)
    fixture.save("g", .g(max: 50))
    _ = try await run.reload(now: CatalogFixture.now, because: .hangUp)
    #expect(run.value("a") == 1)
    #expect(run.value("b") == 20)
    #expect(run.world["g"]?.template?.template.remarks.count == 1)
    fixture.save("g", .g(max: 95))
    _ = try await run.reload(now: CatalogFixture.now, because: .hangUp)
    #expect(run.value("a") == 90)
  }

  @Test("an override that violates a constraint with the template is quarantined; a template that violates one alone is refused")
  func constraints() async throws {
    let constraint = Constraint(
      id: "order", require: try LogicExpression(compiling: ["<=": [["parameter": "a"], ["parameter": "b"]]]), message: "a is at most b")
    fixture.save("g", .g(["a": 1, "b": 50], constraints: [constraint]))
    let run = try await fixture.start()
    try await fixture.set(run, 40, "a")
    let outcome = try await push(#"{"b": 30}"#, run)
    #expect(outcome.quarantined == 1)
    #expect(run.value("a") == 1)
    await #expect(throws: TemplateError.self) { try await push(#"{"a": 60}"#, run) }
    #expect(run.value("a") == 1)
  }

  @Test("the audit log has the users who pushed versions and rolled back, with the versions before and after")
  func audited() async throws {
    let run = try await start()
    try await push(#"{"a": 10}"#, run)
    try await push(#"{"a": 20}"#, run)
    _ = try await templates(run).rollback(to: 1, of: "g", context())
    let lines = try await fixture.store.read { try $0.audits(AuditSelection(game: "g", limit: 3)) }
    #expect(lines.map(\.action) == [.templateRolledBack, .templatePushed, .templatePushed])
    #expect(lines.map(\.after) == [3, 2, 1])
    #expect(lines.map(\.before) == [2, 1, nil])
    #expect(lines[0].author.name == "ada" && lines[0].reason == "test")
  }

  @Test("versions beyond the count limit are deleted when old, those beyond the size limit immediately, never the active one")
  func retention() {
    let now = Instant(seconds: 100_000_000)
    let old = Instant(milliseconds: now.milliseconds - TemplateLimits.retentionMilliseconds - 1)
    let many = (1...400).reversed().map { (number: Int64($0), at: old, bytes: 10) }
    #expect(TemplateLimits.dropped(many, spared: [1], now: now) == (2...100).reversed().map(Int64.init))
    #expect(TemplateLimits.dropped(many.map { ($0.number, now, 10) }, spared: [], now: now).isEmpty)
    let large = (1...3).reversed().map { (number: Int64($0), at: now, bytes: TemplateLimits.bytesMax / 2) }
    #expect(TemplateLimits.dropped(large, spared: [], now: now) == [1])
    #expect(TemplateLimits.spared(TemplateActivation(active: 2, since: now, scheduled: 1), [4, 3, 2, 1]) == [4, 2, 1])
  }
}
