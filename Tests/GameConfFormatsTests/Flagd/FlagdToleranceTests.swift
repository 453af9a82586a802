// Tests rules that flagd's schema rejects and flagd evaluates nevertheless. If faults are skipped, such a flag evaluates as in flagd.

import GameConfCore
import GameConfFormats
import Testing

@Suite("Rules that flagd evaluates although its schema rejects them")
struct FlagdToleranceTests {
  private static func document(_ targeting: Value, evaluators: ObjectValue = [:]) -> [UInt8] {
    let flag: Value = [
      "state": "ENABLED", "variants": ["one": "one", "two": "two"], "defaultVariant": "one", "targeting": targeting,
    ]
    return JSONWriter.bytes(["flags": ["f": flag], "$evaluators": .object(evaluators)])
  }

  private func converted(_ bytes: [UInt8]) throws -> (flag: FlagDefinition, report: ConversionReport) {
    let made = try CatalogConversion(flagd: bytes, game: "mine", title: nil, skippingInvalid: true)
    let reading = CatalogReader.read(CatalogFiles(main: NamedFile(name: "mine.yaml", bytes: Array(made.yaml.utf8))))
    let parameter = try #require(reading.catalog?.parameters.first, "\(reading.report)")
    return (try #require(parameter.flagd), made.report)
  }

  // The expected variants are those of flagd-core 2.0.0 for Python.
  @Test(
    "a flag whose rule has a faulty part evaluates as in flagd, and the report lists that part",
    arguments: [
      (["fractional": [["one", -50], ["two", 100]]], "two"),
      (["fractional": [["one", 0], ["two", -1]]], "one"),
      (["fractional": [["one", 1.5], ["two", 1]]], "one"),
      (["fractional": [["one", 2_147_483_647], ["two", 1]]], "one"),
      (["if": [["starts_with": [["var": "id"]]], "two", nil]], "one"),
      (["if": [["starts_with": [["var": "id"], "abc"]], "two", ["if": [["ends_with": [["var": "id"], 3]], "one", "two"]]]], "two"),
      (["if": [["sem_ver": [["var": "v"], "about", "1.0.0"]], "two", "one"]], "one"),
      (["if": [["sem_ver": [["var": "v"], ">=", 1.2]], "two", "one"]], "two"),
      (["starts_with": "abc"], "one"),
    ] as [(Value, String)])
  func stays(targeting: Value, variant: String) throws {
    let bytes = Self.document(targeting)
    #expect(throws: Faults.self) { try CatalogConversion(flagd: bytes, game: "mine", title: nil) }
    let (flag, report) = try converted(bytes)
    let input = LogicInput(context: ["targetingKey": "u1", "id": "abcx", "v": "1.3.0"], flagKey: "f", now: Instant(milliseconds: 0))
    guard case .value(_, let found, _) = flag.evaluate(input, parameters: NoParameters()) else {
      Issue.record("\(flag)")
      return
    }
    #expect(found == variant)
    #expect(report.changed.map(\.name) == ["f"], "\(report.lines)")
    #expect(report.changed.first?.message.hasPrefix("/flags/f/targeting/") == true, "\(report.lines)")
  }

  @Test("a faulty part of a shared evaluator becomes null in each flag that refers to the evaluator")
  func shared() throws {
    let rule: Value = ["starts_with": [["var": "id"], 7]]
    let (flag, report) = try converted(Self.document(["if": [["$ref": "mail"], "two", "one"]], evaluators: ["mail": rule]))
    let input = LogicInput(context: ["id": "7"], flagKey: "f", now: Instant(milliseconds: 0))
    guard case .value(_, "one", _) = flag.evaluate(input, parameters: NoParameters()) else { return #expect(Bool(false), "\(flag)") }
    #expect(report.changed.map(\.name).contains("mail"), "\(report.lines)")
  }

  @Test(
    "a flag with a faulty rule is left out if its evaluation in flagd is not known",
    arguments: [
      ["no_such_operator": [1]], ["if": [["starts_with": [["no_such_operator": [1]], "a"]], "two"]],
      ["if": [["sem_ver": [["cat": ["1", ".0.0"]], ">=", "1.0.0"]], "two"]],
    ] as [Value])
  func leftOut(targeting: Value) throws {
    #expect(throws: Faults.self) {
      try CatalogConversion(flagd: Self.document(targeting), game: "mine", title: nil, skippingInvalid: true)
    }
  }

  @Test("a converted flagd flag without a default variant is false if it is boolean, otherwise it has its first variant, and is reported")
  func withoutDefault() throws {
    let bytes = JSONWriter.bytes([
      "flags": [
        "new-ui": ["state": "ENABLED", "variants": ["on": true, "off": false]],
        "colour": ["state": "ENABLED", "variants": ["red": "#f00", "blue": "#00f"]],
      ]
    ])
    let made = try CatalogConversion(flagd: bytes, game: "mine", title: nil)
    let reading = CatalogReader.read(CatalogFiles(main: NamedFile(name: "mine.yaml", bytes: Array(made.yaml.utf8))))
    let catalog = try #require(reading.catalog)
    #expect(catalog.parameters.map(\.defaultValue) == [.value("#f00"), .value(false)], "\(made.yaml)")
    #expect(made.report.changed.contains { $0.message.hasPrefix("new-ui has no default variant: false is") }, "\(made.report.lines)")
  }

  @Test("targeting that names an unknown variant gives a remark, because flagd reports an error but the daemon returns the default")
  func unknownVariant() throws {
    let made = try CatalogConversion(
      flagd: Self.document(["if": [["==": [["var": "id"], "a"]], "three", ["fractional": [["two", 1], ["four", 1]]]]]), game: "mine",
      title: nil)
    #expect(made.report.remarks.count == 2 && made.report.remarks.allSatisfy { $0.contains("an error in flagd") }, "\(made.report.lines)")
    #expect(made.report.remarks[0].contains("“three”") && made.report.remarks[1].contains("“four”"))
  }
}
