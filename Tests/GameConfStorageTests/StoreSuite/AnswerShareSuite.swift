// The quota of answers that are stored for repeats, for each user and in total, on both sides of each limit.
import GameConfCore
import GameConfEngine
import Testing

@testable import GameConfStorage

@Suite("Quotas of stored answers")
struct AnswerShareSuite {
  private static let body = String(repeating: "x", count: StoreLimits.repeatBytesMax)

  private func answer(_ body: String = AnswerShareSuite.body) -> StoredAnswer {
    StoredAnswer(contentDigest: "d", status: 200, body: body, at: Instant(seconds: 1))
  }

  private func id(_ name: String) -> RepeatID { RepeatID(game: "g", route: "r", id: name) }

  @Test("a refusal that is stored undoes all writes of its change", arguments: StoreKind.allCases)
  func refused(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let remembering = RepeatableChange<Int64, TestRefusal>(id: id("one"), by: 1, contentDigest: "d") { _ in
      StoredAnswer(contentDigest: "d", status: 422, body: "no", at: Instant(seconds: 1))
    }
    func change() async throws(TestRefusal) -> ChangeAnswer<Int64> {
      try await tested.store.change(WriteMode(), remembering: remembering, reused: TestRefusal.no(0)) { transaction in
        let revision = try transaction.nextRevision(of: "g")
        try transaction.accept(7, changing: ["k"], at: revision, of: "g")
        throw TestRefusal.no(1)
      }
    }
    await #expect(throws: TestRefusal.no(1)) { _ = try await change() }
    #expect(try await change().fresh == nil, "the same refusal, which is remembered")
    let contents = try await tested.store.contents()
    #expect(contents.state.revisions.isEmpty && contents.state.catalogDigests.isEmpty)
    #expect(try await tested.store.read { try $0.revision(of: "g") } == 0)
    #expect(tested.published.flatMap(\.changes).isEmpty)
  }

  @Test("a user who sends ever more requests loses only the user's own oldest answers", arguments: StoreKind.allCases)
  func perUser(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let fit = Int(StoreLimits.repeatsBytesPerUserMax / answer().storedBytes)
    try await tested.write { transaction in
      try transaction.remember(answer("small"), for: id("other's"), by: 1)
      for number in 0..<fit { try transaction.remember(answer(), for: id("\(number)"), by: 7) }
    }
    #expect(try await tested.write { try $0.remembered(id("0")) } != nil, "what fits is kept")
    try await tested.write { try $0.remember(answer(), for: id("last"), by: 7) }
    #expect(try await tested.write { try $0.remembered(id("0")) } == nil)
    #expect(try await tested.write { try $0.remembered(id("1")) } != nil)
    #expect(try await tested.write { try $0.remembered(id("last")) } != nil)
    #expect(try await tested.write { try $0.remembered(id("other's")) }?.body == "small")
  }

  @Test("a repeatedly stored answer counts once towards its user's quota, until it is dropped or its player is forgotten")
  func counted() async throws {
    let tested = try StoreUnderTest(.sqlite)
    func shares() async throws -> [Int64: Int64] {
      try await tested.write { transaction in
        let rows = try transaction.rows(RepeatRows.shares)
        return Dictionary(uniqueKeysWithValues: try rows.map { (try $0.integer(0), try $0.integer(1)) })
      }
    }
    try await tested.write { transaction in
      for _ in 0..<3 { try transaction.remember(answer("a"), for: id("a"), by: 1) }
      try transaction.remember(answer("b"), for: RepeatID(game: "g", player: "p", route: "r", id: "b"), by: 2)
      try transaction.remember(answer("c"), for: id("c"), by: 2)
    }
    let each = answer("a").storedBytes
    #expect(try await shares() == [1: each, 2: 2 * each])
    #expect(try await tested.write { try $0.forgetAnswers(of: PlayerID(game: "g", player: "p")) } == 1)
    #expect(try await shares() == [1: each, 2: each])
    try await tested.write { _ = try $0.pass(milliseconds: 10) }
    #expect(try await tested.write { try $0.dropRemembered(seenBefore: 1, max: 1) } == 1)
    #expect(try await shares() == [2: each])
    #expect(try await tested.write { try $0.dropRemembered(seenBefore: 1, max: 5) } == 1)
    #expect(try await shares() == [:])
  }

  @Test("beyond the total limit the oldest answers of the largest user are evicted, and small users lose nothing")
  func inAll() async throws {
    let tested = try StoreUnderTest(.sqlite)
    let great = StoreLimits.repeatsBytesMax / 5
    try await tested.write { transaction in
      for number in 0..<5 { try transaction.remember(answer("great"), for: id("great \(number)"), by: 1) }
      try transaction.remember(answer("small"), for: id("small"), by: 2)
      // Sets the sizes as if each user had taken a fifth of the total: writing that much would take a minute.
      try transaction.run(Statement(.change, "UPDATE answers SET bytes = ? WHERE uid = 1"), [great])
      try transaction.run(
        Statement(.change, "UPDATE answer_shares SET bytes = ? WHERE uid = 1"), [great * 5 - answer("small").storedBytes])
    }
    #expect(try await tested.write { try $0.remembered(id("great 0")) } != nil)
    try await tested.write { try $0.remember(answer("x"), for: id("one more"), by: 3) }
    #expect(try await tested.write { try $0.remembered(id("great 0")) } == nil)
    for name in ["great 1", "small", "one more"] { #expect(try await tested.write { try $0.remembered(id(name)) } != nil, "\(name)") }
  }

  @Test(
    "answers are evicted from the requesting user if over the user's quota, otherwise from the user with the most bytes",
    arguments: [
      ([1: 10], 1, nil), ([1: StoreLimits.repeatsBytesPerUserMax], 1, nil), ([1: StoreLimits.repeatsBytesPerUserMax + 1], 1, 1),
      ([1: StoreLimits.repeatsBytesPerUserMax + 1], 2, nil), ([1: StoreLimits.repeatsBytesMax, 2: 0], 2, nil),
      ([1: StoreLimits.repeatsBytesMax, 2: 1], 2, 1), ([1: StoreLimits.repeatsBytesMax / 2 + 1, 2: StoreLimits.repeatsBytesMax / 2], 3, 1),
    ] as [([Int64: Int64], Int64, Int64?)])
  func givers(bytes: [Int64: Int64], requesting: Int64, giver: Int64?) {
    #expect(AnswerEviction.giver(bytes, by: requesting) == giver)
  }

  @Test("answers of an older database belong to no user, are counted, and expire after a day from now")
  func migrated() async throws {
    let fixture = try DiskFixture()
    let store = try await fixture.open { path in
      let connection = try DatabaseFile(path: path).connect()
      try connection.execute("PRAGMA journal_mode = WAL")
      try StoreSchema.released(version: 6).migrate(connection, from: 0)
      try connection.run(
        "INSERT INTO answers (request, digest, status, headers, body, at_ms) VALUES (?, 'd', 200, '{}', '\"old\"', 5)",
        [RepeatRows.name(id("old"))])
      connection.close()
    }
    #expect(store.health.condition == .good)
    #expect(try await store.read { try $0.remembered(id("old")) }?.body == "old")
    try await store.write(refusing: StoreError.self) { transaction in
      try transaction.remember(answer("new"), for: id("old"), by: 7)
      #expect(try transaction.rows(RepeatRows.shares).map { try $0.integer(0) } == [7])
    }
  }
}
