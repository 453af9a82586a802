// Long work: users in turn, few slices at once, a bound on those that wait.

import GameConfAPI
import Synchronization
import Testing

@testable import GameConfHTTP

@Suite("Long work")
struct LongWorkTests {
  /// Holds slices until it is opened.
  private final class Door: Sendable {
    private let isOpen = Mutex(false)
    func open() { isOpen.withLock { $0 = true } }
    func pass() { while !isOpen.withLock({ $0 }) {} }
  }

  /// Whose slices ran, in their order.
  private final class Order: Sendable {
    private let held = Mutex<[UInt32]>([])
    var users: [UInt32] { held.withLock { $0 } }
    func append(_ user: UInt32) { held.withLock { $0.append(user) } }
  }

  @Test("whoever asks once is not behind everything of one who asks often")
  func turns() async throws {
    let work = LongWork()
    let door = Door()
    let order = Order()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<LongWork.slicesAtOnceMax { group.addTask { try await work.slice(for: 1) { door.pass() } } }
      while work.running < LongWork.slicesAtOnceMax { await Task.yield() }
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
    #expect(place <= 1 + LongWork.slicesAtOnceMax)
    #expect(work.running == 0 && work.waiting == 0)
  }

  @Test("a user has so many slices waiting, and one more is told to try again; another is let in")
  func bound() async throws {
    let work = LongWork()
    let door = Door()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<LongWork.slicesAtOnceMax { group.addTask { try await work.slice(for: 1) { door.pass() } } }
      while work.running < LongWork.slicesAtOnceMax { await Task.yield() }
      for _ in 0..<LongWork.waitingPerUserMax { group.addTask { try await work.slice(for: 1) {} } }
      while work.waiting < LongWork.waitingPerUserMax { await Task.yield() }
      let problem = await #expect(throws: Problem.self) { try await work.slice(for: 1) {} }
      #expect(problem?.code == .rateLimited && problem?.retryAfterSeconds == 1)
      group.addTask { try await work.slice(for: 2) {} }
      while work.waiting <= LongWork.waitingPerUserMax { await Task.yield() }
      door.open()
      try await group.waitForAll()
    }
  }

  @Test("simulations are counted for each user and in all")
  func simulations() {
    let simulations = Simulations()
    for _ in 0..<Simulations.perUserMax { #expect(simulations.enter(1)) }
    #expect(!simulations.enter(1))
    simulations.leave(1)
    #expect(simulations.enter(1))
    var user: UInt32 = 2
    var running = Simulations.perUserMax
    while running < Simulations.atOnceMax {
      #expect(simulations.enter(user))
      (user, running) = (user + 1, running + 1)
    }
    #expect(!simulations.enter(99))
  }
}
