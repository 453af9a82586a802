// The calls about scenarios. A scenario sets up a test run in one transaction, and reverts it at the end.

extension Calls {
  private static let path = "/v1/scenarios"

  package static let beginScenario = Call<ScenarioRequest, ScenarioAnswer>(
    "beginScenario", .post, path, on: admin, needs: .tester, changes: .scenarios, statuses: [201, 200], offers: [.panel],
    "Begins a scenario, as a whole or not at all. DELETE or the end of its lease undoes it. Answers 200 for a dry run.")
  package static let scenarios = Call<NoBody, ScenarioList>(
    "scenarios", .get, path, on: admin, offers: [.panel, .furtherTool], "The scenarios in force, by when they began.")
  package static let scenario = Call<NoBody, ScenarioAnswer>(
    "scenario", .get, path + "/{scenario}", on: admin, offers: [.panel, .furtherTool],
    "A scenario in force: its lease and the keys that it overrides.")
  package static let endScenario = Call<NoBody, ScenarioAnswer>(
    "endScenario", .delete, path + "/{scenario}", on: admin, needs: .asBegun, changes: .daemon, query: [.reason], statuses: [204, 200],
    offers: [.panel],
    "Ends a scenario and undoes it; one for a whole game needs its author or an admin. Answers 204, also if it is no longer in force, or 200 with the effect for a dry run."
  )
  package static let renewScenario = Call<NoBody, WireScenario>(
    "renewScenario", .put, path + "/{scenario}/lease", on: admin, needs: .asBegun, changes: .daemon, offers: [.panel],
    "Renews a scenario's lease, and changes nothing else; one for a whole game needs an admin.")
}
