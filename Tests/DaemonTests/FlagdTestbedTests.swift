// flagd's testbed over OFREP against a running daemon, with its flags converted to a catalog.

import GameConfCore
import Testing

/// A flag's evaluation by an OFREP client with its own default value.
private struct OFREPFlagEvaluation {
  var kind = ""
  var key = ""
  var fallback: Value = .null
  var context = ObjectValue()
  var answer = ObjectValue()

  var value: Value { answer["value"].flatMap { isOfKind($0) ? $0 : nil } ?? fallback }
  var reason: String { answer["errorCode"] == nil ? answer["reason"]?.stringValue ?? "" : "ERROR" }
  var errorCode: String {
    answer["errorCode"]?.stringValue ?? (answer["value"].map(isOfKind) == false ? "TYPE_MISMATCH" : "")
  }
  /// The metadata without gameconfd's own members.
  var metadata: ObjectValue {
    ObjectValue(
      (answer["metadata"]?.objectValue ?? [:]).members.filter { !["source", "revision", "overridden"].contains($0.name) }
        .map { ($0.name, $0.value) })
  }

  private func isOfKind(_ value: Value) -> Bool {
    switch kind {
    case "Boolean": value.boolValue != nil
    case "String": value.stringValue != nil
    case "Object": value.objectValue != nil
    default: value.numberValue != nil
    }
  }

  static func value(_ text: String, _ kind: String) -> Value {
    switch kind {
    case "String": .string(text)
    case "Float": .double(Double(text) ?? .nan)
    default: (try? JSONReader.value(from: text.replacing("\\\"", with: "\"").utf8)) ?? .null
    }
  }

  /// True if both are equal for a client that has only one type of number.
  static func areSame(_ left: Value, _ right: Value) -> Bool {
    if let left = left.numberValue, let right = right.numberValue { return left == right }
    return left == right
  }

  /// Returns the reason why a step fails; nil if it succeeds.
  mutating func fault(of step: TestbedScenario.Step, _ ask: (String, ObjectValue) throws -> ObjectValue) rethrows -> String? {
    let text = step.text
    if let match = text.wholeMatch(of: /an? (\w+)-flag with key "(.*?)" and a fallback value "(.*)"/) {
      (kind, key, fallback) = (String(match.1), String(match.2), Self.value(String(match.3), String(match.1)))
    } else if let match = text.wholeMatch(of: /a context containing a key "(.*)", with type "(.*)" and with value "(.*)"/) {
      context[String(match.1)] = Self.value(String(match.3), String(match.2))
    } else if let match = text.wholeMatch(
      of: /a context containing a nested property with outer key "(.*)" and inner key "(.*)", with value "(.*)"/)
    {
      context[String(match.1)] = .object(ObjectValue([(String(match.2), .string(String(match.3)))]))
    } else if let match = text.wholeMatch(of: /a context containing a targeting key with value "(.*)"/) {
      context["targetingKey"] = .string(String(match.1))
    } else if text == "the flag was evaluated with details" {
      answer = try ask(key, context)
    } else if let match = text.wholeMatch(of: /the resolved details value should be "(.*)"/) {
      let wanted = Self.value(String(match.1), kind)
      return Self.areSame(value, wanted) ? nil : "the value is \(value), not \(wanted)"
    } else if let match = text.wholeMatch(of: /the reason should be "(.*)"/) {
      return reason == match.1 ? nil : "the reason is \(reason), not \(match.1)"
    } else if let match = text.wholeMatch(of: /the error-code should be "(.*)"/) {
      return errorCode == match.1 ? nil : "the error is \(errorCode), not \(match.1)"
    } else if text == "the resolved metadata should contain" {
      for row in step.table.dropFirst() where !Self.areSame(metadata[row[0]] ?? .null, Self.value(row[2], row[1])) {
        return "the metadata \(row[0]) is \(metadata[row[0]] ?? .null), not \(row[2])"
      }
    } else if text == "the resolved metadata is empty" {
      return metadata.isEmpty ? nil : "the metadata are \(metadata)"
    } else if text != "an evaluator" {
      return "the step is unknown: \(text)"
    }
    return nil
  }
}

@Suite("flagd's testbed", .enabled(if: FlagdTestbed.folder != nil, "GAMECONF_CONFORMANCE has no flagd/evaluator"))
struct FlagdTestbedTests {
  /// The flags that flagd's own schema refuses, which are not in the converted file.
  private static let leftOut: Set<String> = [
    "semver-invalid-operator-flag", "semver-wrong-args-flag", "starts-with-wrong-args-flag", "ends-with-wrong-args-flag",
    "fractional-negative-weight-flag", "ref-to-nonexistent-evaluator-flag",
  ]

  @Test("flagd's testbed passes, except for the old hash, flags that its schema refuses, and callers' own defaults", .needs(.ofrep))
  func features() throws {
    let folder = try #require(FlagdTestbed.folder)
    let made = try ChildProcess(
      Built.control,
      ["catalog", "convert", "--from", "flagd", "--game", "v3", "--skip-invalid", "--json", folder + "/flags/testkit-flags.json"]
    ).waitForEnd()
    let converted = try JSONReader.value(from: made.output.utf8)
    #expect(Set(converted["left_out"]?.listValue?.compactMap { $0["name"]?.stringValue } ?? []) == Self.leftOut)
    let catalog = try #require(converted["document"]?.stringValue)
    let older = catalog.replacing("game: v3\n", with: "game: v2\nfractional: v2\n")
    let daemon = try RunningDaemon(catalogs: ["v3.yaml": catalog, "v2.yaml": older])

    var counts: [String: Int] = [:]
    for scenario in try FlagdTestbed.scenarios() {
      if scenario.tags.contains("@fractional-v1") {
        counts["of the first hash", default: 0] += 1
        continue
      }
      let game = scenario.tags.contains("@fractional-v2") ? "v2" : "v3"
      var evaluation = OFREPFlagEvaluation()
      var fault: String?
      for step in scenario.steps where fault == nil {
        fault = try evaluation.fault(of: step) { key, context in
          let target = "/v1/games/\(game)/ofrep/v1/evaluate/flags/\(key)"
          return try daemon.ask("POST", target, body: ["context": .object(context)]).json.objectValue ?? [:]
        }
      }
      switch fault {
      case nil: counts["hold, \(game)", default: 0] += 1
      case _? where Self.leftOut.contains(evaluation.key) && evaluation.errorCode == "FLAG_NOT_FOUND":
        counts["left out", default: 0] += 1
      // flagd returns no value and the caller uses its own default. A catalog always has a value; the reason is the same.
      case _?
      where evaluation.answer["variant"] == "" && ["DISABLED", "DEFAULT"].contains(evaluation.reason)
        && (scenario.example.last == evaluation.reason || scenario.feature == "disabled"):
        counts["the catalog's default", default: 0] += 1
      case let fault?: Issue.record("\(scenario): \(fault); \(evaluation.answer)")
      }
    }
    #expect(counts == Self.counts, "\(counts)")
  }

  private static let counts = [
    "hold, v3": 90, "hold, v2": 21, "of the first hash": 15, "left out": 6, "the catalog's default": 8,
  ]
}
