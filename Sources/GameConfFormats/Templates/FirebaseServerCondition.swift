// Parses the condition objects of Firebase's server templates.

import GameConfCore

/// A parser of condition objects with the operators `orCondition`, `andCondition`, `true`, `false`, `percent` and `customSignal`.
struct FirebaseServerCondition {
  private(set) var faults: [Fault] = []

  private mutating func fault(_ pointer: String, _ message: String) { faults.append(Fault(message, at: pointer)) }

  /// Parses a condition object. If it has a fault, the returned condition is never true.
  /// - Parameter level: The nesting level as the library firebase-admin counts it. The library treats conditions beyond ten levels as
  ///   false.
  mutating func condition(_ value: Value, at pointer: String, level: Int = 0) -> TemplateCondition {
    guard case .object(let members) = value else {
      fault(pointer, "A condition is an object, not \(value.kind.rawValue).")
      return .constant(false)
    }
    if level >= TemplateCondition.depthMax {
      return .notUnderstood("conditions that are nested deeper than Firebase evaluates them")
    }
    if let inside = members["orCondition"] { return .any(list(inside, at: pointer + "/orCondition", level: level)) }
    if let inside = members["andCondition"] { return .all(list(inside, at: pointer + "/andCondition", level: level)) }
    if members["true"] != nil { return .constant(true) }
    if members["false"] != nil { return .constant(false) }
    if let percent = members["percent"] { return self.percent(percent, at: pointer + "/percent") }
    if let signal = members["customSignal"] { return self.signal(signal, at: pointer + "/customSignal") }
    if let other = members.members.first {
      return .notUnderstood("“\(other.name)” is not a condition that this program knows")
    }
    fault(pointer, "A condition is one of orCondition, andCondition, true, false, percent, customSignal.")
    return .constant(false)
  }

  private mutating func list(_ value: Value, at pointer: String, level: Int) -> [TemplateCondition] {
    guard case .object(let members) = value else {
      fault(pointer, "This is an object with “conditions”, not \(value.kind.rawValue).")
      return []
    }
    guard let inside = members["conditions"] else { return [] }
    guard case .list(let conditions) = inside else {
      fault(pointer + "/conditions", "“conditions” is a list.")
      return []
    }
    // The library firebase-admin counts two levels for each `orCondition` or `andCondition`.
    return conditions.enumerated().map { condition($1, at: "\(pointer)/conditions/\($0)", level: level + 2) }
  }

  private mutating func percent(_ value: Value, at pointer: String) -> TemplateCondition {
    guard case .object(let members) = value else {
      fault(pointer, "A percentage is an object, not \(value.kind.rawValue).")
      return .constant(false)
    }
    var seed = ""
    if case .string(let text)? = members["seed"] { seed = text }
    func micro(_ value: Value?, _ name: String) -> Int64? {
      guard let value else { return 0 }
      guard let number = value.losslessInteger, (0...Percent.bucketCount).contains(number) else {
        fault("\(pointer)/\(name)", "\(name) counts millionths of a percent, from 0 to \(Percent.bucketCount).")
        return nil
      }
      return number
    }
    switch members["percentOperator"] {
    case "LESS_OR_EQUAL":
      return micro(members["microPercent"], "microPercent").map { .percent(TemplatePercent(seed: seed, share: .atMost($0))) }
        ?? .constant(false)
    case "GREATER_THAN":
      return micro(members["microPercent"], "microPercent").map { .percent(TemplatePercent(seed: seed, share: .above($0))) }
        ?? .constant(false)
    case "BETWEEN":
      let range = members["microPercentRange"]?.objectValue
      guard let low = micro(range?["microPercentLowerBound"], "microPercentRange/microPercentLowerBound"),
        let high = micro(range?["microPercentUpperBound"], "microPercentRange/microPercentUpperBound")
      else { return .constant(false) }
      return .percent(TemplatePercent(seed: seed, share: .between(low, high)))
    default:
      fault(pointer + "/percentOperator", "The operators of a percentage are LESS_OR_EQUAL, GREATER_THAN and BETWEEN.")
      return .constant(false)
    }
  }

