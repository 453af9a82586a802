// Rewrites targeting rules that violate flagd's schema, but that flagd evaluates nevertheless, to equivalent valid rules.

import GameConfCore

/// The rewriting of a document's invalid targeting rules to equivalent valid rules.
///
/// flagd logs a rule that violates its schema, and evaluates it nevertheless. `fractional`, `starts_with`, `ends_with` and `sem_ver` return
/// null for invalid arguments. A negative weight counts as 0, and a version that is a number counts as its text.
enum FlagdRuleRewriter {
  /// Returns the document with the innermost rule at a JSON pointer rewritten. Returns nil if the rule's result depends on the caller, or
  /// if the pointer is not inside a rule.
  static func mended(_ document: Value, at steps: [String]) -> Value? {
    guard let start = ruleStart(document, steps) else { return nil }
    // The last operator on the path is the one whose argument is invalid.
    var innermost: Int?
    var here = document
    for (depth, step) in steps.enumerated() {
      if depth >= start, case .object(let rule) = here, rule.count == 1, rule[step] != nil { innermost = depth }
      guard let next = part(step, of: here) else { return nil }
      here = next
    }
    guard let innermost, case .object(let rule)? = value(at: steps[..<innermost], in: document), let operation = rule.members.first,
      let mended = mended(operation.name, operation.value)
    else { return nil }
    // A flag's whole targeting must be a rule, so a null result is written as a rule that returns null.
    let isWhole = innermost == start && mended == .null
    return replacing(steps[..<innermost], in: document, with: isWhole ? ["if": [.null]] : mended)
  }

  /// Returns the number of path components before a rule: those of `flags/KEY/targeting` or `$evaluators/NAME`. Returns nil for a path
  /// outside of rules.
  private static func ruleStart(_ document: Value, _ steps: [String]) -> Int? {
    if steps.first == "$evaluators", steps.count > 2 { return 2 }
    return steps.first == "flags" && steps.count > 3 && steps[2] == "targeting" ? 3 : nil
  }

  /// Returns an equivalent valid rule; nil if the result depends on the caller or the rule is valid.
  private static func mended(_ name: String, _ arguments: Value) -> Value? {
    let list = arguments.listValue ?? [arguments]
    switch name {
    case "starts_with", "ends_with":
      return list.count != 2 || list.contains { $0.objectValue == nil && $0.stringValue == nil } ? .null : nil
    case "sem_ver":
      guard list.count == 3 else { return .null }
      let texts = list.map { $0.numberValue == nil ? $0 : .string(JSONWriter.text($0)) }
      let hasVersions = [texts[0], texts[2]].allSatisfy { version in
        version.objectValue != nil || version.stringValue.map(SemanticVersion.isValid) == true
      }
      let hasRelation = texts[1].objectValue != nil || texts[1].stringValue.flatMap(VersionRelation.init) != nil
      if !hasVersions || !hasRelation { return .null }
      return texts == list ? nil : .object(ObjectValue([(name, .list(texts))]))
    case "fractional": return mended(buckets: list)
    default: return nil
    }
  }

  private static func mended(buckets list: [Value]) -> Value? {
    guard let first = list.first, first != .null else { return .null }
    // Without a bucketing value all callers get the same bucket. No valid rule expresses that.
    if first.objectValue == nil, first.listValue == nil { return nil }
    var written = first.objectValue == nil ? [] : [first]
    var total: Double? = 0
    for bucket in list.dropFirst(written.count) {
      guard case .list(var parts) = bucket, parts.count == 1 || parts.count == 2 else { return .null }
      if parts.count == 2 {
        if parts[1].objectValue != nil {
          total = nil
        } else {
          guard let weight = parts[1].numberValue, weight == weight.rounded() else { return .null }
          if weight < 0 { parts[1] = 0 }
          total = total.map { $0 + max(0, weight) }
        }
      } else {
        total = total.map { $0 + 1 }
      }
      written.append(.list(parts))
    }
    if let total, total <= 0 || total > Double(Int32.max) { return .null }
    return written == list ? nil : ["fractional": .list(written)]
  }

  private static func part(_ step: String, of value: Value) -> Value? {
    value[step] ?? value.listValue.flatMap { list in Int(step).flatMap { list.indices.contains($0) ? list[$0] : nil } }
  }

  private static func value(at steps: ArraySlice<String>, in document: Value) -> Value? {
    var here: Value? = document
    for step in steps { here = here.flatMap { part(step, of: $0) } }
    return here
  }

  private static func replacing(_ steps: ArraySlice<String>, in document: Value, with new: Value) -> Value {
    guard let step = steps.first else { return new }
    switch document {
    case .object(let members):
      return .object(
        ObjectValue(members.members.map { ($0.name, $0.name == step ? replacing(steps.dropFirst(), in: $0.value, with: new) : $0.value) }))
    case .list(let elements):
      return .list(elements.enumerated().map { String($0) == step ? replacing(steps.dropFirst(), in: $1, with: new) : $1 })
    case .null, .bool, .integer, .double, .string: return document
    }
  }
}
