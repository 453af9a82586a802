// Runs a random history on its hosts and on the model, and compares the results.

@testable import GameConfStorage

/// A random history in progress: its hosts, its model, and the steps performed so far.
final class History {
  private let hosts: [HistoryHost]
  private var runs: [HistoryRun] = []
  private let file = HistoryFile()
  private var model = HistoryModel()
  private var comparison = HistoryComparison()
  private var backup: HistoryBackup?
  /// For each host, the number of the catalog that its files had when the host last read them.
  private var looked: [Int]
  private(set) var compared = 0
  /// The members of the stored state that were compared when they were not empty.
  var members: Set<String> { comparison.members }

  /// - Parameter settings: The database of all hosts; nil for one host on SQLite.
  init(hosts count: Int, on settings: PostgresSettings?) async throws {
    let file = file
    looked = Array(repeating: file.number, count: count)
    hosts = try (0..<count).map { try HistoryHost("host\($0)", file, on: settings) }
    for host in hosts { runs.append(try await host.start()) }
  }

  func close() { for run in runs { run.close() } }

  func run(_ acts: [HistoryAct]) async throws {
    for (number, act) in acts.enumerated() {
      do {
        try await perform(act)
        if act.isCompared || number == acts.count - 1 { try await compare() }
      } catch {
        throw HistoryFault(description: "step \(number), \(act): \(error)\nbefore:\n\(HistoryAct.tail(acts, upTo: number))")
      }
    }
  }

  private func perform(_ act: HistoryAct) async throws {
    let (run, host) = (runs[act.host], hosts[act.host])
    switch act.step {
    case .catalog(let number):
      try await host.accept(number, run, isDryRun: act.isDryRun, now: model.now)
      if act.isDryRun { break }
      // A host whose files have not changed since it last read them does not restore a catalog that another host has replaced.
      if looked[act.host] != number { model.apply(act, HistoryAnswer()) }
      looked[act.host] = number
      // A known limit: a host that has not read another host's catalog yet admits the values of the former catalog, until the new catalog
      // quarantines them.
      for (host, run) in zip(hosts, runs) { try await host.catchUp(run) }
    case .wait:
      model.apply(act, HistoryAnswer())
      for (host, run) in zip(hosts, runs) {
        host.setTime(model.now)
        // A host polls for changes twice a second, and a wait lasts seconds, so every host has polled.
        try await host.catchUp(run)
      }
      try await run.applyDue(now: model.now)
    case .backup: backup = try await run.backup(model) ?? backup
    case .restore:
      if let backup, try await run.restore(backup, isDryRun: act.isDryRun, now: model.now) {
        model.restore(backup.model)
        self.backup = nil
      }
    case .restart:
      // Otherwise the host's own poll, twice a second, could find another host's change after the state is read here and before it is saved.
      try await host.catchUp(run)
      let served = try await run.store.contents()
      run.close()
      try comparison.compare(host.lastGood(), with: served)
      runs[act.host] = try await host.start()
      looked[act.host] = host.fileNumber
    default:
      guard let answer = try await run.perform(act, by: model) else { break }
      model.apply(act, answer)
    }
    // The version in force is read from the rows, because the acting host may not have seen another host's push yet.
    model.activate(try await runs[act.host].opened.load().state.activations["g"]?.active)
  }

  private func compare() async throws {
    for (host, run) in zip(hosts, runs) { try await host.catchUp(run) }
    compared += 1
    for (number, (host, run)) in zip(hosts, runs).enumerated() { try await comparison.compare("host \(number)", host, run, model) }
  }
}
