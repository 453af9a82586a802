// Inputs for the tests of rules.

import GameConfCore

extension LogicInput {
  /// An input for the evaluation of a rule, with an empty context.
  static var empty: LogicInput { LogicInput(context: ObjectValue(), flagKey: "flag", now: Instant(seconds: 0)) }

  /// Returns an input for the evaluation of a rule, with this context.
  static func with(_ context: Value, key: String = "flag", seconds: Int64 = 1_700_000_000) -> LogicInput {
    LogicInput(context: context.objectValue ?? ObjectValue(), flagKey: key, now: Instant(seconds: seconds))
  }
}

extension ObjectValue {
  /// Returns the members of an object literal.
  static func of(_ value: Value) -> ObjectValue { value.objectValue ?? ObjectValue() }
}
