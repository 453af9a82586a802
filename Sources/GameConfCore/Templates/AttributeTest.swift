// The comparison of an attribute by a template's condition: texts, numbers and versions as JavaScript reads them.

/// A comparison of something in the caller's context.
public struct AttributeTest: Sendable, Hashable {
  /// The attribute that is compared.
  public enum Subject: Sendable, Hashable {
    /// The attribute of that name.
    case attribute(String)
    /// The attribute `locale`, as a language tag.
    case language
    /// The attribute `country`, else the region of `locale`.
    case country

    /// The attributes it reads.
    var attributes: Set<String> {
      switch self {
      case .attribute(let name): [name]
      case .language: ["locale"]
      case .country: ["country", "locale"]
      }
    }
  }

  /// The comparison.
  public enum Test: Sendable, Hashable {
    /// It contains one of these.
    case contains([String])
    /// It contains none of these.
    case doesNotContain([String])
    /// It is one of these, spaces around aside.
    case isOne([String])
    /// It is none of these.
    case isNone([String])
    /// One of these matches in it.
    case matches([Pattern])
    /// As a number.
    case number(OrderRelation, String)
    /// As a version of up to five numbers.
    case version(OrderRelation, String)
  }

  /// The attribute that is compared.
  public var subject: Subject
  /// The comparison.
  public var test: Test

  /// A comparison.
  public init(_ subject: Subject, _ test: Test) {
    self.subject = subject
    self.test = test
  }

  /// True if it holds; what is absent fulfils nothing.
  /// - Parameter budget: what the whole request may still do. A comparison takes a step for each text it is with, and one for each 32 bytes.
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

  /// The compared attribute as text; nil when the context has nothing of it.
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

  /// A tag as BCP 47 writes it, of what other systems write: `fr_FR.UTF-8` is `fr-FR`.
  private static func tag(_ text: String) -> String {
    String(text.prefix { $0 != "." && $0 != "@" }.map { $0 == "_" ? "-" : $0 })
  }

  /// The steps of a comparison with a text of so many bytes; those of regular expressions are counted as they are made.
  private func cost(of bytes: Int) -> Int {
    switch test {
    case .contains(let targets), .doesNotContain(let targets), .isOne(let targets), .isNone(let targets):
      targets.reduce(0) { $0 + 1 + (bytes + $1.utf8.count) / 32 }
    case .matches: 0
    case .number(_, let target), .version(_, let target): 1 + (bytes + target.utf8.count) / 32
    }
  }

  /// The number of steps of a regular expression's program that take as long as one step of an evaluation.
  private static let patternSteps = 8

  /// A text for which an evaluation's own steps are not enough does not match.
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

  /// True if one text lies in another, by bytes.
  private static func contains(_ text: String, _ part: String) -> Bool {
    let part = Array(part.utf8)
    if part.isEmpty { return true }
    guard text.utf8.count >= part.count else { return false }
    // How much of the part's beginning each beginning of it ends with, so that no byte of the text is gone back to.
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

  /// A value as JavaScript's `String()` writes it; nil for null, lists and objects, which no signal is.
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

  /// A text as JavaScript's `Number()` reads it; nil for NaN.
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

  /// The most numbers that a version may have.
  public static let versionSegmentsMax = 5

  /// -1, 0 or 1; nil when one of them is no version. Missing numbers are 0.
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
