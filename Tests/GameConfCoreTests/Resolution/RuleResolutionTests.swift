// Tests rules and flags in the catalog's layer, their reasons and explanations.

import GameConfCore
import Testing

@Suite("Resolution of rules and flags")
struct RuleResolutionTests {
  private static let noon: Int64 = 1_795_262_400

  private func logic(_ source: Value) throws -> LogicExpression { try LogicExpression(compiling: source) }

  private func flag(_ targeting: Value?, defaultVariant: String? = "off", isEnabled: Bool = true) throws -> Parameter {
    var parameter = Parameter.sample("flagged", .integer, .value(-1))
    parameter.flagd = FlagDefinition(
      isEnabled: isEnabled, variants: .of(["on": 1, "off": 0]), defaultVariant: defaultVariant,
      targeting: try targeting.map(logic))
    return parameter
  }

  private func answer(_ parameters: [Parameter], _ key: String, _ caller: Caller = .anyone(), layers: [String: GameLayers] = [:])
    -> Resolution?
  {
    ParameterTable(catalog: .sample(parameters), layers: layers).resolve(key, for: caller)
  }

  @Test("the reason is SPLIT for a rule with only a percentage, TARGETING_MATCH for one with a condition too, and DEFAULT without a match")
  func reasons() throws {
    let all = Percent(from: Percent.bucketCount)
    let onIOS = try logic(["==": [["var": "platform"], "ios"]])
    let parameters = [
      Parameter.sample("share", .integer, .value(0), rules: [Rule(percent: all, value: .value(1))]),
      Parameter.sample("both", .integer, .value(0), rules: [Rule(condition: onIOS, percent: all, value: .value(1))]),
    ]
    let player = Caller.anyone(player: "p", context: .of(["platform": "ios"]))
    #expect(answer(parameters, "share", player) == Resolution(value: 1, layer: .catalogDefault, reason: .split))
    #expect(answer(parameters, "both", player) == Resolution(value: 1, layer: .catalogDefault, reason: .targetingMatch))
    #expect(answer(parameters, "both", .anyone(player: "p")) == Resolution(value: 0, layer: .catalogDefault, reason: .default))
    #expect(answer(parameters, "share", .anyone()) == Resolution(value: 0, layer: .catalogDefault, reason: .default))
  }

  @Test("nextChangeAt is nil if the next change by one rule is unknown, even if that by another rule is known")
  func unknownChange() throws {
    let clock = try logic(["==": [["%": [["var": "$flagd.timestamp"], 2]], 1]])
    let moving = Percent(
      from: 0, progress: Percent.Progress(to: Percent.bucketCount, start: Instant(seconds: Self.noon), end: .latest))
    let parameter = Parameter.sample(
      "share", .integer, .value(0), rules: [Rule(condition: clock, value: .value(1)), Rule(percent: moving, value: .value(2))])
    let caller = Caller(player: "p", locales: [], now: Instant(seconds: Self.noon))
    let known = Parameter.sample("share", .integer, .value(0), rules: [Rule(percent: moving, value: .value(2))])
    #expect(answer([known], "share", caller)?.nextChangeAt != nil)
    #expect(answer([parameter], "share", caller)?.isTimeDependent == true)
    #expect(answer([parameter], "share", caller)?.nextChangeAt == nil)
  }

  @Test("a flag returns its variant, and a disabled one or one without a default returns the parameter's default")
  func flags() throws {
    let ios: Value = ["if": [["==": [["var": "platform"], "ios"]], "on", nil]]
    let caller = Caller.anyone(context: .of(["platform": "ios"]))
    func resolved(_ flag: Parameter, _ caller: Caller = .anyone(), layers: [String: GameLayers] = [:]) -> Resolution? {
      answer([flag], "flagged", caller, layers: layers)
    }
    #expect(resolved(try flag(ios), caller) == Resolution(value: 1, layer: .catalogDefault, reason: .targetingMatch, variant: "on"))
    #expect(resolved(try flag(ios)) == Resolution(value: 0, layer: .catalogDefault, reason: .default, variant: "off"))
    #expect(resolved(try flag(nil)) == Resolution(value: 0, layer: .catalogDefault, reason: .static, variant: "off"))
    #expect(resolved(try flag(ios, isEnabled: false), caller) == Resolution(value: -1, layer: .catalogDefault, reason: .disabled))
    #expect(resolved(try flag(ios, defaultVariant: nil)) == Resolution(value: -1, layer: .catalogDefault, reason: .default))
    let layers = ["flagged": GameLayers(hasPlayerOverrides: true)]
    #expect(resolved(try flag(nil), layers: layers)?.reason == .default)
  }

