// The store of a simulation, which records the order of steps and their acknowledgements.
import GameConfCore
import Synchronization

@testable import GameConfStorage

/// A journal of the transactions of concurrent steps: their order, revisions and acknowledgements.
final class StepJournal: Sendable {
  /// The steps that have run or were acknowledged so far.
  struct Progress: Sendable {
    /// The steps whose transaction has run to its end, in the order of their last run.
    var ran: [Int] = []
    /// The revision of the game after each step that has run.
    var revisions: [Int: Int64] = [:]
    /// The acknowledged steps.
    var acknowledged: Set<Int> = []
  }

  /// The step that the present task performs.
  @TaskLocal static var step: Int?

  private let progress = Mutex(Progress())

  var now: Progress { progress.withLock { $0 } }
  func begin() { progress.withLock { $0 = Progress() } }

  /// - Parameter revision: The revision of the game after the step; nil if the step starts or restarts.
  fileprivate func ran(_ step: Int, to revision: Int64?) {
    progress.withLock { progress in
      progress.ran.removeAll { $0 == step }
      if revision != nil { progress.ran.append(step) }
      progress.revisions[step] = revision
    }
  }

  fileprivate func acknowledge(_ step: Int) { progress.withLock { _ = $0.acknowledged.insert(step) } }
}

extension Simulation {
  /// Runs a transaction, and hands over to other threads before and after it.
  fileprivate func run<Transaction: StateTransaction, Answer>(
    _ step: Int?, _ journal: StepJournal, _ transaction: Transaction, _ body: (Transaction) throws -> Answer
  ) throws -> Answer {
    handOver()
    if let step { journal.ran(step, to: nil) }
    let answer = try body(transaction)
    if let step { journal.ran(step, to: try transaction.revision(of: "g")) }
    handOver()
    return answer
  }
}

/// A store whose transactions and reads hand over to other threads at their beginning and their end.
struct SimulatedStore: Store {
  let store: SQLiteStore
  let simulation: Simulation
  let journal: StepJournal

  func submit<Answer: Sendable, Refusal: StoreRefusal>(
    _ mode: WriteMode, _ body: TransactionBody<Answer>, by completions: (any CompletionQueue)?,
    then take: @escaping @Sendable (Result<Answer, Refusal>) -> Void
  ) {
    let step = mode.isDryRun ? nil : StepJournal.step
    let simulated: TransactionBody<Answer> =
      switch body {
      case .stored(let body): .stored { [simulation, journal] in try simulation.run(step, journal, $0) { try body($0) } }
      case .surviving(let body): .surviving { [simulation, journal] in try simulation.run(step, journal, $0) { try body($0) } }
      }
    store.submit(
      mode, simulated, by: completions
    ) { [journal] (result: Result<Answer, Refusal>) in
      if let step, case .success = result { journal.acknowledge(step) }
      take(result)
    }
  }

  func read<Answer: Sendable>(
    deadlineMilliseconds: Int, _ body: @escaping @Sendable (ReadTransaction) throws -> Answer
  ) async throws(StoreError) -> Answer {
    try await store.read(deadlineMilliseconds: deadlineMilliseconds) { [simulation] view in
      simulation.handOver()
      let answer = try body(view)
      simulation.handOver()
      return answer
    }
  }

  func contents() async throws(StoreError) -> StoreContents { try await store.contents() }
  func publish(to publication: @escaping Publication) { store.publish(to: publication) }
  func slotsWithEdges(at now: Instant) -> [OverrideSlot] { store.slotsWithEdges(at: now) }
  var health: StoreHealth { store.health }
}
