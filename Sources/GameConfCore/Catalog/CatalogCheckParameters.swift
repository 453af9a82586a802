// Validates parameters: fields against the type, values against the fields, flag kinds and rules.

extension CatalogCheck {
  mutating func checkParameter(_ parameter: Parameter) {
    let path: CatalogPath = ["parameters", parameter.key]
    checkName(parameter.key, as: .parameter, at: path)
    checkFieldsFitType(parameter, path)
    checkFlag(parameter, path)
    if parameter.isSecret, parameter.isPlayerSetting {
      fault(
        path.appending("secret"), "“secret” and “player_setting” exclude each other: a game must be able to read its players' settings.")
    }
    if let key = parameter.settingFlag, let flag = checkParameterReference(key, at: path.appending("player_setting")) {
      if flag.type != .boolean {
        fault(path.appending("player_setting"), "“\(key)” is of type \(flag.type.rawValue); players may choose while a boolean is true.")
      } else if flag.key == parameter.key {
        fault(path.appending("player_setting"), "A parameter cannot refer to itself here.")
      }
      checkShown(flag, at: path.appending("player_setting"))
    }
    // A range or list of allowed values that is itself invalid is dropped here, so that the parameter's values are not reported for it too.
    var parameter = parameter
    if let range = parameter.range, !checkRange(range, of: parameter, path.appending("range")) { parameter.range = nil }
    checkListed(parameter, path)
    if parameter.allowed?.isEmpty == true { parameter.allowed = nil }
    if parameter.flagd?.enabledDefault.map(ValueSource.value) != parameter.defaultValue {
      checkSource(parameter.defaultValue, of: parameter, path.appending("default"))
    }
    for (index, rule) in parameter.rules.enumerated() {
      checkRule(rule, of: parameter, path.appending("rules", String(index)))
    }
    checkReach(of: parameter, path)
    if let flagd = parameter.flagd { checkFlagDefinition(flagd, of: parameter, path.appending("flagd")) }
  }

  /// Validates the declaration of an event's detail, which has the fields of a parameter.
  mutating func checkDetail(_ detail: Parameter, _ path: CatalogPath) {
    checkName(detail.key, as: .parameter, at: path)
    checkFieldsFitType(detail, path)
    var detail = detail
    if let range = detail.range, !checkRange(range, of: detail, path.appending("range")) { detail.range = nil }
    checkListed(detail, path)
  }

  private mutating func checkFieldsFitType(_ parameter: Parameter, _ path: CatalogPath) {
    func misplaced(_ field: String, _ isGiven: Bool, _ types: [ParameterType]) -> CatalogFinding? {
      if !isGiven || types.contains(parameter.type) { return nil }
      let words = types.map(\.rawValue).joined(separator: " and ")
      return CatalogFinding(
        path: path.appending(field), isAboutName: true,
        message: "“\(field)” is for the types \(words); this is of type \(parameter.type.rawValue).")
    }
    let findings = [
      misplaced("range", parameter.range != nil, [.integer, .double]),
      misplaced("one_of", parameter.oneOf != nil, [.string]),
      misplaced("pattern", parameter.pattern != nil, [.string]),
      misplaced("max_length", parameter.lengthMax != nil, [.string]),
      misplaced("schema", parameter.schema != nil, [.list, .object]),
    ]
    faults += findings.compactMap { $0 }
  }

  /// Validates a range without regard to any value: its bounds, its step, and that some number is in it.
  /// - Returns: True if the range has no fault.
  private mutating func checkRange(_ range: NumericRange, of parameter: Parameter, _ path: CatalogPath) -> Bool {
    let before = faults.count
    if range.min != nil, range.above != nil {
      fault(path.appending("above"), "“min” and “above” are two lower bounds; keep one.", aboutName: true)
    }
    if range.max != nil, range.below != nil {
      fault(path.appending("below"), "“max” and “below” are two upper bounds; keep one.", aboutName: true)
    }
    for (name, bound) in [("min", range.min), ("above", range.above), ("max", range.max), ("below", range.below)] {
      guard case .parameter(let key) = bound, let other = checkParameterReference(key, at: path.appending(name)) else { continue }
      if other.type != .integer, other.type != .double {
        fault(path.appending(name), "“\(key)” is of type \(other.type.rawValue); a bound is a number.")
      } else if !parameter.isSecret {
        // The error for a value out of range quotes the bound, so a public parameter may not have a secret one.
        checkShown(other, at: path.appending(name))
      }
    }
    if let step = range.step, Value.compareNumbers(step, .integer(0)) != .greater {
      fault(path.appending("step"), "A step is greater than 0.")
    }
    let leasts = [(range.min, false), (range.above, true)]
    let mosts = [(range.max, false), (range.below, true)]
    for (least, isAbove) in leasts {
      for (most, isBelow) in mosts {
        guard case .number(let low) = least, case .number(let high) = most, let order = Value.compareNumbers(low, high) else { continue }
        if order == .greater || order == .equal && (isAbove || isBelow) {
          fault(path, "No number lies between \(ParameterAdmission.shown(low)) and \(ParameterAdmission.shown(high)) here.")
        }
      }
    }
    return faults.count == before
  }