  @Test("a flag whose targeting names an unknown variant returns the default, and the explanation says so")
  func faultyFlag() throws {
    let parameter = try flag(["if": [true, "sideways"]])
    let resolution = answer([parameter], "flagged")
    #expect(resolution?.value == -1)
    #expect(resolution?.reason == .default)
    #expect(resolution?.fault?.contains("sideways") == true)
    let explanation = ParameterTable(catalog: .sample([parameter])).explain("flagged", for: .anyone())
    #expect(explanation?.layers.last?.why.contains("sideways") == true)
  }

  @Test("a value has the next change of the parameters that its conditions, values and flags refer to")
  func references() throws {
    let today = Parameter.sample("today", .string, .dailyHash(salt: "s"))
    let midnight = Instant(seconds: 1_795_305_600)
    let even: Value = ["==": [["%": [["var": "$flagd.timestamp"], 2]], 0]]
    let parameters = [
      today,
      .sample("copies", .string, .parameter("today")),
      .sample(
        "reads", .integer, .value(0), rules: [Rule(condition: try logic(["==": [["parameter": "copies"], "x"]]), value: .value(1))]),
      .sample("ticks", .integer, .value(0), rules: [Rule(condition: try logic(even), value: .value(1))]),
      .sample("follows", .integer, .parameter("ticks")),
      .sample(
        "opens", .integer, .value(0),
        rules: [Rule(condition: try logic([">=": [["var": "$flagd.timestamp"], 1_795_270_000]]), value: .value(1))]),
      try flag(["if": [["==": [["parameter": "opens"], 1]], "on", nil]]),
    ]
    for key in ["today", "copies", "reads"] {
      #expect(answer(parameters, key)?.nextChangeAt == midnight, "\(key)")
      #expect(answer(parameters, key)?.isTimeDependent == false, "\(key)")
    }
    for key in ["ticks", "follows"] {
      #expect(answer(parameters, key)?.isTimeDependent == true, "\(key)")
      #expect(answer(parameters, key)?.nextChangeAt == nil, "\(key)")
    }
    for key in ["opens", "flagged"] {
      #expect(answer(parameters, key)?.nextChangeAt == Instant(seconds: 1_795_270_000), "\(key)")
      #expect(answer(parameters, key)?.isTimeDependent == false, "\(key)")
    }
    var later = Caller.anyone()
    later.now = Instant(seconds: 1_795_270_000)
    #expect(answer(parameters, "flagged", later)?.value == 1)
    #expect(answer(parameters, "flagged", later)?.nextChangeAt == nil)
  }

  @Test("a parameter is evaluated only once, although each of sixty levels refers twice to the level below")
  func doubling() throws {
    var parameters = [
      Parameter.sample("p0", .integer, .value(1), rules: [Rule(condition: try logic(["var": "on"]), value: .value(2))])
    ]
    for level in 1...60 {
      let below: Value = ["parameter": .string("p\(level - 1)")]
      parameters.append(
        .sample(
          "p\(level)", .integer, .value(1), rules: [Rule(condition: try logic(["==": [["+": [below, below]], 4]]), value: .value(2))]))
    }
    #expect(answer(parameters, "p60")?.value == 1)
    #expect(answer(parameters, "p60", .anyone(context: .of(["on": true])))?.value == 2)
  }

  @Test(
    "an expression is rendered as readable text",
    arguments: [
      (
        ["and": [["in": [["var": "platform"], ["ios", "mac"]]], ["sem_ver": [["var": "app_version"], "<", "1.4.0"]]]],
        #"(platform in ["ios", "mac"]) and app_version < version 1.4.0"#
      ),
      (["==": [["parameter": "side"], 3]], "parameter side == 3"),
      (
        ["!": ["or": [["var": ["level", 1]], [">": [["var": "$flagd.timestamp"], 5]]]]], "not (level (else 1) or ($flagd.timestamp > 5))"
      ),
      (["fractional": [["var": "id"], ["a", 1]]], #"fractional(id, ["a", 1])"#),
    ] as [(Value, String)])
  func phrases(source: Value, expected: String) { #expect(LogicPhrase.text(source) == expected) }

  @Test("the readable text of a very long expression is cut")
  func longPhrase() {
    let long: Value = ["in": [["var": "id"], .list((0..<20_000).map { .integer($0) })]]
    #expect(LogicPhrase.text(long).count == LogicPhrase.lengthMax)
  }
}
