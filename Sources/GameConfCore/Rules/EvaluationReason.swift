// The reason of a value, in OpenFeature's words.

/// OpenFeature's reasons.
public enum EvaluationReason: String, Sendable, Hashable, CaseIterable {
  /// Nothing about the caller or the moment can change it.
  case `static` = "STATIC"
  /// Rules were looked at, none matched.
  case `default` = "DEFAULT"
  /// A rule or an override matched.
  case targetingMatch = "TARGETING_MATCH"
  /// A percentage alone decided.
  case split = "SPLIT"
  /// The flag is switched off.
  case disabled = "DISABLED"
  /// It could not be evaluated.
  case error = "ERROR"
}
