// The steps of a history on one daemon: the use cases that they call, and the answers.
import GameConfCore
import GameConfEngine

@testable import GameConfStorage

/// The part of an answer that the model cannot predict from the step.
struct HistoryAnswer: Sendable {
  /// The id of the audit line, if one slot was changed.
  var line: Int64?
  /// The revision of the change, if it changed one slot.
  var revision: Int64?
  /// The version of the pushed template.
  var version: Int64?
}

/// A failure of the store, which is a valid answer only when a simulated disk fails.
struct HistoryStoreTrouble: Error, CustomStringConvertible {
  let description: String
}

extension HistoryRun {
  /// Performs a step by a use case of the daemon.
  /// - Parameter model: The model before the step.
  /// - Returns: The answer; nil if the step was refused or a dry run.
  func perform(_ act: HistoryAct, by model: HistoryModel) async throws -> HistoryAnswer? {
    let answer: HistoryAnswer?
    switch act.step {
    case .set, .window, .remove, .clear, .importRows, .importMany, .revert: answer = try await override(act, model)
    case .push, .activate: answer = try await template(act, model)
    case .visit(let player):
      answer = try await self.answer { () async throws(ChangeRefusal) in
        try await service.change(Self.id(player), .openVisit, change(act, model))
      }
    case .forget(let player):
      answer = try await self.answer { () async throws(ChangeRefusal) in
        try await service.change(Self.id(player), .forget, change(act, model))
      }
    case .reset(let player):
      answer = try await self.answer { () async throws(ChangeRefusal) in
        try await service.change(Self.id(player), .reset, change(act, model))
      }
    case .moveClock(let milliseconds):
      let move = GameClockMove(.milliseconds(milliseconds))
      answer = try await self.answer { () async throws(ChangeRefusal) in try await service.setClock(of: "g", move, change(act, model)) }
    case .resetClock:
      answer = try await self.answer { () async throws(ChangeRefusal) in try await service.resetClock(of: "g", change(act, model)) }
    case .fail(let slot, let value, let isWhole): answer = try await fail(slot, value, isWhole: isWhole, model)
    case .catalog, .wait, .backup, .restore, .restart: answer = nil
    }
    return act.isDryRun ? nil : answer
  }

  /// Opens and closes the time windows that are due, and applies the scheduled changes that are due.
  func applyDue(now: Int64) async throws {
    _ = try await store.applyWindowEdges(now: Instant(seconds: now))
    _ = try await activation.activateDue(now: Instant(seconds: now))
  }

  static func id(_ player: String) -> PlayerID { PlayerID(game: "g", player: player) }

  private func change(_ act: HistoryAct, _ model: HistoryModel) -> ChangeContext {
    ChangeContext(
      author: Author(uid: 1, name: "ada"), reason: "history", now: Instant(seconds: model.now), isDryRun: act.isDryRun, isAdmin: true)
  }

  /// Returns the answer of a use case; nil if it refuses.
  private func fresh<Answer: Sendable, Refusal: StoreRefusal>(_ body: () async throws(Refusal) -> ChangeAnswer<Answer>) async throws
    -> Answer?
  {
    do throws(Refusal) { return try await body().fresh } catch {
      let words = "\(error)"
      if words.hasPrefix("store(") { throw HistoryStoreTrouble(description: "the store says \(words)") }
      return nil
    }
  }

  private func answer<Answer: Sendable, Refusal: StoreRefusal>(
    _ body: () async throws(Refusal) -> ChangeAnswer<Answer>
  ) async throws -> HistoryAnswer? { try await fresh(body).map { _ in HistoryAnswer() } }

