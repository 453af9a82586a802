// The reasons for a value, as OpenFeature defines them.

/// The reasons for a value, as OpenFeature defines them.
public enum EvaluationReason: String, Sendable, Hashable, CaseIterable {
  /// The value is the same for every caller at any time.
  case `static` = "STATIC"
  /// Rules were evaluated, but none matched.
  case `default` = "DEFAULT"
  /// A rule or an override for the player matched.
  case targetingMatch = "TARGETING_MATCH"
  /// A percentage rollout determined the value.
  case split = "SPLIT"
  case disabled = "DISABLED"
  case error = "ERROR"
}
