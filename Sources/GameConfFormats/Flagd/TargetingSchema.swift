// Validates targeting rules by flagd's schema `targeting.json`: the operators and their arguments.

import GameConfCore

/// A validator of flagd's targeting rules, which collects all faults.
struct TargetingSchema {
  private(set) var faults: [Fault] = []

  private enum ArgumentKind {
    case anything
    case list(ClosedRange<Int>)
    case texts
    case someOf
    case comparedTexts
    case versions
    case buckets
    case variable
  }

  private static let operators: [String: ArgumentKind] = [
    "var": .variable,
    "missing": .texts,
    "missing_some": .someOf,
    "if": .list(1...Int.max), "and": .list(1...Int.max), "or": .list(1...Int.max),
    "==": .list(2...2), "!=": .list(2...2), "===": .list(2...2), "!==": .list(2...2),
    ">": .list(2...2), ">=": .list(2...2), "<": .list(2...3), "<=": .list(2...3),
    "%": .list(2...2), "/": .list(2...2), "*": .list(2...Int.max), "+": .list(1...Int.max), "-": .list(1...Int.max),
    "max": .list(1...Int.max), "min": .list(1...Int.max), "merge": .list(1...Int.max), "cat": .list(1...Int.max),
    "substr": .list(2...3), "in": .list(2...2),
    "map": .list(2...2), "filter": .list(2...2), "all": .list(2...2), "none": .list(2...2), "some": .list(2...2), "reduce": .list(3...3),
    "!": .anything, "!!": .anything,
    "starts_with": .comparedTexts, "ends_with": .comparedTexts,
    "sem_ver": .versions,
    "fractional": .buckets,
  ]

  private static let names = operators.keys.sorted()

  /// Validates a flag's `targeting` or a shared evaluator.
  mutating func checkTargeting(_ value: Value, at pointer: String) {
    guard case .object(let object) = value else {
      fault(pointer, "Targeting is an object with one operator, or an empty one, not \(value.described).")
      return
    }
    if object["$ref"] != nil, object.count == 1 {
      fault(pointer, "flagd's schema has no “$ref” for a whole rule; write {\"if\": [{\"$ref\": …}]}.")
      return
    }
    if !object.isEmpty { checkRule(object, at: pointer) }
  }

  private mutating func fault(_ pointer: String, _ message: String) { faults.append(Fault(message, at: pointer)) }

  /// Validates an operator's argument: a reference, a rule or a plain value. The elements of a list may be anything.
  private mutating func checkArgument(_ value: Value, at pointer: String) {
    guard case .object(let object) = value else { return }
    if object.isEmpty { return fault(pointer, "An empty object is not a rule; give a value or an object with one operator.") }
    if object.count == 1, let reference = object["$ref"] {
      if reference.stringValue == nil { fault(pointer + "/$ref", "“$ref” names an evaluator, as text.") }
      return
    }
    checkRule(object, at: pointer)
  }

  private mutating func checkRule(_ object: ObjectValue, at pointer: String) {
    guard object.count <= 1 else {
      return fault(pointer, "A rule has one operator, this has \(object.count) members; join several by “and”.")
    }
    for member in object.members {
      let place = JSONPointer.appending(member.name, to: pointer)
      guard let arguments = Self.operators[member.name] else {
        fault(place, "“\(member.name.prefix(64))” is not an operator of flagd." + NearestNames.hint(for: member.name, among: Self.names))
        continue
      }
      check(member.value, member.name, arguments, at: place)
    }
  }

  private mutating func check(_ value: Value, _ name: String, _ arguments: ArgumentKind, at pointer: String) {
    switch arguments {
    case .anything:
      // flagd's schema allows a list with any contents. The compiler of rules finds invalid elements.
      checkArgument(value, at: pointer)
    case .list(let counts):
      guard let elements = list(value, name, counts, at: pointer) else { return }
      for (index, element) in elements.enumerated() { checkArgument(element, at: "\(pointer)/\(index)") }
    case .texts: checkTexts(value, name, at: pointer)
    case .someOf:
      guard let elements = list(value, name, 2...2, at: pointer) else { return }
      if elements[0].numberValue == nil { fault(pointer + "/0", "“missing_some” first takes a number: how many are needed.") }
      checkTexts(elements[1], name, at: pointer + "/1")
    case .comparedTexts:
      guard let elements = list(value, name, 2...2, at: pointer) else { return }
      for (index, element) in elements.enumerated() {
        checkRuleOr(element, at: "\(pointer)/\(index)", "“\(name)” compares texts and rules that give texts") { $0.stringValue != nil }
      }
    case .versions: checkVersions(value, at: pointer)
    case .buckets: checkBuckets(value, at: pointer)
    case .variable: checkVariable(value, at: pointer)
    }
  }

