// A flag in flagd's own spelling, for people who ask why.

/// The trace of a flag.
public struct FlagTrace: Sendable, Hashable {
  /// True if the flag is switched on; one that is off is not looked at.
  public var isEnabled: Bool
  /// The outcome.
  public var outcome: FlagOutcome
  /// Its targeting; nil when it has none or is switched off.
  public var targeting: LogicTrace?
  /// True if its targeting has a `fractional` that wants the `targetingKey` the context lacks.
  public var lacksTargetingKey: Bool

  /// The outcome, in a clause.
  public var sentence: String {
    switch outcome {
    case .none(.disabled): return "the flag is disabled, so the parameter's own default answers"
    case .none: return "the flag names no variant, so the parameter's own default answers"
    case .error(_, let message): return "the flag cannot be evaluated, so the parameter's own default answers: \(message)"
    case .value(_, let variant, _):
      let given = targeting.map { $0.outcome.value != .null } ?? false
      let clause = given ? "targeting gave variant \(variant)" : "the default variant \(variant) answers"
      return lacksTargetingKey ? clause + "; the context has no targetingKey, which “fractional” hashes" : clause
    }
  }
}

extension FlagDefinition {
  /// Evaluates as ``evaluate(_:parameters:)`` does and keeps what happened. It allocates.
  public func explain(_ input: LogicInput, parameters: some ParameterLookup) -> FlagTrace {
    let targeting = isEnabled ? self.targeting?.trace(input, parameters: parameters) : nil
    let lacksKey = targeting?.conditions.contains { condition in
      condition.bucket == nil && condition.inputs.contains { $0.name == "targetingKey" && ($0.value ?? .null) == .null }
    }
    return FlagTrace(
      isEnabled: isEnabled, outcome: evaluate(input, parameters: parameters), targeting: targeting, lacksTargetingKey: lacksKey ?? false)
  }
}
