// Runs the project's own test vectors, so that rules are tested without external data. The values are from flagd's evaluator, the buckets
// from mmh3 and cbor2.

import FoundationEssentials
import GameConfCore
import Testing

@Suite("Rule vectors")
struct RuleVectorTests {
  private let vectors: Value

  init() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    vectors = try JSONReader.value(from: [UInt8](Data(contentsOf: tests.appending(path: "Fixtures/rules-vectors.json"))))
  }

  @Test("every rule evaluates to the value of its test vector")
  func rules() throws {
    let cases = try #require(vectors["rules"]?.listValue)
    #expect(cases.count == 79)
    let input = LogicInput.with(try #require(vectors["context"]), key: try #require(vectors["flag_key"]?.stringValue))
    for each in cases {
      let expression = try LogicExpression(compiling: #require(each["rule"]))
      let outcome = expression.outcome(input, parameters: NoParameters())
      let expected = try #require(each["expected"])
      #expect(outcome.exceeded == nil && outcome.value.isWorth(expected), "\(each["name"] ?? .null): \(outcome.value), not \(expected)")
    }
  }

  @Test("every percentage bucket equals that of its test vector")
  func buckets() throws {
    let cases = try #require(vectors["percent"]?.listValue)
    #expect(cases.count == 44)
    for each in cases {
      let (seed, key) = (try #require(each["seed"]?.stringValue), try #require(each["targetingKey"]?.stringValue))
      #expect(Percent.bucket(seed: seed, targetingKey: key) == each["bucket"]?.integerValue, "\(seed.prefix(20)) \(key.prefix(40))")
    }
  }
}
