// The reasons why a parameter has its value, as OpenFeature defines them.

/// The reason why a parameter has its value for a caller, as OpenFeature defines it.
public enum EvaluationReason: String, Sendable, Hashable, CaseIterable {
  /// The value is the same for every caller at any time.
  case `static` = "STATIC"
  /// Rules were evaluated, but no rule matched the caller.
  case `default` = "DEFAULT"
  /// A rule, an override or the player's own setting determined the value.
  case targetingMatch = "TARGETING_MATCH"
  /// A percentage rollout determined the value.
  case split = "SPLIT"
  case disabled = "DISABLED"
  case error = "ERROR"
}
