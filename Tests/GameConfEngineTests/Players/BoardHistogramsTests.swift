// Histograms of leaderboards are computed one at a time, and never concurrently for the same list.
import GameConfCore
import Synchronization
import TestStore
import Testing

@testable import GameConfEngine
import GameConfStorage

@Suite("Histograms of leaderboards")
struct BoardHistogramsTests {
  /// A store whose reads wait until the test releases them.
  private final class GatedStore: Store {
    struct Reads {
      var isOpen = false
      var begun = 0
      var underWay = 0
      var mostAtOnce = 0
      var failure: StoreError?
    }

    let store = MemoryStore()
    let reads = Mutex(Reads())

    var begun: Int { reads.withLock { $0.begun } }
    func letGo() { reads.withLock { $0.isOpen = true } }

    func read<Answer: Sendable>(
      deadlineMilliseconds: Int, _ body: @escaping @Sendable (ReadTransaction) throws -> Answer
    ) async throws(StoreError) -> Answer {
      reads.withLock { reads in
        reads.begun += 1
        reads.underWay += 1
        reads.mostAtOnce = max(reads.mostAtOnce, reads.underWay)
      }
      defer { reads.withLock { $0.underWay -= 1 } }
      while !reads.withLock({ $0.isOpen }) { await Task.yield() }
      if let failure = reads.withLock({ $0.failure }) { throw failure }
      return try await store.read(deadlineMilliseconds: 600_000, body)
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

  private static let patience = 600_000

  private static func list(_ board: String) -> BoardList {
    BoardList(game: "g", place: ImprovableScores.BoardPartition(board: board, per: ""))
  }

  private static func at(_ seconds: Int64) -> Instant { Instant(seconds: seconds) }

  private typealias Answer = Result<BoardHistogram, StoreError>

  private func request(_ histograms: BoardHistograms, _ board: String, at seconds: Int64 = 100) -> Task<Answer, Never> {
    Task {
      do throws(StoreError) { return .success(try await histograms.histogram(of: Self.list(board), now: Self.at(seconds))) } catch {
        return .failure(error)
      }
    }
  }

  /// Waits until this many histograms are pending, and long enough that a wrongly started computation would show.
  private func wait(for histograms: BoardHistograms, toBeComing count: Int) async {
    let patience = ContinuousClock.now + .seconds(120)
    while histograms.comingCount < count, .now < patience { await Task.yield() }
    for _ in 0..<2_000 { await Task.yield() }
    #expect(histograms.comingCount == count)
  }

  /// Requests the histograms of the lists concurrently, and releases the store's reads when all of them are pending.
  private func ask(_ histograms: BoardHistograms, _ store: GatedStore, for boards: [String]) async -> [Answer] {
    let requests = boards.map { request(histograms, $0) }
    await wait(for: histograms, toBeComing: Set(boards).count)
    store.letGo()
    var answers: [Answer] = []
    for each in requests { answers.append(await each.value) }
    return answers
  }

  @Test("concurrent requests for the histogram of one list cause one read, and its result is cached for a minute")
  func shared() async throws {
    let store = GatedStore()
    let histograms = BoardHistograms(store: store, deadlineMilliseconds: Self.patience)
    let answers = await ask(histograms, store, for: Array(repeating: "top", count: 12))
    #expect(answers.allSatisfy { (try? $0.get()) != nil } && answers.count == 12)
    #expect(store.begun == 1)
    _ = try await histograms.histogram(of: Self.list("top"), now: Self.at(159))
    #expect(store.begun == 1, "it is younger than a minute")
    _ = try await histograms.histogram(of: Self.list("top"), now: Self.at(160))
    #expect(store.begun == 2)
  }

  @Test("the histograms of many lists are computed one after another")
  func oneReader() async throws {
    let store = GatedStore()
    let histograms = BoardHistograms(store: store, deadlineMilliseconds: Self.patience)
    let boards = (1...9).map { "board\($0)" }
    let answers = await ask(histograms, store, for: boards + boards)
    #expect(answers.allSatisfy { (try? $0.get()) != nil })
    let reads = store.reads.withLock { $0 }
    #expect(reads.begun == 9 && reads.mostAtOnce == 1)
  }

  @Test("more histograms may be pending than the cache can hold; the oldest are evicted when they are done")
  func evicted() async throws {
    let store = GatedStore()
    let histograms = BoardHistograms(store: store, deadlineMilliseconds: Self.patience)
    let boards = (0...BoardLimits.histogramsMax).map { "board\($0)" }
    _ = await ask(histograms, store, for: boards)
    #expect(store.begun == boards.count)
    for board in boards { _ = try await histograms.histogram(of: Self.list(board), now: Self.at(101)) }
    #expect(store.begun > boards.count, "one of them was let go")
  }

  @Test("a failed computation is reported to all waiting callers, and the next request tries again")
  func failed() async throws {
    let store = GatedStore()
    let histograms = BoardHistograms(store: store, deadlineMilliseconds: Self.patience)
    store.reads.withLock { $0.failure = .late }
    let answers = await ask(histograms, store, for: ["top", "top", "other"])
    #expect(answers == Array(repeating: .failure(.late), count: 3) && store.begun == 2)
    store.reads.withLock { $0.failure = nil }
    #expect(try await histograms.histogram(of: Self.list("top"), now: Self.at(100)).count == 0)
    #expect(store.begun == 3)
  }

  @Test("a histogram whose request has waited for the whole time limit is not computed")
  func late() async throws {
    let store = GatedStore()
    let histograms = BoardHistograms(store: store, deadlineMilliseconds: 1)
    let first = request(histograms, "first")
    while store.begun == 0 { await Task.yield() }
    let second = request(histograms, "second")
    await wait(for: histograms, toBeComing: 2)
    let began = ContinuousClock.now
    while ContinuousClock.now - began < .milliseconds(5) { await Task.yield() }
    store.letGo()
    #expect(try await first.value.get().count == 0)
    #expect(await second.value == .failure(.late))
    #expect(store.begun == 1)
  }
}
