// Ends scenarios, and renews the leases of others.
public import GameConfCore
public import GameConfStorage

extension PlayerService {
  /// Ends a scenario and undoes its changes, in several bounded transactions. The first one marks the scenario as ending and the last one
  /// deletes its row, so an interrupted end is continued later. An unknown scenario counts as ended already.
  /// - Parameters:
  ///   - why: The cause, for the audit log.
  ///   - stepsMax: The most transactions that this call makes. If more are needed, it throws, and a later call continues.
  /// - Returns: True if the scenario existed.
  @discardableResult
  public func endScenario(
    _ id: String, why: String, _ context: ChangeContext, stepsMax: Int = ScenarioLimits.endingStepsMax
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

  /// Ends the scenarios whose lease has expired. It is called before the daemon is ready, then every second.
  /// - Returns: The ended scenarios.
  package func endDueScenarios(now: Instant) async throws(StoreError) -> [StoredScenario] {
    let over = try await store.read { try $0.scenarios() }.filter { $0.isEnding || $0.leaseUntil <= now }
    var ended: [StoredScenario] = []
    for scenario in over {
      do throws(ChangeRefusal) {
        try await endScenario(scenario.id, why: "its lease was over", ChangeContext(author: .daemon, now: now))
        ended.append(scenario)
      } catch {
        if case .store(let storeError) = error { throw storeError }
      }
    }
    return ended
  }
}

/// One of the transactions that end a scenario.
private struct ScenarioEnding {
  let transaction: WriteTransaction
  let service: PlayerService
  let context: ChangeContext
  let why: String

  /// - Returns: True if another transaction must follow; nil if there is no such scenario.
  func step(_ id: String) throws -> Bool? {
    guard var scenario = try transaction.scenario(id) else { return nil }
    if !scenario.isEnding {
      // From now on, changes for players of the scenario are refused.
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
    line.detail = .object(ObjectValue((scenario.detail().objectValue?.members ?? []).map { ($0.name, $0.value) } + [("why", .string(why))]))
    try transaction.append(line)
    return false
  }

  /// Removes a limited number of the scenario's overrides in a game. The former values are in force again without a check.
  /// - Returns: True if there were overrides to remove.
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
    // Users may have set other overrides for the scenario's players, even for ids of players that are not stored. Such overrides are
    // searched among the overrides of all players.
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

  /// Forgets a limited number of the scenario's players in a game.
  /// - Returns: True if there were players to forget.
  private func forgetPlayers(of scenario: StoredScenario, in game: String) throws -> Bool {
    let found = try transaction.players(in: game, after: scenario.prefix, limit: ScenarioLimits.takenBackAtOnceMax)
      .filter { scenario.has(player: $0.player) }
    for each in found where service.world.world[game] == nil {
      // Without the game's catalog, only the player's rows in the database are removed.
      let id = PlayerID(game: game, player: each.player)
      _ = try transaction.nextPlayerRevision(each.player, in: game)
      _ = try transaction.forgetAnswers(of: id)
      _ = try transaction.forget(id, by: .forget)
    }
    for each in found where service.world.world[game] != nil {
      let change = ChangeContext(author: context.author, now: context.now, isAdmin: true)
      let id = PlayerID(game: game, player: each.player)
      _ = try PlayerEdit(transaction, service, id, context: nil, change, trustsMemory: false, takesUnreadable: true, isTakenBack: true)
        .forget(isAudited: false)
    }
    return !found.isEmpty
  }
}

extension PlayerService {
  /// Renews the lease of an active scenario, without a revision or an audit line. The lease's duration counts from now, and the lease never
  /// exceeds the scenario's latest end.
  /// - Throws: `.unknownScenario` for an ended scenario, `.store`.
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
