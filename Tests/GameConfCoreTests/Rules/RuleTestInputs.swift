// What the tests of rules ask with.

import GameConfCore

extension LogicInput {
  /// An input without attributes.
  static let empty = LogicInput(context: ObjectValue(), flagKey: "flag", now: Instant(seconds: 0))

  /// An input with these attributes.
  static func with(_ context: Value, key: String = "flag", seconds: Int64 = 1_700_000_000) -> LogicInput {
    LogicInput(context: context.objectValue ?? ObjectValue(), flagKey: key, now: Instant(seconds: seconds))
  }
}

extension ObjectValue {
  /// The members of an object written as a literal.
  static func of(_ value: Value) -> ObjectValue { value.objectValue ?? ObjectValue() }
}
