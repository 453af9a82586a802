// Tests the short form of conditions, `match`.

import GameConfCore
import Testing

@Suite("Short form of conditions")
struct MatchCompilerTests {
  private func holds(_ match: Value?, when: Value? = nil, _ context: Value) throws -> Bool {
    try #require(try MatchCompiler.condition(match: match, when: when)).holds(.with(context), parameters: NoParameters())
  }

  @Test(
    "match requires all of its attributes, and a list matches any of its elements",
    arguments: [
      (["platform": ["ios", "mac"], "app_version": "<1.4.0"], ["platform": "mac", "app_version": "1.3.9"], true),
      (["platform": ["ios", "mac"], "app_version": "<1.4.0"], ["platform": "mac", "app_version": "1.4.0"], false),
      (["platform": ["ios", "mac"], "app_version": "<1.4.0"], ["platform": "android", "app_version": "1.0.0"], false),
      (["platform": ["ios", "mac"], "app_version": "<1.4.0"], ["platform": "ios"], false),
      (["platform": "ios"], ["platform": "ios"], true),
      (["platform": "ios"], ["platform": "iOS"], false),
      (["platform": "ios"], [:], false),
      (["level": 3], ["level": 3.0], true),
      (["level": 3], ["level": "3"], false),
      (["beta": true], ["beta": true], true),
      (["beta": true], ["beta": 1], false),
      (["beta": nil], [:], true),
      (["targetingKey": ["p1", "p2"]], ["targetingKey": "p2"], true),
      (["device.os": "ios"], ["device": ["os": "ios"]], true),
      (["v": ">=1.2"], ["v": "1.2.0"], true),
      (["v": "> 1.2"], ["v": "v1.2.1"], true),
      (["v": "=1.2.0"], ["v": "1.2.0+b7"], true),
      (["v": "!=1.2.0"], ["v": "1.2.1"], true),
      (["v": "!=1.2.0"], [:], false),
      (["v": "~1.2.0"], ["v": "1.2.9"], true),
      (["v": "~1.2.0"], ["v": "1.3.0"], false),
      (["v": "^1.2.0"], ["v": "1.9.0"], true),
      (["v": ["<1.0.0", ">=2.0.0", "beta"]], ["v": "2.1.0"], true),
      (["v": ["<1.0.0", ">=2.0.0", "beta"]], ["v": "beta"], true),
      (["v": ["<1.0.0", ">=2.0.0", "beta"]], ["v": "1.5.0"], false),
      ([:], [:], true),
    ] as [(Value, Value, Bool)])
  func matching(match: Value, context: Value, expected: Bool) throws {
    if match.objectValue?.isEmpty == true {
      #expect(try MatchCompiler.condition(match: match, when: nil) == nil)
    } else {
      #expect(try holds(match, context) == expected)
    }
  }

  @Test("a rule with match and when requires both")
  func both() throws {
    let when: Value = [">": [["var": "level"], 3]]
    #expect(try holds(["platform": "ios"], when: when, ["platform": "ios", "level": 4]))
    #expect(try !holds(["platform": "ios"], when: when, ["platform": "ios", "level": 3]))
    #expect(try holds(nil, when: when, ["level": 4]))
    #expect(try MatchCompiler.condition(match: nil, when: nil) == nil)
    let condition = try MatchCompiler.condition(match: ["platform": "ios"], when: when)
    #expect(condition?.reads.attributes == ["platform", "level"])
  }

  @Test(
    "an invalid match or when is rejected with a pointer",
    arguments: [
      (["v": "<abc"], nil, "/match/v"), (["v": ["1.0.0", "^x.y"]], nil, "/match/v/1"), (["v": "="], nil, "/match/v"),
      (["v": []], nil, "/match/v"), (["v": ["a": 1]], nil, "/match/v"), (["v": [["a"]]], nil, "/match/v/0"), ([1], nil, "/match"),
      ("ios", nil, "/match"), (["": 1], nil, "/match/"), (["a": 1], ["iff": [1]], "/when"), (["a": 1], ["!": [["iff": 1]]], "/when/!/0"),
      (["a/b": "<x"], nil, "/match/a~1b"),
    ] as [(Value, Value?, String)])
  func refused(match: Value, when: Value?, pointer: String) throws {
    let fault = try #require(throws: LogicFault.self) { try MatchCompiler.condition(match: match, when: when) }
    #expect(fault.pointer == pointer)
  }
}
