// The JSON form of a catalog, for games, people and tools.

/// Converts catalogs to JSON values that have the field names of the catalog's YAML format.
public enum CatalogDescription {
  /// The text that replaces the values of secret parameters.
  public static let mask: Value = "***"

  /// Converts a catalog. Its parts become lists in the order of the file, whose elements have a `key` or `id`.
  /// - Parameter showsSecrets: False replaces the values of secret parameters by ``mask``.
  public static func value(of catalog: Catalog, showsSecrets: Bool = false) -> Value {
    var object = ObjectValue()
    object["game"] = .string(catalog.game)
    object["title"] = .string(catalog.title)
    object["bundle"] = catalog.bundle.map(Value.string)
    object["locales"] = texts(catalog.locales)
    object["modes"] = texts(catalog.modes)
    object["events"] = .list(catalog.events.map(event))
    if catalog.logsEvents { object["log_events"] = true }
    object["child_directed"] = .bool(catalog.childDirected)
    var simulation: ObjectValue = ["purchases": .string(catalog.purchases.rawValue)]
    if catalog.storeEnabled != .number(.bool(true)) { simulation["enabled"] = number(catalog.storeEnabled) }
    object["simulation"] = .object(simulation)
    object["fractional"] = .string(catalog.fractional.rawValue)
    object["premium"] = catalog.premium.map(Value.string)
    object["extra_flags"] = .bool(catalog.extraFlags)
    object["source"] = source(catalog.source)
    object["parameters"] = .list(catalog.parameters.map { parameter($0, showsSecrets: showsSecrets) })
    object["constraints"] = .list(
      catalog.constraints.map { ["id": .string($0.id), "require": $0.require.source, "message": .string($0.message)] })
    object["milestones"] = .list(catalog.milestones.map(milestone))
    object["theme_schema"] = catalog.themeSchema?.source
    object["themes"] = .list(catalog.themes.map(theme))
    object["products"] = .list(catalog.products.map { product($0, in: catalog) })
    object["offerings"] = .list(catalog.offerings.map(offering))
    object["placements"] = .list(catalog.placements.map(placement))
    object["gates"] = .list(catalog.gates.map(gate))
    if !catalog.leaderboards.isEmpty { object["leaderboards"] = .list(catalog.leaderboards.map(leaderboard)) }
    if !catalog.dropIns.isEmpty { object["drop_ins"] = .list(catalog.dropIns.map(dropIn)) }
    for member in catalog.extensions.members { object[member.name] = member.value }
    return .object(object)
  }

  private static func dropIn(_ dropIn: CatalogDropIn) -> Value {
    var object: ObjectValue = ["file": .string(dropIn.file)]
    if !dropIn.fields.isEmpty {
      object["parameters"] = .object(ObjectValue(dropIn.fields.sorted { $0.key < $1.key }.map { ($0.key, texts($0.value)) }))
    }
    if !dropIn.header.isEmpty { object["header"] = texts(dropIn.header) }
    return .object(object)
  }

  /// Converts one parameter to the fields of its YAML declaration and its `key`.
  public static func parameter(_ parameter: Parameter, showsSecrets: Bool = false) -> Value {
    let isMasked = parameter.isSecret && !showsSecrets
    var object = ObjectValue()
    object["key"] = .string(parameter.key)
    object["alias"] = parameter.alias.map(Value.string)
    object["type"] = .string(parameter.type.rawValue)
    object["default"] = isMasked ? mask : source(parameter.defaultValue)
    object["unit"] = parameter.unit.map(Value.string)
    object["range"] = parameter.range.map(range)
    object["enum"] = isMasked ? nil : parameter.allowed.map(Value.list)
    object["one_of"] = parameter.oneOf.map(oneOf)
    object["pattern"] = parameter.pattern.map { .string($0.source) }
    object["max_length"] = parameter.lengthMax.map { .integer(Int64($0)) }
    object["schema"] = isMasked ? nil : parameter.schema?.source
    object["player_setting"] = parameter.settingFlag.map { ["parameter": .string($0)] } ?? .bool(parameter.isPlayerSetting)
    object["secret"] = .bool(parameter.isSecret)
    object["flag"] = parameter.flag.map { .string($0.rawValue) }
    object["section"] = .string(parameter.section)
    object["description"] = .string(parameter.description)
    if !isMasked {
      if !parameter.rules.isEmpty { object["rules"] = .list(parameter.rules.map(rule)) }
      object["flagd"] = parameter.flagd.map(flagDefinition)
    }
    for member in parameter.extensions.members { object[member.name] = member.value }
    return .object(object)
  }

  private static func source(_ source: ValueSource) -> Value {
    switch source {
    case .value(let value): value
    case .parameter(let key): ["parameter": .string(key)]
    case .dailyHash(let salt): ["daily_hash": .string(salt)]
    case .absent: .null
    }
  }

  static func range(_ range: NumericRange) -> Value {
    var object = ObjectValue()
    for (name, bound) in [("min", range.min), ("max", range.max), ("above", range.above), ("below", range.below)] {
      switch bound {
      case .number(let number)?: object[name] = number
      case .parameter(let key)?: object[name] = ["parameter": .string(key)]
      case nil: break
      }
    }
    object["step"] = range.step
    return .object(object)
  }

  static func oneOf(_ oneOf: OneOf) -> Value {
    switch oneOf {
    case .freeThemes: ["themes": "free"]
    case .earnableThemes: ["themes": "earnable"]
    case .unlockedThemes: ["themes": "unlocked"]
    case .allThemes: ["themes": "all"]
    case .allProducts: ["products": "all"]
    }
  }

  private static func rule(_ rule: Rule) -> Value {
    var object = ObjectValue()
    object["when"] = rule.condition?.source
    if let percent = rule.percent {
      if let progress = percent.progress {
        object["percent"] = [
          "from": share(percent.from), "to": share(progress.to), "start": .string(progress.start.text), "end": .string(progress.end.text),
        ]
      } else {
        object["percent"] = share(percent.from)
      }
      object["seed"] = percent.seed.map(Value.string)
    }
    object["value"] = source(rule.value)
    return .object(object)
  }

  private static func share(_ millionths: Int64) -> Value {
    millionths.isMultiple(of: 1_000_000) ? .integer(millionths / 1_000_000) : .double(Double(millionths) / 1_000_000)
  }

  private static func flagDefinition(_ flag: FlagDefinition) -> Value {
    var object = ObjectValue()
    object["state"] = flag.isEnabled ? "ENABLED" : "DISABLED"
    object["variants"] = .object(flag.variants)
    object["defaultVariant"] = flag.defaultVariant.map(Value.string)
    object["targeting"] = flag.targeting?.source
    if !flag.metadata.isEmpty { object["metadata"] = .object(flag.metadata) }
    return .object(object)
  }

  private static func source(_ source: TemplateSource) -> Value {
    var object = ObjectValue()
    object["file"] = source.file.map(Value.string)
    object["activate"] = source.activatesByHand ? "manual" : "automatic"
    return .object(object)
  }

  static func texts(_ texts: [String]) -> Value { .list(texts.map(Value.string)) }

  static func texts(_ texts: [String: String]) -> Value {
    .object(ObjectValue(texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
  }
}
