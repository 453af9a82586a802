// Tests the cache of user names when the user directory is slow.

import Glibc
import Synchronization
import TestSupport
import Testing

@testable import GameConfHTTP

/// A user directory that does not answer until the test opens it.
private final class SlowDirectory: Sendable {
  private struct State {
    var lookups: [UInt32] = []
    var isOpen = false
  }

  private let state = WaitedState(State())

  var lookups: [UInt32] { state.change { $0.lookups } }

  func open() { state.change { $0.isOpen = true } }

  /// Blocks its thread until the directory is open.
  func name(of uid: UInt32) -> String? {
    state.change { $0.lookups.append(uid) }
    state.wait { $0.isOpen }
    return uid == 7 ? "ada" : nil
  }
}

/// A monotonic clock that the test advances.
private final class HandClock: Sendable {
  private let shown = Mutex(ContinuousClock.now)

  var now: ContinuousClock.Instant { shown.withLock { $0 } }

  func pass(seconds: Int64) { shown.withLock { $0 += .seconds(seconds) } }
}

@Suite("The cache of user names", .serialized)
struct UserNamesTests {
  /// Waits for a condition. Only the test's own time limit ends the wait.
  private func until(_ condition: () -> Bool) async throws {
    while !condition() {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  @Test("reading a user's name does not look it up, and a user who is not cached has the uid as the name")
  func reading() async {
    let (clock, directory) = (HandClock(), SlowDirectory())
    directory.open()
    let names = UserNames(patience: .seconds(600), now: { clock.now }) { directory.name(of: $0) }
    #expect(names.name(of: 7) == "7" && !names.isKnown(7) && directory.lookups.isEmpty)
    await names.learn(7)
    await names.learn(8)
    #expect(names.name(of: 7) == "ada" && names.isKnown(7))
    #expect(names.name(of: 8) == "8" && names.isKnown(8))
  }

  @Test("several callers that wait for the name of one user share one lookup", .timeLimit(.minutes(5)))
  func once() async throws {
    let directory = SlowDirectory()
    let names = UserNames(patience: .seconds(600)) { directory.name(of: $0) }
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<50 {
        group.addTask {
          await names.learn(7)
          return names.name(of: 7)
        }
      }
      defer { directory.open() }
      try await until { !directory.lookups.isEmpty }
      directory.open()
      for try await name in group { #expect(name == "ada") }
    }
    await names.learn(7)
    #expect(directory.lookups == [7])
  }

  @Test(
    "while the user directory does not answer, the uid is the user's name, and the late answer replaces it",
    .timeLimit(.minutes(5)))
  func late() async throws {
    let directory = SlowDirectory()
    let names = UserNames(patience: .milliseconds(1)) { directory.name(of: $0) }
    await names.learn(7)
    #expect(names.name(of: 7) == "7")
    // The uid is cached as the name for a while, so that no other change waits.
    #expect(names.isKnown(7))
    directory.open()
    try await until { names.name(of: 7) == "ada" }
    #expect(directory.lookups == [7])
  }

  @Test("the number of threads that look up users' names is limited")
  func bounded() async {
    let directory = SlowDirectory()
    let names = UserNames(patience: .milliseconds(1)) { directory.name(of: $0) }
    for uid in UInt32(100)..<150 {
      await names.learn(uid)
      #expect(names.name(of: uid) == String(uid))
    }
    #expect(directory.lookups.count <= UserNames.lookupsMax)
    directory.open()
  }

  @Test("a cached name expires, so that a renamed user gets the new name")
  func renamed() async {
    let clock = HandClock()
    let directory = Mutex<[UInt32: String]>([7: "ada"])
    let names = UserNames(patience: .seconds(600), now: { clock.now }) { uid in directory.withLock { $0[uid] } }
    await names.learn(7)
    await names.learn(8)
    directory.withLock { $0 = [7: "bea", 8: "cyd"] }
    clock.pass(seconds: UserNames.secondsMax - 1)
    for uid: UInt32 in [7, 8] {
      #expect(names.isKnown(uid))
      await names.learn(uid)
    }
    #expect(names.name(of: 7) == "ada" && names.name(of: 8) == "8")
    clock.pass(seconds: 1)
    #expect(!names.isKnown(7) && names.name(of: 7) == "ada")
    await names.learn(7)
    await names.learn(8)
    #expect(names.name(of: 7) == "bea" && names.name(of: 8) == "cyd")
  }

  @Test("a user directory that did not answer is called again sooner than a cached name expires")
  func retried() async {
    let clock = HandClock()
    let directory = SlowDirectory()
    let names = UserNames(patience: .milliseconds(1), now: { clock.now }) { directory.name(of: $0) }
    await names.learn(8)
    #expect(names.name(of: 8) == "8" && names.isKnown(8))
    clock.pass(seconds: UserNames.secondsUnanswered - 1)
    #expect(names.isKnown(8))
    clock.pass(seconds: 1)
    #expect(!names.isKnown(8) && UserNames.secondsUnanswered < UserNames.secondsMax)
    directory.open()
  }

  @Test("when the cache of user names is full, it drops the expired names, or all names if no name has expired")
  func evicted() async {
    let clock = HandClock()
    let names = UserNames(patience: .seconds(600), now: { clock.now }) { "user\($0)" }
    let most = UInt32(UserNames.namesMax)
    for uid in 0..<most / 2 { await names.learn(uid) }
    clock.pass(seconds: UserNames.secondsMax)
    for uid in most / 2..<most { await names.learn(uid) }
    #expect(names.name(of: 0) == "user0")
    await names.learn(most)
    #expect(names.name(of: 0) == "0" && names.name(of: most / 2) == "user\(most / 2)")
    for uid in most..<2 * most { await names.learn(uid) }
    let known = (0..<2 * most).count { names.isKnown($0) }
    #expect(known > 0 && known <= most, "\(known)")
  }
}
