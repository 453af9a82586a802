// The routes that start, show, renew and end scenarios.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage

struct ScenarioRoutes {
  let services: DaemonServices

  var routes: [CallRoute] {
    [
      CallRoute(Calls.beginScenario) { call throws(Problem) in try begin(call) },
      CallRoute(Calls.scenarios) { _ throws(Problem) in
        .task { () async throws(Problem) in
          let live = try await services.liveScenarios().sorted { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) }
          return .ok(ScenarioList(scenarios: live.map { $0.wire() }))
        }
      },
      CallRoute(Calls.scenario) { call throws(Problem) in
        let id = call.path("scenario")
        return .task { () async throws(Problem) in .ok(try await found(id).wire()) }
      },
      CallRoute(Calls.endScenario) { call throws(Problem) in try end(call) },
      CallRoute(Calls.renewScenario) { call throws(Problem) in
        let (id, isDryRun) = (call.path("scenario"), call.flag(.dryRun))
        return .task { () async throws(Problem) in
          try call.endpoint.require(call.role, isAboutPlayer: try await live(id)?.isForGame != true)
          do throws(ChangeRefusal) {
            return .ok(try await services.players.renewLease(id, now: services.clock.now, isDryRun: isDryRun).figures)
          } catch { throw Problem(error) }
        }
      },
    ]
  }

  private func begin(_ call: CallContext<ScenarioRequest>) throws(Problem) -> TypedReply<ScenarioAnswer> {
    let context = try call.change(about: "", reason: call.body.reason, now: services.clock.now)
    let plan = try ScenarioRequestParser(call.body, in: call.request).plan
    if plan.isForGame, call.role.rank < .admin {
      throw Problem(
        .notPermitted, "Only an admin may begin a scenario whose values are for a whole game; leave scope out.", pointer: "/scope")
    }
    let id = Self.newID()
    // The answer for repeated requests is stored with the plan's first game.
    return try call.changing(in: plan.games.first?.game ?? "", at: context.now) { (started: ScenarioStartOutcome) in
      let answer = started.wire(isDryRun: context.isDryRun)
      return context.isDryRun ? .ok(answer) : .created(answer, at: Calls.scenario.target(["scenario": id]))
    } perform: { remembering async throws(ChangeRefusal) in
      try await services.players.begin(plan, id: id, context, remembering: remembering)
    }
  }

  private func end(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<ScenarioAnswer> {
    let id = call.path("scenario")
    return .task { () async throws(Problem) in
      let live = try await live(id)
      let context = try call.change(
        about: live?.isForGame == true ? nil : "", reason: nil, now: services.clock.now, isOwn: live?.author.uid == call.role.uid)
      if context.isDryRun {
        // Ending a scenario that does not exist succeeds, in a dry run too.
        guard let live else { return .noContent() }
        var answer = live.wire()
        answer.isDryRun = true
        return .ok(answer)
      }
      do throws(ChangeRefusal) {
        try await services.players.endScenario(id, why: "it was ended", context)
        return .noContent()
      } catch { throw Problem(error) }
    }
  }

  /// Returns the scenario with this id; nil if it is not in force.
  private func live(_ id: String) async throws(Problem) -> StoredScenario? {
    try await services.liveScenarios().first { $0.id == id }
  }

  private func found(_ id: String) async throws(Problem) -> StoredScenario {
    let found: StoredScenario?
    do throws(StoreError) { found = try await services.store.read { try $0.scenario(id) } } catch { throw Problem(error) }
    guard let found else { throw Problem(ChangeRefusal.unknownScenario(id)) }
    return found
  }

  private static func newID() -> String {
    var random = SystemRandomNumberGenerator()
    let bits = random.next() as UInt64
    return String(SHA256.hex((0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }).prefix(ScenarioNames.idDigits))
  }
}

extension DaemonServices {
  func liveScenarios() async throws(Problem) -> [StoredScenario] {
    do throws(StoreError) { return try await store.read { try $0.scenarios() } } catch { throw Problem(error) }
  }
}

extension StoredScenario {
  var figures: WireScenario {
    WireScenario(
      id: id, title: title, prefix: prefix, author: author.wire, reason: reason, startedAt: startedAt, leaseUntil: leaseUntil,
      leaseSeconds: leaseSeconds, endsAt: endsAt, isEnding: isEnding)
  }

  fileprivate func wire(steps: [WireScenarioStep] = [], warnings: [String] = [], isDryRun: Bool = false) -> ScenarioAnswer {
    ScenarioAnswer(
      scenario: figures, games: games, holds: holds.map { WireHold(game: $0.game, key: $0.key, window: $0.window) }, steps: steps,
      warnings: warnings, isDryRun: isDryRun)
  }
}

extension ScenarioStartOutcome {
  fileprivate func wire(isDryRun: Bool) -> ScenarioAnswer {
    let wireSteps = steps.map { WireScenarioStep(game: $0.game, player: $0.player, did: $0.what, name: $0.name, result: $0.result) }
    let warning =
      "Its values are for every player of \(scenario.games.joined(separator: ", ")), not only for its own players (scope: game)."
    return scenario.wire(steps: wireSteps, warnings: isForGame ? [warning] : [], isDryRun: isDryRun)
  }
}
