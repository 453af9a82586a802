// Regular expressions for values from untrusted clients. They are matched in linear time, without backtracking.

/// A regular expression that is matched in time linear in the text's length.
///
/// The syntax is that of ECMA-262 with the flag `u`, as JSON Schema recommends. It has literals, `.`, classes, `\d \w \s` and their
/// complements, groups, alternation, `* + ? {m,n}` and `^ $ \b \B`. Lazy repetitions match the same texts as greedy ones. Matching is
/// case-sensitive, and `^` and `$` match only at the ends of the text. Back references and lookaround are rejected, because they cannot be
/// matched in linear time.
public struct Pattern: Sendable, Hashable {
  /// The largest number of Unicode scalars in an expression.
  public static let sourceScalarsMax = 4096
  /// The largest count in a repetition `{m,n}`.
  public static let repetitionsMax = 1000
  /// The largest number of instructions in a compiled expression. `(a{100}){100}` would need 10 000.
  public static let programMax = 4096
  /// The largest number of steps of one match. A text that needs more steps does not match.
  public static let stepsMax = 20_000_000
  /// The deepest nesting of groups in an expression.
  public static let nestingMax = 64

  /// The source of the expression.
  public let source: String
  private let program: PatternProgram

  /// Compiles an expression.
  /// - Throws: ``PatternFault`` for syntax that is invalid, or that cannot be matched in linear time, and for an exceeded limit.
  public init(compiling source: String) throws(PatternFault) {
    self.source = source
    var parser = PatternParser(source)
    self.program = PatternProgram(compiling: try parser.expression())
  }

  /// True if the expression matches any part of the text. False if the match would need more than ``stepsMax`` steps.
  public func matches(in text: String) -> Bool {
    var steps = 0
    return program.matches(in: text, steps: &steps, atMost: Self.stepsMax)
  }

  /// True if the expression matches any part of the text. False if more than `stepsMax` steps would be needed.
  /// - Parameter steps: A counter, to which the number of executed instructions is added.
  func matches(in text: String, steps: inout Int, atMost stepsMax: Int = stepsMax) -> Bool {
    program.matches(in: text, steps: &steps, atMost: stepsMax)
  }

  /// True if both expressions have the same source.
  public static func == (left: Self, right: Self) -> Bool { left.source == right.source }

  /// Hashes the source of the expression.
  public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// The error for a regular expression that cannot be compiled.
public struct PatternFault: Error, Sendable, Hashable {
  /// The position of the fault in the expression, in Unicode scalars from its start.
  public var offset: Int
  /// A sentence that names the fault and, where possible, the valid form.
  public var message: String

  /// Creates a fault at an offset in the expression, in Unicode scalars.
  public init(offset: Int, message: String) {
    self.offset = offset
    self.message = message
  }
}
