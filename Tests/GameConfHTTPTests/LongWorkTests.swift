// Tests long work in slices: it is fair among users, few slices run at the same time, and the number of waiting slices is limited.

import GameConfAPI
import GameConfCore
import Synchronization
import Testing

@testable import GameConfHTTP

@Suite("Long work in slices")
struct LongWorkTests {
  /// Blocks the slices that call `pass()` until the test calls `open()`.
  private final class SliceGate: Sendable {
    private let isOpen = Mutex(false)
    func open() { isOpen.withLock { $0 = true } }
    func pass() { while !isOpen.withLock({ $0 }) {} }
  }

  /// Records the users whose slices ran, in the order of the slices.
  private final class Order: Sendable {
    private let held = Mutex<[UInt32]>([])
    var users: [UInt32] { held.withLock { $0 } }
    func append(_ user: UInt32) { held.withLock { $0.append(user) } }
  }

  @Test("one user's single slice does not wait for all waiting slices of another user")
  func fairness() async throws {
    let work = SlicedWork()
    let door = SliceGate()
    let order = Order()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<SlicedWork.slicesAtOnceMax { group.addTask { try await work.slice(for: 1) { door.pass() } } }
      while work.running < SlicedWork.slicesAtOnceMax { await Task.yield() }
      for count in 1...20 {
        group.addTask { try await work.slice(for: 1) { order.append(1) } }
        while work.waiting < count { await Task.yield() }
      }
      group.addTask { try await work.slice(for: 2) { order.append(2) } }
      while work.waiting < 21 { await Task.yield() }
      door.open()
      try await group.waitForAll()
    }
    let place = try #require(order.users.firstIndex(of: 2))
    #expect(place <= 1 + SlicedWork.slicesAtOnceMax)
    #expect(work.running == 0 && work.waiting == 0)
  }

  @Test("an answer with many lines waits for a slice, and one with few lines is computed immediately", arguments: [0, 1])
  func lines(more: Int) async throws {
    let work = SlicedWork()
    let door = SliceGate()
    let order = Order()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<SlicedWork.slicesAtOnceMax { group.addTask { try await work.slice(for: 1) { door.pass() } } }
      while work.running < SlicedWork.slicesAtOnceMax { await Task.yield() }
      group.addTask {
        let made: TypedAnswer<ConfigAnswer> = try await work.lines(SlicedWork.linesAtOnce + more, for: 2) {
          order.append(2)
          return .written([1, 2, 3])
        }
        #expect((made.answer.entityTag != nil) == (more > 0))
      }
      if more > 0 {
        while work.waiting < 1 { await Task.yield() }
        #expect(order.users.isEmpty)
      } else {
        while order.users.isEmpty { await Task.yield() }
      }
      door.open()
      try await group.waitForAll()
    }
    #expect(order.users == [2])
  }

  @Test("a slice beyond the limit of a user's waiting slices is refused with 429, while another user's slice is accepted")
  func bound() async throws {
    let work = SlicedWork()
    let door = SliceGate()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<SlicedWork.slicesAtOnceMax { group.addTask { try await work.slice(for: 1) { door.pass() } } }
      while work.running < SlicedWork.slicesAtOnceMax { await Task.yield() }
      for _ in 0..<SlicedWork.waitingPerUserMax { group.addTask { try await work.slice(for: 1) {} } }
      while work.waiting < SlicedWork.waitingPerUserMax { await Task.yield() }
      let isRefused = Mutex(false)
      group.addTask {
        let problem = await #expect(throws: Problem.self) { try await work.slice(for: 1) {} }
        #expect(problem?.code == .rateLimited && problem?.retryAfterSeconds == 1)
        isRefused.withLock { $0 = true }
      }
      // An accepted slice waits until the door is open.
      while work.waiting == SlicedWork.waitingPerUserMax, !isRefused.withLock({ $0 }) { await Task.yield() }
      group.addTask { try await work.slice(for: 2) {} }
      while work.waiting <= SlicedWork.waitingPerUserMax { await Task.yield() }
      door.open()
      try await group.waitForAll()
    }
  }

  @Test("slices that ignore the limit of waiting slices may exceed it; the number of answers that are computed in slices is limited")
  func ignoringLimit() async throws {
    let work = SlicedWork()
    let door = SliceGate()
    let count = SlicedWork.waitingPerUserMax + 20
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<SlicedWork.slicesAtOnceMax { group.addTask { try await work.slice(for: 1) { door.pass() } } }
      while work.running < SlicedWork.slicesAtOnceMax { await Task.yield() }
      for _ in 0..<count { group.addTask { try await work.slice(for: 1, ignoresLimit: true) {} } }
      while work.waiting < count { await Task.yield() }
      for _ in 0..<count {
        group.addTask {
          try await work.answer(for: 1) { () async throws(Problem) in
            for _ in 0..<3 {
              #expect(work.answersState.made <= SlicedWork.answersAtOnceMax)
              try await work.slice(for: 1, ignoresLimit: true) {}
            }
          }
        }
      }
      while work.waiting < count + SlicedWork.answersAtOnceMax || work.answersState.waiting < count - SlicedWork.answersAtOnceMax {
        await Task.yield()
      }
      #expect(work.answersState == (SlicedWork.answersAtOnceMax, count - SlicedWork.answersAtOnceMax))
      door.open()
      try await group.waitForAll()
    }
    #expect(work.running == 0 && work.waiting == 0 && work.answersState == (0, 0))
  }

  @Test("simulations are limited for each user and in total")
  func simulations() {
    let simulations = SimulationQuota()
    for _ in 0..<SimulationQuota.perUserMax { #expect(simulations.enter(1)) }
    #expect(!simulations.enter(1))
    simulations.leave(1)
    #expect(simulations.enter(1))
    var user: UInt32 = 2
    var running = SimulationQuota.perUserMax
    while running < SimulationQuota.atOnceMax {
      #expect(simulations.enter(user))
      (user, running) = (user + 1, running + 1)
    }
    #expect(!simulations.enter(99))
  }

  /// Returns a long simulation. It is finite, so that a missing cancellation fails the test instead of blocking it.
  private func long(players: Int64) -> Simulation {
    let caller = Caller(locales: ["en"], now: Instant(seconds: 1_795_262_400))
    return Simulation(of: "first", in: .served(), for: caller, prefix: "p", players: players)
  }

  @Test("a simulation ends when its client has disconnected, however long its time limit is", .timeLimit(.minutes(15)))
  func gone() async throws {
    let work = SlicedWork()
    // The time limit is far beyond this test's, but finite, so that a missing cancellation fails the test.
    let end = ContinuousClock.now + .seconds(1_800)
    let task = Task { try await long(players: 1_000_000).run(by: work, for: 1, until: end) }
    while work.running == 0 { await Task.yield() }
    task.cancel()
    // A cancelled simulation returns or throws. In both cases it is not complete.
    let made = try? await task.value
    #expect(made?.isDone != true)
    #expect(work.running == 0 && work.waiting == 0)
  }

  @Test("a simulation ends at its time limit, with the number of players that were evaluated", .timeLimit(.minutes(15)))
  func timeOver() async throws {
    let made = try await long(players: 100_000).run(by: SlicedWork(), for: 1, until: .now)
    #expect(made.done == 1 && made.ordered.map(\.players) == [1])
  }
}