  private func override(_ act: HistoryAct, _ model: HistoryModel) async throws -> HistoryAnswer? {
    let change = change(act, model)
    let outcome: OverrideOutcome?
    switch act.step {
    case .set(let slot, let value):
      outcome = try await fresh { () async throws(ChangeRefusal) in
        try await OverrideService(store: store, checking: checking).change(.set(.integer(value)), at: slot.slot, change)
      }
    case .window(let slot, let value, let after, let lasting):
      let (from, until) = (model.now + after, model.now + after + lasting)
      let window = WindowRequest(from: Instant(seconds: from), until: Instant(seconds: until))
      outcome = try await fresh { () async throws(ChangeRefusal) in
        try await OverrideService(store: store, checking: checking).change(.set(.integer(value), window: window), at: slot.slot, change)
      }
    case .remove(let slot):
      outcome = try await fresh { () async throws(ChangeRefusal) in
        try await OverrideService(store: store, checking: checking).change(.remove(), at: slot.slot, change)
      }
    case .clear(let scope):
      outcome = try await fresh { () async throws(ChangeRefusal) in
        try await OverrideService(store: store, checking: checking).clear(OverrideSelection(scope), in: "g", change)
      }
    case .importRows(let rows, let replacing): outcome = try await importing(rows, replacing: replacing, change)
    case .importMany(let value, let replacing):
      outcome = try await importing(HistoryModel.rowsOfLargeImport(value), replacing: replacing, change)
    case .revert:
      guard let line = model.last?.line else { return nil }
      outcome = try await fresh { () async throws(ChangeRefusal) in
        try await OverrideService(store: store, checking: checking).revert(line, in: "g", change)
      }
    default: return nil
    }
    return outcome.map { HistoryAnswer(line: $0.audits.first, revision: $0.audits.isEmpty ? nil : $0.revision) }
  }

  private func importing(_ rows: [HistorySlot: Int64], replacing: Bool, _ change: ChangeContext) async throws -> OverrideOutcome? {
    let sorted = rows.sorted { $0.key.slot < $1.key.slot }
    return try await fresh { () async throws(ChangeRefusal) in
      try await OverrideService(store: store, checking: checking).importRows(
        sorted.map { OverrideRow(player: $0.player, key: $0.key, value: .integer($1)) }, into: "g", replacing: replacing, change)
    }
  }

  private var activation: TemplateService { TemplateService(store: store, present: live.present, documents: HistoryDocuments()) }

  private func template(_ act: HistoryAct, _ model: HistoryModel) async throws -> HistoryAnswer? {
    switch act.step {
    case .push(let values, let after):
      let timing = after.map { TemplateTiming.at(Instant(seconds: model.now + $0)) } ?? .now
      let outcome = try await fresh { () async throws(TemplateError) in
        try await activation.push(HistoryDocuments.document(values), for: "g", timing, change(act, model))
      }
      return outcome.map { HistoryAnswer(version: $0.version.number) }
    case .activate(let number):
      return try await answer { () async throws(TemplateError) in try await activation.activate(number, of: "g", .now, change(act, model)) }
    default: return nil
    }
  }

  /// Runs a transaction whose first part writes everything and fails.
  private func fail(_ slot: HistorySlot, _ value: Int64, isWhole: Bool, _ model: HistoryModel) async throws -> HistoryAnswer? {
    let now = Instant(seconds: model.now)
    do throws(HistoryRefusal) {
      try await store.write(WriteMode(scope: .game("g")), refusing: HistoryRefusal.self) { transaction in
        do {
          try transaction.attempt {
            let revision = try transaction.nextRevision(of: "g")
            var overrides = KeyOverrides(slot: slot.slot)
            overrides.setPermanent(
              OverrideRecord(slot: slot.slot, value: .integer(value), author: .daemon, reason: nil, at: now, revision: revision))
            try transaction.put(overrides, revision: revision)
            try transaction.accept(revision, changing: ["size"], at: revision, of: "g")
            try transaction.put(SimulatedClock.host.setting(to: now, host: now), ofGame: "g")
            try transaction.schedule(TemplateActivation(active: nil, since: now), of: "g")
            for player in HistoryGenerator.players { _ = try transaction.forget(Self.id(player), by: .forget) }
            throw HistoryRefusal.onPurpose
          }
        } catch HistoryRefusal.onPurpose {}
        _ = try transaction.nextRevision(of: "g")
        if isWhole { throw HistoryRefusal.onPurpose }
      }
      return HistoryAnswer()
    } catch {
      if error != .onPurpose { throw HistoryStoreTrouble(description: "the store says \(error)") }
      return nil
    }
  }
}
