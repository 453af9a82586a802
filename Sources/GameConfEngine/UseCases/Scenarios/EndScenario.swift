// Takes scenarios back, and keeps the leases of those that go on.
public import GameConfCore
public import GameConfStorage

extension PlayerService {
  /// Takes a scenario back in steps that are bounded, and can be repeated: it is marked first, and its row goes last. One that is not there is taken back
  /// already.
  /// - Parameters:
  ///   - why: for the audit log: what ended it.
  ///   - stepsMax: the transactions after which the rest is left for later.
  /// - Returns: whether it was there.
  @discardableResult
  public func endScenario(
    _ id: String, why: String, _ context: Change, stepsMax: Int = ScenarioLimits.endingStepsMax
  ) async throws(ChangeRefusal) -> Bool {
    if context.isDryRun {
      do throws(StoreError) { return try await store.read { try $0.scenario(id) } != nil } catch { throw .store(error) }
    }
    var wasThere = false
    for _ in 0..<stepsMax {
      let isLeft = try await store.write(refusing: ChangeRefusal.self) { transaction in
        try ScenarioEnding(transaction: transaction, service: self, context: context, why: why).step(id)
      }
      guard let isLeft else { return wasThere }
      wasThere = true
      if !isLeft { return true }
    }
    throw .store(.failed("the scenario \(id) is not undone after \(stepsMax) steps, and goes on later"))
  }

  /// Takes back what nobody has renewed: before the daemon is ready, then each second.
  /// - Returns: the scenarios that were taken back.
  package func endDueScenarios(now: Instant) async throws(StoreError) -> [StoredScenario] {
    let over = try await store.read { try $0.scenarios() }.filter { $0.isEnding || $0.leaseUntil <= now }
    var ended: [StoredScenario] = []
    for scenario in over {
      do throws(ChangeRefusal) {
        try await endScenario(scenario.id, why: "its lease was over", Change(author: .daemon, now: now))
        ended.append(scenario)
      } catch {
        if case .store(let storeError) = error { throw storeError }
      }
    }
    return ended
  }
}

/// One step of taking a scenario back.
private struct ScenarioEnding {
  let transaction: WriteTransaction
  let service: PlayerService
  let context: Change
  let why: String

  /// - Returns: whether there is more to do; nil when there is no such scenario.
  func step(_ id: String) throws -> Bool? {
    guard var scenario = try transaction.scenario(id) else { return nil }
    if !scenario.isEnding {
      // From here on nobody makes a player of it any more, or overrides a value for one.
      scenario.isEnding = true
      try transaction.put(scenario)
      return true
    }
    for game in scenario.games {
      if try release(scenario, in: game) { return true }
      if try forgetPlayers(of: scenario, in: game) { return true }
      let shared = PlayerID(game: game, player: scenario.prefix)
      _ = try transaction.forget(shared, by: .forget)
    }
    try transaction.removeScenario(id)
    var line = AuditRecord(context, action: .scenarioEnded)
    line.detail = .object(ObjectValue((scenario.told().objectValue?.members ?? []).map { ($0.name, $0.value) } + [("why", .string(why))]))
    try transaction.append(line)
    return false
  }

  /// Takes some of the values back. What was in force before them is so again, which nothing has to admit.
  /// - Returns: whether there were any.
  private func release(_ scenario: StoredScenario, in game: String) throws -> Bool {
    var left: [(before: KeyOverrides, after: KeyOverrides)] = []
    for hold in scenario.holds where hold.game == game && left.count < ScenarioLimits.takenBackAtOnceMax {
      guard let window = hold.window else { continue }
      let before = try transaction.overrides(at: OverrideSlot(game: game, key: hold.key))
      var after = before
      if !after.remove(window: window).isEmpty { left.append((before, after)) }
    }
    for own in try transaction.overrides(in: game, OverrideSelection(.player(scenario.prefix))).prefix(ScenarioLimits.takenBackAtOnceMax) {
      left.append((own, KeyOverrides(slot: own.slot)))
    }
    // Others may have overridden what the scenario does not hold, for players who need not have done anything, so that no row of theirs names
    // them.
    if left.isEmpty {
      let others = try transaction.overrides(in: game, OverrideSelection(.players)).filter { $0.slot.player.map(scenario.has) ?? false }
      left = others.prefix(ScenarioLimits.takenBackAtOnceMax).map { ($0, KeyOverrides(slot: $0.slot)) }
    }
    if left.isEmpty { return false }
    let revision = try transaction.nextRevision(of: game)
    var playerRevisions: [ByteText: Int64] = [:]
    for (before, after) in left {
      let slot = after.slot
      let player = slot.player.map(ByteText.init)
      if let player, playerRevisions[player] == nil { playerRevisions[player] = try transaction.nextPlayerRevision(player.text, in: game) }
      try transaction.put(after, revision: revision, playerRevision: player.flatMap { playerRevisions[$0] })
      var line = AuditRecord(context, action: .overrideRemoved, game: game)
      line.reason = why
      (line.player, line.key, line.revision) = (slot.player, slot.key, revision)
      line.before = before.records.first { record in !after.records.contains { $0.window?.id == record.window?.id } }?.value
      line.after = after.inForce?.value
      try transaction.append(line)
    }
    return true
  }

  /// Forgets some of the players.
  /// - Returns: whether there were any.
  private func forgetPlayers(of scenario: StoredScenario, in game: String) throws -> Bool {
    let found = try transaction.players(in: game, after: scenario.prefix, limit: ScenarioLimits.takenBackAtOnceMax)
      .filter { scenario.has(player: $0.player) }
    for each in found where service.world.world[game] == nil {
      // Of a game that is served no more nothing is looked at that its catalog would explain.
      let id = PlayerID(game: game, player: each.player)
      _ = try transaction.nextPlayerRevision(each.player, in: game)
      _ = try transaction.forgetAnswers(of: id)
      _ = try transaction.forget(id, by: .forget)
    }
    for each in found where service.world.world[game] != nil {
      let change = Change(author: context.author, now: context.now, isAdmin: true)
      let id = PlayerID(game: game, player: each.player)
      _ = try PlayerEdit(transaction, service, id, context: nil, change, trustsMemory: false, takesUnreadable: true, isTakenBack: true)
        .forget(tells: false)
    }
    return !found.isEmpty
  }
}

extension PlayerService {
  /// Moves the end of a scenario's lease on, and nothing else: no revision, no line in the audit log.
  /// - Throws: `.unknown` for a scenario that is over, `.store`.
  public func renewLease(_ id: String, now: Instant, isDryRun: Bool) async throws(ChangeRefusal) -> StoredScenario {
    try await store.write(WriteMode(isDryRun: isDryRun), refusing: ChangeRefusal.self) { transaction in
      guard var scenario = try transaction.scenario(id), !scenario.isEnding, scenario.leaseUntil > now else {
        throw ChangeRefusal.unknownScenario(id)
      }
      let until = Instant(milliseconds: now.milliseconds + scenario.leaseSeconds * 1000)
      scenario.leaseUntil = min(max(until, scenario.leaseUntil), scenario.endsAt)
      try transaction.put(scenario)
      return scenario
    }
  }
}
