// Tests templates in each of the three formats: their evaluation, and the reasons for which they are rejected.

import GameConfCore
import GameConfFormats
import Testing

@Suite("Templates of Firebase, flagd and gameconfd")
struct TemplateReaderTests {
  private func read(_ document: Value) throws -> Template { try TemplateReader.read(document, for: TemplateCatalog.catalog()) }

  /// Returns a Firebase client template that turns `flag` on if this condition is true.
  private func client(_ expression: String) -> Value {
    [
      "conditions": [["name": "c", "expression": .string(expression)]],
      "parameters": [
        "flag": ["defaultValue": ["value": "false"], "conditionalValues": ["c": ["value": "true"]], "valueType": "BOOLEAN"]
      ],
    ]
  }

  @Test(
    "a condition expression of a Firebase client template is true for a context that fulfils it, and false for another context",
    arguments: [
      ("device.os == 'ios'", ["platform": "ios"], ["platform": "android"]),
      ("device.os != 'ios'", ["platform": "android"], ["platform": "ios"]),
      (
        "device.os == 'ios' && app.version.>=(['1.4.0'])", ["platform": "ios", "app_version": "1.10"],
        ["platform": "ios", "app_version": "1.3.9"]
      ),
      ("app.version.<(['2'])", ["app_version": "1.9.9"], ["app_version": "2.0.0"]),
      ("app.version.contains(['beta'])", ["app_version": "1.0-beta"], ["app_version": "1.0"]),
      ("app.version.matches(['^1[.]'])", ["app_version": "1.5"], ["app_version": "2.1.5"]),
      ("app.build.==(['42'])", ["app_build": "42"], ["app_build": 43]),
      ("device.country in ['SE', 'NO']", ["country": "SE"], ["country": "DE"]),
      ("device.country in ['SE']", ["locale": "sv-SE"], ["locale": "sv-FI"]),
      ("device.language in ['en', 'fr-CA']", ["locale": "en_GB.UTF-8"], ["locale": "fr-FR"]),
      ("app.userProperty['level'] > 20", ["level": 21], ["level": 20]),
      ("app.userProperty['plan'].contains(['gold', 'silver'])", ["plan": "old gold"], ["plan": "lead"]),
      ("app.userProperty['plan'] exactlyMatches ['gold']", ["plan": " gold "], ["plan": "golden"]),
      ("app.userProperty['plan'] notContains ['gold']", ["plan": "lead"], ["plan": "gold"]),
      ("app.customSignal['plan'] == 'gold'", ["plan": "gold"], ["plan": "lead"]),
      ("percent('abcdef') <= 8.363379", ["targetingKey": "user-7"], ["targetingKey": "user-0"]),
      ("percent('abcdef') > 8.363379", ["targetingKey": "user-0"], ["targetingKey": "user-7"]),
      ("percent('abcdef') between 8 and 9", ["targetingKey": "user-7"], ["targetingKey": "user-0"]),
      ("(device.os == 'ios') && true", ["platform": "ios"], ["platform": "mac"]),
    ] as [(String, ObjectValue, ObjectValue)])
  func expressions(expression: String, inside: ObjectValue, outside: ObjectValue) throws {
    let template = try read(client(expression))
    #expect(try TemplateCatalog.answer("flag", template, inside).value == true)
    #expect(try TemplateCatalog.answer("flag", template, outside).value == false)
    #expect(try TemplateCatalog.answer("flag", template).value == false, "an empty context fulfils nothing")
  }

  @Test("a Firebase condition with a time range changes the value at both ends of the range, and next_change_at has the next end")
  func time() throws {
    let template = try read(
      client("device.dateTime >= dateTime('2026-12-01T00:00:00') && device.dateTime < dateTime('2026-12-08T00:00:00', 'UTC')"))
    let start = try Instant(parsing: "2026-12-01T00:00:00Z")
    let before = try TemplateCatalog.answer("flag", template, now: Instant(seconds: start.seconds - 1))
    #expect(before.value == false)
    #expect(before.nextChangeAt == start)
    let during = try TemplateCatalog.answer("flag", template, now: start)
    #expect(during.value == true)
    #expect(during.nextChangeAt == Instant(seconds: start.seconds + 7 * 86_400))
    #expect(try TemplateCatalog.answer("flag", template, now: Instant(seconds: start.seconds + 7 * 86_400)).value == false)
  }

