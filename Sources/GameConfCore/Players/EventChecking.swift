// Evaluates the conditions (checks) that the catalog sets for recording an event.

extension PlayerRules {
  /// Evaluates the catalog's checks for an event, in the catalog's order.
  ///
  /// An event that belongs to a play is checked against the values that the play pinned. For a late event outside a play, checks that read
  /// parameters are skipped, because the values at that time are unknown.
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
    let facts = EventFlagsAndGates(event: event, terms: terms)
    var cutShort: [String] = []
    for check in checks {
      if !isKnown, check.readsParameters { continue }
      var input = LogicInput(context: context, flagKey: check.id, now: event.simulatedAt, budget: budget)
      input.facts = facts
      switch check.outcome(input, parameters) {
      case .passed: continue
      case .failed: throw .checkFailed(check, event: event.name, facts)
      case .cutShort: cutShort.append(check.id)
      }
    }
    return cutShort
  }
}

/// Evaluates the flags and gates in an event's checks with the state at the play's opening. Without a play, it uses the state at the
/// event's time.
private struct EventFlagsAndGates: FlagAndGateLookup {
  let event: AdmittedEvent
  let terms: PlayerTerms

  /// The instant at which the play opened, or the event's time if there is no play, by the host's clock. It is nil for an event without a
  /// time, which occurs now.
  private var at: Instant? {
    if let play = terms.play { return terms.host.adding(milliseconds: -terms.now.milliseconds(since: play.openedAt)) }
    return event.isDated ? event.occurredAt : nil
  }

  func isOn(_ key: String) -> Bool {
    if let pinned = terms.play?.values[key]?.value { return pinned == .bool(true) }
    if terms.parameters.value(ofParameter: key) == .bool(true) { return true }
    guard let at else { return false }
    return terms.valueSince(key).map { at <= $0 } ?? true
  }

  func isUnlocked(_ id: String, _ arguments: ObjectValue, budget: EvaluationBudget?) -> Bool {
    guard let gate = terms.catalog.gates.first(where: { $0.id == id }) else { return false }
    let reads = gate.lockedWhen.reads.parameters.filter { terms.play?.values[$0] == nil }
    // If a parameter of the gate has changed since `at`, its value at that instant is not known. The gate may have been open, so it counts
    // as open.
    if let at, reads.contains(where: { key in terms.valueSince(key).map { at < $0 } ?? false }) { return true }
    let held = terms.heldAt?(terms.play?.openedAt ?? event.simulatedAt) ?? terms.entitlements.held
    let decision = try? gate.decide(
      arguments: arguments, context: ObjectValue(), parameters: terms.eventParameters, entitlements: held, unlockers: [],
      now: event.simulatedAt, budget: budget)
    return decision.map { !$0.isLocked } ?? false
  }
}

extension Refusal {
  /// The error for an event that fails a check. It names the first flag that is off, and the entitlements that would open the gates.
  fileprivate static func checkFailed(_ check: EventCheck, event: String, _ facts: EventFlagsAndGates) -> Refusal {
    var refusal = Refusal.checkFailed(id: check.id, event: event, message: check.message)
    let off = check.require.reads.flags.sorted().filter { !facts.isOn($0) }
    if let flag = off.first {
      refusal.message += " “\(flag)” is off."
      refusal.members["parameter"] = .string(flag)
    }
    let gates = facts.terms.catalog.gates.filter { check.require.reads.gates[$0.id] != nil }
    let openers = gates.flatMap(\.unless)
    if !openers.isEmpty {
      refusal.message += " It opens with \(openers.map { "“\($0)”" }.joined(separator: " or "))."
      refusal.members["unlocked_by"] = .list(openers.map(Value.string))
    }
    return refusal
  }
}

extension EventCheck {
  fileprivate enum CheckOutcome { case passed, failed, cutShort }

  fileprivate func outcome(_ input: LogicInput, _ parameters: any ParameterLookup) -> CheckOutcome {
    if let condition {
      let applies = condition.outcome(input, parameters: parameters)
      if applies.exceeded != nil { return .cutShort }
      if !LogicCoercion.isTruthy(applies.value) { return .passed }
    }
    let holds = require.outcome(input, parameters: parameters)
    if holds.exceeded != nil { return .cutShort }
    return LogicCoercion.isTruthy(holds.value) ? .passed : .failed
  }

  /// Returns the names of variables that the expressions of an event's checks may read with `var`.
  static func names(of event: EventDefinition, in catalog: Catalog) -> [String] {
    var names = ["play"]
    if event.carriesScore { names.append("score") }
    if !catalog.modes.isEmpty { names.append("mode") }
    if !event.reasons.isEmpty { names.append("reason") }
    return names + event.details.map { "details.\($0.name)" }
  }
}

extension AdmittedEvent {
  /// Returns the event's fields by the names that checks read with `var`.
  fileprivate func checkedContext(isOfPlay: Bool) -> ObjectValue {
    var context: ObjectValue = ["play": .bool(isOfPlay), "details": .object(details)]
    context["score"] = score.map(Value.integer)
    context["mode"] = mode.map(Value.string)
    context["reason"] = reason.map(Value.string)
    return context
  }
}
