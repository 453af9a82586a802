// The limits of a rule and of its evaluation: every bound of the evaluator, by name.

/// The bounds of expressions and of their evaluation.
public enum LogicLimits {
  /// The greatest depth to which lists and objects of an expression may nest, `$ref`s followed.
  public static let depthMax = 64
  /// The most values that an expression may hold, each `$ref` counted once.
  public static let nodesMax = 20_000
  /// The most buckets that one `fractional` may have.
  public static let bucketsMax = 1_000
  /// The most rules that one parameter may have.
  public static let rulesMax = 1_000
  /// The most steps that one evaluation may take: one a node, one an element looked at, one for each 32 bytes of text gone through.
  public static let evaluationStepsMax = 100_000
  /// The most steps that all evaluations of one request may take together, a rule that is looked at counted as one.
  public static let requestStepsMax = 300_000
  /// The most steps that may be taken where others wait meanwhile: about a millisecond's worth.
  public static let loopStepsMax = 15_000
  /// The greatest length of a text that `cat`, `substr` and conversions to text produce, in bytes of UTF-8.
  public static let producedTextBytesMax = 65_536
  /// The most elements that a list may have that `map`, `filter`, `merge` and written lists produce.
  public static let producedListCountMax = 10_000
  /// The number of conditions that one trace records.
  public static let traceEntriesMax = 1_000
  /// The number of values that one condition read, one element after another, a trace records.
  public static let traceInputsMax = 32
}

/// A bound that an evaluation ran into; its value is then null.
public enum LogicBound: String, Sendable, Hashable, CaseIterable {
  case evaluationSteps = "evaluation_steps"
  case producedText = "produced_text"
  case producedList = "produced_list"
}
