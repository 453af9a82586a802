// Records the evaluation of a flag in flagd's format, so that an explanation can show it.

/// The recorded evaluation of a flag in flagd's format, which an explanation shows.
public struct FlagTrace: Sendable, Hashable {
  /// True if the flag is enabled. Otherwise its targeting is not evaluated.
  public var isEnabled: Bool
  /// The flag's value with its variant, the absence of a value, or an error.
  public var outcome: FlagOutcome
  /// The recorded evaluation of the flag's targeting; nil if the flag has no targeting or is disabled.
  public var targeting: LogicTrace?
  /// True if the operator `fractional` needed a `targetingKey` that the context does not have.
  public var needsTargetingKey: Bool

  /// The result of the evaluation as a clause for people, without a period.
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
  /// Evaluates the flag like ``evaluate(_:parameters:)`` and records each step. Recording allocates memory, which
  /// ``evaluate(_:parameters:)`` does not.
  public func explain(_ input: LogicInput, parameters: some ParameterLookup) -> FlagTrace {
    let targeting = isEnabled ? self.targeting?.trace(input, parameters: parameters) : nil
    let needsKey = targeting?.conditions.contains { condition in
      condition.bucket == nil && condition.inputs.contains { $0.name == "targetingKey" && ($0.value ?? .null) == .null }
    }
    return FlagTrace(
      isEnabled: isEnabled, outcome: evaluate(input, parameters: parameters), targeting: targeting, needsTargetingKey: needsKey ?? false)
  }
}