  @Test("a template's value has the reason SPLIT if only a percentage decided, and TARGETING_MATCH with another condition")
  func reasons() throws {
    let context: ObjectValue = ["targetingKey": "user-7", "platform": "ios"]
    #expect(try TemplateCatalog.answer("flag", read(client("percent('abcdef') <= 50")), context).reason == .split)
    #expect(
      try TemplateCatalog.answer("flag", read(client("percent('abcdef') <= 50 && device.os == 'ios'")), context).reason == .targetingMatch)
    #expect(try TemplateCatalog.answer("flag", read(client("percent <= 0")), context).reason == .default)
  }

  @Test("Firebase conditions are evaluated in the order of the template, not in the order of a parameter's conditional values")
  func order() throws {
    let template = try read([
      "conditions": [["name": "first", "expression": "true"], ["name": "second", "expression": "true"]],
      "parameters": ["p0": ["conditionalValues": ["second": ["value": "2"], "first": ["value": "1"]]]],
    ])
    #expect(try TemplateCatalog.answer("p0", template).value == "1")
  }

  @Test("useInAppDefault gives the catalog's default despite a default value, and a condition with an unknown function is never true")
  func absent() throws {
    let template = try read([
      "conditions": [
        ["name": "c", "expression": "true"], ["name": "strange", "expression": "app.audiences.inAtLeastOne(['x']) && true"],
      ],
      "parameters": [
        "p0": ["defaultValue": ["value": "remote"], "conditionalValues": ["c": ["useInAppDefault": true]]],
        "p1": ["defaultValue": ["personalizationValue": ["personalizationId": "1"]]],
        "p2": ["defaultValue": ["value": "remote"], "conditionalValues": ["strange": ["value": "never"]]],
        "elsewhere": ["defaultValue": ["value": "kept"]],
      ],
    ])
    #expect(try TemplateCatalog.answer("p0", template).layer == .catalogDefault)
    #expect(try TemplateCatalog.answer("p1", template).value == "d1")
    #expect(try TemplateCatalog.answer("p2", template).value == "remote")
    #expect(template.unknownKeys == ["elsewhere"])
    #expect(template.remarks.count == 2)
  }

  @Test("Firebase parameters are read inside groups too, and their texts are converted to the parameter's type")
  func groups() throws {
    let template = try read([
      "parameters": ["lives": ["defaultValue": ["value": "5"]], "list": ["defaultValue": ["value": "[1, 2.5]"]]],
      "parameterGroups": ["Speed": ["parameters": ["speed": ["defaultValue": ["value": "2"]]]]],
    ])
    #expect(try TemplateCatalog.answer("lives", template).value == 5)
    #expect(try TemplateCatalog.answer("speed", template).value == .double(2))
    #expect(try TemplateCatalog.answer("list", template).value == [1, 2.5])
    #expect(try TemplateCatalog.answer("lives", template).reason == .static)
  }

  @Test("a template in gameconfd's own format has values, and rules with time windows")
  func own() throws {
    let template = try read([
      "gameconf_template": 1, "values": ["lives": 4],
      "rules": [
        "lives": [
          ["match": ["platform": "ios"], "value": 5],
          ["from": "2026-12-01T00:00:00Z", "until": "2026-12-02T00:00:00Z", "value": 6],
        ]
      ],
    ])
    let inside = try Instant(parsing: "2026-12-01T12:00:00Z")
    #expect(try TemplateCatalog.answer("lives", template, ["platform": "ios"]).value == 5)
    #expect(try TemplateCatalog.answer("lives", template).value == 4)
    #expect(try TemplateCatalog.answer("lives", template, now: inside).value == 6)
    #expect(try TemplateCatalog.answer("lives", template, now: inside).nextChangeAt == Instant(parsing: "2026-12-02T00:00:00Z"))
  }

  @Test("a flagd template gives the catalog's default for a flag that is disabled or has no default variant")
  func flags() throws {
    let template = try read([
      "flags": [
        "flag": [
          "state": "ENABLED", "variants": ["on": true, "off": false], "defaultVariant": "off",
          "targeting": ["if": [["==": [["var": "platform"], "ios"]], "on", nil]],
        ],
        "p0": ["state": "DISABLED", "variants": ["a": "remote"], "defaultVariant": "a"],
        "p1": ["state": "ENABLED", "variants": ["a": "remote"], "defaultVariant": nil],
      ]
    ])
    let on = try TemplateCatalog.answer("flag", template, ["platform": "ios"])
    #expect(on.value == true && on.layer == .remote && on.variant == "on" && on.reason == .targetingMatch)
    #expect(try TemplateCatalog.answer("flag", template).variant == "off")
    #expect(try TemplateCatalog.answer("p0", template).layer == .catalogDefault)
    #expect(try TemplateCatalog.answer("p1", template).value == "d1")
  }

  @Test(
    "a template with an invalid part is rejected with its pointer",
    arguments: [
      (["parameters": ["lives": ["defaultValue": ["value": "ten"]]]], "/parameters/lives/defaultValue/value"),
      (["parameters": ["lives": ["defaultValue": ["value": "10"]]]], "/parameters/lives/defaultValue/value"),
      (["parameters": ["lives": ["defaultValue": ["value": 3]]]], "/parameters/lives/defaultValue/value"),
      (["parameters": ["flag": ["defaultValue": ["value": "perhaps"]]]], "/parameters/flag/defaultValue/value"),
      (["parameters": ["p0": ["conditionalValues": ["nobody": ["value": "x"]]]]], "/parameters/p0/conditionalValues/nobody"),
      (["parameters": ["p0": ["defaultValue": .object(ObjectValue())]]], "/parameters/p0/defaultValue"),
      (["conditions": [["name": "c", "expression": "device.os = = 'ios'"]]], "/conditions/0/expression"),
      (["conditions": [["name": "c", "expression": "device.colour == 'red'"]]], "/conditions/0/expression"),
      (["conditions": [["name": "c", "expression": "percent <= 200"]]], "/conditions/0/expression"),
      (["conditions": [["name": "c", "expression": "device.os == 'ios' || true"]]], "/conditions/0/expression"),
      (["conditions": [["name": "c", "expression": "app.version.matches(['(?=a)'])"]]], "/conditions/0/expression"),
      (["conditions": [["name": "c", "expression": "app.version.matches(['((a{1,999}){9}){1,999}'])"]]], "/conditions/0/expression"),
      (["conditions": [["name": "c", "expression": ""]]], "/conditions/0/expression"),
      (["conditions": [["name": "c", "expression": "device.os == 'ios"]]], "/conditions/0/expression"),
      (["conditions": [["name": "c"]]], "/conditions/0"),
      (["conditions": [["name": "c", "expression": "true"], ["name": "c", "expression": "true"]]], "/conditions/1/name"),
      (
        ["conditions": [["name": "c", "condition": ["percent": ["percentOperator": "MORE", "microPercent": 1]]]]],
        "/conditions/0/condition/percent/percentOperator"
      ),
      (
        ["conditions": [["name": "c", "condition": ["percent": ["percentOperator": "LESS_OR_EQUAL", "microPercent": 200_000_000]]]]],
        "/conditions/0/condition/percent/microPercent"
      ),
      (["gameconf_template": 2], "/gameconf_template"),
      (["gameconf_template": 1, "value": 1], "/value"),
      (["gameconf_template": 1, "values": ["lives": 99]], "/values/lives"),
      (["gameconf_template": 1, "rules": ["lives": [["value": 99]]]], "/rules/lives/0/value"),
      (["gameconf_template": 1, "rules": ["lives": [["percent": 101, "value": 4]]]], "/rules/lives/0/percent"),
      (["gameconf_template": 1, "game": "other"], "/game"),
      (["flags": ["lives": ["state": "ENABLED", "variants": ["a": 99], "defaultVariant": "a"]]], "/flags/lives/variants/a"),
      (["nothing": 1], ""),
      ([1], ""),
    ] as [(Value, String)])
  func refused(document: Value, pointer: String) throws {
    let faults = try TemplateCatalog.faults(document)
    #expect(faults.map(\.pointer).contains(pointer), "\(faults)")
  }

  @Test("Firebase conditions may nest parentheses to Firebase's depth, and deeper ones are rejected without recursion")
  func parentheses() throws {
    func nested(_ depth: Int) -> Value { client(String(repeating: "(", count: depth) + "true" + String(repeating: ")", count: depth)) }
    #expect(try TemplateCatalog.faults(nested(TemplateCondition.depthMax)).isEmpty)
    for depth in [TemplateCondition.depthMax + 1, 30_000] {
      let faults = try TemplateCatalog.faults(nested(depth))
      #expect(faults.map(\.pointer) == ["/conditions/0/expression"], "\(faults)")
    }
  }

  @Test("a template with too many parameters or conditions is rejected")
  func limits() throws {
    func parameters(_ count: Int) -> Value {
      ["parameters": .object(ObjectValue((0..<count).map { ("k\($0)", ["defaultValue": ["value": "x"]]) }))]
    }
    func conditions(_ count: Int) -> Value {
      ["parameters": [:], "conditions": .list((0..<count).map { ["name": .string("c\($0)"), "expression": "true"] })]
    }
    #expect(try TemplateCatalog.faults(parameters(Template.parametersMax)).isEmpty)
    #expect(try TemplateCatalog.faults(parameters(Template.parametersMax + 1)).count == 1)
    #expect(try TemplateCatalog.faults(conditions(Template.conditionsMax)).isEmpty)
    #expect(try TemplateCatalog.faults(conditions(Template.conditionsMax + 1)).count == 1)
  }
}
