// Evaluates the attribute conditions of Firebase templates, with JavaScript's conversions of text, numbers and versions.

/// A comparison of an attribute of the caller's context.
public struct AttributeTest: Sendable, Hashable {
  /// The attribute that is compared: one of the context, or one derived from `locale` and `country`.
  public enum TestedAttribute: Sendable, Hashable {
    /// The context attribute of this name.
    case attribute(String)
    /// The attribute `locale`, converted to a language tag.
    case language
    /// The attribute `country`, or the region in `locale` if the context has no country.
    case country

    var attributes: Set<String> {
      switch self {
      case .attribute(let name): [name]
      case .language: ["locale"]
      case .country: ["country", "locale"]
      }
    }
  }

  /// The comparisons, each with the texts or the number that the attribute is compared with.
  public enum Test: Sendable, Hashable {
    /// The attribute's text contains one of these texts.
    case contains([String])
    /// The attribute's text does not contain any of these texts.
    case doesNotContain([String])
    /// The attribute's text equals one of these texts, ignoring white space at both ends.
    case isOne([String])
    /// The attribute's text does not equal any of these texts.
    case isNone([String])
    /// One of these regular expressions matches a part of the attribute's text.
    case matches([Pattern])
    case number(OrderRelation, String)
    /// A comparison of versions with up to five numbers.
    case version(OrderRelation, String)
  }

  /// The left side of the comparison, read from the caller's context.
  public var subject: TestedAttribute
  /// The comparison with its right side.
  public var test: Test

  /// Creates a comparison; it is false while the attribute is absent.
  public init(_ subject: TestedAttribute, _ test: Test) {
    self.subject = subject
    self.test = test
  }

  /// True if the comparison is satisfied. It never is if the context lacks the attribute.
  /// - Parameter budget: The evaluation budget of the whole request. Each compared text takes one step, and one more for each 32 bytes.
  func holds(_ context: ObjectValue, within budget: EvaluationBudget? = nil) -> Bool {
    guard let actual = value(in: context) else { return false }
    if let budget {
      budget.spend(cost(of: actual.utf8.count))
      if budget.isExceeded { return false }
    }
    switch test {
    case .contains(let targets): return targets.contains { Self.contains(actual, $0) }
    case .doesNotContain(let targets): return !targets.contains { Self.contains(actual, $0) }
    case .isOne(let targets): return targets.contains { isSame(actual, $0) }
    case .isNone(let targets): return !targets.contains { isSame(actual, $0) }
    case .matches(let patterns): return patterns.contains { Self.matches($0, actual, budget) }
    case .number(let relation, let target):
      guard let actual = Self.number(actual), let target = Self.number(target) else { return false }
      return relation.holds(actual < target ? -1 : actual > target ? 1 : 0)
    case .version(let relation, let target):
      return Self.order(ofVersions: actual, target).map(relation.holds) ?? false
    }
  }

  /// Returns the attribute's value as text; nil if the context does not have the attribute.
  func value(in context: ObjectValue) -> String? {
    switch subject {
    case .attribute(let name): return context[name].flatMap(Self.text)
    case .language: return context["locale"].flatMap(Self.text).map(Self.tag)
    case .country:
      if let country = context["country"].flatMap(Self.text) { return country }
      let parts = context["locale"].flatMap(Self.text).map(Self.tag)?.split(separator: "-").dropFirst() ?? []
      return parts.first { $0.utf8.count == 2 || ($0.utf8.count == 3 && $0.allSatisfy(\.isNumber)) }.map { $0.uppercased() }
    }
  }

  private func isSame(_ actual: String, _ target: String) -> Bool {
    switch subject {
    case .attribute: return ByteText.areSame(Self.trimmed(actual), Self.trimmed(target))
    case .country: return actual.uppercased() == target.uppercased()
    case .language:
      return LocaleLookup.answers(actual, Self.tag(target))
    }
  }

  /// Returns a BCP 47 tag for a locale in another notation: `fr_FR.UTF-8` is `fr-FR`.
  private static func tag(_ text: String) -> String {
    String(text.prefix { $0 != "." && $0 != "@" }.map { $0 == "_" ? "-" : $0 })
  }

