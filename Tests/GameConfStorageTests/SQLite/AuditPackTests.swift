// Packed audit lines of a large change behave like lines with rows of their own.
import GameConfCore
import Testing

@testable import GameConfStorage

@Suite("Packed lines of the audit log")
struct AuditPackTests {
  private static let count = 2 * AuditPack.linesMax + 40
  private static let author = Author(uid: 4_000_000_000, name: "ada \"é\"", pid: 12)

  private func at(_ seconds: Int64) -> Instant { Instant(seconds: seconds) }

  /// Returns the lines of one change, with every combination of present and absent members.
  private func lines(_ second: Int64, of game: String = "g") -> [AuditRecord] {
    (0..<Self.count).map { number in
      var line = AuditRecord(at: at(second), author: Self.author, action: .overrideImported, game: game, reason: "why?")
      line.player = number == 0 ? nil : number % 50 == 3 ? "e\u{301}" : "p\(number % 60)"
      line.key = "key\(number % 3)"
      line.window = number % 7 == 1 ? "w\(number)" : nil
      (line.before, line.after) = (number % 3 == 0 ? nil : .null, number % 5 == 0 ? nil : ["deep": ["\u{0}é", 1.5, .integer(.max)]])
      if number % 4 != 1 { line.undo = AuditUndo(before: [.object(["reason": .string("b\(number)")])], after: []) }
      line.detail = number % 11 == 2 ? ["player": .string("p\(number % 60)"), "more": ["p1"]] : nil
      line.reverts = number % 13 == 4 ? Int64(number) : nil
      line.revision = second
      line.session = "s1"
      return line
    }
  }

  private func packs(_ lines: [AuditRecord]) -> [AuditPack] {
    stride(from: 0, to: lines.count, by: AuditPack.linesMax).map { AuditPack(lines[$0..<min($0 + AuditPack.linesMax, lines.count)]) }
  }

  private func single(_ second: Int64, _ key: String) -> AuditRecord {
    var line = AuditRecord(at: at(second), author: Author(uid: 7, name: "bob"), action: .overrideSet, game: "g")
    line.key = key
    line.undo = AuditUndo(before: [], after: [])
    return line
  }

  /// Opens a fresh database within one transaction.
  private func transaction(_ fixture: DiskFixture, _ name: String) throws -> WriteTransaction {
    let database = try SQLiteConnection(path: "\(fixture.temporary.path)/\(name).db", for: .writing)
    try StoreSchema.current.migrate(database, from: 0)
    return WriteTransaction(database, floors: ReadTransaction.RevisionFloors())
  }

  @Test("the revision of a cleared override is found in its packed line, and after the unpacking in a row, until its player is forgotten")
  func revisions() throws {
    let fixture = try DiskFixture()
    let transaction = try transaction(fixture, "revisions")
    let slots = (0..<Self.count).map { OverrideSlot(game: "g", player: "p\($0)", key: "key") }
    func permanent(_ slot: OverrideSlot, _ revision: Int64) -> KeyOverrides {
      KeyOverrides(
        slot: slot,
        records: [OverrideRecord(slot: slot, value: 1, author: Self.author, reason: nil, at: at(revision), revision: revision)])
    }
    // As after a large change, each record names its own revision.
    try transaction.putRows(of: slots.map { permanent($0, 1) })
    let left = slots.enumerated().map { $0 < 5 ? permanent($1, 2) : KeyOverrides(slot: $1) }
    try transaction.put(OverrideRowBatch(left, revision: 2, hasPackedLines: true), over: slots.count, at: 2)
    let lines = slots.map { slot in
      var line = AuditRecord(at: at(2), author: Self.author, action: .overrideCleared, game: "g", reason: nil)
      (line.player, line.key, line.revision, line.before) = (slot.player, "key", 2, ["1", "2"])
      return line
    }
    _ = try transaction.append(lines, packed: packs(lines))
    func stored() throws -> Int64? { try transaction.row(Statement(.query, "SELECT count(*) FROM slot_revisions"))?.integer(0) }
    // One slot is changed alone afterwards, and two players are forgotten. Only these slots may differ.
    try transaction.put(KeyOverrides(slot: slots[10]), revision: 3)
    for gone in [20, 21] { _ = try transaction.forget(PlayerID(game: "g", player: "p\(gone)"), by: .forget) }
    let expected = slots.indices.map { [20, 21].contains($0) ? nil : $0 == 10 ? 3 : 2 as Int64? }
    let others = [
      OverrideSlot(game: "g", player: "p1000", key: "key"), OverrideSlot(game: "g", player: "p1", key: "other"),
      OverrideSlot(game: "h", player: "p1", key: "key"), OverrideSlot(game: "g", key: "key"),
    ]
    func check() throws {
      #expect(try slots.map { try transaction.revision(at: $0) } == expected)
      #expect(try others.map { try transaction.revision(at: $0) } == [nil, nil, nil, nil])
      let known = try transaction.playerSlotRevisions()
      #expect(slots.dropFirst(5).map { known[$0] } == Array(expected.dropFirst(5)))
    }
    #expect(try stored() ?? 0 < Self.count - 5 - 2)
    try check()
    while try transaction.unpackAudits(after: .min) != nil {}
    try check()
    #expect(try stored() == Int64(Self.count - 5 - 2))
  }

