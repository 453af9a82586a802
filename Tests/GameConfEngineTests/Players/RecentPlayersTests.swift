// The cache of players: never older than a commit, never larger than its limit.
import GameConfCore
import Synchronization
import TestStore
import Testing

@testable import GameConfEngine
import GameConfStorage

@Suite("The cache of players")
struct RecentPlayersTests {
  private func commit(_ store: MemoryStore, _ id: PlayerID, score: Int64) async throws {
    try await store.write(refusing: StoreError.self) { transaction in
      let state = PlayerState(createdAt: Instant(seconds: score))
      let stored = try transaction.player(id)
      #expect(try transaction.write(PlayerWrite(state: state), of: id, over: stored) != nil)
      transaction.publish(.player(id, StoredPlayer(state: state, revision: stored.revision + 1)))
    }
  }

  @Test("a player that is read is cached, also an unknown one, and a commit replaces the cached row")
  func cached() async throws {
    let fixture = PlayerFixture()
    #expect(fixture.recent.cached(PlayerFixture.id()) == nil)
    _ = try await fixture.view()
    #expect(fixture.recent.cached(PlayerFixture.id()) == StoredPlayer())
    let changed = try await fixture.gameOver(5).player
    #expect(fixture.recent.cached(PlayerFixture.id()) == changed)
    try await fixture.force(2, "every", player: "p1")
    #expect(fixture.recent.cached(PlayerFixture.id())?.revision == 2)
    #expect(fixture.recent.cached(PlayerFixture.id())?.state == changed.state)
  }

  @Test("a read of a player ends as late after a second, and an optional read after 50 ms")
  func deadlines() async throws {
    let store = LateStore()
    let players = PlayerCache(store: store)
    let id = PlayerID(game: "g", player: "p1")
    for isOptional in [true, false] {
      await #expect(throws: StoreError.late) { try await players.read(id, isOptional: isOptional) }
    }
    #expect(store.deadlines == [50, 1_000])
    #expect(StoreError.late.code == .storeLate && StoreError.late.code.status == 503 && StoreError.late.code.retryAfterSeconds == 1)
  }

  @Test("with a remote store, the cache reports the boards on which it knows a player's score, however old the score is")
  func boards() throws {
    let id = PlayerFixture.id()
    var place = PlayerRowPosition(number: 1, head: nil)
    place.scores = [
      ImprovableScores.BoardPartition(board: "top", per: ""): 5, ImprovableScores.BoardPartition(board: "by_mode", per: "4x4"): 5,
    ]
    var stored = StoredPlayer(revision: 1)
    stored.place = place
    for (ageMax, boards) in [(Duration.zero - .nanoseconds(1), ["top"]), (nil, [])] as [(Duration?, Set<String>)] {
      let recent = PlayerCache(store: MemoryStore(), ageMax: ageMax)
      #expect(recent.knownBoards(of: id).isEmpty)
      recent.apply([.player(id, stored)])
      #expect(recent.knownBoards(of: id) == boards)
    }
  }

  @Test("a large change of overrides raises the revisions of cached players, and of a player who is being read")
  func many() async throws {
    let store = MemoryStore()
    let slow = SlowStore(store)
    let recent = PlayerCache(store: slow)
    let known = PlayerFixture.id("known")
    recent.apply([.player(known, StoredPlayer(revision: 4)), .player(PlayerFixture.id("other"), StoredPlayer(revision: 4))])
    let id = PlayerFixture.id()
    async let read = recent.read(id)
    await slow.hasRead()
    let slot = OverrideFixture.slot("time", player: id.player)
    recent.apply([
      .overridesMany(
        BulkOverrides(slots: [KeyOverrides(slot: slot)], revision: 2, players: [id.player, known.player], playerRevisions: [2, 5]))
    ])
    slow.letGo()
    #expect(try await read.revision == 2)
    #expect(recent.cached(id)?.revision == 2 && recent.cached(known)?.revision == 5)
    #expect(recent.cached(PlayerFixture.id("other"))?.revision == 4)
  }

  @Test("if a player is committed during a slow read, the read returns the committed row, and that row is cached")
  func overtaken() async throws {
    let slow = Mutex<SlowStore?>(nil)
    let fixture = PlayerFixture { store in
      let wrapped = SlowStore(store)
      slow.withLock { $0 = wrapped }
      return wrapped
    }
    let gate = try #require(slow.withLock { $0 })
    async let read = fixture.recent.read(PlayerFixture.id())
    await gate.hasRead()
    let changed = try await fixture.gameOver(5).player
    gate.letGo()
    #expect(try await read == changed, "a read that began before is answered with what is known meanwhile")
    #expect(fixture.recent.cached(PlayerFixture.id()) == changed)
  }

