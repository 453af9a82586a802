// Parses the condition expressions of Firebase's client templates.

import GameConfCore
import GameConfZones

struct FirebaseExpressionFault: Error {
  /// The offset of the fault from the start of the expression, in Unicode scalars.
  var offset: Int
  var message: String
}

/// A parser of condition expressions, which are comparisons joined by `&&`.
///
/// ```
/// device.os == 'ios' && app.version.>=(['1.4.0']) && percent('seed') <= 10
/// ```
/// Firebase documents the language under “Conditional expression reference”.
struct FirebaseExpression {
  private var tokens: FirebaseTokens
  private let zones: ZoneFiles

  /// Parses the whole text as an expression, and returns its condition.
  /// - Parameter zones: The host's time zones, for comparisons that name one.
  static func condition(_ text: String, zones: ZoneFiles) throws(FirebaseExpressionFault) -> TemplateCondition {
    var reader = FirebaseExpression(tokens: try FirebaseTokens(text), zones: zones)
    var parts = [try reader.comparison()]
    while reader.tokens.take(symbol: "&&") { parts.append(try reader.comparison()) }
    if !reader.tokens.isAtEnd { throw reader.tokens.fault("here only “&&” and another comparison, or the end, can follow") }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  /// - Parameter depth: The number of parentheses around the comparison.
  private mutating func comparison(depth: Int = 0) throws(FirebaseExpressionFault) -> TemplateCondition {
    if tokens.take(symbol: "(") {
      guard depth < TemplateCondition.depthMax else {
        throw tokens.fault("parentheses may be nested \(TemplateCondition.depthMax) deep", before: true)
      }
      var parts = [try comparison(depth: depth + 1)]
      while tokens.take(symbol: "&&") { parts.append(try comparison(depth: depth + 1)) }
      try tokens.expect(symbol: ")")
      return parts.count == 1 ? parts[0] : .all(parts)
    }
    let name = try tokens.name()
    switch name {
    case "true", "false": return .constant(name == "true")
    case "percent": return try percent()
    case "dateTime", "device.dateTime": return try dateTime()
    case "app.userProperty", "app.customSignal":
      let subject = try property()
      _ = tokens.take(symbol: ".")
      return .attribute(AttributeTest(subject, try test(isVersion: false)))
    case "version":
      try tokens.expect(symbol: "(")
      guard ["app.customSignal", "app.userProperty"].contains(try tokens.name()) else {
        throw tokens.fault("version(…) is of app.customSignal['name']", before: true)
      }
      let subject = try property()
      try tokens.expect(symbol: ")")
      return .attribute(AttributeTest(subject, try test(isVersion: true)))
    default: break
    }
    // In `app.version.>=([…])` and `app.version.contains([…])`, the last component of the name is the operator.
    for (known, subject) in FirebaseAttributeNames.clients where name == known || name.hasPrefix(known + ".") {
      if name.utf8.count > known.utf8.count { tokens.put(back: String(name.dropFirst(known.count + 1))) }
      return .attribute(AttributeTest(subject, try test(isVersion: known == "app.version" || known == "app.build")))
    }
    guard Self.others.contains(where: { name == $0 || name.hasPrefix($0 + ".") }) else {
      throw tokens.fault("“\(name)” is nothing that a condition of Firebase compares", before: true)
    }
    try tokens.skipComparison()
    return .notUnderstood("“\(name)” is known to Firebase only")
  }

  /// The attributes of a caller that only Firebase knows, because a game's context does not have them.
  private static let others = [
    "app.audiences", "app.firstOpenTimestamp", "app.firebaseInstallationId", "app.operatingSystemAndVersion", "app.browserAndVersion",
    "app.importedSegments", "app.prediction", "device.category", "device.browser", "firebaseInstallationId", "firstOpenTimestamp",
  ]

  /// Parses the name in brackets after `app.customSignal` or `app.userProperty`.
  private mutating func property() throws(FirebaseExpressionFault) -> AttributeTest.TestedAttribute {
    try tokens.expect(symbol: "[")
    let name = try tokens.text()
    try tokens.expect(symbol: "]")
    return .attribute(name)
  }

  private mutating func test(isVersion: Bool) throws(FirebaseExpressionFault) -> AttributeTest.Test {
    if let relation = tokens.takeRelation() {
      _ = tokens.take(symbol: ".")
      let (values, isNumber) = try tokens.values()
      if isVersion { return .version(relation, values[0]) }
      if isNumber { return .number(relation, values[0]) }
      switch relation {
      case .equal: return .isOne(values)
      case .notEqual: return .isNone(values)
      default: return .number(relation, values[0])
      }
    }
    let word = try tokens.name()
    let at = tokens.lastOffset
    let (values, _) = try tokens.values()
    switch word {
    case "in", "exactlyMatches": return .isOne(values)
    case "contains": return .contains(values)
    case "notContains": return .doesNotContain(values)
    case "matches":
      var patterns: [Pattern] = []
      for value in values {
        do {
          patterns.append(try Pattern(compiling: value))
        } catch {
          throw FirebaseExpressionFault(offset: at, message: "The regular expression “\(value)” cannot be used: \(error.message)")
        }
      }
      return .matches(patterns)
    default:
      throw FirebaseExpressionFault(
        offset: at,
        message: "“\(word)” is not an operator; there are <, <=, ==, !=, >, >=, in, contains, notContains, matches, exactlyMatches."
      )
    }
  }

  private mutating func percent() throws(FirebaseExpressionFault) -> TemplateCondition {
    var seed = ""
    if tokens.take(symbol: "(") {
      seed = try tokens.text()
      try tokens.expect(symbol: ")")
    }
    if tokens.take(word: "between") {
      let low = try share()
      guard tokens.take(word: "and") else { throw tokens.fault("“between” needs two numbers joined by “and”") }
      return .percent(TemplatePercent(seed: seed, share: .between(low, try share())))
    }
    switch tokens.takeRelation() {
    case .lessOrEqual?: return .percent(TemplatePercent(seed: seed, share: .atMost(try share())))
    case .greater?: return .percent(TemplatePercent(seed: seed, share: .above(try share())))
    default: throw tokens.fault("a percentage is compared by <=, > or between")
    }
  }

  private mutating func share() throws(FirebaseExpressionFault) -> Int64 {
    let number = try tokens.number()
    guard number >= 0, number <= 100 else { throw tokens.fault("A percentage goes from 0 to 100.", before: true) }
    return Int64((number * 1_000_000).rounded())
  }

  private mutating func dateTime() throws(FirebaseExpressionFault) -> TemplateCondition {
    guard let relation = tokens.takeRelation() else { throw tokens.fault("the time is compared by <, <=, > or >=") }
    guard tokens.take(word: "dateTime") else { throw tokens.fault("the time is compared with dateTime('2026-12-01T00:00:00')") }
    try tokens.expect(symbol: "(")
    let text = try tokens.text()
    let at = tokens.lastOffset
    var zone: String?
    if tokens.take(symbol: ",") { zone = try tokens.text() }
    try tokens.expect(symbol: ")")
    guard let clock = try? Instant(parsing: text.hasSuffix("Z") ? text : text + "Z") else {
      throw FirebaseExpressionFault(offset: at, message: "“\(text)” is not a time; write 2026-12-01T00:00:00.")
    }
    // Without a time zone in the expression, the time is in UTC, as in Firebase.
    guard let zone else { return .time(TimeTest(relation, clock)) }
    let known: Zone
    do throws(Fault) { known = try zones.zone(named: zone) } catch {
      return ZoneName(zone) == nil ? .notUnderstood(error.message) : .zoneMissing(error.message)
    }
    guard known == .utc || !text.hasSuffix("Z"), let instant = known.instant(showing: clock) else {
      throw FirebaseExpressionFault(offset: at, message: "“\(text)” is not a time of \(zone); write 2026-12-01T00:00:00.")
    }
    return .time(TimeTest(relation, instant))
  }
}
