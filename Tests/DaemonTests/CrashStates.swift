// Opens the states in which a loss of power may leave a disk by the real store, and holds them against what was acknowledged and what had been done.

import GameConfCore
import GameConfEngine
import TestSupport

@testable import GameConfStorage

/// A state that is not as it should be.
struct CrashFault: Error, CustomStringConvertible {
  let description: String
}

/// A game or a player in a store: what it is at which revision.
struct StoredPart: Sendable {
  struct Content: Hashable, Sendable {
    var overrides: [KeyOverrides] = []
    var keyRevisions: [String: Int64] = [:]
    var template: Value?
    var activation: TemplateActivation?
    var clock: SimulatedClock?
    /// Every row about a player.
    var rows: ObjectValue?
  }

  var revision: Int64
  var content: Content
}

/// The states of one recording.
///
/// The bounds of a state come from the recording itself, as a store opens it with nothing lost: what was there at the last acknowledgement is the least, and
/// what is there at the same place is the most. Between the two, a revision has the content that it had whenever it was seen before: so nothing
/// acknowledged is lost, nothing is doubled or half done, and no revision names two states.
struct CrashStates {
  /// What lay there before.
  let before: DiskModel
  let records: [DiskRecord]
  let game: String
  /// The players whose rows are compared.
  let players: [String]

  private struct Bounds {
    var least: [String: StoredPart] = [:]
    var seen: [String: [Int64: StoredPart.Content]] = [:]

    mutating func see(_ parts: [String: StoredPart]) {
      for (name, part) in parts { seen[name, default: [:]][part.revision] = part.content }
    }

    /// What is wrong with parts that are to be no more than these.
    func faults(_ parts: [String: StoredPart], most: [String: StoredPart]) -> [String] {
      parts.sorted { $0.key < $1.key }.compactMap { name, part in
        let (from, to) = (least[name]?.revision ?? 0, most[name]?.revision ?? 0)
        // What is below an answer with nothing lost was taken back by a restore.
        if to < from { return nil }
        if part.revision < from { return "\(name) is at \(part.revision), and \(from) was acknowledged" }
        if part.revision > to { return "\(name) is at \(part.revision), and \(to) is the last" }
        guard let known = seen[name]?[part.revision], known != part.content else { return nil }
        return "\(name) at \(part.revision) was\n  \(known)\nand is\n  \(part.content)"
      }
    }
  }

  /// Builds states at so many places of the recording, each with every kind of loss, and opens them.
  /// - Returns: how many states were opened.
  func open(places: Int, seed: UInt64) async throws -> Int {
    var random = SeededGenerator(seed: seed)
    var chosen = Set<Int>()
    while chosen.count < min(places, records.count) { chosen.insert(.random(in: 0..<records.count, using: &random)) }
    var (model, bounds, opened) = (before, Bounds(), 1)
    bounds.least = try await parts(model, .nothing, 0, seed, &random)
    bounds.see(bounds.least)
    for (place, record) in records.enumerated() {
      model.apply(record)
      if record.kind != .mark, !chosen.contains(place) { continue }
      let most = try await parts(model, .nothing, place, seed, &random)
      bounds.see(most)
      opened += 1
      if record.kind == .mark { bounds.least = most }
      guard chosen.contains(place) else { continue }
      for loss in PowerLoss.allCases.dropFirst() {
        let faults = bounds.faults(try await parts(model, loss, place, seed, &random), most: most)
        guard faults.isEmpty else { throw fault(place, loss, seed, faults) }
        opened += 1
      }
    }
    return opened
  }

  private func fault(_ place: Int, _ loss: PowerLoss, _ seed: UInt64, _ faults: [String]) -> CrashFault {
    CrashFault(description: "after \(place) of \(records.count) records, lost: \(loss), seed \(seed): \(faults.joined(separator: "; "))")
  }

  /// Opens one state and reads what is in it.
  private func parts(
    _ model: DiskModel, _ loss: PowerLoss, _ place: Int, _ seed: UInt64, _ random: inout SeededGenerator
  ) async throws -> [String: StoredPart] {
    let folder = try TemporaryFolder(isInMemory: true)
    try model.write(after: loss, to: folder, below: "state", &random)
    let directory = try StateDirectory(path: folder.path + "/state")
    defer { directory.unlock() }
    let lastGood = LastGoodFile(in: directory)
    var faults: [String] = []
    do throws(StateFault) { _ = try lastGood.load() } catch { faults.append("last-good.json \(error.message)") }
    faults += AcceptedCatalogFiles(in: directory, owner: StateOwner()).load().faults.map { "\($0.path) \($0.message)" }
    var times = StoreTimes()
    (times.readDeadlineMin, times.secondLook) = (600_000, 1)
    let store = SQLiteStore(in: directory, lastGood: lastGood, times: times, now: { Instant(seconds: 2_000_000_000) })
    if store.health.condition != .good { faults.append("\(store.health.condition)") }
    faults += store.health.unreadable.map(\.phrase)
    guard faults.isEmpty else {
      await store.stop()
      throw fault(place, loss, seed, faults)
    }
    let parts = try await parts(of: store)
    await store.stop()
    let connection = try SQLiteConnection(path: directory.databasePath, for: .reading)
    defer { connection.close() }
    let damage = try connection.texts("PRAGMA integrity_check").filter { $0 != "ok" }
    guard damage.isEmpty else { throw fault(place, loss, seed, damage) }
    return parts
  }

  /// The game as it is served, and each player as it is stored.
  private func parts(of store: SQLiteStore) async throws -> [String: StoredPart] {
    let contents = try await store.contents()
    let content = StoredPart.Content(
      overrides: contents.overrides, keyRevisions: contents.keyRevisions[game] ?? [:], template: contents.templates[game],
      activation: contents.activations[game])
    var parts = [game: StoredPart(revision: contents.revisions[game] ?? 0, content: content)]
    // A clock is set without a revision of the game, and with a line of the audit log.
    let clock = StoredPart.Content(clock: contents.clocks[game])
    parts["the audit log"] = try await store.read { view throws in
      StoredPart(revision: try view.audits(AuditSelection(limit: 1)).first?.id ?? 0, content: clock)
    }
    for player in players {
      let id = PlayerID(game: game, player: player)
      parts["player \(player)"] = try await store.read { view throws in
        StoredPart(revision: try view.playerRevision(player, in: id.game), content: StoredPart.Content(rows: try view.storedRows(of: id)))
      }
    }
    return parts
  }
}
