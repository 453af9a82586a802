// The calls about scenarios: everything a test run needs, put in force at once and taken back at its end.

extension Calls {
  private static let path = "/v1/scenarios"

  package static let beginScenario = Call<ScenarioRequest, ScenarioAnswer>(
    "beginScenario", .post, path, on: admin, needs: .tester, changes: .scenarios, statuses: [201, 200],
    "Puts a scenario in force, all of it at once or nothing; 200 for a dry run. It is taken back on DELETE or when its lease is over.")
  package static let scenarios = Call<NoBody, ScenarioList>(
    "scenarios", .get, path, on: admin, "The scenarios in force, by when they began.")
  package static let scenario = Call<NoBody, ScenarioAnswer>(
    "scenario", .get, path + "/{scenario}", on: admin, "A scenario in force: its lease and the keys it holds.")
  package static let endScenario = Call<NoBody, ScenarioAnswer>(
    "endScenario", .delete, path + "/{scenario}", on: admin, needs: .tester, changes: .daemon, query: [.reason], statuses: [204, 200],
    "Takes a scenario back; 204 when all is as before, also where no such scenario is in force any more. A dry run answers 200 with what would go, else 204."
  )
  package static let renewScenario = Call<NoBody, WireScenario>(
    "renewScenario", .put, path + "/{scenario}/lease", on: admin, needs: .tester, changes: .daemon,
    "Renews a scenario's lease, and changes nothing else.")
}