  /// Creates the same log twice: with packs, and with a row for each line.
  private func logs(_ fixture: DiskFixture) throws -> (packed: WriteTransaction, rows: WriteTransaction) {
    let (packed, rows) = (try transaction(fixture, "packed"), try transaction(fixture, "rows"))
    for transaction in [packed, rows] { _ = try transaction.append(single(1, "key0")) }
    let first = try packed.append(lines(2), packed: packs(lines(2)))
    let second = try rows.append(lines(2).map(EncodedAuditLine.init))
    #expect(Array(first) == second)
    for transaction in [packed, rows] {
      #expect(try transaction.append(single(3, "key1"), about: ["key2", "other"]).id == Int64(Self.count + 2))
    }
    _ = try packed.append(lines(4, of: "h"), packed: packs(lines(4, of: "h")))
    _ = try rows.append(lines(4, of: "h").map(EncodedAuditLine.init))
    return (packed, rows)
  }

  private static let last = Int64(2 * count + 2)

  private var selections: [AuditSelection] {
    var all = [AuditSelection(limit: 1), AuditSelection(limit: 1_000), AuditSelection(limit: 0)]
    for limit in [1, 130, 1_000] {
      all += [
        AuditSelection(game: "g", limit: limit), AuditSelection(game: "h", key: "key2", limit: limit), AuditSelection(key: "other"),
        AuditSelection(key: "key1", limit: limit), AuditSelection(player: "p9", limit: limit),
        AuditSelection(game: "g", player: "\u{e9}", limit: limit), AuditSelection(player: "e\u{301}", limit: limit),
        AuditSelection(author: "bob", limit: limit), AuditSelection(author: "4000000000", limit: limit),
        AuditSelection(before: Int64(Self.count), limit: limit), AuditSelection(after: 5, limit: limit),
        AuditSelection(before: 200, after: 100, limit: limit), AuditSelection(game: "h", after: 150, limit: limit),
        AuditSelection(game: "none", limit: limit),
      ]
      var others = [AuditSelection(limit: limit), AuditSelection(limit: limit), AuditSelection(limit: limit)]
      others[0].action = .overrideSet
      others[1].from = at(3)
      others[2].until = at(3)
      all += others
    }
    return all
  }

