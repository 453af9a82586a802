// Runs a history on its hosts and on the model, and compares what all of them say.
import GameConfCore
import GameConfEngine
import Glibc

@testable import GameConfStorage

/// What differs, as lines that the test prints.
struct HistoryFault: Error, CustomStringConvertible {
  let description: String
}

/// A history while it runs.
///
/// The relation that it holds after every compared step: *the stored layer of every host is what the rows say, and every key is answered alike (value,
/// layer, revision) for every player by every host, by a start from the rows, and, revisions aside, by the model.* One revision of an epoch never names
/// two values of a key for one player, and `last-good.json` has what was served when a store closed.
final class History {
  private let hosts: [HistoryHost]
  private var runs: [HistoryRun] = []
  private let file = HistoryFile()
  private var model = HistoryModel()
  private var backup: (path: String, model: HistoryModel)?
  private var named: [NamedAnswer: Value] = [:]
  private(set) var compared = 0

  private struct NamedAnswer: Hashable {
    var epoch: UInt64
    var slot: HistorySlot
    var revision: Int64
  }

  /// - Parameter settings: the database of all hosts; nil for one host on SQLite.
  init(hosts count: Int, on settings: PostgresSettings?) async throws {
    let file = file
    hosts = try (0..<count).map { try HistoryHost("host\($0)", file, on: settings) }
    for host in hosts { runs.append(try await host.start()) }
  }

  func close() {
    for run in runs {
      run.opened.close()
      run.directory.unlock()
    }
  }

  func run(_ acts: [HistoryAct]) async throws {
    for (number, act) in acts.enumerated() {
      do {
        try await perform(act)
        if act.isCompared || number == acts.count - 1 { try await compare() }
      } catch let fault as HistoryFault {
        throw HistoryFault(description: "step \(number), \(act): \(fault.description)\nbefore:\n\(Self.tail(acts, upTo: number))")
      }
    }
  }

  private static func tail(_ acts: [HistoryAct], upTo end: Int) -> String {
    acts[..<end].enumerated().suffix(8).map { "  \($0) \($1)" }.joined(separator: "\n")
  }

  private func change(_ act: HistoryAct) -> Change {
    Change(
      author: Author(uid: 1, name: "ada"), reason: "history", now: Instant(seconds: model.now), isDryRun: act.isDryRun, isAdmin: true)
  }

  /// Returns what a step answers; nil if it is refused. The store's own trouble is never an answer here.
  private func answer<Answer: Sendable, Refusal: StoreRefusal>(_ body: () async throws(Refusal) -> Answered<Answer>) async throws -> Answer?
  {
    do throws(Refusal) { return try await body().fresh } catch {
      let words = "\(error)"
      if words.hasPrefix("store(") { throw HistoryFault(description: "the store says \(words)") }
      return nil
    }
  }

  private func perform(_ act: HistoryAct) async throws {
    let (run, host) = (runs[act.host], hosts[act.host])
    switch act.step {
    case .set, .window, .remove, .clear, .importRows, .importMany, .revert: try await override(act, run)
    case .push, .activate: try await template(act, run)
    case .visit(let player):
      _ = try await answer { () async throws(PlayerRefusal) in try await OpenVisit(run.desk)(Self.id(player), change(act)) }
    case .forget(let player):
      let gone = try await answer { () async throws(PlayerRefusal) in try await ForgetPlayer(run.desk)(Self.id(player), change(act)) }
      if gone != nil, !act.isDryRun { model.clear(.player(player)) }
    case .reset(let player):
      let gone = try await answer { () async throws(PlayerRefusal) in try await ResetPlayer(run.desk)(Self.id(player), change(act)) }
      if gone != nil, !act.isDryRun { model.clear(.player(player)) }
    case .moveClock(let milliseconds):
      let move = GameClockMove(.milliseconds(milliseconds))
      _ = try await answer { () async throws(PlayerRefusal) in try await SetGameClock(run.desk)("g", move, change(act)) }
    case .resetClock:
      _ = try await answer { () async throws(PlayerRefusal) in try await ResetGameClock(run.desk)("g", change(act)) }
    case .catalog(let number): try await accept(number, act, run)
    case .wait(let seconds):
      model.wait(seconds: seconds)
      for host in hosts { host.setTime(model.now) }
      _ = try await ApplyWindowEdges(store: run.store)(now: Instant(seconds: model.now))
      _ = try await activation(run).due(now: Instant(seconds: model.now))
    case .fail(let slot, let value, let isWhole): try await fail(slot, value, isWhole: isWhole, run)
    case .backup, .restore: try await administer(act, run)
    case .restart:
      let served = try await run.store.contents()
      run.opened.close()
      run.directory.unlock()
      try compare(host.lastGood(), with: served)
      runs[act.host] = try await host.start()
    }
    model.activate(try await runs[act.host].store.contents().activations["g"]?.active)
  }

