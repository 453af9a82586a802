// A random history in a simulation: concurrent steps on any schedule, with crashes and disk faults.

import TestSupport

@testable import GameConfStorage

/// Statistics that a simulation prints.
struct SimulationCounts: Sendable, CustomStringConvertible {
  var (seeds, steps, reads, crashes, faults, restarts, handOvers) = (0, 0, 0, 0, 0, 0, 0)

  var description: String {
    """
    \(seeds) seeds, \(steps) steps, \(reads) reads, \(crashes) crashes, \(faults) rounds of faults, \(restarts) restarts, \(handOvers) hand-overs
    """
  }

  static func += (left: inout Self, right: Self) {
    left.seeds += right.seeds
    left.steps += right.steps
    left.reads += right.reads
    left.crashes += right.crashes
    left.faults += right.faults
    left.restarts += right.restarts
    left.handOvers += right.handOvers
  }
}

/// A history on one host, in rounds of several concurrent steps.
///
/// After a round without a crash, the acknowledged steps are applied to the model in the order of their transactions, and the host must
/// satisfy the invariant of ``HistoryComparison``. After a crash the host must equal the model after a prefix of the steps in that order,
/// which includes all acknowledged ones.
final class SimulatedHistory {
  private static let stepsAtOnceMax = 4
  private static let looksMax = 12
  private static let lookPauseMilliseconds = 10_000

  private let simulation: Simulation
  private let host: HistoryHost
  private let journal: StepJournal
  private let audience: SimulatedAudience
  private var generator: HistoryGenerator
  private var run: HistoryRun
  private var model = HistoryModel()
  private var comparison = HistoryComparison()
  private var backup: HistoryBackup?
  /// The folder of the backup, which outlives a crash.
  private var backupFiles: TemporaryFolder?
  private var next: HistoryAct?
  /// The revisions of all acknowledged changes.
  private var revisions: Set<Int64> = []
  private var log: [String] = []
  private(set) var counts = SimulationCounts()

  init(seed: UInt64, in simulation: Simulation) async throws {
    self.simulation = simulation
    let (journal, audience) = (StepJournal(), SimulatedAudience(simulation))
    (self.journal, self.audience) = (journal, audience)
    var parts = HistoryParts()
    parts.times = simulation.times
    parts.store = { opened in
      guard case .sqlite(let store) = opened else { return opened.store }
      return SimulatedStore(store: store, simulation: simulation, journal: journal)
    }
    parts.publication = { publication, opened, live in audience.publication(publication, opened, live) }
    let host = try HistoryHost("host", HistoryFile(), on: nil, parts)
    self.host = host
    generator = HistoryGenerator(seed: seed, hosts: 1)
    run = try await host.start()
  }

  /// Runs rounds until that number of steps has been performed.
  func run(steps: Int) async throws {
    while counts.steps < steps {
      let acts = round()
      do { try await perform(acts) } catch {
        throw HistoryFault(description: "after \(counts.steps) steps: \(error)\nin:\n  \(log.suffix(12).joined(separator: "\n  "))")
      }
      counts.steps += acts.count
    }
    try await restart()
    run.close()
    counts.handOvers = simulation.steps
    counts.seeds = 1
  }

  /// Runs a backup and its restore repeatedly, each concurrently with reads.
  func runRestores(_ count: Int) async throws {
    for number in 1...count {
      let slot = HistorySlot(player: nil, key: HistoryGenerator.keys[0])
      for step in [HistoryStep.backup, .set(slot, Int64(number)), .restore] {
        journal.begin()
        audience.begin(run)
        try await plain([HistoryAct(step: step, host: 0, isDryRun: false, isCompared: true)])
        try audience.check()
        try await comparison.compare("the host", host, run, model)
      }
    }
    run.close()
  }

  /// Draws the steps of a round: several that may run concurrently, or one that runs alone.
  private func round() -> [HistoryAct] {
    let count = simulation.draw(1..<Self.stepsAtOnceMax + 1)
    var acts: [HistoryAct] = []
    while acts.count < count {
      let act = next ?? generator.history(steps: 1)[0]
      next = nil
      if act.step.isAlone {
        if acts.isEmpty { return [act] }
        next = act
        return acts
      }
      acts.append(act)
    }
    return acts
  }

  private func perform(_ acts: [HistoryAct]) async throws {
    journal.begin()
    audience.begin(run)
    let kind = simulation.draw(0..<16)
    if kind < 2, acts.allSatisfy(\.step.survivesCrash) {
      try await crash(acts, losesPower: kind == 0)
    } else if kind == 2, !acts[0].step.isAlone {
      try await fault(acts)
    } else {
      try await plain(acts)
    }
    model.activate(try await run.store.contents().state.activations["g"]?.active)
    try audience.check()
    try await comparison.compare("the host", host, run, model)
  }

