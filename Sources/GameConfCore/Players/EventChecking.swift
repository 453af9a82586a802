// Evaluates the catalog's checks of an event.

extension PlayerRules {
  /// Evaluates the checks of an event in the order of the catalog.
  ///
  /// An event of a play is checked against the values that the play pinned. For a late event outside a play, checks that read parameters
  /// are skipped, because the values at that time are unknown.
  /// - Returns: The ids of checks that exceeded the evaluation budget, which count as passed.
  /// - Throws: `.checkFailed` for the first check that is not satisfied.
  func check(_ event: AdmittedEvent, under terms: PlayerTerms) throws(Refusal) -> [String] {
    let checks = catalog.events[event.position].checks
    if checks.isEmpty { return [] }
    let budget = EvaluationBudget(steps: EventCheck.stepsMax)
    let isOfPlay = terms.play != nil
    let context = event.checkedContext(isOfPlay: isOfPlay)
    let isKnown = isOfPlay || terms.host.milliseconds(since: event.occurredAt) <= EventCheck.presentSecondsMax * 1000
    let parameters = terms.eventParameters
    var cutShort: [String] = []
    for check in checks {
      if !isKnown, check.readsParameters { continue }
      let input = LogicInput(context: context, flagKey: check.id, now: event.simulatedAt, budget: budget)
      switch check.outcome(input, parameters) {
      case .passed: continue
      case .failed: throw .checkFailed(id: check.id, event: event.name, message: check.message)
      case .cutShort: cutShort.append(check.id)
      }
    }
    return cutShort
  }
}

extension EventCheck {
  fileprivate enum Outcome { case passed, failed, cutShort }

  fileprivate func outcome(_ input: LogicInput, _ parameters: any ParameterLookup) -> Outcome {
    if let condition {
      let applies = condition.outcome(input, parameters: parameters)
      if applies.exceeded != nil { return .cutShort }
      if !LogicCoercion.isTruthy(applies.value) { return .passed }
    }
    let holds = require.outcome(input, parameters: parameters)
    if holds.exceeded != nil { return .cutShort }
    return LogicCoercion.isTruthy(holds.value) ? .passed : .failed
  }

  /// Returns the names that the expressions of an event's checks may read with `var`.
  static func names(of event: EventDefinition, in catalog: Catalog) -> [String] {
    var names = ["play"]
    if event.carriesScore { names.append("score") }
    if !catalog.modes.isEmpty { names.append("mode") }
    if !event.reasons.isEmpty { names.append("reason") }
    return names + event.details.map { "details.\($0.name)" }
  }
}

extension AdmittedEvent {
  /// Returns the evaluation context for checks.
  fileprivate func checkedContext(isOfPlay: Bool) -> ObjectValue {
    var context: ObjectValue = ["play": .bool(isOfPlay), "details": .object(details)]
    context["score"] = score.map(Value.integer)
    context["mode"] = mode.map(Value.string)
    context["reason"] = reason.map(Value.string)
    return context
  }
}
