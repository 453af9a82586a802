// Every implementation of the store, so that one suite can run against each.
import GameConfCore
import GameConfStorage
import Glibc
import Synchronization
import TestSupport

enum StoreKind: String, CaseIterable, Sendable {
  case sqlite, postgres

  /// The connection string of PostgreSQL; nil if it is not available.
  static let postgresConnection: String? = {
    if let given = getenv("GAMECONF_POSTGRES") { return String(cString: given) }
    let words = "SKIPPED: the store's suite on PostgreSQL (GAMECONF_POSTGRES names no server; .ci/with-postgres starts one)\n"
    write(STDERR_FILENO, words, words.utf8.count)
    return nil
  }()

  static var allCases: [StoreKind] { postgresConnection == nil ? [.sqlite] : [.sqlite, .postgres] }
}

/// An empty store of a kind, which is closed and removed with the object.
final class StoreUnderTest: Sendable {
  let store: any Store
  private let temporary: TemporaryFolder?
  private let sqlite: SQLiteStore?
  private let postgres: PostgresStore?
  private let batches = Mutex<[CommittedBatch]>([])

  init(_ kind: StoreKind) throws {
    switch kind {
    case .sqlite:
      let temporary = try TemporaryFolder()
      let directory = try StateDirectory(path: temporary.path + "/state")
      let sqlite = SQLiteStore(in: directory, lastGood: LastGoodFile(in: directory), times: .tests, now: { Instant(seconds: 1000) })
      (store, self.temporary, self.sqlite, postgres) = (sqlite, temporary, sqlite, nil)
    case .postgres:
      let temporary = try TemporaryFolder()
      let directory = try StateDirectory(path: temporary.path + "/state")
      let postgres = try PostgresStore.fresh(in: directory)
      (store, self.temporary, sqlite, self.postgres) = (postgres, temporary, nil, postgres)
    }
    store.publish { [weak self] batch in
      self?.batches.withLock { $0.append(batch) }
      return nil
    }
  }

  deinit {
    sqlite?.close()
    postgres?.close()
  }

  /// The numbers of all batches, in order.
  var batchNumbers: [Int64] { batches.withLock { $0.map(\.number) } }

  /// The published batches of commits, without those that only report the end of the audit log. A host that shares its database publishes
  /// such a report when a poll finds another last line.
  var published: [CommittedBatch] {
    batches.withLock { batches in batches.filter { !$0.isLook } }
  }

  /// Runs a transaction that may throw any error.
  @discardableResult
  func write<Answer: Sendable>(_ mode: WriteMode = WriteMode(), _ transaction: @escaping @Sendable (WriteTransaction) throws -> Answer)
    async throws
    -> Answer
  {
    try await store.write(mode, refusing: TestRefusal.self, transaction)
  }
}

extension CommittedBatch {
  /// True if the batch is not a commit and only reports the end of the audit log.
  var isLook: Bool { !changes.isEmpty && changes.allSatisfy { if case .auditLogReaches = $0 { true } else { false } } }
}

enum TestRefusal: StoreRefusal, Hashable {
  case no(Int)
  case store(StoreError)
}

struct NoPostgres: Error {}

extension PostgresSettings {
  /// Returns settings for a schema with a random name, which no other test uses.
  static func fresh() throws -> PostgresSettings {
    let schema = "t" + String(UInt64.random(in: .min ... .max), radix: 16)
    guard let connection = StoreKind.postgresConnection, var settings = PostgresSettings(connection: connection, schema: schema) else {
      throw NoPostgres()
    }
    // Beside hundreds of tests a server may get no processor for a long time.
    settings.patienceMilliseconds = 120_000
    return settings
  }
}

extension PostgresStore {
  /// Opens a store on PostgreSQL, by default in an unused schema.
  static func fresh(in directory: StateDirectory, _ settings: PostgresSettings? = nil, writer: String = "w") throws -> PostgresStore {
    PostgresStore(
      try settings ?? .fresh(), writer: writer, lastGood: LastGoodFile(in: directory), times: .tests, now: { Instant(seconds: 1000) })
  }
}
