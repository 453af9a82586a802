// A request for a change that is sent twice is executed once.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

private typealias Fixture = OverrideFixture

@Suite("Repeated requests for changes")
struct RepeatTests {
  private let fixture = OverrideFixture()

  private func remembering(_ id: String = "k1", content: String = "a", route: String = "PUT") -> RepeatableChange<
    OverrideOutcome, ChangeRefusal
  > {
    RepeatableChange(id: RepeatID(game: "g", route: route, id: id), by: 7, contentDigest: content) { result in
      switch result {
      case .success(let outcome):
        StoredAnswer(contentDigest: content, status: 200, body: "revision \(outcome.revision)", at: Instant(seconds: 1000))
      case .failure(.store): nil
      case .failure(let error): StoredAnswer(contentDigest: content, status: 422, body: "\(error)", at: Instant(seconds: 1000))
      }
    }
  }

  private func set(_ value: Value, _ remembering: RepeatableChange<OverrideOutcome, ChangeRefusal>, dryRun: Bool = false)
    async throws(ChangeRefusal)
    -> ChangeAnswer<OverrideOutcome>
  {
    try await OverrideService(store: fixture.store, checking: fixture.checking).change(
      .set(value), at: Fixture.slot("time"), Fixture.context(dryRun: dryRun), remembering: remembering)
  }

  private func remembered(_ answer: ChangeAnswer<OverrideOutcome>) -> StoredAnswer? {
    if case .remembered(let answer) = answer { answer } else { nil }
  }

  @Test("a request that is sent again with its id changes nothing and gets the first answer")
  func twice() async throws {
    #expect(try await set(3, remembering()).fresh?.revision == 1)
    #expect(remembered(try await set(3, remembering()))?.body == "revision 1")
    #expect(try await fixture.audits().count == 1)
    #expect(try await set(3, remembering("k2")).fresh?.revision == 2)
    #expect(try await set(3, remembering(route: "POST")).fresh?.revision == 3)
  }

  @Test("a request with a known id and other content is refused")
  func otherContent() async throws {
    _ = try await set(3, remembering())
    await #expect(throws: ChangeRefusal.repeatedWithOtherContent) { _ = try await set(4, remembering(content: "b")) }
    #expect(try await fixture.inForce("time") == 3.0)
  }

  @Test("of twenty concurrent requests with one id, one is executed")
  func atOnce() async throws {
    let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 { group.addTask { try await set(3, remembering()).fresh != nil } }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(answers == 1)
    #expect(try await fixture.audits().count == 1)
  }

  @Test("a refusal is stored for repeats although its transaction is rolled back; a failure of the store is not stored")
  func refusal() async throws {
    await #expect(throws: ChangeRefusal.self) { _ = try await set(99, remembering()) }
    #expect(remembered(try await set(99, remembering()))?.status == 422)
    #expect(try await fixture.audits().isEmpty && fixture.published.isEmpty)
    fixture.store.fail(with: .noSpace)
    await #expect(throws: ChangeRefusal.store(.noSpace)) { _ = try await set(3, remembering("k2")) }
    fixture.store.fail(with: nil)
    #expect(try await set(3, remembering("k2")).fresh?.revision == 1)
  }

  @Test("a dry run neither stores an answer for repeats nor gets a stored one")
  func dryRun() async throws {
    #expect(try await set(3, remembering(), dryRun: true).fresh != nil)
    #expect(try await set(3, remembering()).fresh != nil)
    #expect(try await set(3, remembering(), dryRun: true).fresh != nil)
  }

  @Test("a repeat evicts no stored answer; a new request of a user at the limit evicts the user's oldest answer")
  func pushesNobodyOut() async throws {
    _ = try await set(3, remembering())
    @Sendable func id(_ number: Int64) -> RepeatID { RepeatID(game: "g", route: "PUT", id: "filler \(number)") }
    @Sendable func answer(_ bytes: Int64) -> StoredAnswer {
      StoredAnswer(contentDigest: "d", status: 200, body: String(repeating: "x", count: Int(bytes)), at: Instant(seconds: 1000))
    }
    let (whole, empty) = (answer(Int64(StoreLimits.repeatBytesMax)), answer(0).storedBytes)
    let own = try #require(remembered(try await set(3, remembering()))).storedBytes
    let count = (StoreLimits.repeatsBytesPerUserMax - own) / whole.storedBytes - 1
    let rest = StoreLimits.repeatsBytesPerUserMax - own - count * whole.storedBytes
    try await fixture.store.write(refusing: StoreError.self) { transaction in
      for number in 0..<count { try transaction.remember(whole, for: id(number), by: 7) }
      try transaction.remember(answer(rest - empty), for: id(count), by: 7)
    }
    for _ in 0..<3 { #expect(remembered(try await set(3, remembering()))?.body == "revision 1") }
    func storedCount() async throws -> Int64 {
      try await fixture.store.read { view in try (0...count).reduce(0) { try view.remembered(id($1)) == nil ? $0 : $0 + 1 } }
    }
    #expect(try await storedCount() == count + 1)
    _ = try await set(4, remembering("new"))
    #expect(try await set(3, remembering()).fresh != nil, "the oldest has made room")
  }

  /// Advances the observed time by this many steps, independently of the host's clock.
  private func pass(steps: Int64, host: Instant) async throws {
    for _ in 0..<steps { _ = try await fixture.store.applyRetention(now: host, passed: StoreLimits.timeStepMilliseconds) }
  }

  @Test("stored answers are removed after 24 hours of observed time and not before, audit lines after 400 days")
  func retention() async throws {
    let (day, step) = (StoreLimits.repeatsRetentionMilliseconds, StoreLimits.timeStepMilliseconds)
    _ = try await set(3, remembering())
    try await pass(steps: day / step, host: Instant(seconds: 1000 + 86_400))
    #expect(remembered(try await set(3, remembering())) != nil)
    try await pass(steps: 2, host: Instant(seconds: 1000 + 86_400))
    #expect(try await fixture.audits().count == 1)
    #expect(try await set(3, remembering()).fresh != nil)
    try await pass(steps: 1, host: Instant(milliseconds: (1000 + 400 * 86_400) * 1000 + 1))
    #expect(try await fixture.audits().isEmpty)
  }

  @Test("a host's clock that jumps two days ahead and back removes no stored answer, however much time it claims has passed")
  func clockAhead() async throws {
    _ = try await set(3, remembering())
    _ = try await fixture.store.applyRetention(now: Instant(seconds: 1000 + 2 * 86_400), passed: StoreLimits.timeStepMilliseconds)
    _ = try await fixture.store.applyRetention(now: Instant(seconds: 1600), passed: 2 * 86_400_000)
    _ = try await fixture.store.applyRetention(now: Instant(seconds: 1600), passed: -86_400_000)
    #expect(remembered(try await set(3, remembering()))?.body == "revision 1")
  }
}