  @Test("if a player is committed and evicted from the cache during a slow read, the player is read again")
  func overtakenAndPushedOut() async throws {
    let store = MemoryStore()
    let slow = SlowStore(store)
    let recent = PlayerCache(store: slow, bytesMax: 1)
    let id = PlayerFixture.id()
    async let read = recent.read(id)
    await slow.hasRead()
    try await commit(store, id, score: 9)
    recent.apply([.player(id, StoredPlayer(state: PlayerState(createdAt: Instant(seconds: 9)), revision: 1))])
    recent.apply((0..<400).map { StoreChange.player(PlayerFixture.id("other\($0)"), StoredPlayer(revision: 1)) })
    #expect(recent.cached(id) == nil)
    slow.letGo()
    #expect(try await read.revision == 1, "it is read again")
  }

  @Test("if a restore replaces the database during a slow read, the player is read again")
  func replaced() async throws {
    let store = MemoryStore()
    let slow = SlowStore(store)
    let recent = PlayerCache(store: slow)
    let id = PlayerFixture.id()
    async let read = recent.read(id)
    await slow.hasRead()
    try await commit(store, id, score: 9)
    recent.apply([.replaced(StoreContents())])
    slow.letGo()
    #expect(try await read.state?.createdAt == Instant(seconds: 9), "it is read again")
    #expect(recent.cached(id)?.state?.createdAt == Instant(seconds: 9))
    recent.apply([.replaced(StoreContents())])
    #expect(recent.cached(id) == nil && recent.count == 0)
  }

  @Test("after other hosts forgot players of a game, the cached players of that game are read again, and no others")
  func forgottenElsewhere() {
    let recent = PlayerCache(store: MemoryStore(), ageMax: .seconds(60))
    let (id, other) = (PlayerFixture.id(), PlayerID(game: "another", player: "p"))
    for id in [id, other] { recent.apply([.player(id, StoredPlayer(revision: 1))]) }
    recent.apply([.playersForgotten(game: id.game)])
    #expect(recent.cached(id) == nil)
    #expect(recent.cached(other)?.revision == 1)
  }

  @Test("the older row of a slow read does not replace the newer row, of another host, that a later caller has read")
  func crossed() async throws {
    let store = MemoryStore()
    let gate = SlowStore(store)
    let reader = PlayerCache(store: gate, ageMax: .zero - .nanoseconds(1))
    let id = PlayerFixture.id()
    try await commit(store, id, score: 1)
    async let early = reader.read(id)
    await gate.hasRead()
    try await commit(store, id, score: 2)
    #expect(try await reader.read(id).revision == 2)
    gate.letGo()
    _ = try await early
    #expect(reader.cached(id, isOldFine: true)?.revision == 2)
    #expect(reader.cached(id, isOldFine: true)?.state?.createdAt == Instant(seconds: 2))
  }

  @Test(
    "a published row that is older than the cached one replaces it only if no other host writes")
  func reportedLate() async throws {
    for ageMax in [Duration.seconds(3600), nil] {
      let store = MemoryStore()
      let recent = PlayerCache(store: store, ageMax: ageMax)
      let id = PlayerFixture.id()
      try await commit(store, id, score: 1)
      let older = try await store.read { try $0.player(id) }
      try await commit(store, id, score: 2)
      #expect(try await recent.read(id).revision == 2)
      recent.apply([.player(id, older)])
      #expect(recent.cached(id)?.revision == (ageMax == nil ? 1 : 2))
      // Forgetting a player raises the revision, so this row is newer than the cached one.
      recent.apply([.player(id, StoredPlayer(revision: 3))])
      #expect(recent.cached(id) == StoredPlayer(revision: 3))
      recent.apply([.replaced(StoreContents())])
      recent.apply([.player(id, older)])
      #expect(recent.cached(id)?.revision == 1, "after a restore, or in another epoch, what is told is all there is")
    }
  }

  @Test("a row with a lower revision than the cached one, as after a manual restore, is returned to later callers")
  func broughtBack() async throws {
    let store = MemoryStore()
    let recent = PlayerCache(store: store, ageMax: .zero - .nanoseconds(1))
    let id = PlayerFixture.id()
    try await commit(store, id, score: 1)
    recent.apply([.player(id, StoredPlayer(revision: 9))])
    #expect(try await recent.read(id).revision == 1)
    #expect(recent.cached(id, isOldFine: true)?.revision == 1)
  }

