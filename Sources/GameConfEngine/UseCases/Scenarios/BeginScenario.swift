// Starts a scenario atomically.
import GameConfCore
import GameConfStorage

extension PlayerService {
  /// Starts a scenario in one transaction.
  ///
  /// The scenario's values become overrides for all its present and future players, stored under the common prefix of their ids. For a
  /// whole game they become time windows that the scenario owns. The scenario's players are created as their games would create them.
  /// - Parameter id: The new scenario's unique id.
  /// - Throws: ``ChangeRefusal``, with the position in the request.
  public func begin(
    _ plan: ScenarioPlan, id: String, _ context: ChangeContext, remembering: RepeatableChange<ScenarioStartOutcome, ChangeRefusal>? = nil
  ) async throws(ChangeRefusal) -> ChangeAnswer<ScenarioStartOutcome> {
    let players = plan.games.reduce(0) { $0 + $1.players.count }
    if plan.steps > ScenarioLimits.stepsMax { throw .scenarioTooLarge("steps", count: plan.steps, max: ScenarioLimits.stepsMax) }
    if players > ScenarioLimits.playersMax { throw .scenarioTooLarge("players", count: players, max: ScenarioLimits.playersMax) }
    do throws(ChangeRefusal) { try rates.countWrite(by: context.author.uid) } catch { throw .part(error, pointer: "") }
    // The transaction has a batch of its own. Later transactions are decided on the published world, and so its changes must be published
    // before them.
    return try await store.change(
      WriteMode(isDryRun: context.isDryRun, isAlone: true), remembering: remembering, reused: .repeatedWithOtherContent
    ) { transaction in
      try ScenarioEdit(transaction: transaction, service: self, plan: plan, id: id, context: context).begin()
    }
  }
}

/// The start of a scenario within the writer's transaction.
private struct ScenarioEdit {
  let transaction: WriteTransaction
  let service: PlayerService
  let plan: ScenarioPlan
  let id: String
  let context: ChangeContext

  func begin() throws -> ScenarioStartOutcome {
    try admit()
    var scenario = StoredScenario(
      id: id, title: plan.title, author: context.author, reason: context.reason, startedAt: context.now, leaseSeconds: plan.leaseSeconds,
      games: plan.games.map(\.game))
    scenario.isForGame = plan.isForGame
    // The scenario is stored first, because changes for its players require an active scenario.
    try transaction.put(scenario)
    var steps: [ScenarioStep] = []
    var world = service.world.world
    for game in plan.games {
      let (slots, revision) = try force(game, &scenario, &steps)
      world = world.applying(slots.map { .overrides($0, revision: revision, playerRevision: nil) })
    }
    try transaction.put(scenario)
    // Scores and gates are decided with the values that the scenario has just overridden, although they are not published yet.
    let service = PlayerService(store: service.store, world: CurrentWorld(world), recent: service.recent, rates: service.rates)
    for game in plan.games {
      for player in game.players { try prepare(player, in: game.game, service, &steps) }
    }
    var line = AuditRecord(context, action: .scenarioBegun)
    line.detail = scenario.detail(steps: steps.count)
    try transaction.append(line)
    return ScenarioStartOutcome(scenario: scenario, steps: steps, isForGame: plan.isForGame)
  }

  private func admit() throws {
    let live = try transaction.scenarios()
    if live.count >= ScenarioLimits.liveMax { throw ChangeRefusal.tooManyScenarios(max: ScenarioLimits.liveMax, ofUser: false) }
    if live.count(where: { $0.author.uid == context.author.uid }) >= ScenarioLimits.livePerUserMax {
      throw ChangeRefusal.tooManyScenarios(max: ScenarioLimits.livePerUserMax, ofUser: true)
    }
  }

