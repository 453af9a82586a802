// The invariant of a history: the served values, the rows, a start from the rows, and the model agree.
import GameConfCore
import GameConfEngine

@testable import GameConfStorage

/// The differences that a comparison has found, as lines of the test's failure message.
struct HistoryFault: Error, CustomStringConvertible {
  let description: String
}

/// A comparison of a daemon with its rows and with the model.
///
/// *The stored layer of every host equals the rows. Every key has the same answer (value, layer, revision) for every player on every host
/// and after a start from the rows. The model has the same values and layers.* One revision of an epoch never names two values of a key for
/// one player, and `last-good.json` contains the state that was served when a store closed.
struct HistoryComparison {
  private struct NamedAnswer: Hashable {
    var epoch: UInt64
    var slot: HistorySlot
    var revision: Int64
  }

  private var named: [NamedAnswer: Value] = [:]
  /// The members of the stored state that were compared with the rows when they were not empty.
  private(set) var members: Set<String> = []

  /// Compares one host with its rows, with a start from the rows, and with the model.
  mutating func compare(_ name: String, _ host: HistoryHost, _ run: HistoryRun, _ model: HistoryModel) async throws {
    let (served, stored) = (try await run.store.contents(), try await run.opened.load())
    let compared = try compare(served.state, stored.state, "\(name) has", "the rows say")
    members.formUnion(compared.members(differingFrom: StoredState()))
    let world = run.live.present.world
    let started = await host.world(of: stored)
    try compare(
      HistoryWorld.lines(world, now: model.now), HistoryWorld.lines(started, now: model.now), "\(name) answers", "a start answers")
    if let fault = model.difference(from: world, visits: try await run.visits()) { throw HistoryFault(description: "\(name): \(fault)") }
    try noteRevisions(world, of: served.state.epoch, now: model.now)
  }

  /// Records the value that each revision names.
  mutating func noteRevisions(_ world: World, of epoch: UInt64, now: Int64) throws {
    for (slot, answer) in HistoryWorld.answers(world, now: now) {
      let name = NamedAnswer(epoch: epoch, slot: slot, revision: answer.revision)
      if let before = named.updateValue(answer.value, forKey: name), before != answer.value {
        throw HistoryFault(description: "\(slot) was \(before) and is \(answer.value) at the same revision \(answer.revision)")
      }
    }
  }

  /// Compares the last good state with the state that was served when a store closed.
  func compare(_ lastGood: LastGoodState?, with served: StoreContents) throws {
    // The comparison uses the state that a start reads, instead of the one that was passed for writing.
    let saved = lastGood?.state ?? StoredState()
    var expected = served.state
    // The last good state has no revisions of keys, digests and activations: they belong to the database's epoch.
    expected.overrides = [:]
    for overrides in served.state.allOverrides { expected.put(overrides) }
    (expected.epoch, expected.catalogDigests, expected.activations) = (saved.epoch, [:], [:])
    _ = try compare(saved, expected, "last-good.json has", "the store served")
  }

  /// Returns the equal parts of both states, which are all that is compared.
  private func compare(_ one: StoredState, _ other: StoredState, _ name: String, _ otherName: String) throws -> StoredState {
    let (mine, theirs) = (HistoryWorld.comparable(one), HistoryWorld.comparable(other))
    if mine == theirs { return mine }
    try compare(HistoryWorld.lines(mine), HistoryWorld.lines(theirs), name, otherName)
    throw HistoryFault(description: "\(name) and \(otherName) differ")
  }

  private func compare(_ one: Set<String>, _ other: Set<String>, _ name: String, _ otherName: String) throws {
    if one == other { return }
    let (mine, theirs) = (one.subtracting(other).sorted().prefix(6), other.subtracting(one).sorted().prefix(6))
    throw HistoryFault(
      description: "\n\(name):\n  \(mine.joined(separator: "\n  "))\n\(otherName):\n  \(theirs.joined(separator: "\n  "))")
  }
}
