// A template's file as people change it: saved, deleted and restored, partly written, invalid.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Synchronization
import TestStore
import Testing

/// A template file that the test writes.
private final class HandWrittenFile: TemplateFileSource {
  private struct State {
    var text: String?
    var writes = 0
  }

  private let state = Mutex(State())

  /// Writes the file; nil deletes it.
  /// - Parameter isMarked: False to leave the mark unchanged, so that polls do not notice the change.
  func write(_ text: String?, isMarked: Bool = true) {
    state.withLock { state in
      state.text = text
      if isMarked { state.writes += 1 }
    }
  }

  func mark(_ path: String) -> String { state.withLock { $0.text == nil ? "gone" : String($0.writes) } }

  func document(_ path: String) throws(Fault) -> [UInt8] {
    guard let text = state.withLock({ $0.text }) else { throw Fault("No such file") }
    return Array(text.utf8)
  }
}

/// A store that refuses its first reads as too busy.
private final class BusyStore: Store {
  private let store: MemoryStore
  private let refusals: Mutex<Int>

  init(_ store: MemoryStore, refusals: Int) {
    self.store = store
    self.refusals = Mutex(refusals)
  }

  func read<Answer: Sendable>(
    deadlineMilliseconds: Int, _ body: @escaping @Sendable (ReadTransaction) throws -> Answer
  ) async throws(StoreError) -> Answer {
    let isBusy = refusals.withLock { refusals in
      defer { refusals = max(0, refusals - 1) }
      return refusals > 0
    }
    if isBusy { throw .late }
    return try await store.read(deadlineMilliseconds: deadlineMilliseconds, body)
  }

  func submit<Answer: Sendable, Refusal: StoreRefusal>(
    _ mode: WriteMode, _ body: TransactionBody<Answer>, by completions: (any CompletionQueue)?,
    then take: @escaping @Sendable (Result<Answer, Refusal>) -> Void
  ) { store.submit(mode, body, by: completions, then: take) }
  func contents() async throws(StoreError) -> StoreContents { try await store.contents() }
  func publish(to publication: @escaping Publication) { store.publish(to: publication) }
  func slotsWithEdges(at now: Instant) -> [OverrideSlot] { store.slotsWithEdges(at: now) }
  var health: StoreHealth { store.health }
}

@Suite("Templates from files")
struct FollowTemplateFilesTests {
  private let fixture = CatalogFixture()
  private let file = HandWrittenFile()
  private let outcomes = OutcomeLog()

  private final class OutcomeLog: Sendable {
    private let received = Mutex<[TemplateFileOutcome]>([])

    func add(_ each: TemplateFileOutcome) { received.withLock { $0.append(each) } }
    func take() -> [TemplateFileOutcome] {
      received.withLock { received in
        defer { received = [] }
        return received
      }
    }
  }

  private func start(byHand: Bool = false) async throws -> (CatalogFixture.Run, FollowTemplateFiles) {
    var catalog = Catalog.g()
    catalog.source = TemplateSource(file: "/t.json", activatesByHand: byHand)
    fixture.save("g", catalog)
    let run = try await fixture.start()
    return (run, follow(run))
  }

  private func follow(_ run: CatalogFixture.Run) -> FollowTemplateFiles {
    FollowTemplateFiles(store: fixture.store, live: run.live, documents: PlainDocuments(), files: file) { [outcomes] in outcomes.add($0) }
  }

  private func look(_ follow: FollowTemplateFiles, _ times: Int) async {
    for _ in 0..<times { await follow.look(now: Instant(seconds: 2000)) }
  }

  private func taken(_ version: Int64, isInForce: Bool = true) -> TemplateFileOutcome {
    .taken(game: "g", path: "/t.json", version: version, isInForce: isInForce)
  }

