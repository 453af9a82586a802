// The requirements for every store: transactions, batches, publication, tables.
import GameConfCore
import GameConfStorage
import Synchronization
import Testing

private let author = Author(uid: 4_000_000_000, name: "ada \"é\"", pid: nil)

private func at(_ seconds: Int64) -> Instant { Instant(seconds: seconds) }

private func slot(_ key: String, _ player: String? = nil, game: String = "g") -> OverrideSlot {
  OverrideSlot(game: game, player: player, key: key)
}

private func entry(_ slot: OverrideSlot, _ value: Value, revision: Int64 = 1) -> OverrideRecord {
  OverrideRecord(slot: slot, value: value, author: author, reason: "because", at: at(1), revision: revision)
}

private func line(_ key: String, at seconds: Int64 = 1) -> AuditRecord {
  var line = AuditRecord(at: at(seconds), author: author, action: .overrideSet, game: "g", reason: nil)
  line.key = key
  return line
}

private final class Counter: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }
  func add(_ more: Int) { count.withLock { $0 += more } }
}

/// A completion queue that records its answers.
private final class RecordingCompletionQueue: CompletionQueue {
  private let loads = Mutex<[Int]>([])
  /// The number of answers in each delivery.
  var carried: [Int] { loads.withLock { $0 } }

  func enqueue(_ answers: [@Sendable () -> Void]) {
    loads.withLock { $0.append(answers.count) }
    for answer in answers { answer() }
  }
}

