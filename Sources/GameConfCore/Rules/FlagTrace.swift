// Records the evaluation of a flagd flag for explanations.

/// The steps by which a flag got its value, for explanations.
public struct FlagTrace: Sendable, Hashable {
  /// True if the flag is enabled. Otherwise its targeting is not evaluated.
  public var isEnabled: Bool
  /// The value with its variant, the absence of a value, or an error.
  public var outcome: FlagOutcome
  /// The recorded evaluation of its targeting; nil if it has none or is disabled.
  public var targeting: LogicTrace?
  /// True if `fractional` needed a `targetingKey` that the context does not have.
  public var needsTargetingKey: Bool

  /// The result as a clause for people.
  public var sentence: String {
    switch outcome {
    case .none(.disabled): return "the flag is disabled, so the parameter's own default answers"
    case .none: return "the flag names no variant, so the parameter's own default answers"
    case .error(_, let message): return "the flag cannot be evaluated, so the parameter's own default answers: \(message)"
    case .value(_, let variant, _):
      let given = targeting.map { $0.outcome.value != .null } ?? false
      let clause = given ? "targeting gave variant \(variant)" : "the default variant \(variant) answers"
      return needsTargetingKey ? clause + "; the context has no targetingKey, which “fractional” hashes" : clause
    }
  }
}

extension FlagDefinition {
  /// Evaluates the flag like ``evaluate(_:parameters:)`` and records each step. Unlike it, this allocates memory.
  public func explain(_ input: LogicInput, parameters: some ParameterLookup) -> FlagTrace {
    let targeting = isEnabled ? self.targeting?.trace(input, parameters: parameters) : nil
    let needsKey = targeting?.conditions.contains { condition in
      condition.bucket == nil && condition.inputs.contains { $0.name == "targetingKey" && ($0.value ?? .null) == .null }
    }
    return FlagTrace(
      isEnabled: isEnabled, outcome: evaluate(input, parameters: parameters), targeting: targeting, needsTargetingKey: needsKey ?? false)
  }
}
