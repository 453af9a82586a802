// Reads that wait for as long as it takes: beside hundreds of tests a reader's thread may get no processor within 50 ms. What a deadline does
// is tested where one is given.
import GameConfCore
import GameConfEngine
import GameConfStorage

private let patienceMilliseconds = 600_000

/// A store whose reads have ten minutes, whoever asks and for however long he would wait.
struct PatientStore: Store {
  private let store: any Store

  init(_ store: any Store) { self.store = store }

  func read<Answer: Sendable>(
    deadlineMilliseconds: Int, _ body: @escaping @Sendable (any StoreView) throws -> Answer
  ) async throws(StoreError) -> Answer {
    try await store.read(deadlineMilliseconds: max(deadlineMilliseconds, patienceMilliseconds), body)
  }

  func submit<Answer: Sendable, Refusal: StoreRefusal>(
    _ mode: WriteMode, _ turn: @escaping @Sendable (any StoreTurn) throws -> Answer, by courier: (any AnswerCourier)?,
    then take: @escaping @Sendable (Result<Answer, Refusal>) -> Void
  ) { store.submit(mode, turn, by: courier, then: take) }
  func contents() async throws(StoreError) -> StoreContents { try await store.contents() }
  func publish(to publication: @escaping Publication) { store.publish(to: publication) }
  func slotsWithEdges(at now: Instant) -> [OverrideSlot] { store.slotsWithEdges(at: now) }
  var health: StoreHealth { store.health }
}

extension SQLiteStore {
  /// Reads what is committed, within ten minutes instead of 50 ms.
  func read<Answer: Sendable>(_ body: @escaping @Sendable (any StoreView) throws -> Answer) async throws(StoreError) -> Answer {
    try await read(deadlineMilliseconds: patienceMilliseconds, body)
  }
}

extension PlayerDesk {
  /// Players of one game in memory, over a store on disk.
  static func over(_ store: SQLiteStore, _ catalog: Catalog) -> PlayerDesk {
    let recent = RecentPlayers(store: PatientStore(store))
    store.publish { batch in
      recent.apply(batch.changes)
      return nil
    }
    return PlayerDesk(
      store: store, world: PresentWorld(World(games: [GameSnapshot(catalog: catalog, revision: 0)])), recent: recent,
      rates: WriteRates { 0 })
  }
}
