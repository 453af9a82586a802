// Regular expressions for values that strangers send: matched in time that grows with the text's length only, never by backtracking.

/// A regular expression that is matched in linear time, whatever the text.
///
/// The syntax is ECMA-262's with the `u` flag, as JSON Schema recommends it: literals, `.`, classes, `\d \w \s` and their opposites, groups, alternation,
/// `* + ? {m,n}` (lazy forms match the same texts), `^ $ \b \B`. Case counts, `^` and `$` stand for the text's ends only. Back references and looking
/// around cannot be matched in linear time and are refused.
public struct Pattern: Sendable, Hashable {
  /// The longest expression, in Unicode scalars.
  public static let sourceScalarsMax = 4096
  /// The greatest count in `{m,n}`.
  public static let repetitionsMax = 1000
  /// The most steps that the compiled program may have; `(a{100}){100}` would need 10 000.
  public static let programMax = 4096
  /// The most steps that one match may take; a text for which that is not enough does not match.
  public static let stepsMax = 20_000_000
  /// The greatest depth to which groups may nest.
  public static let nestingMax = 64

  /// The expression as written.
  public let source: String
  private let program: PatternProgram

  /// Compiles an expression (the syntax of ECMA-262 that needs no backtracking).
  public init(compiling source: String) throws(PatternFault) {
    self.source = source
    var parser = PatternParser(source)
    self.program = PatternProgram(compiling: try parser.expression())
  }

  /// True if the expression matches anywhere in the text.
  public func matches(in text: String) -> Bool {
    var steps = 0
    return program.matches(in: text, steps: &steps, atMost: Self.stepsMax)
  }

  /// True if the expression matches anywhere in the text, counting each look at a step of the program.
  func matches(in text: String, steps: inout Int, atMost stepsMax: Int = stepsMax) -> Bool {
    program.matches(in: text, steps: &steps, atMost: stepsMax)
  }

  /// True if both were compiled from the same expression.
  public static func == (left: Self, right: Self) -> Bool { left.source == right.source }

  /// Hashes the expression as written.
  public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// The reason why an expression cannot be compiled.
public struct PatternFault: Error, Sendable, Hashable {
  /// The offset, in Unicode scalars from the start.
  public var offset: Int
  /// The fault.
  public var message: String

  /// A fault.
  public init(offset: Int, message: String) {
    self.offset = offset
    self.message = message
  }
}
