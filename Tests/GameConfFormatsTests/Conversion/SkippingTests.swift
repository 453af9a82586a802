// Tests conversions that skip faulty parts: the faulty parts are left out, and the valid ones remain.

import GameConfCore
import GameConfFormats
import Testing

@Suite("Conversion that skips faults")
struct SkippingTests {
  private func keys(_ yaml: String) throws -> [String] {
    let reading = CatalogReader.read(CatalogFiles(main: NamedFile(name: "mine.yaml", bytes: Array(yaml.utf8))))
    return try #require(reading.catalog, "\(reading.report)").parameters.map(\.key)
  }

  private static let good: Value = ["state": "ENABLED", "variants": ["a": 1, "b": 2], "defaultVariant": "a"]

  private static func flags(_ flags: ObjectValue, evaluators: ObjectValue = [:]) -> [UInt8] {
    JSONWriter.bytes(["flags": .object(flags), "$evaluators": .object(evaluators)])
  }

  @Test("a faulty flagd flag rejects the file, or is left out if faults are skipped")
  func flagd() throws {
    let mixed: Value = ["state": "ENABLED", "variants": ["a": 1, "b": [1]]]
    let referring: Value = [
      "state": "ENABLED", "variants": ["a": 1], "defaultVariant": "a", "targeting": ["if": [["$ref": "broken"], "a"]],
    ]
    let bytes = Self.flags(
      ["good": Self.good, "no-variants": ["state": "ENABLED"], "refers": referring, "mixed": mixed],
      evaluators: ["broken": ["no_such_operator": [1]]])
    #expect(throws: Faults.self) { try CatalogConversion(flagd: bytes, game: "mine", title: nil) }
    let made = try CatalogConversion(flagd: bytes, game: "mine", title: nil, skippingInvalid: true)
    #expect(try keys(made.yaml) == ["good"])
    #expect(Set(made.report.leftOut.map(\.name)) == ["no-variants", "refers", "mixed", "broken"], "\(made.report.lines)")
    #expect(made.report.carried == ["good"] && made.report.leftOut.contains { $0.message.hasPrefix("/flags/no-variants: ") })
  }

  @Test("a flagd list loses its flags without a key, and the second of two flags with the same key, if faults are skipped")
  func list() throws {
    func keyed(_ key: String) -> Value {
      var flag = Self.good.objectValue ?? [:]
      flag["key"] = .string(key)
      return .object(flag)
    }
    let bytes = JSONWriter.bytes(["flags": [Self.good, keyed("x"), keyed("x"), 7, keyed("y")]])
    let made = try CatalogConversion(flagd: bytes, game: "mine", title: nil, skippingInvalid: true)
    #expect(try keys(made.yaml) == ["x", "y"] && made.report.leftOut.map(\.name) == ["/flags/0", "x", "/flags/3"], "\(made.report.lines)")
  }