  private mutating func checkListed(_ parameter: Parameter, _ path: CatalogPath) {
    guard let allowed = parameter.allowed else { return }
    if allowed.isEmpty { fault(path.appending("enum"), "A list of admitted values holds at least one.") }
    var bare = parameter
    bare.allowed = nil
    var seen: Set<Value> = []
    for (index, value) in allowed.enumerated() {
      let place = path.appending("enum", String(index))
      if !seen.insert(value).inserted {
        fault(place, "\(ParameterAdmission.shown(value)) appears twice in this list.")
      }
      checkValue(value, of: bare, place)
    }
  }

  private mutating func checkFlag(_ parameter: Parameter, _ path: CatalogPath) {
    guard parameter.flag == .killSwitch else { return }
    if parameter.type != .boolean { fault(path.appending("flag"), "A kill switch is of type boolean.") }
    if parameter.isPlayerSetting { fault(path.appending("player_setting"), "A kill switch cannot be a player setting.") }
    for (index, rule) in parameter.rules.enumerated() {
      let place = path.appending("rules", String(index))
      if rule.percent != nil { fault(place.appending("percent"), "A kill switch works for every player; leave out the percentage.") }
      if let condition = rule.condition, Self.usesFractional(condition.source) {
        fault(place.appending("when"), "A kill switch works for every player; leave out “fractional”.")
      }
    }
    if let targeting = parameter.flagd?.targeting, Self.usesFractional(targeting.source) {
      fault(path.appending("flagd", "targeting"), "A kill switch works for every player; leave out “fractional”.")
    }
  }

  static func usesFractional(_ source: Value) -> Bool {
    switch source {
    case .list(let elements): elements.contains(where: usesFractional)
    case .object(let object):
      object.members.contains { $0.name == "fractional" || $0.name == "fractionalEvaluation" || usesFractional($0.value) }
    default: false
    }
  }

  private mutating func checkRule(_ rule: Rule, of parameter: Parameter, _ path: CatalogPath) {
    if let condition = rule.condition { checkReads(of: condition, at: path) }
    if let percent = rule.percent {
      let shares = [percent.from] + (percent.progress.map { [$0.to] } ?? [])
      if shares.contains(where: { $0 < 0 || $0 > 100_000_000 }) { fault(path.appending("percent"), "A percentage goes from 0 to 100.") }
      if let progress = percent.progress, progress.end <= progress.start {
        fault(path.appending("percent", "end"), "A moving percentage ends after it starts.")
      }
    }
    checkSource(rule.value, of: parameter, path.appending("value"))
  }

  private mutating func checkFlagDefinition(
    _ flag: FlagDefinition, of parameter: Parameter, _ path: CatalogPath
  ) {
    if !parameter.rules.isEmpty { fault(path, "A parameter has “rules” or “flagd”, not both.", aboutName: true) }
    for variant in flag.variants.members { checkValue(variant.value, of: parameter, path.appending("variants", variant.name)) }
    if let name = flag.defaultVariant, flag.variants[name] == nil {
      let ending = self.ending(for: name, among: flag.variants.names)
      fault(path.appending("defaultVariant"), "There is no variant “\(name)”\(ending)")
    }
    if let targeting = flag.targeting { checkReads(of: targeting, at: path.appending("targeting")) }
  }

  private mutating func checkSource(_ source: ValueSource, of parameter: Parameter, _ path: CatalogPath) {
    switch source {
    case .value(let value): checkValue(value, of: parameter, path)
    case .parameter(let key):
      guard let other = checkParameterReference(key, at: path) else { return }
      if other.type != parameter.type {
        fault(path, "“\(key)” is of type \(other.type.rawValue); this is of type \(parameter.type.rawValue).")
      } else if other.isSecret, !parameter.isSecret {
        checkShown(other, at: path)
      } else if !cyclic.contains(parameter.key), let value = defaults.value(ofParameter: key) {
        let admission = ParameterAdmission.admission(of: value, for: parameter, in: catalog, use: .gameWide, lookup: defaults)
        for refusal in admission.faults { fault(path, "The default of “\(key)” is not admitted here: \(refusal.message)") }
      }
    case .dailyHash(let salt):
      if parameter.type != .string { fault(path, "A daily hash is text; this is of type \(parameter.type.rawValue).") }
      if salt.isEmpty { fault(path, "A daily hash needs a salt.") }
    case .absent: fault(path, "A catalog must give a value here; only a template may leave it to the layer below.")
    }
  }

  private mutating func checkValue(_ value: Value, of parameter: Parameter, _ path: CatalogPath) {
    let admission = ParameterAdmission.admission(of: value, for: parameter, in: catalog, use: .gameWide, lookup: defaults)
    for refusal in admission.faults {
      let isAboutName = refusal.kind == .missingLocale && !refusal.pointer.isEmpty
      fault(path.appending(pointer: refusal.pointer), refusal.message, aboutName: isAboutName)
    }
  }
}
