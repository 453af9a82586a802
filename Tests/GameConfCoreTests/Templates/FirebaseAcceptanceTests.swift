// Tests the numbers that Firebase accepts, and the templates that it rejects.

import GameConfCore
import Testing

@Suite("Validation of a template by Firebase's rules")
struct FirebaseAcceptanceTests {
  @Test(
    "a number is parsed as in Firebase's libraries; one with an exponent or a leading space is parsed, but rejected in a template",
    arguments: [
      (".5", 0.5, true), ("-.5", -0.5, true), ("007", 7, true), ("-007", -7, true), ("00.50", 0.5, true), ("0", 0, true), ("000", 0, true),
      ("1.5", 1.5, true), ("1e5", 100_000.0, false), ("1E5", 100_000.0, false), ("5.", nil, false), (".", nil, false), ("-", nil, false),
      ("", nil, false), ("1.2.3", nil, false), ("+1", nil, false), ("abc", nil, false), ("true", nil, false), (" 1", 1, false),
    ] as [(String, Value?, Bool)])
  func numbers(text: String, value: Value?, isAdmitted: Bool) {
    #expect(FirebaseNumber.value(of: text) == value, "\(text)")
    #expect(FirebaseNumber.isAdmitted(text) == isAdmitted, "\(text)")
  }

  private static func parameter(_ key: String, _ parameter: Value = ["defaultValue": ["value": "x"]]) -> Value {
    ["parameters": .object(ObjectValue([(key, parameter)]))]
  }

  private static func typed(_ type: String, _ text: String) -> Value {
    parameter("k", ["defaultValue": ["value": .string(text)], "valueType": .string(type)])
  }

  private static func condition(_ members: ObjectValue) -> Value {
    var condition: ObjectValue = ["name": "c", "expression": "true"]
    for member in members.members { condition[member.name] = member.value }
    return ["conditions": [.object(condition)], "parameters": [:]]
  }

  @Test(
    "a part of a template that Firebase rejects is reported with its JSON pointer",
    arguments: [
      (parameter("header-color"), "/parameters/header-color"), (parameter("__proto__"), "/parameters/__proto__"),
      (parameter("1st"), "/parameters/1st"), (parameter("a b"), "/parameters/a b"),
      (["parameterGroups": ["shop": ["parameters": ["shop": ["defaultValue": ["value": "1"]]]]]], "/parameterGroups/shop/parameters/shop"),
      (typed("BOOLEAN", "on"), "/parameters/k/defaultValue/value"), (typed("NUMBER", "1e5"), "/parameters/k/defaultValue/value"),
      (typed("NUMBER", "abc"), "/parameters/k/defaultValue/value"), (typed("JSON", "{a"), "/parameters/k/defaultValue/value"),
      (
        parameter("k", ["conditionalValues": ["a/b": ["value": "off"]], "valueType": "BOOLEAN"]),
        "/parameters/k/conditionalValues/a~1b/value"
      ),
      (parameter("k", ["defaultValue": ["experimentValue": [:]]]), "/parameters/k/defaultValue/experimentValue"),
      (parameter("k", ["description": .string(String(repeating: "d", count: 300))]), "/parameters/k/description"),
      (condition(["name": "a/b"]), "/conditions/0/name"), (condition(["name": "a "]), "/conditions/0/name"),
      (condition(["tagColor": "blue"]), "/conditions/0/tagColor"),
      (condition(["expression": "device.os == 'ios' && app.customSignal['v'] == 'true'"]), "/conditions/0/expression"),
    ] as [(Value, String)])
  func refused(document: Value, pointer: String) {
    let faults = FirebaseAcceptance.faults(of: document)
    #expect(faults.map(\.pointer) == [pointer], "\(faults)")
    #expect(faults.allSatisfy { $0.message.contains("Firebase") }, "\(faults)")
  }

  @Test("Firebase accepts a parameter key of 256 characters and rejects one of 257", arguments: [(256, 0), (257, 1)])
  func length(count: Int, faults: Int) {
    #expect(FirebaseAcceptance.faults(of: Self.parameter(String(repeating: "k", count: count))).count == faults)
  }

  @Test("a template that Firebase accepts has no faults")
  func admitted() {
    let document: Value = [
      "conditions": [
        [
          "name": "iOS users", "expression": "app.customSignal['v'].exactlyMatches(['true']) && app.customSignal['n'] == 5",
          "tagColor": "BLUE",
        ]
      ],
      "parameters": [
        "_a1": ["defaultValue": ["value": ".5"], "conditionalValues": ["iOS users": ["experimentValue": [:]]], "valueType": "NUMBER"],
        "b": ["defaultValue": ["useInAppDefault": true], "valueType": "BOOLEAN", "description": "On or off."],
        "c": ["defaultValue": ["value": "{\"a\": 1}"], "valueType": "JSON"],
        "d": ["defaultValue": ["value": "true"], "valueType": "BOOLEAN"],
      ],
      "parameterGroups": ["shop": ["description": "The shop.", "parameters": ["price": ["defaultValue": ["value": "1"]]]]],
    ]
    #expect(FirebaseAcceptance.faults(of: document).isEmpty, "\(FirebaseAcceptance.faults(of: document))")
  }
}
