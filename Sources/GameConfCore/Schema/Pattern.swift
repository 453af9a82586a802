// STUB of the contract; the schema work replaces this file.

/// A regular expression that is matched in linear time, whatever the text.
public struct Pattern: Sendable, Hashable {
  /// The expression as written.
  public let source: String

  /// Compiles an expression (the syntax of ECMA-262 that needs no backtracking).
  public init(compiling source: String) throws(PatternFault) { self.source = source }

  /// Whether the expression matches anywhere in the text.
  public func matches(in text: String) -> Bool { true }

  public static func == (left: Self, right: Self) -> Bool { left.source == right.source }
  public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// Why an expression cannot be compiled.
public struct PatternFault: Error, Sendable, Hashable {
  /// Where, in Unicode scalars from the start.
  public var offset: Int
  /// What is wrong.
  public var message: String

  /// A fault.
  public init(offset: Int, message: String) {
    self.offset = offset
    self.message = message
  }
}
