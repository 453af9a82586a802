// Validates schemas that combine others: `allOf`, `anyOf`, `oneOf`, `not` and `if`.

extension SchemaChecker {
  mutating func checkCombinations(_ node: SchemaNode, _ value: Value, _ around: EnclosingObject?) {
    if let reference = node.reference { check(reference, value, around) }
    for each in node.allOf where !isDone { check(each, value, around) }
    if !node.anyOf.isEmpty { checkForms(node.anyOf, value, around, onlyOne: false) }
    if !node.oneOf.isEmpty { checkForms(node.oneOf, value, around, onlyOne: true) }
    if let not = node.not, holds(not, value, around) { report("It must not have the form that “not” describes, and is \(value.shown).") }
    if let condition = node.condition {
      let next = holds(condition, value, around) ? node.consequence : node.alternative
      if let next { check(next, value, around) }
    }
  }

  private mutating func checkForms(_ forms: [Int], _ value: Value, _ around: EnclosingObject?, onlyOne: Bool) {
    var matching: [Int] = []
    var trials: [[SchemaViolation]] = []
    for (at, form) in forms.enumerated() {
      if isDone { return }
      let violations = trial(form, value, around, max: isReporting ? 16 : 1)
      trials.append(violations)
      guard violations.isEmpty else { continue }
      matching.append(at + 1)
      if !onlyOne || matching.count > 1 { break }
    }
    if isDone { return }
    if matching.count == 1 { return }
    if let first = matching.first, let second = matching.last {
      return report("It fits two of \(forms.count) forms, number \(first) and number \(second), and must fit exactly one.")
    }
    guard isReporting else { return report("It fits no admitted form.") }
    reportNearestForm(trials, value)
  }

  /// Reports the violations of the alternative of `anyOf` or `oneOf` that the value was most likely meant to match. If the alternative is
  /// ambiguous, reports the values that a discriminator may have, or the first violation of each of the first four alternatives.
  private mutating func reportNearestForm(_ trials: [[SchemaViolation]], _ value: Value) {
    let here = pathDepth
    let meant = trials.filter { trial in
      !trial.contains { found in
        found.order.count == here && (found.isOtherForm || !found.admitted.isEmpty)
          || found.order.count == here + 1 && found.admitted.count == 1
      }
    }
    let fewest = meant.map(\.count).min() ?? 0
    let nearest = meant.filter { $0.count == fewest }
    if nearest.count == 1 { return report(nearest[0]) }
    if let place = commonPlace(of: trials, depth: here + 1) {
      var admitted: [Value] = []
      for trial in trials { for found in trial where found.pointer == place.pointer { admitted += found.admitted } }
      if case .object(let object) = value,
        let member = object.members.first(where: { JSONPointer.appending($0.name, to: "") == place.step })
      {
        return inMember(member.name, object.position(of: member.name) ?? 0) { $0.reportNotAmong(admitted, member.value) }
      }
    }
    let reasons = trials.prefix(4).enumerated().compactMap { at, trial in
      trial.first.map { found in "(\(at + 1)) \(found.pointer.isEmpty ? "" : found.pointer + ": ")\(found.message)" }
    }
    report("It does not fit any of the \(trials.count) admitted forms: \(reasons.joined(separator: " "))")
  }

  /// Returns the discriminator of the alternatives: the member for which each of them requires a constant. Returns nil if there is no such
  /// member.
  private func commonPlace(of trials: [[SchemaViolation]], depth: Int) -> (pointer: String, step: String)? {
    guard let first = trials.first, trials.count > 1 else { return nil }
    for candidate in first where candidate.admitted.count == 1 && candidate.order.count == depth {
      let isCommon = trials.allSatisfy { $0.contains { $0.pointer == candidate.pointer && $0.admitted.count == 1 } }
      guard isCommon, let slash = candidate.pointer.lastIndex(of: "/") else { continue }
      return (candidate.pointer, String(candidate.pointer[slash...]))
    }
    return nil
  }
}
