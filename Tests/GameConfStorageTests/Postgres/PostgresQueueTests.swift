// The queue in front of the writers: no player is in two batches at the same time, and the jobs of a player keep their order.
import GameConfCore
import Testing

@testable import GameConfStorage

@Suite("The queue in front of a store's writers")
struct PostgresQueueTests {
  /// A transaction without an effect.
  private final class Job: WriterJob {
    let mode: WriteMode
    let name: String
    let completions: (any CompletionQueue)? = nil

    init(_ name: String, _ mode: WriteMode) { (self.name, self.mode) = (name, mode) }

    let survivesLoss = false
    func run(in transaction: WriteTransaction) -> Bool { true }
    func run(unsaved transaction: any StateTransaction) -> Bool { true }
    func settle() {}
    func fail(_ error: StoreError) {}
  }

  private let queue = PostgresQueue {}

  private func add(_ name: String, _ scope: WriteScope, isAlone: Bool = false) {
    #expect(queue.add(Job(name, WriteMode(isAlone: isAlone, scope: scope))) == nil)
  }

  private func add(_ players: [String]) {
    for player in players { add(player, .players([PlayerID(game: "g", player: player)])) }
  }

  private func batch(_ taken: PostgresQueue.WriterTask) -> [PostgresQueue.WaitingJob] {
    if case .batch(let batch) = taken { batch } else { [] }
  }

  private func names(_ batch: [PostgresQueue.WaitingJob]) -> [String] { batch.compactMap { ($0.job as? Job)?.name } }

  /// Makes the first writer busy with these players.
  private func begin(_ players: [String]) -> [PostgresQueue.WaitingJob] {
    add(players)
    let first = batch(queue.takeFirst(milliseconds: 1_000))
    #expect(names(first) == players)
    return first
  }

  private func others(_ count: Int) -> [String] { (0..<count).map { "p\($0)" } }

  @Test("two writers never have jobs of the same player, and the waiting jobs of a player keep their order")
  func apart() {
    let first = begin(["a", "b"])
    add(["a"])
    add(others(PostgresQueue.transactionsBesideMin))
    add("a, c", .players(["a", "c"].map { PlayerID(game: "g", player: $0) }))
    add(["c", "d"])
    let beside = batch(queue.takeBeside(milliseconds: 60_000))
    #expect(names(beside) == others(PostgresQueue.transactionsBesideMin) + ["d"], "c waits behind who waits for a")
    queue.finish(first, isFirst: true)
    add(["d"])
    let next = batch(queue.takeFirst(milliseconds: 1_000))
    #expect(names(next) == ["a", "a, c", "c"])
    queue.finish(beside, isFirst: false)
    queue.finish(next, isFirst: true)
    #expect(names(batch(queue.takeFirst(milliseconds: 1_000))) == ["d"])
  }

  @Test("an additional writer takes jobs of players only, only while the first writer is busy, and only if there are enough jobs")
  func worthwhile() {
    let players = others(PostgresQueue.transactionsBesideMin)
    add(players)
    #expect(names(batch(queue.takeBeside(milliseconds: 1))).isEmpty, "the first has nothing to do")
    let first = batch(queue.takeFirst(milliseconds: 1_000))
    add(Array(players.dropFirst().map { $0 + "x" }))
    #expect(names(batch(queue.takeBeside(milliseconds: 1))).isEmpty, "too few")
    add("game", .game("g"))
    add("all", .all)
    #expect(names(batch(queue.takeBeside(milliseconds: 1))).isEmpty, "a game is not a player")
    add(["y"])
    let beside = batch(queue.takeBeside(milliseconds: 60_000))
    #expect(names(beside) == players.dropFirst().map { $0 + "x" } + ["y"])
    queue.finish(first, isFirst: true)
    #expect(names(batch(queue.takeFirst(milliseconds: 1_000))) == ["game", "all"])
  }

  @Test("no other transaction runs beside one that must run alone")
  func alone() {
    let first = begin(["a"])
    add(others(PostgresQueue.transactionsBesideMin))
    add("alone", .game("g"), isAlone: true)
    add(["z"])
    let beside = batch(queue.takeBeside(milliseconds: 60_000))
    #expect(names(beside) == others(PostgresQueue.transactionsBesideMin))
    queue.finish(first, isFirst: true)
    #expect(names(batch(queue.takeFirst(milliseconds: 1_000))).isEmpty, "another writer is at work")
    queue.finish(beside, isFirst: false)
    let alone = batch(queue.takeFirst(milliseconds: 1_000))
    #expect(names(alone) == ["alone"])
    add(others(2 * PostgresQueue.transactionsBesideMin))
    #expect(names(batch(queue.takeBeside(milliseconds: 1))).isEmpty)
    queue.finish(alone, isFirst: true)
    #expect(names(batch(queue.takeFirst(milliseconds: 1_000))) == ["z"] + others(2 * PostgresQueue.transactionsBesideMin))
  }

  @Test("jobs that a writer without a connection gives back are taken next, in their order, and a closed queue accepts no job")
  func givenBack() {
    let first = begin(["a"])
    add(others(PostgresQueue.transactionsBesideMin))
    let beside = batch(queue.takeBeside(milliseconds: 60_000))
    add(["b"])
    queue.finish(beside, isFirst: false, rest: beside)
    queue.finish(first, isFirst: true)
    queue.close()
    #expect(names(batch(queue.takeFirst(milliseconds: 1_000))) == others(PostgresQueue.transactionsBesideMin) + ["b"])
    if case .end = queue.takeBeside(milliseconds: 60_000) {} else { Issue.record("it goes on") }
    #expect(queue.add(Job("late", WriteMode())) == .unavailable("the daemon is stopping"))
  }
}
