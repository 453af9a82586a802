// Decodes the catalog's parameters, with their ranges, rules and flagd flags.

import GameConfCore

extension CatalogDecoder {
  mutating func parameter(_ key: String, _ node: YAMLNode) -> Parameter? {
    guard let type: ParameterType = choice(node["type"]) else { return nil }
    var parameter = Parameter(
      key: key, type: type, defaultValue: .value(.null), section: text(node["section"]) ?? "", description: text(node["description"]) ?? "")
    parameter.alias = text(node["alias"])
    parameter.unit = text(node["unit"])
    parameter.range = node["range"].flatMap { range($0.value, type) }
    parameter.allowed = allowed(node["enum"], type)
    parameter.oneOf = node["one_of"].flatMap { oneOf($0.value) }
    parameter.pattern = pattern(node["pattern"])
    parameter.lengthMax = integer(node["max_length"]).flatMap { Int(exactly: $0) }
    parameter.schema = schema(node["schema"])
    if let entry = node["player_setting"], entry.value.entries != nil {
      parameter.settingFlag = parameterReference(entry.value)
      parameter.isPlayerSetting = parameter.settingFlag != nil
    } else {
      parameter.isPlayerSetting = boolean(node["player_setting"]) ?? false
    }
    parameter.isSecret = boolean(node["secret"]) ?? false
    parameter.flag = choice(node["flag"])
    parameter.rules = each(node["rules"]) { $0.rule($1, type) }
    parameter.flagd = node["flagd"].flatMap { flagDefinition($0.value, type) }
    parameter.extensions = extensions(node)
    guard let source = defaultSource(node, type, parameter.flagd) else { return nil }
    parameter.defaultValue = source
    return parameter
  }

  /// Decodes the declaration of one detail that an event may have.
  mutating func detail(_ name: String, _ node: YAMLNode) -> Parameter {
    let type: ParameterType = choice(node["type"]) ?? .string
    var detail = Parameter(
      key: name, type: type, defaultValue: .absent, section: "", description: text(node["description"]) ?? "")
    detail.unit = text(node["unit"])
    detail.range = node["range"].flatMap { range($0.value, type) }
    detail.allowed = allowed(node["enum"], type)
    detail.oneOf = node["one_of"].flatMap { oneOf($0.value) }
    detail.pattern = pattern(node["pattern"])
    detail.lengthMax = integer(node["max_length"]).flatMap { Int(exactly: $0) }
    detail.schema = schema(node["schema"])
    return detail
  }

  /// Decodes the field `default`. Without that field, a parameter with a flagd flag gets the flag's default variant.
  private mutating func defaultSource(_ node: YAMLNode, _ type: ParameterType, _ flag: FlagDefinition?) -> ValueSource? {
    let variant = flag.flatMap { flag in flag.isEnabled ? flag.defaultVariant.flatMap { flag.variants[$0] } : nil }
    if let entry = node["default"] {
      if variant != nil {
        let message = "“flagd” has a default variant, which answers first; this “default” is never seen while the flag is enabled."
        warnings.append(TextFault(place: entry.namePlace, message: message))
      }
      return valueSource(entry.value, as: type)
    }
    guard let flag, let entry = node["flagd"] else { return nil }
    if let variant { return .value(variant) }
    if flag.defaultVariant == nil || !flag.isEnabled {
      fault(
        entry.namePlace, "A flag that is disabled or has no default variant needs a “default” beside it: a parameter always has a value.")
    } else {
      // The variant does not exist, which the check of the flag reports. Any other variant serves here.
      return flag.variants.members.first.map { .value($0.value) }
    }
    return nil
  }

  private mutating func range(_ node: YAMLNode, _ type: ParameterType) -> NumericRange? {
    guard node.entries != nil else { return nil }
    return NumericRange(
      min: bound(node["min"], type), max: bound(node["max"], type), above: bound(node["above"], type), below: bound(node["below"], type),
      step: node["step"].flatMap { number($0.value) })
  }

  private mutating func bound(_ entry: YAMLEntry?, _ type: ParameterType) -> NumericRange.Bound? {
    guard let entry else { return nil }
    if entry.value.entries != nil { return parameterReference(entry.value).map(NumericRange.Bound.parameter) }
    guard let number = number(entry.value) else { return nil }
    return .number(number.coerced(to: type) ?? number)
  }