  /// Returns the evaluation steps of a comparison with a text of this size. Regular expressions count their steps while they run.
  private func cost(of bytes: Int) -> Int {
    switch test {
    case .contains(let targets), .doesNotContain(let targets), .isOne(let targets), .isNone(let targets):
      targets.reduce(0) { $0 + 1 + (bytes + $1.utf8.count) / 32 }
    case .matches: 0
    case .number(_, let target), .version(_, let target): 1 + (bytes + target.utf8.count) / 32
    }
  }

  /// The number of a regular expression's instructions that take as long as one evaluation step.
  private static let patternSteps = 8

  /// True if the expression matches within the step limit of an evaluation. A text that needs more steps does not match.
  private static func matches(_ pattern: Pattern, _ text: String, _ budget: EvaluationBudget?) -> Bool {
    let own = LogicLimits.evaluationStepsMax
    let left = budget?.left ?? own
    let stepsMax = min(left, own) * patternSteps
    var steps = 0
    let matches = pattern.matches(in: text, steps: &steps, atMost: stepsMax)
    budget?.spend(1 + steps / patternSteps)
    if steps >= stepsMax, left < own { budget?.exceed() }
    return matches
  }

  /// True if one text contains another, by bytes, in linear time (the algorithm of Knuth, Morris and Pratt).
  private static func contains(_ text: String, _ part: String) -> Bool {
    let part = Array(part.utf8)
    if part.isEmpty { return true }
    guard text.utf8.count >= part.count else { return false }
    // The failure function: for each prefix of `part`, the length of its longest proper prefix that is also its suffix.
    var beginnings = [Int](repeating: 0, count: part.count)
    var matched = 0
    func follow(_ byte: UInt8) {
      while matched > 0, byte != part[matched] { matched = beginnings[matched - 1] }
      if byte == part[matched] { matched += 1 }
    }
    for at in part.indices.dropFirst() {
      follow(part[at])
      beginnings[at] = matched
    }
    matched = 0
    for byte in text.utf8 {
      follow(byte)
      if matched == part.count { return true }
    }
    return false
  }

  private static func trimmed(_ text: String) -> String {
    var scalars = text.unicodeScalars[...]
    func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace || scalar == "\u{FEFF}" }
    while let first = scalars.first, isSpace(first) { scalars.removeFirst() }
    while let last = scalars.last, isSpace(last) { scalars.removeLast() }
    return String(String.UnicodeScalarView(scalars))
  }

  /// Returns the value as text, converted as JavaScript's `String()` does. Returns nil for null, lists and objects, which Firebase's custom
  /// signals cannot be.
  static func text(_ value: Value) -> String? {
    switch value {
    case .string(let text): text
    case .bool(let flag): flag ? "true" : "false"
    case .integer(let number): String(number)
    case .double(let number):
      number.wholeInteger.map(String.init) ?? "\(number)"
    default: nil
    }
  }

  /// Parses a text as JavaScript's `Number()` does; returns nil for NaN.
  static func number(_ text: String) -> Double? {
    let text = trimmed(text)
    if text.isEmpty { return 0 }
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where text.lowercased().hasPrefix(prefix) {
      let digits = text.dropFirst(2)
      guard let first = digits.first, first != "+", first != "-" else { return nil }
      return Int64(digits, radix: radix).map(Double.init)
    }
    switch text {
    case "Infinity", "+Infinity": return .infinity
    case "-Infinity": return -.infinity
    default: break
    }
    let isDecimal = text.utf8.allSatisfy { byte in
      (48...57).contains(byte) || byte == 0x2B || byte == 0x2D || byte == 0x2E || byte == 0x65 || byte == 0x45
    }
    return isDecimal ? Double(text) : nil
  }

  /// The largest number of segments in a version, such as 3 in `1.2.3`.
  public static let versionSegmentsMax = 5

  /// Compares versions and returns -1, 0 or 1; nil if one of them is not a version. Missing segments count as 0.
  static func order(ofVersions left: String, _ right: String) -> Int? {
    func segments(_ text: String) -> [Double]? {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count <= versionSegmentsMax else { return nil }
      var numbers: [Double] = []
      for part in parts {
        guard let number = number(String(part)), number.isFinite, number >= 0 else { return nil }
        numbers.append(number)
      }
      return numbers
    }
    guard let left = segments(left), let right = segments(right) else { return nil }
    for at in 0..<max(left.count, right.count) {
      let (one, other) = (at < left.count ? left[at] : 0, at < right.count ? right[at] : 0)
      if one != other { return one < other ? -1 : 1 }
    }
    return 0
  }
}
