// Generates small random games, and callers that differ in everything that values may depend on.

import GameConfCore
import TestSupport

/// A generator of catalogs whose parameters refer to each other, with layers and callers.
struct RandomCatalogs {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  static let start: Int64 = 1_795_262_400
  private static let types: [ParameterType] = [.integer, .boolean, .localized, .string]
  private static let variants = ["a", "b", "c", "missing"]

  mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &random) == 0 }
  mutating func pick<Element>(_ choices: [Element]) -> Element { choices[Int.random(in: 0..<choices.count, using: &random)] }

  mutating func value(_ type: ParameterType) -> Value {
    switch type {
    case .integer: return .integer(.random(in: 0...2, using: &random))
    case .boolean: return .bool(Bool.random(using: &random))
    case .localized: return ["en": .string(pick(["one", "two"])), "fr": .string(pick(["un", "deux"]))]
    default: return .string(pick(["x", "y"]))
    }
  }

  /// Returns a parameter that refers only to earlier ones, so that there are no cycles.
  mutating func catalog() -> Catalog {
    var parameters: [Parameter] = []
    for number in 0..<Int.random(in: 2...7, using: &random) {
      let type = pick(Self.types)
      var parameter = Parameter.sample("k\(number)", type, source(type, parameters), setting: chance(6))
      if chance(3) { parameter.rules = rules(type, parameters) } else if chance(4) { parameter.flagd = flag(type, parameters) }
      parameters.append(parameter)
    }
    return .sample(parameters)
  }

  /// Returns layers for some keys, and the overrides of the players p1 to p4.
  mutating func layers(of catalog: Catalog) -> (layers: [String: GameLayers], overrides: [String: [String: Value]]) {
    var layers: [String: GameLayers] = [:]
    var overrides: [String: [String: Value]] = [:]
    for (at, parameter) in catalog.parameters.enumerated() {
      var mine = GameLayers()
      if chance(6) { mine.override = value(parameter.type) }
      if chance(5) {
        let before = Array(catalog.parameters[..<at])
        mine.remote = RemoteLayer(
          rules: chance(2) ? rules(parameter.type, before) : [], defaultValue: chance(2) ? value(parameter.type) : nil)
      }
      if chance(6) {
        mine.hasPlayerOverrides = true
        overrides["p\(Int.random(in: 1...4, using: &random))", default: [:]][parameter.key] = value(parameter.type)
      }
      layers[parameter.key] = mine
    }
    return (layers, overrides)
  }

  mutating func caller(of catalog: Catalog, overrides: [String: [String: Value]]) -> Caller {
    let player = chance(4) ? nil : "p\(Int.random(in: 1...9, using: &random))"
    var settings: [String: Value] = [:]
    for parameter in catalog.parameters where parameter.isPlayerSetting && player != nil && chance(2) {
      settings[parameter.key] = value(parameter.type)
    }
    return Caller(
      player: player, context: context(), locales: pick([["en"], ["fr", "en"], []]), now: instant(),
      overrides: player.flatMap { overrides[$0] } ?? [:], settings: settings)
  }

  mutating func context() -> ObjectValue {
    var context = ObjectValue()
    if !chance(3) { context["platform"] = .string(pick(["ios", "android", ""])) }
    if !chance(3) { context["level"] = pick([1, 5, 5.0, 0.0, -0.0, nil]) }
    if chance(3) { context["device"] = ["os": .string(pick(["a", "é", "e\u{301}"]))] }
    if chance(4) { context["locale"] = .string(pick(["en", "fr"])) }
    return context
  }

  /// Returns an instant close to one that rules mention, or days away from it.
  mutating func instant() -> Instant {
    let base = pick([Self.start - 86_400, Self.start, Self.start + 100, Self.start + 43_200, Self.start + 90_000])
    return Instant(milliseconds: base * 1000 + Int64.random(in: -1500...1500, using: &random) * pick([1, 1, 1000]))
  }

  private mutating func source(_ type: ParameterType, _ before: [Parameter]) -> ValueSource {
    let same = before.filter { $0.type == type }
    if !same.isEmpty, chance(3) { return .parameter(pick(same).key) }
    if type == .string, chance(3) { return .dailyHash(salt: "salt") }
    return .value(value(type))
  }

  private mutating func rules(_ type: ParameterType, _ before: [Parameter]) -> [Rule] {
    (0..<Int.random(in: 1...3, using: &random)).map { _ in
      var percent: Percent?
      if chance(3) { percent = Percent(seed: chance(2) ? "seed" : nil, from: .random(in: 0...Percent.bucketCount, using: &random)) }
      if percent != nil, chance(2) {
        percent?.progress = Percent.Progress(
          to: .random(in: 0...Percent.bucketCount, using: &random), start: instant(), end: Instant(seconds: Self.start + 200_000))
      }
      let condition = chance(4) ? nil : try? LogicExpression(compiling: condition(2, before))
      return Rule(condition: condition, percent: percent, value: source(type, before))
    }
  }

  private mutating func flag(_ type: ParameterType, _ before: [Parameter]) -> FlagDefinition {
    let variants = ObjectValue(["a", "b", "c"].map { ($0, value(type)) })
    var targeting: LogicExpression?
    if !chance(4) {
      let chosen: Value
      switch Int.random(in: 0..<3, using: &random) {
      case 0: chosen = ["fractional": [["a", 1], ["b", 2]]]
      case 1: chosen = ["if": [condition(1, before), .string(pick(Self.variants)), nil]]
      default: chosen = ["if": [condition(1, before), .string(pick(Self.variants)), ["fractional": [["b"], ["c"]]]]]
      }
      targeting = try? LogicExpression(compiling: chosen)
    }
    return FlagDefinition(isEnabled: !chance(5), variants: variants, defaultVariant: chance(4) ? nil : "a", targeting: targeting)
  }

  private mutating func condition(_ depth: Int, _ before: [Parameter]) -> Value {
    if depth > 0, chance(3) { return [pick(["and", "or"]): [condition(depth - 1, before), condition(depth - 1, before)]] }
    let time: Value = ["var": "$flagd.timestamp"]
    let edge: Value = .integer(Self.start + pick([0, 100, 43_200]))
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return ["==": [["var": "platform"], "ios"]]
    case 1: return ["<": [["var": ["level", 3]], 4]]
    case 2: return [pick(["<", "<=", ">", ">="]): chance(2) ? [time, edge] : [edge, time]]
    case 3: return ["<": [edge, time, .integer(Self.start + 43_200)]]
    case 4 where !before.isEmpty, 5 where !before.isEmpty:
      let other = pick(before)
      let wanted: Value = other.type == .localized ? "un" : value(other.type)
      return ["==": [["parameter": .string(other.key)], wanted]]
    case 6: return ["==": [["fractional": [["var": pick(["device", "level", "device.os"])], ["a"], ["b"]]], "a"]]
    case 7: return chance(3) ? ["==": [["%": [time, 2]], 0]] : ["missing": ["level"]]
    default: return chance(3) ? ["==": [["var": ["cat": ["plat", "form"]]], "android"]] : ["==": [["var": "locale"], "fr"]]
    }
  }
}