  @Test("an override raises a cached row's revision only if no other host may have written the rest of the row")
  func overridden() async throws {
    for ageMax in [Duration.seconds(3600), nil] {
      let store = MemoryStore()
      let recent = PlayerCache(store: store, ageMax: ageMax)
      let id = PlayerFixture.id()
      try await commit(store, id, score: 1)
      _ = try await recent.read(id)
      let overrides = KeyOverrides(slot: OverrideSlot(game: id.game, player: id.player, key: "k"))
      recent.apply([.overrides(overrides, revision: 1, playerRevision: 1)])
      #expect(recent.cached(id)?.revision == 1)
      recent.apply([.overrides(overrides, revision: 2, playerRevision: 3)])
      #expect(recent.cached(id)?.revision == (ageMax == nil ? 3 : nil))
    }
  }

  @Test("a row that is read too late for its caller is cached for the next caller")
  func late() async throws {
    let store = MemoryStore()
    let id = PlayerFixture.id()
    try await commit(store, id, score: 9)
    let recent = PlayerCache(store: SlowStore(store, isLate: true))
    await #expect(throws: StoreError.late) { try await recent.read(id) }
    #expect(recent.cached(id)?.state?.createdAt == Instant(seconds: 9))
    #expect(try await recent.read(id).state?.createdAt == Instant(seconds: 9))
  }

  @Test("a lost store empties the cache")
  func lost() async throws {
    let fixture = PlayerFixture()
    try await fixture.gameOver(5)
    var health = fixture.store.health
    fixture.recent.clearIfLost(health)
    #expect(fixture.recent.count == 1)
    health.condition = .lost("gone")
    fixture.recent.clearIfLost(health)
    #expect(fixture.recent.count == 0)
  }

  @Test("the size of the cache is bounded, and the most recently used players stay")
  func bounded() async throws {
    let store = MemoryStore()
    let recent = PlayerCache(store: store, bytesMax: 16 * 4096)
    store.publish { batch in
      recent.apply(batch.changes)
      return nil
    }
    let used = PlayerFixture.id("used")
    try await commit(store, used, score: 1)
    for number in 0..<500 {
      try await commit(store, PlayerFixture.id("p\(number)"), score: 2)
      #expect(recent.cached(used) != nil)
    }
    #expect(recent.count < 100 && recent.count > 16)
    #expect(try await recent.read(PlayerFixture.id("p0")).state?.createdAt == Instant(seconds: 2))
  }
}

/// A store whose first read waits with its result until the test releases it.
private final class SlowStore: Store {
  private struct GuardedState {
    var isFirst = true
    var hasRead = false
    var isFree = false
  }

  private let store: MemoryStore
  private let guarded = Mutex(GuardedState())
  /// True if every read completes only after its caller has received the timeout.
  private let isLate: Bool

  init(_ store: MemoryStore, isLate: Bool = false) {
    self.store = store
    self.isLate = isLate
  }

  func hasRead() async { while !guarded.withLock({ $0.hasRead }) { await Task.yield() } }

  func letGo() { guarded.withLock { $0.isFree = true } }

  func read<Answer: Sendable>(
    deadlineMilliseconds: Int, _ body: @escaping @Sendable (ReadTransaction) throws -> Answer
  ) async throws(StoreError) -> Answer {
    let answer = try await store.read(deadlineMilliseconds: deadlineMilliseconds, body)
    if isLate { throw .late }
    let waits = guarded.withLock { guarded in
      defer { (guarded.isFirst, guarded.hasRead) = (false, true) }
      return guarded.isFirst
    }
    if waits { while !guarded.withLock({ $0.isFree }) { await Task.yield() } }
    return answer
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

/// A store whose reads all end as late.
private final class LateStore: Store {
  private let store = MemoryStore()
  private let noted = Mutex<[Int]>([])

  /// The deadlines of the reads, in milliseconds.
  var deadlines: [Int] { noted.withLock { $0 } }

  func read<Answer: Sendable>(
    deadlineMilliseconds: Int, _ body: @escaping @Sendable (ReadTransaction) throws -> Answer
  ) async throws(StoreError) -> Answer {
    noted.withLock { $0.append(deadlineMilliseconds) }
    throw .late
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
