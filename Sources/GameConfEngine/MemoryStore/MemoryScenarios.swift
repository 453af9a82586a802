// Scenarios in the memory store.

extension MemoryTurn {
  /// The scenario of that id.
  public func scenario(_ id: String) -> StoredScenario? { state.scenarios[id] }

  /// Every scenario in force.
  public func scenarios() -> [StoredScenario] { state.scenarios.values.sorted { $0.id < $1.id } }

  /// Adds a scenario, or replaces what is known of it.
  public func put(_ scenario: StoredScenario) { change { $0.scenarios[scenario.id] = scenario } }

  /// Removes a scenario.
  public func removeScenario(_ id: String) { change { $0.scenarios[id] = nil } }
}