  private func plain(_ acts: [HistoryAct]) async throws {
    log.append("\(acts.map(\.description).joined(separator: " | "))")
    if acts[0].step.isAlone { return try await alone(acts[0]) }
    let answers = try await answers(acts, toleratesTrouble: false)
    try note(answers)
    apply(acts, answers, journal.now.ran[...])
  }

  /// Performs steps concurrently with each other, with reads, a check of the database and a poll.
  private func answers(_ acts: [HistoryAct], toleratesTrouble: Bool) async throws -> [HistoryAnswer?] {
    let (run, model, simulation, audience) = (run, model, simulation, audience)
    let reads = simulation.draw(0..<3)
    let looks = simulation.draw(0..<8)
    counts.reads += reads
    return try await withThrowingTaskGroup(of: (Int, HistoryAnswer?)?.self) { group in
      for (number, act) in acts.enumerated() {
        group.addTask {
          try await StepJournal.$step.withValue(number) {
            do { return (number, try await run.perform(act, by: model)) } catch let failure as HistoryStoreTrouble {
              if toleratesTrouble { return (number, nil) }
              throw failure
            }
          }
        }
      }
      for _ in 0..<reads {
        group.addTask {
          try await audience.read(run, toleratesTrouble: toleratesTrouble)
          return nil
        }
      }
      if looks < 2, case .sqlite(let store) = run.opened {
        group.addTask {
          do throws(StoreError) { if looks == 0 { _ = try await store.check() } else { try await store.look() } } catch {
            if !toleratesTrouble { throw HistoryFault(description: "a look says \(error)") }
          }
          return nil
        }
      }
      var answers = [HistoryAnswer?](repeating: nil, count: acts.count)
      for try await case let (number, answer)? in group { answers[number] = answer }
      return answers
    }
  }

  /// Records the revisions of acknowledged changes, which must be unique.
  private func note(_ answers: [HistoryAnswer?]) throws {
    for case let revision? in answers.map({ $0?.revision }) where !revisions.insert(revision).inserted {
      throw HistoryFault(description: "two changes were acknowledged with revision \(revision)")
    }
  }

  private func apply(_ acts: [HistoryAct], _ answers: [HistoryAnswer?], _ order: ArraySlice<Int>) {
    for number in order {
      guard let answer = answers[number] else { continue }
      model.apply(acts[number], answer)
    }
  }

  /// Performs a step that must run alone.
  private func alone(_ act: HistoryAct) async throws {
    switch act.step {
    case .catalog(let number):
      try await host.accept(number, run, isDryRun: act.isDryRun, now: model.now)
      if !act.isDryRun { model.apply(act, HistoryAnswer()) }
    case .wait:
      model.apply(act, HistoryAnswer())
      host.setTime(model.now)
      try await run.applyDue(now: model.now)
    case .backup: (backup, backupFiles) = (try await run.backup(model), host.temporary)
    case .restore:
      guard let backup, try await restore(backup, isDryRun: act.isDryRun) else { return }
      model.restore(backup.model)
      (self.backup, backupFiles) = (nil, nil)
    case .restart: try await restart()
    default:
      guard let answer = try await run.perform(act, by: model) else { return }
      model.apply(act, answer)
    }
  }

