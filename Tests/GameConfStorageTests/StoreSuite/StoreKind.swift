// Every implementation of the store, so that one suite can run against each.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Synchronization

enum StoreKind: String, CaseIterable, Sendable {
  case memory, sqlite
}

/// An empty store of a kind, closed and removed when it is let go.
final class StoreUnderTest: Sendable {
  let store: any Store
  private let temporary: TemporaryDirectory?
  private let sqlite: SQLiteStore?
  private let batches = Mutex<[CommittedBatch]>([])

  init(_ kind: StoreKind) throws {
    switch kind {
    case .memory: (store, temporary, sqlite) = (MemoryStore(), nil, nil)
    case .sqlite:
      let temporary = try TemporaryDirectory()
      let directory = try StateDirectory(path: temporary.path + "/state")
      let sqlite = SQLiteStore(in: directory, lastGood: LastGoodFile(in: directory), now: { Instant(seconds: 1000) })
      (store, self.temporary, self.sqlite) = (PatientStore(sqlite), temporary, sqlite)
    }
    store.publish { [weak self] batch in
      self?.batches.withLock { $0.append(batch) }
      return nil
    }
  }

  deinit { sqlite?.close() }

  var published: [CommittedBatch] { batches.withLock { $0 } }

  /// A turn that throws whatever it likes.
  @discardableResult
  func write<Answer: Sendable>(_ mode: WriteMode = WriteMode(), _ turn: @escaping @Sendable (any StoreTurn) throws -> Answer) async throws
    -> Answer
  {
    try await store.write(mode, refusing: TestRefusal.self, turn)
  }
}

enum TestRefusal: StoreRefusal, Hashable {
  case no(Int)
  case store(StoreError)
}
