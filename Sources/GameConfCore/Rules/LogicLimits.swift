// The limits on JsonLogic expressions and on their evaluation.

/// The limits on JsonLogic expressions and on their evaluation.
public enum LogicLimits {
  /// The deepest nesting of lists and objects in an expression, including the evaluators to which `$ref` refers.
  public static let depthMax = 64
  /// The largest number of values in an expression. Each shared evaluator counts once.
  public static let nodesMax = 20_000
  /// The largest number of buckets in one `fractional` operator.
  public static let bucketsMax = 1_000
  /// The largest number of rules of one parameter.
  public static let rulesMax = 1_000
  /// The largest number of steps of one evaluation. Each node, each element of a list that is visited, and each 32 bytes of text that are
  /// scanned take one step.
  public static let evaluationStepsMax = 100_000
  /// The largest number of steps of all evaluations of one request together. Each rule that is evaluated counts as one additional step.
  public static let requestStepsMax = 300_000
  /// The largest number of steps of a request that is answered on an event loop, while other connections wait. These steps take about a
  /// millisecond.
  public static let loopStepsMax = 15_000
  /// The largest text that the operators `cat` and `substr` and conversions to text may produce, in bytes of UTF-8.
  public static let producedTextBytesMax = 65_536
  /// The largest number of elements in a list that the operators `map`, `filter` and `merge` or a list of expressions may produce.
  public static let producedListCountMax = 10_000
  /// The largest number of conditions that one trace of an evaluation records.
  public static let traceEntriesMax = 1_000
  /// The largest number of values that a trace records for one condition. A condition may read many elements of a list.
  public static let traceInputsMax = 32
}

/// The limit that an evaluation exceeded. The evaluation's value is then null.
public enum LogicBound: String, Sendable, Hashable, CaseIterable {
  case evaluationSteps = "evaluation_steps"
  case producedText = "produced_text"
  case producedList = "produced_list"
}
