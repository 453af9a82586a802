// Names of users from a directory that is slow, or never answers.

import Glibc
import Synchronization
import TestSupport
import Testing

@testable import GameConfHTTP

/// A directory of users that answers when it is let.
private final class SlowDirectory: Sendable {
  private struct State {
    var asked: [UInt32] = []
    var isOpen = false
  }

  private let state = WaitedState(State())

  var asked: [UInt32] { state.change { $0.asked } }

  func open() { state.change { $0.isOpen = true } }

  /// Holds the thread it is called on until the directory is open.
  func name(of uid: UInt32) -> String? {
    state.change { $0.asked.append(uid) }
    state.wait { $0.isOpen }
    return uid == 7 ? "ada" : nil
  }
}

/// A clock that is set by hand.
private final class HandClock: Sendable {
  private let shown = Mutex(ContinuousClock.now)

  var now: ContinuousClock.Instant { shown.withLock { $0 } }

  func pass(seconds: Int64) { shown.withLock { $0 += .seconds(seconds) } }
}

@Suite("Names of users", .serialized)
struct UserNamesTests {
  /// Waits for a condition as long as the test may take.
  private func until(_ condition: () -> Bool) async throws {
    while !condition() {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  @Test("what is asked for is what is known: nothing is looked up by asking, and a user without a name goes by number")
  func asking() async {
    let (clock, directory) = (HandClock(), SlowDirectory())
    directory.open()
    let names = UserNames(patience: .seconds(600), now: { clock.now }) { directory.name(of: $0) }
    #expect(names.name(of: 7) == "7" && !names.isKnown(7) && directory.asked.isEmpty)
    await names.learn(7)
    await names.learn(8)
    #expect(names.name(of: 7) == "ada" && names.isKnown(7))
    #expect(names.name(of: 8) == "8" && names.isKnown(8))
  }

  @Test("many who wait for one name cost one look, and all have it", .timeLimit(.minutes(5)))
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
      try await until { !directory.asked.isEmpty }
      directory.open()
      for try await name in group { #expect(name == "ada") }
    }
    await names.learn(7)
    #expect(directory.asked == [7])
  }

  @Test(
    "a directory that does not answer is not waited for: the user goes by number for a while, and by name when it answers at last",
    .timeLimit(.minutes(5)))
  func late() async throws {
    let directory = SlowDirectory()
    let names = UserNames(patience: .milliseconds(1)) { directory.name(of: $0) }
    await names.learn(7)
    #expect(names.name(of: 7) == "7")
    // For a while nobody waits for it again.
    #expect(names.isKnown(7))
    directory.open()
    try await until { names.name(of: 7) == "ada" }
    #expect(directory.asked == [7])
  }

  @Test("no more threads are held than a few, however many users ask")
  func bounded() async {
    let directory = SlowDirectory()
    let names = UserNames(patience: .milliseconds(1)) { directory.name(of: $0) }
    for uid in UInt32(100)..<150 {
      await names.learn(uid)
      #expect(names.name(of: uid) == String(uid))
    }
    #expect(directory.asked.count <= UserNames.lookupsMax)
    directory.open()
  }

  @Test("a name grows old: who was renamed, or is new in the directory, goes by the new name after a while, and by the old one until then")
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

  @Test("a directory that did not answer is asked again after a while, which is shorter")
  func askedAgain() async {
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

  @Test("as many names are kept as the bound; with one more those that are old go, or all")
  func kept() async {
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
