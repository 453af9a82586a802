// The limits on expressions and their evaluation.

/// The limits on expressions and their evaluation.
public enum LogicLimits {
  /// The deepest nesting of lists and objects in an expression, `$ref`s resolved.
  public static let depthMax = 64
  /// The largest number of values in an expression, where each shared evaluator counts once.
  public static let nodesMax = 20_000
  /// The largest number of buckets of one `fractional`.
  public static let bucketsMax = 1_000
  /// The largest number of rules of one parameter.
  public static let rulesMax = 1_000
  /// The largest number of steps of one evaluation. Each node, each element that is visited, and each 32 bytes of text that are scanned
  /// take one step.
  public static let evaluationStepsMax = 100_000
  /// The largest number of steps of all evaluations of one request together. Each rule that is tried counts as one step more.
  public static let requestStepsMax = 300_000
  /// The largest number of steps on an event loop, where other connections wait meanwhile. It takes about a millisecond.
  public static let loopStepsMax = 15_000
  /// The largest text that `cat`, `substr` and conversions may produce, in bytes of UTF-8.
  public static let producedTextBytesMax = 65_536
  /// The largest number of elements in a list that `map`, `filter`, `merge` or a list of expressions may produce.
  public static let producedListCountMax = 10_000
  /// The number of conditions that one trace records.
  public static let traceEntriesMax = 1_000
  /// The number of values that a trace records for one condition, which may read many elements of a list.
  public static let traceInputsMax = 32
}

/// The limit that an evaluation exceeded. The evaluation's value is then null.
public enum LogicBound: String, Sendable, Hashable, CaseIterable {
  case evaluationSteps = "evaluation_steps"
  case producedText = "produced_text"
  case producedList = "produced_list"
}