  /// Overrides the scenario's values in a game, and records the overridden keys as held by the scenario.
  /// - Returns: The changed overrides, and the game's revision; 0 if the scenario has no values for the game.
  private func force(
    _ game: ScenarioPlan.Game, _ scenario: inout StoredScenario, _ steps: inout [ScenarioStep]
  ) throws -> (slots: [KeyOverrides], revision: Int64) {
    var pointer = game.pointer
    do {
      let edit = try OverrideEdit(transaction, WorldChecking(service.world), game: game.game, context, holder: id)
      if game.overrides.isEmpty { return ([], 0) }
      let revision = try transaction.nextRevision(of: game.game)
      var changes: [OverrideEdit.SlotChange] = []
      for each in game.overrides {
        pointer = each.pointer
        let slot = OverrideSlot(game: game.game, player: plan.isForGame ? nil : scenario.prefix, key: each.key)
        // If another scenario holds the key, the refusal says so, instead of naming that scenario's window as an overlap.
        try edit.checkHold(on: slot)
        let before = try edit.load(slot)
        let record = edit.record(try edit.admit(each.value, at: slot), at: slot, revision: revision)
        var change = OverrideEdit.SlotChange(before: before, after: before, action: .overrideSet)
        if plan.isForGame {
          let window = OverrideWindow(id: "scn\(id)", from: context.now, until: scenario.endsAt)
          do throws(WindowFault) { try change.after.add(record, window: window, now: context.now) } catch {
            if case .overlap(let other) = error { throw ChangeRefusal.windowInTheWay(other, slot, pointer: pointer) }
            throw ChangeRefusal.window(error)
          }
          (change.action, change.window) = (.windowAdded, window.id)
        } else {
          change.after.setPermanent(record)
        }
        changes.append(change)
        scenario.holds.append(StoredScenario.HeldKey(game: game.game, key: each.key, window: change.window))
        steps.append(
          ScenarioStep(game: game.game, player: plan.isForGame ? nil : scenario.prefix, what: "value", name: each.key, result: record.value)
        )
      }
      pointer = game.pointer
      let outcome = try edit.commit(changes, revision: revision)
      return (outcome.slots, revision)
    } catch let refusal as ChangeRefusal {
      throw ChangeRefusal.part(refusal, pointer: pointer)
    }
  }

  private func prepare(_ player: ScenarioPlan.Player, in game: String, _ service: PlayerService, _ steps: inout [ScenarioStep]) throws {
    let change = ChangeContext(author: context.author, reason: context.reason, now: context.now, isAdmin: true)
    let playerID = PlayerID(game: game, player: ScenarioNames.players(of: id) + player.name)
    var pointer = player.pointer
    func step(_ what: String, _ name: String? = nil, _ result: Value? = nil) {
      steps.append(ScenarioStep(game: game, player: playerID.player, what: what, name: name, result: result))
    }
    func edit() throws -> PlayerEdit { try PlayerEdit(transaction, service, playerID, context: nil, change, trustsMemory: false) }
    do {
      if let clock = player.clock {
        pointer = player.pointer + "/clock"
        step("clock", nil, .string(try edit().move(clock).outcome.now.text))
      }
      if let scores = player.scores {
        pointer = player.pointer + "/scores"
        let changed = try edit().set(scores)
        step("scores", nil, .list(changed.outcome.milestones.map(Value.string)))
      }
      for purchase in player.purchases {
        pointer = purchase.pointer
        let bought = try edit().act(.purchase(product: purchase.product, currency: purchase.currency)).outcome
        step("purchase", purchase.product, .string(bought.status.rawValue))
        guard let transaction = bought.transaction else {
          if purchase.acts.isEmpty { continue }
          throw ChangeRefusal.notBought(product: purchase.product, status: bought.status.rawValue, pointer: pointer)
        }
        var current = transaction
        for (at, act) in purchase.acts.enumerated() {
          pointer = purchase.pointer + "/then/\(at)"
          let outcome = try edit().act(act.act(current)).outcome
          current = outcome.transaction ?? current
          step(act.word, purchase.product, .string(outcome.status.rawValue))
        }
      }
      if let behaviour = player.behaviour {
        pointer = player.pointer + "/behaviour"
        _ = try edit().act(.behave(behaviour))
        step("behaviour")
      }
    } catch let refusal as ChangeRefusal {
      throw ChangeRefusal.part(refusal, pointer: pointer)
    } catch let refusal as Refusal {
      throw ChangeRefusal.part(.refused(refusal), pointer: pointer)
    }
  }
}

extension StoredScenario {
  /// The scenario in the form of the audit log.
  func detail(steps: Int? = nil) -> Value {
    var object = ObjectValue([("scenario", .string(id)), ("games", .list(games.map(Value.string)))])
    object["title"] = title.map(Value.string)
    object["steps"] = steps.map { .integer(Int64($0)) }
    return .object(object)
  }
}

extension AuditAction {
  static let scenarioBegun = AuditAction(.scenarioBegun)
  /// A scenario ended, and its changes were undone.
  static let scenarioEnded = AuditAction(.scenarioEnded)
}
