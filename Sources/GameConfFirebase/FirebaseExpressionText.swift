// Converts condition objects of server templates to expressions of client templates.

internal import GameConfCore

/// Writes Firebase's condition objects as expressions.
///
/// `{"percent": {"percentOperator": "LESS_OR_EQUAL", "seed": "s", "microPercent": 5000000}}` becomes `percent('s') <= 5`.
enum FirebaseExpressionText {
  /// Returns the expression of a condition object. Returns nil if no expression means the same, because expressions join conditions only by
  /// “and”.
  static func text(_ condition: Value) -> String? {
    guard case .object(let members) = condition else { return nil }
    if let inside = members["orCondition"] {
      let conditions = inside["conditions"]?.listValue ?? []
      return conditions.isEmpty ? "false" : conditions.count == 1 ? text(conditions[0]) : nil
    }
    if let inside = members["andCondition"] {
      var parts: [String] = []
      for each in inside["conditions"]?.listValue ?? [] {
        guard let part = text(each) else { return nil }
        parts.append(part)
      }
      return parts.isEmpty ? "true" : parts.joined(separator: " && ")
    }
    if members["true"] != nil { return "true" }
    if members["false"] != nil { return "false" }
    return members["percent"].flatMap(percent) ?? members["customSignal"].flatMap(signal)
  }

  private static func percent(_ percent: Value) -> String? {
    let seed = percent["seed"]?.stringValue ?? ""
    let subject = seed.isEmpty ? "percent" : "percent(\(quoted(seed)))"
    let range = percent["microPercentRange"]
    switch percent["percentOperator"] {
    case "LESS_OR_EQUAL": return share(percent["microPercent"]).map { "\(subject) <= \($0)" }
    case "GREATER_THAN": return share(percent["microPercent"]).map { "\(subject) > \($0)" }
    case "BETWEEN":
      guard let low = share(range?["microPercentLowerBound"]), let high = share(range?["microPercentUpperBound"]) else { return nil }
      return "\(subject) between \(low) and \(high)"
    default: return nil
    }
  }

  /// Converts millionths of a percent to a decimal percentage without trailing zeros.
  private static func share(_ value: Value?) -> String? {
    guard let micro = value == nil ? 0 : value?.losslessInteger, (0...Percent.bucketCount).contains(micro) else { return nil }
    let (whole, rest) = micro.quotientAndRemainder(dividingBy: 1_000_000)
    if rest == 0 { return String(whole) }
    var digits = String(1_000_000 + rest).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }

  private static let words = [
    "STRING_CONTAINS": "contains", "STRING_DOES_NOT_CONTAIN": "notContains", "STRING_EXACTLY_MATCHES": "exactlyMatches",
    "STRING_CONTAINS_REGEX": "matches",
  ]
  private static let relations = [
    "LESS_THAN": "<", "LESS_EQUAL": "<=", "EQUAL": "==", "NOT_EQUAL": "!=", "GREATER_THAN": ">", "GREATER_EQUAL": ">=",
  ]

  private static func signal(_ signal: Value) -> String? {
    guard let key = signal["customSignalKey"]?.stringValue, let word = signal["customSignalOperator"]?.stringValue else { return nil }
    let targets = signal["targetCustomSignalValues"]?.listValue?.compactMap(\.stringValue) ?? []
    guard let first = targets.first else { return nil }
    let subject = "app.customSignal[\(quoted(key))]"
    if let method = words[word] { return "\(subject).\(method)([\(targets.map(quoted).joined(separator: ", "))])" }
    if word.hasPrefix("NUMERIC_"), let relation = relations[String(word.dropFirst(8))], isNumber(first) {
      return "\(subject) \(relation) \(first)"
    }
    if word.hasPrefix("SEMANTIC_VERSION_"), let relation = relations[String(word.dropFirst(17))] {
      return "version(\(subject)) \(relation) \(quoted(first))"
    }
    return nil
  }

  /// True if Firebase's expressions can contain the text as a number: digits with a sign or a decimal point.
  private static func isNumber(_ text: String) -> Bool {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    return Double(text) != nil && text.utf8.count - digits.count <= 1
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
