// Audit lines about many keys, which are found by each of their keys.
import GameConfCore
import TestSupport
import Testing

@testable import GameConfStorage

private let author = Author(uid: 1, name: "ada", pid: nil)

private func line(_ action: String, _ game: String = "g", at seconds: Int64 = 1, key: String? = nil) -> AuditRecord {
  var line = AuditRecord(at: Instant(seconds: seconds), author: author, action: AuditAction(rawValue: action), game: game)
  line.key = key
  return line
}

extension ReadTransaction {
  fileprivate func found(_ key: String, in game: String? = nil, before: Int64? = nil, limit: Int = 100) throws(StoreError) -> [Int64] {
    try audits(AuditSelection(game: game, key: key, before: before, limit: limit)).map(\.id)
  }
}

@Suite("Audit lines about many keys")
struct AuditKeySuite {
  @Test("a line is found by each of its keys, however many, beside lines about one of these keys alone", arguments: StoreKind.allCases)
  func many(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let keys = Set((0..<1_200).map { "k\($0)" }).union(["a_b", "a%", "aXb's \"key\""])
    let ids = try await tested.write { transaction in
      try [
        transaction.append(line("override.set", key: "k7")), transaction.append(line("catalog.accept", at: 2), about: keys),
        transaction.append(line("catalog.accept", "h", at: 3), about: ["k7"]), transaction.append(line("override.set", at: 4, key: "k7")),
        transaction.append(line("template.activate", at: 5), about: ["k7", "other"]),
        transaction.append(line("override.set", at: 6, key: "other")),
      ].map(\.id)
    }
    try await tested.store.read { view throws in
      for key in ["k0", "k1199", "a_b", "a%", "aXb's \"key\""] { #expect(try view.found(key) == [ids[1]], "\(key)") }
      for none in ["k1200", "k", "a", "aXb", "a__", "%", ""] { #expect(try view.found(none).isEmpty, "\(none)") }
      #expect(try view.found("k7") == [ids[4], ids[3], ids[2], ids[1], ids[0]])
      #expect(try view.found("k7", in: "g") == [ids[4], ids[3], ids[1], ids[0]])
      #expect(try view.found("k7", in: "h") == [ids[2]])
      #expect(try view.found("k7", before: ids[3], limit: 2) == [ids[2], ids[1]])
      #expect(try view.audits(AuditSelection(key: "k7", after: ids[0], limit: 2)).map(\.id) == [ids[2], ids[1]])
      #expect(try view.found("other") == [ids[5], ids[4]])
    }
    // A line that is rolled back or deleted is not found.
    await #expect(throws: TestRefusal.no(1)) {
      try await tested.write { transaction in
        _ = try transaction.append(line("catalog.accept"), about: ["undone"])
        throw TestRefusal.no(1)
      }
    }
    #expect(try await tested.write { try $0.dropAudits(before: Instant(seconds: 4), max: 2) } == 2)
    try await tested.store.read { view throws in
      #expect(try view.found("undone").isEmpty)
      #expect(try view.found("k1199").isEmpty)
      #expect(try view.found("k7") == [ids[4], ids[3], ids[2]])
    }
    #expect(try await tested.write { try $0.dropAudits(before: Instant(seconds: 9), max: 9) } == 4)
    #expect(try await tested.store.read { try $0.found("k7").isEmpty })
    try await tested.write { transaction in
      let left = try transaction.rows(Statement(.query, "SELECT key FROM audit_keys"))
      #expect(left.isEmpty)
    }
  }

  @Test("a line is found by its session, be it a single line or one of the many lines of a large change", arguments: StoreKind.allCases)
  func sessions(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let many = (0..<300).map { number in
      var line = line("override.import", key: "k\(number)")
      line.session = "s1"
      return line
    }
    let ids = try await tested.write { transaction in
      var named = line("override.set")
      named.session = "s2"
      let single = try transaction.append(named).id
      let packs = stride(from: 0, to: many.count, by: AuditPack.linesMax).map {
        AuditPack(many[$0..<min($0 + AuditPack.linesMax, many.count)])
      }
      return try [single] + transaction.append(many, packed: packs).map(\.id)
        + transaction.append(many.map(EncodedAuditLine.init)).map(\.id)
    }
    try await tested.store.read { view throws in
      func found(_ session: String) throws -> [Int64] {
        var selection = AuditSelection(game: "g", limit: 1_000)
        selection.session = session
        return try view.audits(selection).map(\.id)
      }
      #expect(try found("s2") == [ids[0]])
      #expect(try found("s1") == ids.dropFirst().sorted().reversed())
      #expect(try found("s").isEmpty)
      #expect(try view.audit(ids[0])?.session == "s2")
    }
  }

  /// Lines as they were written before the table of keys existed, with the keys that find each.
  private static let former: [(action: String, detail: String?, keys: [String])] = [
    ("catalog.accept", #"{"catalog":2,"keys":["speed","size","speed"],"files":["g.yaml"]}"#, ["speed", "size"]),
    ("catalog.revert", #"{"catalog":3,"former":2,"keys":["speed"]}"#, ["speed"]), ("catalog.accept", #"{"catalog":1}"#, []),
    ("template.activate", #"{"keys":["mood"],"origin":"push","version":1}"#, ["mood"]), ("catalog.accept", nil, []),
    ("override.set", #"{"keys":["not"]}"#, []), ("scenario.begin", "{\"x\":\"a\\u0000b\",\"keys\":[\"not\"]}", []),
  ]

  /// Lines of an older database have no session. New lines may have one.
  private static func expectSessions(_ store: any Store) async throws {
    let id = try await store.write(refusing: StoreError.self) { transaction in
      #expect(try transaction.audits(AuditSelection()).allSatisfy { $0.session == nil })
      var line = line("override.set")
      line.session = "s1"
      return try transaction.append(line).id
    }
    #expect(try await store.read { try $0.audit(id)?.session } == "s1")
  }

  private static func expectFound(_ store: any Store) async throws {
    try await store.read { view throws in
      #expect(try view.found("speed") == [2, 1])
      #expect(try view.found("size", in: "g") == [1])
      #expect(try view.found("mood") == [4])
      #expect(try view.found("not").isEmpty)
    }
    try await store.write(refusing: StoreError.self) { transaction in
      _ = try transaction.append(line("catalog.accept"), about: ["size"])
      #expect(try transaction.found("size").count == 2)
    }
  }

  private static let insertion = "INSERT INTO audit (at_ms, author_uid, author_name, action, game, detail) VALUES (1, 1, 'ada', "

  @Test("audit lines of an older database are found by the keys in their details; a line whose detail is not JSON is left as it is")
  func older() async throws {
    let fixture = try DiskFixture()
    let store = try await fixture.open { path in
      let connection = try DatabaseFile(path: path).connect()
      try connection.execute("PRAGMA journal_mode = WAL")
      try StoreSchema.released(version: 11).migrate(connection, from: 0)
      for each in Self.former { try connection.run(Self.insertion + "?, 'g', ?)", [each.action, each.detail]) }
      try connection.run(Self.insertion + "'catalog.accept', 'g', '{not JSON')")
      connection.close()
    }
    #expect(store.health.condition == .good)
    try await Self.expectFound(store)
    try await Self.expectSessions(store)
  }

  @Test("lines of an older database on PostgreSQL are found by keys in details", .enabled(if: StoreKind.postgresConnection != nil))
  func olderPostgres() async throws {
    let settings = try PostgresSettings.fresh()
    let before = try StoreSchema.released(version: 11)
    let session = try PostgresSession(settings, before, PostgresGrammar(), writer: "w", process: "a") { _ in }
    for (number, each) in Self.former.enumerated() {
      let values: [PostgresValue] = [.text(each.action), each.detail.map(PostgresValue.text) ?? .null, .integer(Int64(number + 1))]
      _ = try session.connection.round([
        PostgresCommand(
          "INSERT INTO audit (at_ms, author_uid, author_name, action, game, detail, id) VALUES (1, 1, 'ada', $1, 'g', $2, $3)", values)
      ])
    }
    let count = PostgresValue.integer(Int64(Self.former.count))
    _ = try session.connection.round([
      PostgresCommand("INSERT INTO numbers (name, number) VALUES ('last_number:audit', $1)", [count])
    ])
    session.connection.close()
    let folder = try TemporaryFolder()
    let store = try PostgresStore.fresh(in: StateDirectory(path: folder.path + "/state"), settings)
    defer { store.close() }
    #expect(store.health.condition == .good)
    try await Self.expectFound(store)
    try await Self.expectSessions(store)
  }
}
