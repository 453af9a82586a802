// A store on disk that can be closed, damaged and opened again.
import GameConfCore
import GameConfStorage
import Glibc
import Synchronization
import TestSupport

final class DiskFixture: Sendable {
  let temporary: TemporaryFolder
  let path: String
  private let opened = Mutex<(store: SQLiteStore, directory: StateDirectory)?>(nil)
  private let conditions = Mutex<[StoreHealth.Condition]>([])
  private let batches = Mutex<[CommittedBatch]>([])
  private let steps = Mutex<[StoreMigration]>([])
  private let fillings = Mutex(0)

  /// - Parameter path: The state directory; nil for a temporary one.
  init(at path: String? = nil) throws {
    temporary = try TemporaryFolder()
    self.path = path ?? temporary.path + "/state"
  }

  deinit { close() }

  /// The conditions that the store has reported.
  var reported: [StoreHealth.Condition] { conditions.withLock { $0 } }
  /// The migration steps that the store has reported.
  var migrated: [StoreMigration] { steps.withLock { $0 } }
  var timesFull: Int { fillings.withLock { $0 } }
  var published: [CommittedBatch] { batches.withLock { $0 } }

  @discardableResult
  func open(at seconds: Int64 = 1000, times: StoreTiming = .tests) throws -> SQLiteStore {
    close()
    let directory = try StateDirectory(path: path)
    let store = SQLiteStore(in: directory, lastGood: LastGoodFile(in: directory), times: times, now: { Instant(seconds: seconds) }) {
      [weak self] health in
      self?.conditions.withLock { $0.append(health.condition) }
    } migrating: { [weak self] step in
      self?.steps.withLock { $0.append(step) }
    } queueFilled: { [weak self] in
      self?.fillings.withLock { $0 += 1 }
    }
    store.publish { [weak self] batch in
      self?.batches.withLock { $0.append(batch) }
      return nil
    }
    opened.withLock { $0 = (store, directory) }
    return store
  }

  /// Opens the store over a database of an older version.
  /// - Parameter make: Creates that database at a path.
  func open(over make: (String) async throws -> Void) async throws -> SQLiteStore {
    _ = try open()
    close()
    for name in names() where name.hasPrefix("gameconfd.db") || name == "last-good.json" { unlink(path + "/" + name) }
    try await make(path + "/gameconfd.db")
    return try open()
  }

  func close() {
    let last = opened.withLock { opened in
      defer { opened = nil }
      return opened
    }
    last?.store.close()
    last?.directory.unlock()
  }

  var lastGood: LastGoodState? {
    get throws {
      let bytes = try temporary.read("state/last-good.json")
      return bytes.isEmpty ? nil : try LastGoodCopy.state(bytes)
    }
  }

  func names() -> [String] { temporary.names(in: "state") }
}

enum LastGoodCopy {
  /// Decodes the bytes as a last-good.json, through a separate state directory.
  static func state(_ bytes: [UInt8]) throws -> LastGoodState? {
    let temporary = try TemporaryFolder()
    let directory = try StateDirectory(path: temporary.path)
    try temporary.write(bytes, to: "last-good.json")
    return try LastGoodFile(in: directory).load()
  }
}

extension SQLiteStore {
  /// Overrides a value like a use case, but without a catalog.
  @discardableResult
  func force(_ value: Value, _ key: String, player: String? = nil, window: OverrideWindow? = nil) async throws -> Int64 {
    try await write(refusing: TestRefusal.self) { transaction in
      let slot = OverrideSlot(game: "g", player: player, key: key)
      var overrides = try transaction.overrides(at: slot)
      let revision = try transaction.nextRevision(of: "g")
      let record = OverrideRecord(
        slot: slot, value: value, author: Author(uid: 1, name: "ada"), at: Instant(seconds: 1000), revision: revision)
      if let window { try overrides.add(record, window: window, now: Instant(seconds: 1000)) } else { overrides.setPermanent(record) }
      let playerRevision = try player.map { try transaction.nextPlayerRevision($0, in: "g") }
      try transaction.put(overrides, revision: revision, playerRevision: playerRevision)
      var line = AuditRecord(at: Instant(seconds: 1000), author: record.author, action: .overrideSet, game: "g", reason: nil)
      line.key = key
      line.after = value
      try transaction.append(line)
      return revision
    }
  }

  /// The served values by slot.
  var served: [String: Value] {
    get async throws {
      var served: [String: Value] = [:]
      for overrides in try await contents().state.allOverrides {
        served[overrides.slot.player.map { "\($0) \(overrides.slot.key)" } ?? overrides.slot.key] = overrides.inForce?.value
      }
      return served
    }
  }

  static var change: StoreRestoration {
    StoreRestoration(author: Author(uid: 0, name: "root"), reason: "drill", at: Instant(seconds: 2000))
  }
}