  private mutating func list(_ value: Value, _ name: String, _ counts: ClosedRange<Int>, at pointer: String) -> [Value]? {
    guard case .list(let elements) = value else {
      fault(pointer, "“\(name)” takes a list, not \(value.described).")
      return nil
    }
    guard counts.contains(elements.count) else {
      let wanted =
        counts.upperBound == Int.max
        ? "at least \(counts.lowerBound)" : counts.count == 1 ? "\(counts.lowerBound)" : "\(counts.lowerBound) or \(counts.upperBound)"
      fault(pointer, "“\(name)” takes \(wanted) arguments, not \(elements.count).")
      return nil
    }
    return elements
  }

  private mutating func checkTexts(_ value: Value, _ name: String, at pointer: String) {
    guard case .list(let elements) = value else {
      return fault(pointer, "“\(name)” takes a list of names, not \(value.described).")
    }
    for (index, element) in elements.enumerated() where element.stringValue == nil {
      fault("\(pointer)/\(index)", "“\(name)” takes names, as text, not \(element.described).")
    }
  }

  private mutating func checkRuleOr(_ value: Value, at pointer: String, _ wanted: String, _ isAdmitted: (Value) -> Bool) {
    if case .object(let object) = value { return checkRule(object, at: pointer) }
    if !isAdmitted(value) { fault(pointer, wanted + ", not \(value.described).") }
  }

  private mutating func checkVersions(_ value: Value, at pointer: String) {
    guard let elements = list(value, "sem_ver", 3...3, at: pointer) else { return }
    if elements[1].stringValue.flatMap(VersionRelation.init) == nil {
      fault(pointer + "/1", "“sem_ver” compares by one of \(VersionRelation.allCases.map(\.rawValue).joined(separator: " ")).")
    }
    for index in [0, 2] {
      let place = "\(pointer)/\(index)"
      switch elements[index] {
      case .string(let text):
        if !SemanticVersion.isValid(text) { fault(place, "“\(text.prefix(64))” is not a version; write it as 1.4.0.") }
      case .object(let object) where object.isEmpty || (object.count == 1 && object["var"] != nil): checkRule(object, at: place)
      default: fault(place, "“sem_ver” compares versions, as text, and “var”.")
      }
    }
  }

  private mutating func checkBuckets(_ value: Value, at pointer: String) {
    guard let elements = list(value, "fractional", 1...Int.max, at: pointer) else { return }
    for (index, element) in elements.enumerated() {
      let place = "\(pointer)/\(index)"
      if index == 0, case .object(let object) = element {
        checkRule(object, at: place)
        continue
      }
      guard case .list(let parts) = element, parts.count == 1 || parts.count == 2 else {
        fault(
          place,
          index == 0 ? "“fractional” begins with a rule to bucket by, or with a bucket." : "A bucket is [variant] or [variant, weight].")
        continue
      }
      checkArgument(parts[0], at: place + "/0")
      if parts.count == 2 {
        checkRuleOr(parts[1], at: place + "/1", "A weight is an integer from 0, or a rule") { weight in
          weight.losslessInteger.map { $0 >= 0 } ?? (weight.numberValue.map { $0 >= 0 && $0 == $0.rounded() } ?? false)
        }
      }
    }
  }

  private mutating func checkVariable(_ value: Value, at pointer: String) {
    guard case .string(let name) = value, name.hasPrefix("$flagd."), name != "$flagd.timestamp", name != "$flagd.flagKey" else { return }
    fault(pointer, "“\(name.prefix(64))” is nothing flagd gives; there are $flagd.flagKey and $flagd.timestamp.")
  }
}