  @Test("a file is applied at the start, and again whenever two polls find the same new content")
  func taking() async throws {
    file.write(#"{"a": 10}"#)
    let (run, follow) = try await start()
    await follow.look(now: Instant(seconds: 2000), isWaiting: false)
    #expect(run.value("a") == 10)
    #expect(outcomes.take() == [taken(1)])
    file.write(#"{"a": 11}"#)
    await look(follow, 1)
    #expect(run.value("a") == 10, "it may still be written")
    await look(follow, 1)
    #expect(run.value("a") == 11)
    await look(follow, 5)
    #expect(outcomes.take() == [taken(2)])
    // The file is saved again with the same content.
    file.write(#"{"a": 11}"#)
    await look(follow, 3)
    #expect(outcomes.take() == [] && run.world["g"]?.template?.number == 2)
  }

  @Test("a reload reads the file again, even if polls see no change of the file")
  func reread() async throws {
    file.write(#"{"a": 10}"#)
    let (run, follow) = try await start()
    await follow.look(now: Instant(seconds: 2000), isWaiting: false)
    file.write(#"{"a": 11}"#, isMarked: false)
    await look(follow, 5)
    #expect(run.value("a") == 10)
    await follow.reread(now: Instant(seconds: 2000))
    #expect(run.value("a") == 11)
  }

  @Test("a store that is briefly busy is no fault of the file, which is applied at the next poll; a lasting failure is reported once")
  func busy() async throws {
    file.write(#"{"a": 10}"#)
    let (run, _) = try await start()
    func follow(refusals: Int) -> FollowTemplateFiles {
      FollowTemplateFiles(
        store: BusyStore(fixture.store, refusals: refusals), live: run.live, documents: PlainDocuments(), files: file
      ) { [outcomes] in outcomes.add($0) }
    }
    let stuck = follow(refusals: .max)
    await stuck.look(now: Instant(seconds: 2000), isWaiting: false)
    #expect(outcomes.take() == [] && run.world["g"]?.degraded == [])
    await look(stuck, 9)
    #expect(outcomes.take().count == 1 && run.world["g"]?.degraded.map(\.kind) == [.templateRefused])
    let passing = follow(refusals: 1)
    await passing.look(now: Instant(seconds: 2000), isWaiting: false)
    #expect(outcomes.take() == [] && run.value("a") == 1)
    await look(passing, 1)
    #expect(outcomes.take() == [taken(1)] && run.value("a") == 10)
  }

  @Test("a partly written file is no fault at first; if it stays incomplete, it is reported once, and the template in force stays")
  func halves() async throws {
    file.write(#"{"a": 10}"#)
    let (run, follow) = try await start()
    await look(follow, 2)
    file.write(#"{"a": 1"#)
    await look(follow, 3)
    #expect(run.world["g"]?.degraded == [] && outcomes.take() == [taken(1)])
    await look(follow, 6)
    #expect(run.value("a") == 10)
    #expect(run.world["g"]?.degraded.map(\.kind) == [.templateRefused])
    #expect(run.world["g"]?.degraded.first?.details == ["/t.json: not an object"])
    #expect(outcomes.take() == [.failed(game: "g", path: "/t.json", faults: ["not an object"])])
    // A reload of catalogs neither adds nor removes the template's degradation.
    _ = try await run.reload(now: Instant(seconds: 2001), because: .hangUp)
    #expect(run.world["g"]?.degraded.map(\.kind) == [.templateRefused])
    file.write(#"{"a": 12}"#)
    await look(follow, 2)
    #expect(run.value("a") == 12 && run.world["g"]?.degraded == [])
    #expect(outcomes.take() == [.recovered(game: "g", path: "/t.json"), taken(2)])
  }

  @Test("a deleted file leaves the template in force; if it is restored unchanged, no version is stored")
  func deleted() async throws {
    file.write(#"{"a": 10}"#)
    let (run, follow) = try await start()
    await look(follow, 2)
    file.write(nil)
    await look(follow, 8)
    #expect(run.value("a") == 10 && run.world["g"]?.degraded.map(\.kind) == [.templateRefused])
    file.write(#"{"a": 10}"#)
    await look(follow, 3)
    #expect(run.world["g"]?.degraded == [] && run.world["g"]?.template?.number == 1)
    #expect(
      outcomes.take() == [
        taken(1), .failed(game: "g", path: "/t.json", faults: ["No such file"]), .recovered(game: "g", path: "/t.json"),
      ])
  }

  @Test("a rollback lasts over a restart, until the file changes")
  func rolledBack() async throws {
    file.write(#"{"a": 10}"#)
    let (run, follow) = try await start()
    await look(follow, 2)
    file.write(#"{"a": 11}"#)
    await look(follow, 2)
    let context = ChangeContext(author: Author(uid: 7, name: "ada"), now: Instant(seconds: 2000))
    _ = try await TemplateService(store: fixture.store, present: run.live.present, documents: PlainDocuments())
      .rollback(to: 1, of: "g", context)
    #expect(run.value("a") == 10)
    let again = try await fixture.start()
    let next = self.follow(again)
    await next.look(now: Instant(seconds: 2002), isWaiting: false)
    await look(next, 3)
    #expect(again.value("a") == 10)
    file.write(#"{"a": 13}"#)
    await look(next, 2)
    #expect(again.value("a") == 13)
  }

  @Test("with manual activation, a file's template is only stored")
  func byHand() async throws {
    file.write(#"{"a": 10}"#)
    let (run, follow) = try await start(byHand: true)
    await look(follow, 4)
    #expect(run.value("a") == 1 && outcomes.take() == [taken(1, isInForce: false)])
  }

  @Test("a file that one catalog refused is applied when a new catalog admits it, and ignored when the catalog names no file")
  func otherCatalog() async throws {
    file.write(#"{"a": 1000}"#)
    let (run, follow) = try await start()
    await look(follow, 6)
    #expect(run.value("a") == 1 && run.world["g"]?.degraded.map(\.kind) == [.templateRefused])
    var wider = Catalog.g(max: 5000)
    wider.source = TemplateSource(file: "/t.json")
    fixture.save("g", wider)
    _ = try await run.reload(now: Instant(seconds: 2001), because: .hangUp)
    await look(follow, 1)
    #expect(run.value("a") == 1000 && run.world["g"]?.degraded == [])
    fixture.save("g", .g())
    _ = try await run.reload(now: Instant(seconds: 2002), because: .hangUp)
    file.write("[")
    await look(follow, 9)
    #expect(run.world["g"]?.degraded == [])
  }
}