  private static func id(_ player: String) -> PlayerID { PlayerID(game: "g", player: player) }

  private func override(_ act: HistoryAct, _ run: HistoryRun) async throws {
    let (store, checking, change) = (run.store, run.checking, change(act))
    func take(_ outcome: OverrideOutcome?, at slot: HistorySlot, _ edit: (inout HistoryModel.Slot) -> Void) {
      guard let outcome, !act.isDryRun else { return }
      let before = model[slot]
      edit(&model[slot])
      model.note(line: outcome.audits.first, at: slot, before: before)
    }
    switch act.step {
    case .set(let slot, let value):
      let outcome = try await answer { () async throws(OverrideError) in
        try await SetOverride(store: store, checking: checking)(.integer(value), at: slot.slot, change)
      }
      take(outcome, at: slot) { $0.standing = HistoryModel.Override(value: value) }
    case .window(let slot, let value, let after, let lasting):
      let (from, until) = (model.now + after, model.now + after + lasting)
      let window = WindowRequest(from: Instant(seconds: from), until: Instant(seconds: until))
      let outcome = try await answer { () async throws(OverrideError) in
        try await SetOverride(store: store, checking: checking)(.integer(value), at: slot.slot, window: window, change)
      }
      take(outcome, at: slot) { $0.windows.append((from, until, HistoryModel.Override(value: value))) }
    case .remove(let slot):
      let outcome = try await answer { () async throws(OverrideError) in
        try await RemoveOverride(store: store, checking: checking)(slot.slot, change)
      }
      take(outcome, at: slot) { $0 = HistoryModel.Slot() }
    case .clear(let scope):
      let outcome = try await answer { () async throws(OverrideError) in
        try await ClearOverrides(store: store, checking: checking)(OverrideSelection(scope), in: "g", change)
      }
      if outcome != nil, !act.isDryRun { model.clear(scope) }
    case .importRows(let rows, let replacing): try await importing(rows, replacing: replacing, act, run)
    case .importMany(let value, let replacing):
      let players = HistoryGenerator.players + (0..<HistoryGenerator.playersOfLargeImport).map { "m\($0)" }
      let rows = players.map { (HistorySlot(player: $0, key: "b"), value) }
      try await importing(Dictionary(rows) { $1 }, replacing: replacing, act, run)
    case .revert:
      guard let line = model.last?.line else { return }
      let outcome = try await answer { () async throws(OverrideError) in
        try await RevertAudit(store: store, checking: checking)(line, in: "g", change)
      }
      if outcome != nil, !act.isDryRun { model.revert() }
    default: break
    }
  }

  private func importing(_ rows: [HistorySlot: Int64], replacing: Bool, _ act: HistoryAct, _ run: HistoryRun) async throws {
    let (store, checking, change) = (run.store, run.checking, change(act))
    let sorted = rows.sorted { $0.key.slot < $1.key.slot }
    let outcome = try await answer { () async throws(OverrideError) in
      try await ImportOverrides(store: store, checking: checking)(
        sorted.map { OverrideRow(player: $0.player, key: $0.key, value: .integer($1)) }, into: "g", replacing: replacing, change)
    }
    guard outcome != nil, !act.isDryRun else { return }
    if replacing { model.clear(.all) }
    for (slot, value) in rows { model[slot].standing = HistoryModel.Override(value: value) }
    model.forgetLine()
  }

  private func activation(_ run: HistoryRun) -> ActivateTemplate {
    ActivateTemplate(store: run.store, present: run.live.present, documents: HistoryDocuments())
  }

  private func template(_ act: HistoryAct, _ run: HistoryRun) async throws {
    switch act.step {
    case .push(let values, let after):
      let push = PushTemplate(store: run.store, present: run.live.present, documents: HistoryDocuments())
      let timing = after.map { TemplateTiming.at(Instant(seconds: model.now + $0)) } ?? .now
      let outcome = try await answer { () async throws(TemplateError) in
        try await push(HistoryDocuments.document(values), for: "g", timing, change(act))
      }
      if let outcome, !act.isDryRun { model.add(version: outcome.version.number, values) }
    case .activate(let number):
      _ = try await answer { () async throws(TemplateError) in try await activation(run)(number, of: "g", .now, change(act)) }
    default: break
    }
  }

  private func accept(_ number: Int, _ act: HistoryAct, _ run: HistoryRun) async throws {
    let former = file.number
    file.number = number
    _ = try await run.reload(now: Instant(seconds: model.now), because: .hangUp, isDryRun: act.isDryRun)
    if act.isDryRun { file.number = former } else { model.accept(number) }
  }