  @Test(
    "even if faults are skipped, a file is rejected for a fault outside of its flags, or if it has no valid flag",
    arguments: [
      "{\"flags\": 7}", "{\"flags\": {}, \"metadata\": 7}", "[]", "{\"flags\": {\"a\": 1}}", "",
    ])
  func whole(text: String) {
    #expect(throws: Faults.self) {
      try CatalogConversion(flagd: Array(text.utf8), game: "mine", title: nil, skippingInvalid: true)
    }
  }

  @Test("ten thousand faulty flags are removed from among two thousand valid ones in reasonable time")
  func many() throws {
    var flags = ObjectValue()
    for number in 0..<2_000 {
      flags["g\(number)"] = ["state": "ENABLED", "variants": ["a": 1], "defaultVariant": "a"]
      for fault in 0..<5 { flags["b\(number)_\(fault)"] = ["state": 7] }
    }
    let made = try CatalogConversion(flagd: Self.flags(flags), game: "mine", title: nil, skippingInvalid: true)
    #expect(made.report.carried.count == 2_000 && made.report.leftOut.count == 10_000)
  }

  @Test("if faults are skipped, each invalid Firebase parameter, default value and StoreKit product is left out alone")
  func others() throws {
    let template: Value = [
      "parameters": ["a": ["defaultValue": ["value": "x"], "valueType": "NUMBER"], "b": ["defaultValue": ["value": "1"]], "c": 7]
    ]
    let firebase = try CatalogConversion(firebase: JSONWriter.bytes(template), game: "mine", title: nil, skippingInvalid: true)
    #expect(try keys(firebase.yaml) == ["b"] && Set(firebase.report.leftOut.map(\.name)) == ["a", "c"])
    let values: ObjectValue = ["ok": 1, "n": nil, "r": ["parameter": "ok"], "too-long": .string(String(repeating: "x", count: 300_000))]
    let defaults = try CatalogConversion(defaults: DefaultsDocument(values: values), game: "mine", skippingInvalid: true)
    #expect(try keys(defaults.yaml) == ["ok"])
    #expect(Set(defaults.report.leftOut.map(\.name)) == ["n", "r", "too-long"], "\(defaults.report.lines)")
    #expect(defaults.report.changed.isEmpty, "\(defaults.report.lines)")
    func product(_ id: String, _ price: String) -> Value {
      ["productID": .string(id), "type": "Consumable", "displayPrice": .string(price), "localizations": [], "referenceName": "x"]
    }
    let store: Value = [
      "version": ["major": 3, "minor": 0], "products": [product("one", "0.99"), 7, product("two", "0,99"), product("one", "1.99")],
      "subscriptionGroups": [["name": "g", "subscriptions": [["productID": "s", "type": "RecurringSubscription"]]]],
    ]
    let game = StoreKitFile.StoreKitGame(id: "mine", title: "Mine")
    #expect(throws: Faults.self) { try StoreKitFile(reading: JSONWriter.bytes(store), for: game) }
    let file = try StoreKitFile(reading: JSONWriter.bytes(store), for: game, skippingInvalid: true)
    #expect(file.catalog.products.map(\.id) == ["one"], "\(file.report.lines)")
    #expect(file.report.leftOut.map(\.name) == ["/products/1", "one", "s", "two"], "\(file.report.lines)")
  }

  @Test(
    "removing a faulty part removes all of it: a key with its rules, a parameter in a group, a condition",
    arguments: [
      (["values": ["a": 1, "b": 2], "rules": ["a": []]], "/values/a", ["values": ["b": 2], "rules": [:]]),
      (["values": ["a": 1], "rules": ["a": [7]]], "/rules/a/0/value", ["values": [:], "rules": [:]]),
      (
        ["parameterGroups": ["g": ["parameters": ["a": 1, "b": 2], "description": "d"]]], "/parameterGroups/g/parameters/a/defaultValue",
        ["parameterGroups": ["g": ["parameters": ["b": 2], "description": "d"]]]
      ),
      (["parameterGroups": ["g": 7]], "/parameterGroups/g", ["parameterGroups": [:]]),
      (["conditions": [1, 2, 3]], "/conditions/1/expression", ["conditions": [1, 3]]),
      (["flags": ["a/b": 1, "c": 2]], "/flags/a~1b/variants", ["flags": ["c": 2]]),
    ] as [(Value, String, Value)])
  func pruned(document: Value, pointer: String, rest: Value) {
    var pruned = FaultFreeDocument(document)
    let isRemoved = pruned.remove([(pointer, "wrong")])
    #expect(isRemoved && pruned.value == rest && pruned.leftOut.count == 1, "\(pruned)")
  }

  @Test(
    "no part is removed if a fault is outside of the removable parts", arguments: ["", "/flags", "/metadata", "/game", "/version/x"])
  func unpruned(pointer: String) {
    var pruned = FaultFreeDocument(["flags": ["a": 1]])
    let isRemoved = pruned.remove([("/flags/a", "wrong"), (pointer, "wrong")])
    #expect(!isRemoved && pruned.value == ["flags": ["a": 1]] && pruned.leftOut.isEmpty)
  }
}
