// The health of the daemon.

/// Answer of `/health/live` and `/health/ready`: the state in one word, and the degradations that cause it.
public struct HealthAnswer: WireObject {
  /// The states of the daemon's health. In the states `ready` and `degraded`, every accepted game is served.
  public enum HealthState: String, WireWord {
    /// The process answers requests; its games are not checked.
    case live
    /// Every game with an accepted catalog is served.
    case ready
    /// Every game with an accepted catalog is served, though there is a fault.
    case degraded
  }

  package var status = HealthState.live
  package var degraded: [Degradation] = []

  package init() {}

  package init(status: HealthState, degraded: [Degradation] = []) {
    self.status = status
    self.degraded = degraded
  }

  package static var about: String { "The daemon's health." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("status", &status, "The state.")
    fields.usual("degraded", &degraded, "The problems.")
  }
}