  /// Decodes the values of the field `enum`. Returns nil if one cannot be decoded, so that valid defaults are not reported as missing in
  /// the list.
  private mutating func allowed(_ entry: YAMLEntry?, _ type: ParameterType) -> [Value]? {
    guard let count = entry?.value.elements?.count, count > 0 else { return nil }
    let values = each(entry) { $0.value($1, as: type) }
    return values.count == count ? values : nil
  }

  private mutating func oneOf(_ node: YAMLNode) -> OneOf? {
    if node["products"] != nil { return .allProducts }
    switch text(node["themes"]) {
    case "free": return .freeThemes
    case "earnable": return .earnableThemes
    case "unlocked": return .unlockedThemes
    case "all": return .allThemes
    default:
      unread.append(node.place)
      return nil
    }
  }

  private mutating func pattern(_ entry: YAMLEntry?) -> Pattern? {
    guard let entry, let source = text(entry) else { return nil }
    do {
      return try Pattern(compiling: source)
    } catch {
      fault(entry.value.place, "The pattern cannot be read at its character \(error.offset + 1): \(error.message)")
      return nil
    }
  }

  private mutating func rule(_ node: YAMLNode, _ type: ParameterType) -> Rule? {
    guard node.entries != nil, let valueEntry = node["value"] else {
      unread.append(node.place)
      return nil
    }
    let before = faults.count
    let percent = percent(node)
    let condition = condition(node)
    guard let value = valueSource(valueEntry.value, as: type), faults.count == before else { return nil }
    return Rule(condition: condition, percent: percent, value: value)
  }

  private mutating func condition(_ node: YAMLNode) -> LogicExpression? {
    let match = node["match"].flatMap { data($0.value) }
    let when = node["when"].flatMap { data($0.value) }
    do {
      return try MatchCompiler.condition(match: match, when: when, options: logic)
    } catch {
      fault(node.place(at: error.pointer), Self.sentence(error.message))
      return nil
    }
  }

  private mutating func percent(_ node: YAMLNode) -> Percent? {
    let seed = text(node["seed"])
    guard let entry = node["percent"] else {
      if let stray = node["seed"] { fault(stray.namePlace, "“seed” salts a percentage, and this rule has no “percent”.") }
      return nil
    }
    if entry.value.entries == nil { return share(entry.value).map { Percent(seed: seed, from: $0) } }
    guard let from = entry.value["from"].flatMap({ share($0.value) }), let to = entry.value["to"].flatMap({ share($0.value) }),
      let start = instant(entry.value["start"]), let end = instant(entry.value["end"])
    else { return nil }
    return Percent(seed: seed, from: from, progress: Percent.Progress(to: to, start: start, end: end))
  }

  /// Decodes a percentage to millionths of a percent.
  private mutating func share(_ node: YAMLNode) -> Int64? {
    guard let number = number(node) else { return nil }
    guard let order = Value.compareNumbers(number, 0), order != .less, Value.compareNumbers(number, 100) != .greater else {
      fault(node.place, "A percentage goes from 0 to 100.")
      return nil
    }
    guard number.isMultiple(of: .double(0.000_001)), let percent = number.numberValue else {
      fault(node.place, "A percentage has at most six decimals.")
      return nil
    }
    return Int64((percent * 1_000_000).rounded())
  }

  private mutating func instant(_ entry: YAMLEntry?) -> Instant? {
    guard let entry, let text = text(entry) else { return nil }
    do {
      return try Instant(parsing: text)
    } catch {
      fault(entry.value.place, Self.sentence(error.message))
      return nil
    }
  }

  private mutating func flagDefinition(_ node: YAMLNode, _ type: ParameterType) -> FlagDefinition? {
    guard let entries = node["variants"]?.value.entries else { return nil }
    var variants = ObjectValue()
    for entry in entries { variants[entry.name] = value(entry.value, as: type) }
    if entries.isEmpty { fault(node.place, "A flag has at least one variant.") }
    var targeting: LogicExpression?
    if let entry = node["targeting"], !entry.value.isNull, entry.value.entries?.isEmpty != true {
      targeting = expression(entry)
    }
    var metadata = ObjectValue()
    for entry in node["metadata"]?.value.entries ?? [] { metadata[entry.name] = data(entry.value) }
    let defaultVariant = node["defaultVariant"].flatMap { $0.value.isNull ? nil : text($0.value) }
    return FlagDefinition(
      isEnabled: text(node["state"]) != "DISABLED", variants: variants, defaultVariant: defaultVariant, targeting: targeting,
      metadata: metadata)
  }
}
