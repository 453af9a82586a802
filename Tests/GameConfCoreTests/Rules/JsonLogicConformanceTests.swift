// Runs the shared test suites of JsonLogic and flagd's vectors for `fractional`, and counts the passed cases.

import GameConfCore
import Testing

@Suite("JsonLogic conformance", .enabled(if: ConformanceFolder.isThere, "GAMECONF_CONFORMANCE is not set"))
struct JsonLogicConformanceTests {
  @Test("all 275 cases of JsonLogic's shared test suite pass")
  func sharedSuite() throws {
    let cases = try #require(try ConformanceFolder.json("jsonlogic/tests.json").listValue).compactMap(\.listValue)
    var held = 0
    for each in cases {
      try #require(each.count == 3)
      if try holds(rule: each[0], data: each[1], expected: each[2]) { held += 1 }
    }
    #expect(cases.count == 275)
    #expect(held == 275)
  }

  @Test("all 278 cases of JsonLogic's compatibility tables pass")
  func compatibilityTables() throws {
    let cases = try #require(try ConformanceFolder.json("jsonlogic/compatible.json").listValue).compactMap(\.objectValue)
    var held = 0
    for each in cases {
      if try holds(rule: #require(each["rule"]), data: each["data"] ?? .null, expected: #require(each["result"])) { held += 1 }
    }
    #expect(cases.count == 278)
    #expect(held == 278)
  }

  private func holds(rule: Value, data: Value, expected: Value) throws -> Bool {
    let expression = try LogicExpression(compiling: rule)
    let outcome = expression.outcome(data: data, input: .empty, parameters: NoParameters())
    let isRight = outcome.exceeded == nil && outcome.value.isWorth(expected)
    if !isRight { Issue.record("\(rule) over \(data) gave \(outcome), expected \(expected)") }
    return isRight
  }

  @Test("all 266 of flagd's test vectors for fractional pass in versions 2 and 3 of the operator")
  func fractionalVectors() throws {
    let tooLarge = "18446744073709551615"
    let vectors = try #require(
      try ConformanceFolder.json("flagd/fractional_vectors.json", asText: tooLarge, forName: "input").listValue)
    #expect(vectors.count == 266)
    var evaluated = 0
    for vector in vectors {
      let input = try #require(vector["input"])
      var bytes = CBOR.bytes(input)
      if input == .string(tooLarge) {
        bytes = []
        CBOR.encode(unsigned: .max, into: &bytes)
      } else {
        #expect(try bucket(of: input, .v3) == vector["v3Bucket100"]?.integerValue, "bucket of \(input)")
        #expect(try bucket(of: input, .v2) == vector["v2Bucket100"]?.integerValue, "version 2 bucket of \(input)")
        evaluated += 1
      }
      #expect(hex(bytes) == vector["cborHex"]?.stringValue, "CBOR of \(input)")
      var hash = Murmur3()
      bytes.withUnsafeBufferPointer { hash.update($0) }
      #expect(Int64(hash.value) == vector["v3Hash"]?.integerValue, "hash of \(input)")
    }
    #expect(evaluated == 265, "one vector is an integer beyond 64 bits with sign, which no value holds")
  }

  /// Returns the bucket of 100 that `fractional` selects for a value; a list is the implicit seed.
  private func bucket(of input: Value, _ version: FractionalVersion) throws -> Int64? {
    let buckets = (0..<100).map { Value.list([.integer($0)]) }
    let isSeed = input.listValue != nil && version == .v3
    let expression = try LogicExpression(
      compiling: ["fractional": .list((isSeed ? [] : [["var": "by"]]) + buckets)], options: LogicOptions(fractional: version))
    let key = input.listValue?.first?.stringValue ?? "flag"
    let logicInput = LogicInput.with(isSeed ? ["targetingKey": input.listValue?.last ?? .null] : ["by": input], key: key)
    return expression.evaluate(logicInput, parameters: NoParameters()).integerValue
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
