// Whether the daemon lives and serves.

public import GameConfCore

/// Answer of `/health/live` and `/health/ready`.
public struct HealthAnswer: WireShape {
  /// How it is.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// The process answers.
    case live
    /// Every accepted game is served.
    case ready
    /// Every accepted game is served, though something is not as it should be.
    case degraded
    /// Not yet, or no longer.
    case notReady = "not_ready"
  }

  /// How it is.
  public var status: State
  /// What is not as it should be.
  public var degraded: [Degradation]

  /// An answer.
  public init(status: State, degraded: [Degradation] = []) {
    self.status = status
    self.degraded = degraded
  }

  /// Its JSON.
  public var wire: Value { .object(ObjectValue([("status", .string(status.rawValue))]).with("degraded", degraded)) }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    status = try members.word("status")
    degraded = try members.shapes("degraded")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "How the daemon is.", required: ["status": SchemaText.words(State.self)],
      optional: ["degraded": SchemaText.list(Degradation.self)])
  }
}
