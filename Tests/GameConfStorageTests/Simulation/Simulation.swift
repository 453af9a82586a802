// Deterministic threads: one runs at a time, in an order that a seed determines.
import Glibc
import Synchronization
import TestSupport

@testable import GameConfStorage

/// A deadlock or livelock: no thread can continue, or the threads never end.
struct SimulationStuck: Error, CustomStringConvertible {
  let description: String
}

/// The threads of a store and of its clients, of which one runs at a time.
///
/// A thread hands over to another when it waits, when it starts another thread and when SQLite calls the disk. The seed decides which
/// thread continues. Time passes at these points only: when every thread waits for a time, the clock advances to the first of those times.
/// Clients are tasks with this executor.
///
/// Unchecked: only the running thread accesses its state.
final class Simulation: TaskExecutor, @unchecked Sendable {
  /// A simulated thread, which runs on a thread of the system.
  final class Worker {
    let simulation: Simulation
    fileprivate let number: Int
    fileprivate let body: @Sendable () -> Void
    fileprivate let wakeup = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    /// True if other threads that can run usually run before this one.
    fileprivate let isSlow: Bool
    /// True while the test itself accesses the disk.
    var isAside = false

    fileprivate init(_ simulation: Simulation, _ number: Int, _ body: @escaping @Sendable () -> Void) {
      (self.simulation, self.number, self.body) = (simulation, number, body)
      isSlow = simulation.draw(0..<4) == 0
      sem_init(wakeup, 0, 0)
    }

    deinit {
      sem_destroy(wakeup)
      wakeup.deallocate()
    }

    /// The worker of the calling thread.
    static var current: Worker? { pthread_getspecific(key).map { Unmanaged<Worker>.fromOpaque($0).takeUnretainedValue() } }

    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      pthread_key_create(&key, nil)
      return key
    }()

