// Warns about rules that an earlier rule shadows, and about conditions that compare text with a number.

extension CatalogCheck {
  /// The context attributes whose values are always text.
  private static let textAttributes: Set<String> = [
    "app_version", "app_build", "os_version", "platform", "locale", "country", "targetingKey",
  ]

  mutating func checkReach(of parameter: Parameter, _ path: CatalogPath) {
    let parts = parameter.rules.map { Self.conjuncts(of: $0.condition?.source) }
    for (at, rule) in parameter.rules.enumerated() {
      let place = path.appending("rules", String(at))
      for name in parts[at].compactMap(Self.textComparedWithNumber) {
        warn(place, "“\(name)” is text, and this compares it with a number, which never holds; quote the value.")
      }
      guard let earlier = (0..<at).first(where: { isCovered(rule, parts[at], by: parameter.rules[$0], parts[$0], of: parameter) }) else {
        continue
      }
      let other = parameter.rules[earlier]
      if other.percent == nil {
        let who = other.condition == nil ? "matches everyone" : "matches all that this one does"
        warn(place, "This rule is never reached: rule \(earlier + 1) before it \(who).")
      } else {
        warn(
          place,
          "This rule matches no player: rule \(earlier + 1) has as large a share by the same seed. Shares of one seed begin with the same players, so write the sum in a later rule: 33.3, then 66.6."
        )
      }
    }
  }

  /// True if an earlier rule already matches every player that this rule matches.
  private func isCovered(
    _ rule: Rule, _ parts: [Value], by other: Rule, _ otherParts: [Value], of parameter: Parameter
  ) -> Bool {
    guard otherParts.allSatisfy({ wanted in parts.contains { Self.implies($0, wanted) } }) else { return false }
    guard let share = other.percent else { return true }
    guard let own = rule.percent, share.progress == nil, own.progress == nil else { return false }
    return (share.seed ?? parameter.key) == (own.seed ?? parameter.key) && share.from >= own.from
  }

  /// Returns the operands of a conjunction, flattened. Any other expression is its own only operand.
  private static func conjuncts(of source: Value?) -> [Value] {
    guard let source else { return [] }
    if source.objectValue?.count == 1, let parts = source["and"]?.listValue { return parts.flatMap { conjuncts(of: $0) } }
    return [source]
  }

  /// True if the first condition is known to imply the second. Only equal conditions, and `===` and `in` on the same variable, are
  /// compared.
  private static func implies(_ first: Value, _ second: Value) -> Bool {
    if first == second { return true }
    guard let one = choices(first), let other = choices(second), one.variable == other.variable else { return false }
    return one.values.allSatisfy(other.values.contains)
  }

  /// Returns the variable of a `===` or `in` expression and the values that satisfy it; nil for any other expression.
  private static func choices(_ expression: Value) -> (variable: Value, values: [Value])? {
    if let sides = expression["==="]?.listValue, sides.count == 2, sides[0]["var"] != nil { return (sides[0], [sides[1]]) }
    if let sides = expression["in"]?.listValue, sides.count == 2, sides[0]["var"] != nil, let values = sides[1].listValue {
      return (sides[0], values)
    }
    return nil
  }

  /// Returns the name of a text attribute that the expression compares with a number, which never matches; nil if there is no such
  /// comparison.
  private static func textComparedWithNumber(_ expression: Value) -> String? {
    guard let (variable, values) = choices(expression), let name = variable["var"]?.stringValue, textAttributes.contains(name) else {
      return nil
    }
    return values.contains { $0.numberValue != nil } ? name : nil
  }
}