  /// Restores a backup concurrently with reads, which may fail. Each later read must see the restored database.
  private func restore(_ backup: HistoryBackup, isDryRun: Bool) async throws -> Bool {
    let (run, audience, now, reads) = (run, audience, model.now, simulation.draw(0..<4))
    counts.reads += 2 * reads
    let isRestored = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<reads {
        group.addTask {
          try await audience.read(run, toleratesTrouble: true)
          return false
        }
      }
      group.addTask { try await run.restore(backup, isDryRun: isDryRun, now: now) }
      return try await group.reduce(false) { $0 || $1 }
    }
    try await withThrowingTaskGroup { group in
      for _ in 0..<reads { group.addTask { try await audience.read(run, toleratesTrouble: false) } }
      try await group.waitForAll()
    }
    return isRestored
  }

  private func restart() async throws {
    let served = try await run.store.contents()
    run.close()
    try comparison.compare(host.lastGood(), with: served)
    run = try await host.start()
    counts.restarts += 1
  }

  // MARK: Crashes

  /// Performs steps, and crashes the daemon at a random switch between threads.
  private func crash(_ acts: [HistoryAct], losesPower: Bool) async throws {
    let step = simulation.draw(1..<[20, 100, 400][simulation.draw(0..<3)])
    log.append("\(losesPower ? "power fails" : "killed") after \(step): \(acts.map(\.description).joined(separator: " | "))")
    counts.crashes += 1
    let before = (model: model, revision: try await run.store.contents().state.revisions["g"])
    let old = host.temporary
    var left: (files: TemporaryFolder, accepted: [AcceptedCatalog], progress: StepJournal.Progress)?
    var failure: (any Error)?
    let crash = { [self] in
      do {
        let files = try TemporaryFolder(isInMemory: true)
        // A power failure loses every unsynced change, or a random part of them.
        let one = simulation.draw(1..<4)
        try Simulation.aside {
          try simulation.disk.crash(
            old.path + "/state", into: files, at: "state", keeps: losesPower ? { self.simulation.draw(0..<one) != 0 } : nil)
        }
        left = (files, host.accepted, journal.now)
        audience.end()
      } catch { failure = error }
    }
    simulation.afterSteps(step, crash)
    var answers: [HistoryAnswer?] = [nil]
    if acts[0].step.isAlone { try await alone(acts[0]) } else { answers = try await self.answers(acts, toleratesTrouble: false) }
    simulation.cancelAlarm()
    if left == nil, failure == nil { crash() }
    // The crashed daemon continues on files that are no longer read.
    run.close()
    guard let left else { throw failure ?? HistoryFault(description: "the crash left nothing") }
    try host.move(to: left.files, accepted: left.accepted)
    run = try await host.start()
    withExtendedLifetime(old) {}
    guard run.store.health.condition == .good else {
      throw HistoryFault(description: "the store is \(run.store.health.condition) after the crash")
    }
    if acts[0].step.isAlone { return try await run.applyDue(now: model.now) }
    try await recover(from: before, acts, answers, left.progress)
  }

  /// Advances the model by as many of the crashed steps as the restarted host has stored.
  private func recover(
    from before: (model: HistoryModel, revision: Int64?), _ acts: [HistoryAct], _ answers: [HistoryAnswer?],
    _ progress: StepJournal.Progress
  ) async throws {
    let least = progress.ran.lastIndex { progress.acknowledged.contains($0) }.map { $0 + 1 } ?? 0
    let contents = try await run.store.contents()
    let (world, visits) = (run.live.present.world, try await run.visits())
    var faults: [String] = []
    // A step such as a scheduled one may have no visible effect yet. Its revision shows that it is stored, unless the start has made
    // another, which may even be equal to that of a lost step.
    let isThere = { $0 == 0 ? before.revision : progress.revisions[progress.ran[$0 - 1]] } as (Int) -> Int64?
    let counts = [true, false].flatMap { wanted in
      (least...progress.ran.count).filter { (isThere($0) == contents.state.revisions["g"]) == wanted }
    }
    for count in counts {
      model = before.model
      apply(acts, answers, progress.ran[..<count])
      // A scheduled version makes no revision. If it is stored, the store names it when it comes into force.
      for number in progress.ran {
        if case .push(let values, _) = acts[number].step { model.know(answers[number]?.version, values) }
      }
      model.activate(contents.state.activations["g"]?.active)
      let fault = model.difference(from: world, visits: visits)
      if fault == nil, model.hasWindows(of: contents.state) { return }
      faults.append("after \(count) of \(progress.ran): \(fault ?? "the time windows differ")")
    }
    throw HistoryFault(description: "the crash has lost or doubled something: acknowledged \(progress.acknowledged.sorted()); \(faults)")
  }

  // MARK: Faults

  /// Performs steps while calls of the disk fail, and lets the store recover.
  private func fault(_ acts: [HistoryAct]) async throws {
    let calls = SimulatedDisk.Call.allCases.filter { _ in simulation.draw(0..<2) == 0 }
    let faults = SimulatedDisk.Faults(
      after: simulation.draw(0..<40), count: simulation.draw(1..<[2, 5, 200][simulation.draw(0..<3)]),
      calls: calls.isEmpty ? [.sync] : calls,
      isFull: simulation.draw(0..<2) == 0)
    log.append("\(faults): \(acts.map(\.description).joined(separator: " | "))")
    counts.faults += 1
    simulation.disk.faults = faults
    let answers = try await answers(acts, toleratesTrouble: true)
    simulation.disk.faults = nil
    try note(answers)
    apply(acts, answers, journal.now.ran[...])
    guard case .sqlite(let store) = run.opened else { return }
    for _ in 0..<Self.looksMax {
      if store.health.condition == .good { return }
      do throws(StoreError) { try await store.look() } catch { throw HistoryFault(description: "a look after the faults says \(error)") }
      await simulation.pause(milliseconds: Self.lookPauseMilliseconds)
    }
    throw HistoryFault(description: "the store is \(store.health.condition) long after the faults have ended")
  }
}

extension HistoryStep {
  /// True if the step has several transactions, or its effect depends on the model before it.
  fileprivate var isAlone: Bool {
    switch self {
    case .catalog, .wait, .backup, .restore, .restart, .revert: true
    default: false
    }
  }

  /// True if a crash during the step leaves one of the model's states.
  fileprivate var survivesCrash: Bool {
    switch self {
    case .restore, .revert: false
    default: true
    }
  }
}