@Suite("Requirements of every store")
struct StoreSuite {
  @Test("a transaction sees the writes of earlier ones, and its answer comes after the publication", arguments: StoreKind.allCases)
  func transactions(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    for expected in Int64(1)...5 {
      let revision = try await tested.write { transaction in
        let revision = try transaction.nextRevision(of: "g")
        return revision
      }
      #expect(revision == expected)
      #expect(tested.published.count == Int(expected))
    }
    let numbers = tested.batchNumbers
    #expect(tested.published.count == 5 && numbers == Array(1...Int64(numbers.count)))
    if kind != .postgres { #expect(numbers.count == 5) }
    #expect(try await tested.store.read { try $0.revisions() } == ["g": 5])
    #expect(try await tested.store.read { try $0.revision(of: "other") } == 0)
  }

  @Test("a transaction that refuses rolls back only itself, even within a batch", arguments: StoreKind.allCases)
  func refusals(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let outcomes = await withTaskGroup(of: (Int, Result<Int64, TestRefusal>).self) { group in
      for number in 0..<60 {
        group.addTask {
          do throws(TestRefusal) {
            let revision = try await tested.store.write(refusing: TestRefusal.self) { transaction in
              let revision = try transaction.nextRevision(of: "g")
              _ = try transaction.append(line("k\(number)"))
              if number.isMultiple(of: 3) { throw TestRefusal.no(number) }
              return revision
            }
            return (number, .success(revision))
          } catch { return (number, .failure(error)) }
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    for number in 0..<60 where number.isMultiple(of: 3) { #expect(outcomes[number] == .failure(.no(number))) }
    let revisions = outcomes.values.compactMap { try? $0.get() }
    #expect(revisions.sorted() == Array(1...40))
    let lines = try await tested.store.read { try $0.audits(AuditSelection(limit: 1000)) }
    #expect(lines.count == 40)
    #expect(Set(lines.compactMap(\.key)) == Set((0..<60).filter { !$0.isMultiple(of: 3) }.map { "k\($0)" }))
    let published = tested.published.flatMap(\.changes).compactMap { if case .revision(_, let revision) = $0 { revision } else { nil } }
    #expect(published == Array(1...40))
  }

  @Test("a refused change publishes nothing to memory, alone and beside others", arguments: StoreKind.allCases)
  func refusedNotes(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let refused: @Sendable () async -> Void = {
      _ = try? await tested.store.write(refusing: TestRefusal.self) { transaction in
        try transaction.accept(7, changing: ["j"], at: 2, of: "g")
        try transaction.put(SimulatedClock.host, ofGame: "g")
        _ = try transaction.nextPlayerRevision("p", in: "g")
        try transaction.setRevision(3, at: ["k"], of: "g")
        throw TestRefusal.no(1)
      }
    }
    await refused()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          if number.isMultiple(of: 2) { await refused() } else { _ = try? await tested.write { try $0.nextRevision(of: "h") } }
        }
      }
    }
    let contents = try await tested.store.contents()
    #expect(contents.state.revisions == ["h": 4])
    #expect(contents.state.catalogDigests.isEmpty && contents.state.clocks.isEmpty && contents.state.keyRevisions(of: "g").isEmpty)
    #expect(try await tested.store.read { try $0.playerRevision("p", in: "g") } == 0)
  }

  @Test("a dry run answers and leaves nothing, alone and in a batch", arguments: StoreKind.allCases)
  func dryRun(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let transaction: @Sendable (WriteTransaction) throws -> Int64 = { transaction in
      var overrides = KeyOverrides(slot: slot("k"))
      overrides.setPermanent(entry(slot("k"), 1))
      try transaction.put(overrides)
      return try transaction.nextRevision(of: "g")
    }
    async let others: Void = withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<10 { group.addTask { try await tested.write { _ = try $0.nextRevision(of: "h") } } }
      try await group.waitForAll()
    }
    #expect(try await tested.write(WriteMode(isDryRun: true), transaction) == 1)
    #expect(try await tested.write(WriteMode(isDryRun: true), transaction) == 1)
    try await others
    #expect(try await tested.store.read { try $0.overrides() }.isEmpty)
    #expect(try await tested.store.read { try $0.revisions() } == ["h": 10])
    #expect(tested.published.flatMap(\.changes).allSatisfy { $0.game == "h" })
  }

  @Test("a completion queue gets every answer once, in the transactions' order, once for each batch", arguments: StoreKind.allCases)
  func couriers(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let completions = RecordingCompletionQueue()
    let isHeld = Mutex(true)
    tested.store.publish { batch in { while !batch.isLook, isHeld.withLock({ $0 }) { await Task.yield() } } }
    let (answers, sink) = AsyncStream.makeStream(of: Result<Int64, TestRefusal>.self)
    for number in 0..<20 {
      let transaction: @Sendable (WriteTransaction) throws -> Int64 = { transaction in
        if number == 7 { throw TestRefusal.no(7) }
        let revision = try transaction.nextRevision(of: "g")
        return revision
      }
      tested.store.submit(WriteMode(), .stored(transaction), by: completions) { (result: Result<Int64, TestRefusal>) in sink.yield(result) }
      // The first batch is held until all others wait.
      if number == 0 { while try await tested.store.read({ try $0.revision(of: "g") }) == 0 { await Task.yield() } }
    }
    isHeld.withLock { $0 = false }
    var taken: [Int64] = []
    for await answer in answers.prefix(20) { taken.append((try? answer.get()) ?? -1) }
    #expect(taken == Array(1...7) + [-1] + Array(8...19))
    #expect(completions.carried == [1, 19])
  }

  @Test("a part of a transaction that fails is rolled back with its publications, and earlier parts are not", arguments: StoreKind.allCases)
  func attempt(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    try await tested.write { transaction in
      _ = try transaction.nextRevision(of: "g")
      do {
        try transaction.attempt {
          _ = try transaction.append(line("inner"))
          try transaction.attempt { _ = try transaction.nextRevision(of: "g") }
          throw TestRefusal.no(1)
        }
      } catch TestRefusal.no { _ = try transaction.append(line("after")) }
    }
    #expect(try await tested.store.read { try $0.audits(AuditSelection()) }.map(\.key) == ["after"])
    #expect(try await tested.store.read { try $0.revision(of: "g") } == 1)
    let published = tested.published.flatMap(\.changes)
    #expect(published.count == 2)
    guard case .revision("g", 1) = published.first, case .audited(let line) = published.last else {
      Issue.record("\(published)")
      return
    }
    #expect(line.key == "after")
  }

  @Test("a transaction that has a batch of its own decides on the state that was published before the batch", arguments: StoreKind.allCases)
  func alone(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let (known, seen) = (Counter(), Counter())
    tested.store.publish { batch in { known.add(batch.changes.count { if case .revision = $0 { true } else { false } }) } }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<30 {
        group.addTask {
          try await tested.write(WriteMode(isAlone: number == 20)) { transaction in
            let revision = try transaction.nextRevision(of: "g")
            if number == 20 { seen.add(Int(revision) - 1 - known.value) }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(seen.value == 0 && known.value == 30)
  }

  @Test("a slot's override and its windows are read back together, wherever a database stores their rows", arguments: StoreKind.allCases)
  func together(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    var both = KeyOverrides(slot: slot("a"))
    both.setPermanent(entry(slot("a"), 1))
    try both.add(entry(slot("a"), 3), window: OverrideWindow(id: "w", from: at(10), until: at(20)), now: at(0))
    // A full page reuses the space of removed rows for new ones, so that rows are scattered over the pages.
    for round in 0..<120 {
      try await tested.write { [both] transaction in
        var other = KeyOverrides(slot: slot("b\(round % 7)"))
        other.setPermanent(entry(other.slot, .string(String(repeating: "x", count: 10 + round * 7 % 90))))
        if round.isMultiple(of: 3) { try transaction.put(KeyOverrides(slot: slot("b\(round * 5 % 7)"))) }
        try transaction.put(other)
        try transaction.put(both)
      }
      #expect(try await tested.store.read { try $0.overrides().filter { $0.slot.key == "a" } } == [both])
    }
  }

  @Test("overrides are read back unchanged, selected by scope and key, and counted", arguments: StoreKind.allCases)
  func overrides(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    var time = KeyOverrides(slot: slot("time"))
    time.setPermanent(entry(slot("time"), [1, 2.0, nil, ["a": "\u{0}\u{1F600}"]], revision: 7))
    try time.add(entry(slot("time"), 3.0), window: OverrideWindow(id: "w1", from: at(10), until: at(20)), now: at(0))
    try time.add(entry(slot("time"), 18), window: OverrideWindow(id: "w2", from: at(5), until: at(10)), now: at(7))
    _ = time.quarantine { $0.window?.id == "w1" ? "no longer" : nil }
    var player = KeyOverrides(slot: slot("time", "p/1 é"))
    player.setPermanent(entry(player.slot, "x"))
    try player.add(entry(player.slot, "y"), window: OverrideWindow(id: "w3", from: at(30), until: at(40)), now: at(0))
    var other = KeyOverrides(slot: slot("name", "q"))
    other.setPermanent(entry(other.slot, .integer(.min)))
    var elsewhere = KeyOverrides(slot: slot("time", game: "h"))
    elsewhere.setPermanent(entry(elsewhere.slot, true))
    let all = [time, other, player, elsewhere].sorted { $0.slot < $1.slot }
    try await tested.write { transaction in for overrides in all { try transaction.put(overrides) } }
    let expected = (time, player, other)
    try await tested.store.read { view throws in
      #expect(try view.overrides() == all)
      #expect(try view.overrides(at: slot("time")) == expected.0)
      #expect(try view.overrides(at: slot("nothing")).isEmpty)
      #expect(try view.overrides(in: "g", OverrideSelection(.game)) == [expected.0])
      #expect(try view.overrides(in: "g", OverrideSelection(.player("q"))) == [expected.2])
      #expect(try view.overrides(in: "g", OverrideSelection(.players)).count == 2)
      #expect(try view.overrides(in: "g", OverrideSelection(.all, keys: ["time"])).map(\.slot) == [slot("time"), slot("time", "p/1 é")])
      #expect(try view.playerOverridesCount(in: "g") == 3)
      #expect(try view.playerOverridesCount(in: "h") == 0)
      #expect(try view.slotsWithEdges(at: at(7)).isEmpty)
      #expect(try view.slotsWithEdges(at: at(4)) == [slot("time")])
      #expect(try view.slotsWithEdges(at: at(10)) == [slot("time")])
      #expect(try view.slotsWithEdges(at: at(30)) == [slot("time"), slot("time", "p/1 é")])
      #expect(try view.nextEdge(after: at(7)) == at(10))
      #expect(try view.nextEdge(after: at(35)) == at(40))
      #expect(try view.nextEdge(after: at(40)) == nil)
    }
    #expect(tested.store.slotsWithEdges(at: at(10)) == [slot("time")])
    try await tested.write { try $0.put(KeyOverrides(slot: slot("time", "p/1 é"))) }
    #expect(try await tested.store.read { try $0.playerOverridesCount(in: "g") } == 1)
    #expect(try await tested.store.read { try $0.overrides() }.count == 3)
    #expect(try await tested.store.contents().state.sortedOverrides.count == 3)
  }

  @Test("the revisions of keys, of players' keys and of players are stored", arguments: StoreKind.allCases)
  func revisions(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    try await tested.write { transaction in
      try transaction.setRevision(3, at: ["a"], of: "g")
      try transaction.put(KeyOverrides(slot: slot("a", "p")), revision: 4)
      try transaction.setRevision(5, at: ["a"], of: "g")
      _ = try transaction.nextRevision(of: "g")
      #expect(try transaction.nextPlayerRevision("p", in: "g") == 1)
      #expect(try transaction.nextPlayerRevision("p", in: "g") == 2)
      #expect(try transaction.nextPlayerRevision("p", in: "h") == 1)
    }
    try await tested.store.read { view throws in
      #expect(try view.revision(at: slot("a")) == 5)
      #expect(try view.revision(at: slot("a", "p")) == 4)
      #expect(try view.revision(at: slot("b")) == nil)
      #expect(try view.keyRevisions(of: "g") == ["a": 5])
      #expect(try view.playerRevision("p", in: "g") == 2)
    }
  }

  @Test("audit lines are read back whole and in pages, and are marked as reverted", arguments: StoreKind.allCases)
  func audit(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    var whole = line("k")
    (whole.player, whole.window, whole.reason, whole.revision) = ("p", "w1", "why", 9)
    (whole.before, whole.after, whole.detail) = (.null, [1, 2.5], ["x": nil])
    whole.undo = AuditUndo(before: [], after: [nil])
    whole.reverts = 77
    let record = whole
    let first = try await tested.write { try $0.append(record) }
    whole.id = first.id
    #expect(first == whole)
    #expect(try await tested.store.read { try $0.audit(first.id) } == whole)
    let bare = try await tested.write { try $0.append(line("k")) }
    let read = try #require(try await tested.store.read { try $0.audit(bare.id) })
    #expect(read == bare)
    #expect(read.before == nil && read.after == nil && read.detail == nil, "what is absent is not a null")
    try await tested.write { transaction in
      for number in 0..<20 { _ = try transaction.append(line("k\(number % 2)", at: Int64(number))) }
      try transaction.markReverted(first, by: 3)
    }
    try await tested.store.read { view throws in
      #expect(try view.audit(first.id)?.revertedBy == 3)
      #expect(try view.audit(999) == nil)
      let page = try view.audits(AuditSelection(key: "k1", limit: 4))
      #expect(page.count == 4 && page.map(\.id) == page.map(\.id).sorted(by: >))
      #expect(try view.audits(AuditSelection(key: "k1", before: page.last?.id)).count == 6)
      let newer = try view.audits(AuditSelection(after: first.id, limit: 2))
      #expect(newer.map(\.id) == [first.id + 2, first.id + 1])
      #expect(try view.audits(AuditSelection(game: "h")).isEmpty)
      #expect(try view.audits(AuditSelection(player: "p")).map(\.id) == [first.id])
    }
    #expect(try await tested.write { try $0.dropAudits(before: at(10), max: 4) } == 4)
    #expect(try await tested.write { try $0.dropAudits(before: at(10), max: 100) } == 8)
    #expect(try await tested.store.read { try $0.audits(AuditSelection()) }.count == 10)
    #expect(try await tested.write { try $0.append(line("z")) }.id == first.id + 22)
  }

  @Test("a stored answer is found only by its complete id, and expires by the time that the daemon observed", arguments: StoreKind.allCases)
  func repeats(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let answer = StoredAnswer(contentDigest: "d", status: 201, headers: ["a": "b"], body: "{\"x\":\"\u{0}é\"}", at: at(5))
    let id = RepeatID(game: "g", player: "p", route: "PUT x", id: "1")
    let others = [
      RepeatID(game: "h", player: "p", route: "PUT x", id: "1"), RepeatID(game: "g", player: nil, route: "PUT x", id: "1"),
      RepeatID(game: "g", player: "p", route: "PUT y", id: "1"), RepeatID(game: "g", player: "p", route: "PUT x", id: "2"),
    ]
    try await tested.write { transaction in
      try transaction.remember(answer, for: id, by: 7)
      #expect(try transaction.pass(milliseconds: 6) == 6)
      try transaction.remember(answer, for: others[3], by: 7)
    }
    #expect(try await tested.write { try $0.dropRemembered(seenBefore: 0, max: 10) } == 0)
    #expect(try await tested.store.read { try $0.remembered(id) } == answer)
    for other in others.dropLast() { #expect(try await tested.store.read { try $0.remembered(other) } == nil) }
    #expect(try await tested.write { try $0.dropRemembered(seenBefore: 6, max: 10) } == 1)
    #expect(try await tested.store.read { try $0.remembered(id) } == nil)
    #expect(try await tested.store.read { try $0.remembered(others[3]) } != nil)
  }

  @Test("a read that throws reports its error, and a read sees one consistent state", arguments: StoreKind.allCases)
  func reads(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    await #expect(throws: StoreError.noSpace) { try await tested.store.read { _ throws -> Int in throw StoreError.noSpace } }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          try await tested.write { transaction in
            _ = try transaction.append(line("k"))
            _ = try transaction.nextRevision(of: "g")
          }
        }
        group.addTask {
          try await tested.store.read { view throws in
            let revision = try view.revision(of: "g")
            #expect(try view.audits(AuditSelection()).count == Int(revision))
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
