// Names of users from a directory that is slow, or never answers.

import Glibc
import Synchronization
import Testing

@testable import GameConfHTTP

/// A directory of users that answers when it is let.
private final class SlowDirectory: Sendable {
  private struct State {
    var asked: [UInt32] = []
    var isOpen = false
  }

  private let state = Mutex(State())

  var asked: [UInt32] { state.withLock { $0.asked } }

  func open() { state.withLock { $0.isOpen = true } }

  /// Holds the thread it is called on until the directory is open.
  func name(of uid: UInt32) -> String? {
    state.withLock { $0.asked.append(uid) }
    while !state.withLock({ $0.isOpen }) { poll(nil, 0, 1) }
    return uid == 7 ? "ada" : nil
  }
}

@Suite("Names of users", .serialized)
struct UserNamesTests {
  @Test("what is asked for is what is known: nothing is looked up by asking, and a user without a name goes by number")
  func asking() async {
    let directory = SlowDirectory()
    directory.open()
    let names = UserNames { directory.name(of: $0) }
    #expect(names.name(of: 7) == "7" && !names.isKnown(7) && directory.asked.isEmpty)
    await names.learn(7)
    await names.learn(8)
    #expect(names.name(of: 7) == "ada" && names.isKnown(7))
    #expect(names.name(of: 8) == "8" && names.isKnown(8))
  }

  @Test("many who wait for one name cost one look, and all have it")
  func once() async {
    let directory = SlowDirectory()
    let names = UserNames(patience: .seconds(600)) { directory.name(of: $0) }
    await withTaskGroup(of: String.self) { group in
      for _ in 0..<50 {
        group.addTask {
          await names.learn(7)
          return names.name(of: 7)
        }
      }
      while directory.asked.isEmpty { await Task.yield() }
      directory.open()
      for await name in group { #expect(name == "ada") }
    }
    await names.learn(7)
    #expect(directory.asked == [7])
  }

  @Test("a directory that does not answer is not waited for: the user goes by number for a while, and by name when it answers at last")
  func late() async {
    let directory = SlowDirectory()
    let names = UserNames(patience: .milliseconds(1)) { directory.name(of: $0) }
    await names.learn(7)
    #expect(names.name(of: 7) == "7")
    // For a while nobody waits for it again.
    #expect(names.isKnown(7))
    directory.open()
    while names.name(of: 7) != "ada" { await Task.yield() }
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
}