  private func same(_ packed: WriteTransaction, _ rows: WriteTransaction) throws {
    for selection in selections { #expect(try packed.audits(selection) == rows.audits(selection), "\(selection)") }
    for id in [0, 1, 2, 3, Int64(AuditPack.linesMax) + 1, Int64(AuditPack.linesMax) + 2, Int64(Self.count) + 2, Self.last, Self.last + 1] {
      #expect(try packed.audit(id) == rows.audit(id), "\(id)")
    }
  }

  private func packsLeft(_ transaction: WriteTransaction) throws -> Int64? {
    try transaction.database.integer(Statement(.query, "SELECT count(*) FROM audit_packs"))
  }

  @Test("packed lines are read like lines with rows, by any selection and singly, before, during and after the unpacking")
  func selected() throws {
    let fixture = try DiskFixture()
    let (packed, rows) = try logs(fixture)
    #expect(try packsLeft(packed) == 6)
    try same(packed, rows)
    var at = Int64.min
    while let next = try packed.unpackAudits(after: at) {
      at = next
      try same(packed, rows)
    }
    #expect(try packsLeft(packed) == 0)
    let columns = Statement(.query, "SELECT count(*) FROM (SELECT * FROM audit EXCEPT SELECT * FROM other.audit)")
    try packed.database.run(Statement(.change, "ATTACH DATABASE '\(fixture.temporary.path)/rows.db' AS other"))
    #expect(try packed.database.integer(Statement(.query, "SELECT count(*) FROM audit")) == Self.last)
    #expect(try packed.database.integer(columns) == 0)
    #expect(try packed.append(single(9, "key0")).id == Self.last + 1)
  }

  @Test("a reverted packed line is marked, a forgotten player's packed line gets a pseudonym, old packed lines are deleted once unpacked")
  func changed() throws {
    let fixture = try DiskFixture()
    let (packed, rows) = try logs(fixture)
    let marked = Int64(AuditPack.linesMax) + 5
    for transaction in [packed, rows] { try transaction.markReverted(#require(try transaction.audit(marked)), by: 1_000) }
    #expect(try packed.audit(marked)?.revertedBy == 1_000)
    // Only the pack of the reverted line is unpacked.
    #expect(try packsLeft(packed) == 5)
    try same(packed, rows)
    for name in ["p1", "p59", "nobody"] {
      let count = try packed.pseudonymise(player: name, in: "g", as: "forgotten-\(name)")
      #expect(try rows.pseudonymise(player: name, in: "g", as: "forgotten-\(name)") == count && (count > 0) == (name != "nobody"))
      #expect(try packed.audits(AuditSelection(game: "g", player: name)).isEmpty)
      #expect(try packed.audits(AuditSelection(game: "h", player: name)).isEmpty == (name == "nobody"))
    }
    #expect(try packsLeft(packed) == 3)
    try same(packed, rows)
    var at = Int64.min
    while let next = try packed.unpackAudits(after: at) { at = next }
    for transaction in [packed, rows] { #expect(try transaction.dropAudits(before: self.at(4), max: 10_000) == Self.count + 2) }
    try same(packed, rows)
  }

  /// Waits until the writer has unpacked the lines by itself.
  private func unpacked(_ fixture: DiskFixture, left: Int64) async throws {
    let reading = try SQLiteConnection(path: fixture.path + "/gameconfd.db", for: .reading)
    let end = ContinuousClock.now + .seconds(60)
    while try reading.integer("SELECT count(*) FROM audit_packs") != left {
      try #require(ContinuousClock.now < end, "packs are left as they are")
      await Task.yield()
    }
  }

  @Test("the writer unpacks lines by itself, after they were written and after a start, and reads give the same lines meanwhile")
  func unpacking() async throws {
    let fixture = try DiskFixture()
    var store = try fixture.open()
    let (lines, packs) = (lines(2), packs(lines(2)))
    let written = try await store.write(refusing: StoreError.self) { transaction in
      _ = try transaction.nextRevision(of: "g")
      return try transaction.append(lines, packed: packs)
    }
    #expect(try await store.read { try $0.audits(AuditSelection(limit: 1_000)) } == written.reversed())
    try await unpacked(fixture, left: 0)
    #expect(try await store.read { try $0.audits(AuditSelection(limit: 1_000)) } == written.reversed())
    // The store may close before all lines are unpacked. The next store then continues.
    let more = try await store.write(refusing: StoreError.self) { try $0.append(lines, packed: packs) }
    fixture.close()
    store = try fixture.open()
    #expect(try await store.read { try $0.audits(AuditSelection(after: written.last?.id, limit: 1_000)) } == more.reversed())
    try await unpacked(fixture, left: 0)
    #expect(try await store.read { try $0.audits(AuditSelection(after: written.last?.id, limit: 1_000)) } == more.reversed())
    #expect(more.first?.id == Int64(Self.count) + 1)
  }

  @Test("the first line of a database may be packed; a transaction that is rolled back leaves neither lines nor their numbers")
  func first() throws {
    let fixture = try DiskFixture()
    let transaction = try transaction(fixture, "first")
    let lines = lines(2)
    struct Undone: Error {}
    #expect(throws: Undone.self) {
      try transaction.attempt { () throws -> Void in
        #expect(try transaction.append(lines, packed: packs(lines)).first?.id == 1)
        throw Undone()
      }
    }
    #expect(try transaction.audits(AuditSelection()).isEmpty)
    #expect(try transaction.append(lines, packed: packs(lines)).map(\.id) == (1...Int64(Self.count)).map { $0 })
    #expect(try transaction.append(single(3, "a")).id == Int64(Self.count) + 1)
  }

  @Test(
    "a pack that cannot be read hides only its own lines, is reported, and stays; the others are unpacked",
    arguments: [
      "lines = x'00'", "lines = zeroblob(3)", "lines = substr(lines, 1, length(lines) - 1)", "author_uid = -1", "last = 2147483647",
      "last = first + 1",
      "lines = CAST(replace(CAST(lines AS TEXT), 'reason', 'r') AS BLOB)",
    ])
  func damaged(change: String) async throws {
    let fixture = try DiskFixture()
    let store = try fixture.open()
    try await store.force(1, "a")
    fixture.close()
    let connection = try DatabaseFile(path: fixture.path + "/gameconfd.db").connect()
    let transaction = WriteTransaction(connection, floors: ReadTransaction.RevisionFloors())
    _ = try transaction.append(lines(2), packed: packs(lines(2)))
    try connection.run("UPDATE audit_packs SET \(change) WHERE first = 2")
    #expect(connection.changesCount == 1)
    connection.close()
    let again = try fixture.open()
    try await unpacked(fixture, left: 1)
    let shown = try await again.read { try $0.audits(AuditSelection(limit: 1_000)) }
    #expect(shown.count == 1 + Self.count - AuditPack.linesMax)
    #expect(again.health.condition == .good)
    #expect(again.health.unreadable.map(\.kind) == [.audit] && again.health.unreadable.first?.name == "2")
    try await again.force(2, "a")
    #expect(try await again.read { try $0.audits(AuditSelection(limit: 1)) }.first?.id == Int64(Self.count) + 2)
  }
}