  /// A transaction whose first part writes everything and fails.
  private func fail(_ slot: HistorySlot, _ value: Int64, isWhole: Bool, _ run: HistoryRun) async throws {
    let now = Instant(seconds: model.now)
    do throws(HistoryRefusal) {
      try await run.store.write(WriteMode(scope: .game("g")), refusing: HistoryRefusal.self) { turn in
        do {
          try turn.attempt {
            let revision = try turn.nextRevision(of: "g")
            var overrides = KeyOverrides(slot: slot.slot)
            overrides.setStanding(
              OverrideRecord(slot: slot.slot, value: .integer(value), author: .daemon, reason: nil, at: now, revision: revision))
            try turn.put(overrides)
            try turn.setRevision(revision, at: slot.slot)
            try turn.setCatalogDigest(revision, of: "g")
            try turn.put(SimulatedClock.host.setting(to: now, host: now), ofGame: "g")
            try turn.put(TemplateActivation(active: nil, since: now), active: nil, of: "g")
            for player in HistoryGenerator.players { _ = try turn.forget(Self.id(player)) }
            turn.publish(.overrides(overrides, revision: revision, playerRevision: nil))
            throw HistoryRefusal.onPurpose
          }
        } catch HistoryRefusal.onPurpose {}
        turn.publish(.revision(game: "g", revision: try turn.nextRevision(of: "g")))
        if isWhole { throw HistoryRefusal.onPurpose }
      }
    } catch {
      if error != .onPurpose { throw HistoryFault(description: "the store says \(error)") }
    }
  }

  private func administer(_ act: HistoryAct, _ run: HistoryRun) async throws {
    guard case .sqlite(let store) = run.opened else { return }
    if case .backup = act.step {
      let made = try await store.backup().path
      // A start removes the copies that a killed daemon left.
      let path = made.replacing(".gameconfd-passing-", with: "backup-")
      guard rename(made, path) == 0 else { throw HistoryFault(description: "the backup cannot be moved") }
      backup = (path, model)
    } else if let backup {
      let change = StoreRestoration(
        author: Author(uid: 1, name: "ada"), reason: nil, at: Instant(seconds: model.now), isDryRun: act.isDryRun)
      _ = try await RestoreStore(store: store, administration: store, checking: run.checking)(from: backup.path, by: change)
      if act.isDryRun { return }
      model.restore(backup.model)
      self.backup = nil
    }
  }

  private func compare() async throws {
    for (host, run) in zip(hosts, runs) { try await host.catchUp(run) }
    compared += 1
    for (number, (host, run)) in zip(hosts, runs).enumerated() {
      let (served, stored) = (try await run.store.contents(), try await run.opened.load())
      if !HistoryWorld.areSame(served, stored) {
        try compare(HistoryWorld.lines(served), HistoryWorld.lines(stored), "host \(number) has", "the rows say")
      }
      let world = run.live.present.world
      let started = await host.world(of: stored)
      try compare(
        HistoryWorld.lines(world, now: model.now), HistoryWorld.lines(started, now: model.now), "host \(number) answers", "a start answers")
      for (slot, answer) in HistoryWorld.answers(world, now: model.now) { try compare(answer, at: slot, served.epoch) }
    }
  }

  private func compare(_ answer: EvaluatedValue, at slot: HistorySlot, _ epoch: UInt64) throws {
    let expected = model.answer(slot.key, slot.player)
    if answer.value != .integer(expected.value) || answer.layer != expected.layer {
      throw HistoryFault(
        description: "\(slot) is \(answer.value) (\(answer.layer.rawValue)), by the model \(expected.value) (\(expected.layer.rawValue))")
    }
    let name = NamedAnswer(epoch: epoch, slot: slot, revision: answer.revision)
    if let before = named.updateValue(answer.value, forKey: name), before != answer.value {
      throw HistoryFault(description: "\(slot) was \(before) and is \(answer.value) at the same revision \(answer.revision)")
    }
  }

  private func compare(_ one: Set<String>, _ other: Set<String>, _ name: String, _ otherName: String) throws {
    if one == other { return }
    let (mine, theirs) = (one.subtracting(other).sorted().prefix(6), other.subtracting(one).sorted().prefix(6))
    throw HistoryFault(
      description: "\n\(name):\n  \(mine.joined(separator: "\n  "))\n\(otherName):\n  \(theirs.joined(separator: "\n  "))")
  }

  private func compare(_ lastGood: LastGoodState?, with served: StoreContents) throws {
    var kept = StoreContents(
      revisions: lastGood?.revisions ?? [:], templates: lastGood?.templates ?? [:], clocks: lastGood?.clocks ?? [:])
    var expected = StoreContents(revisions: served.revisions, templates: served.templates, clocks: served.clocks)
    kept.overrides = Dictionary(grouping: lastGood?.overrides ?? [], by: \.slot).map { KeyOverrides(slot: $0, records: $1) }
    expected.overrides = served.overrides
    kept.epoch = expected.epoch
    kept.overrides.sort { $0.slot < $1.slot }
    if HistoryWorld.areSame(kept, expected) { return }
    try compare(HistoryWorld.lines(kept), HistoryWorld.lines(expected), "last-good.json has", "the store served")
  }
}