    fileprivate func start() {
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { pointer in
          guard let pointer else { return nil }
          let worker = Unmanaged<Worker>.fromOpaque(pointer).takeRetainedValue()
          pthread_setspecific(Worker.key, pointer)
          worker.body()
          worker.simulation.goOn()
          return nil
        }, Unmanaged.passRetained(self).toOpaque())
      precondition(code == 0, "the system has no thread for a simulation")
      pthread_detach(thread)
    }
  }

  /// A suspended thread.
  private struct Waiting {
    let worker: Worker
    var hasBegun = true
    var until: Int64?
    /// Returns true if the thread can continue.
    let attempt: () -> Bool
  }

  private static let stepsMax = 5_000_000
  private static let nanosecondsOfLook: Int64 = 20_000

  let disk = SimulatedDisk()
  private var random: SeededGenerator
  private var waiting: [Waiting] = []
  private var threads = 0
  private var nanoseconds: Int64 = 0
  private let origin = ContinuousClock.now
  /// True after a fault: the suspended threads are never resumed.
  private var isGivenUp = false
  private var end: (@Sendable (SimulationStuck?) -> Void)?
  /// The number of hand-overs.
  private(set) var steps = 0
  /// A hash of all events, by which two runs can be compared.
  private(set) var digest: UInt64 = 0
  /// The closure to call after a number of hand-overs.
  private var alarm: (step: Int, ring: () -> Void)?

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Runs tasks in a simulation until every thread has ended.
  static func run<Answer: Sendable>(
    seed: UInt64, _ body: @escaping @Sendable (Simulation) async throws -> Answer
  ) async throws -> Answer {
    _ = SimulatedSchedule.isInstalled
    let simulation = Simulation(seed: seed)
    let answer = Monitor<Result<Answer, any Error>?>(nil)
    let stuck: SimulationStuck? = await withCheckedContinuation { continuation in
      simulation.end = { continuation.resume(returning: $0) }
      simulation.start {
        Task(executorPreference: simulation) {
          let result: Result<Answer, any Error>
          do { result = .success(try await body(simulation)) } catch {
            result = .failure(error)
            simulation.isGivenUp = true
          }
          answer.change { $0 = result }
        }
      }
      simulation.goOn()
    }
    if case .failure(let error)? = answer.change({ $0 }) { throw error }
    if let stuck { throw stuck }
    guard let answer = answer.change({ $0 }) else { throw SimulationStuck(description: "the clients have not come to their end") }
    return try answer.get()
  }

  // MARK: Threads

  /// Adds a simulated thread, which begins when the schedule first chooses it.
  func start(_ body: @escaping @Sendable () -> Void) {
    threads += 1
    waiting.append(Waiting(worker: Worker(self, threads, body), hasBegun: false) { true })
  }

  /// Runs other threads until `attempt` returns true or the time is over.
  func wait(milliseconds: Int? = nil, _ attempt: () -> Bool) {
    guard let worker = Worker.current, worker.simulation === self else { return }
    withoutActuallyEscaping(attempt) { attempt in
      waiting.append(Waiting(worker: worker, until: milliseconds.map { moment($0) }, attempt: attempt))
      goOn()
      while sem_wait(worker.wakeup) != 0 {}
    }
  }

  /// Lets any thread that can continue, including this one, run next.
  func handOver() { wait { true } }

  /// Runs a part of a task on a new simulated thread.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    precondition(Worker.current?.simulation === self, "a task was resumed by a thread outside the simulation")
    start { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Blocks this thread until a task has ended.
  func finish(_ body: @escaping @Sendable () async -> Void) {
    let isDone = Monitor(false)
    Task(executorPreference: self) {
      await body()
      isDone.change { $0 = true }
    }
    isDone.wait { $0 ? () : nil }
  }

  /// Resumes the thread that the schedule chooses next. The calling thread must then wait or end.
  private func goOn() {
    guard let next = next() else { return }
    note(UInt64(next.worker.number))
    if next.hasBegun { sem_post(next.worker.wakeup) } else { next.worker.start() }
  }

  /// Chooses the thread to resume, and removes it from the waiting ones. Its closure is released when this returns, as
  /// `withoutActuallyEscaping` requires.
  private func next() -> (worker: Worker, hasBegun: Bool)? {
    steps += 1
    nanoseconds += .random(in: 0..<100_000, using: &random)
    if let alarm, alarm.step <= steps {
      self.alarm = nil
      alarm.ring()
    }
    while !waiting.isEmpty, !isGivenUp, steps < Self.stepsMax {
      let order = waiting.indices.shuffled(using: &random)
      let slowMayBeFirst = draw(0..<16) == 0
      for at in slowMayBeFirst ? order : order.filter({ !waiting[$0].worker.isSlow }) + order.filter({ waiting[$0].worker.isSlow }) {
        let isOver = waiting[at].until.map { $0 <= nanoseconds } ?? false
        let attempt = waiting[at].attempt
        guard attempt() || isOver else { continue }
        let chosen = waiting.remove(at: at)
        return (chosen.worker, chosen.hasBegun)
      }
      guard let first = waiting.compactMap(\.until).min() else { break }
      nanoseconds = first
    }
    let words = "\(waiting.count) threads wait after \(steps) steps, and none comes to its end"
    end?(waiting.isEmpty ? nil : SimulationStuck(description: words))
    end = nil
    return nil
  }

  /// Adds an event to the digest.
  func note(_ event: UInt64) { digest = (digest ^ event) &* 0x100_0000_01B3 }

  /// Draws a number from the simulation's seeded generator.
  func draw(_ range: Range<Int>) -> Int { .random(in: range, using: &random) }

  /// Calls a closure after that number of hand-overs, between two threads.
  func afterSteps(_ count: Int, _ ring: @escaping () -> Void) { alarm = (steps + count, ring) }
  func cancelAlarm() { alarm = nil }

  /// Calls a closure in which this thread's disk calls belong to the test: they neither hand over nor fail.
  static func aside<Answer>(_ body: () throws -> Answer) rethrows -> Answer {
    let worker = Worker.current
    let wasAside = worker?.isAside ?? false
    worker?.isAside = true
    defer { worker?.isAside = wasAside }
    return try body()
  }

  // MARK: Time

  private func moment(_ milliseconds: Int) -> Int64 { nanoseconds + Int64(milliseconds) * 1_000_000 }

  /// The times of a store in this simulation.
  var times: StoreTiming {
    var times = StoreTiming.tests
    times.now = { [self] in
      nanoseconds += Self.nanosecondsOfLook
      return origin + .nanoseconds(nanoseconds)
    }
    times.after = { [self] milliseconds, body in
      let flag = SharedFlag()
      threads += 1
      let due: @Sendable () -> Void = { if !flag.isSet { body() } }
      waiting.append(Waiting(worker: Worker(self, threads, due), hasBegun: false, until: moment(milliseconds)) { flag.isSet })
      return { flag.set() }
    }
    return times
  }

  /// Suspends the calling task for a simulated time.
  func pause(milliseconds: Int) async {
    await withCheckedContinuation { continuation in _ = times.after(milliseconds) { continuation.resume() } }
  }
}

/// A flag that is set once.
private final class SharedFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}

/// The schedule of all simulations of this process; threads outside of them use the system's.
final class SimulatedSchedule: ThreadSchedule, @unchecked Sendable {
  static let isInstalled = {
    ThreadSchedule.install(SimulatedSchedule())
    SimulatedDisk.install()
    return true
  }()

  override func start(_ run: @escaping @Sendable () -> Void) -> Bool? {
    guard let simulation = Simulation.Worker.current?.simulation else { return nil }
    simulation.start(run)
    simulation.handOver()
    return true
  }

  override func wait(milliseconds: Int?, _ attempt: () -> Bool) -> Bool {
    guard let simulation = Simulation.Worker.current?.simulation else { return false }
    simulation.wait(milliseconds: milliseconds, attempt)
    return true
  }
}