  private static let numeric: [String: OrderRelation] = [
    "LESS_THAN": .less, "LESS_EQUAL": .lessOrEqual, "EQUAL": .equal, "NOT_EQUAL": .notEqual, "GREATER_THAN": .greater,
    "GREATER_EQUAL": .greaterOrEqual,
  ]

  private mutating func signal(_ value: Value, at pointer: String) -> TemplateCondition {
    guard case .object(let members) = value, case .string(let name)? = members["customSignalKey"], !name.isEmpty,
      case .string(let word)? = members["customSignalOperator"]
    else {
      fault(pointer, "A signal needs customSignalOperator, customSignalKey and targetCustomSignalValues.")
      return .constant(false)
    }
    guard case .list(let list)? = members["targetCustomSignalValues"], !list.isEmpty else {
      fault(pointer + "/targetCustomSignalValues", "A signal is compared with at least one text.")
      return .constant(false)
    }
    var targets: [String] = []
    for (index, target) in list.enumerated() {
      guard case .string(let text) = target else {
        fault("\(pointer)/targetCustomSignalValues/\(index)", "A signal is compared with texts, not \(target.kind.rawValue).")
        return .constant(false)
      }
      targets.append(text)
    }
    guard let test = test(word, targets, at: pointer) else { return .constant(false) }
    return .attribute(AttributeTest(FirebaseAttributeNames.signal(name), test))
  }

  private mutating func test(_ word: String, _ targets: [String], at pointer: String) -> AttributeTest.Test? {
    switch word {
    case "STRING_CONTAINS": return .contains(targets)
    case "STRING_DOES_NOT_CONTAIN": return .doesNotContain(targets)
    case "STRING_EXACTLY_MATCHES": return .isOne(targets)
    case "STRING_CONTAINS_REGEX":
      var patterns: [Pattern] = []
      for (index, target) in targets.enumerated() {
        do {
          patterns.append(try Pattern(compiling: target))
        } catch {
          fault("\(pointer)/targetCustomSignalValues/\(index)", "This regular expression cannot be used: \(error.message)")
        }
      }
      return patterns.count == targets.count ? .matches(patterns) : nil
    default:
      if word.hasPrefix("NUMERIC_"), let relation = Self.numeric[String(word.dropFirst(8))] { return .number(relation, targets[0]) }
      if word.hasPrefix("SEMANTIC_VERSION_"), let relation = Self.numeric[String(word.dropFirst(17))] {
        return .version(relation, targets[0])
      }
      fault(pointer + "/customSignalOperator", "“\(word)” is not an operator of a signal.")
      return nil
    }
  }
}

/// The attributes of a game's context, by Firebase's names.
enum FirebaseAttributeNames {
  /// The attributes of a game's context, by the names in the expressions of client templates.
  ///
  /// | Firebase | context |
  /// |---|---|
  /// | `device.os` | `platform` |
  /// | `app.version`, `app.build` | `app_version`, `app_build` |
  /// | `app.id` | `app_id` |
  /// | `device.language`, `device.country` | `locale`; `country`, else the region of `locale` |
  /// | `app.userProperty['x']`, `app.customSignal['x']` | `x` |
  /// | the randomization id | `targetingKey` |
  static let clients: [String: AttributeTest.TestedAttribute] = [
    "device.os": .attribute("platform"), "app.version": .attribute("app_version"), "app.build": .attribute("app_build"),
    "app.id": .attribute("app_id"), "device.language": .language, "device.country": .country,
  ]

  /// Returns the context attribute for a custom signal in a server template: the attribute with the same name.
  static func signal(_ name: String) -> AttributeTest.TestedAttribute { .attribute(name) }
}
