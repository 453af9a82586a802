// Tests flagd documents: flags as a map and as an array, inherited metadata, and documents with many faults.

import GameConfCore
import GameConfFormats
import Testing

@Suite("Documents of flagd")
struct FlagdDocumentTests {
  private static let twoFlags = """
    {
      "$schema": "https://flagd.dev/schema/v0/flags.json",
      "metadata": {"flagSetId": "dots", "version": "7"},
      "$evaluators": {"beta": {"in": [{"var": "country"}, ["SE", "NO"]]}},
      "flags": {
        "layout": {
          "state": "ENABLED", "variants": {"wide": "w", "tall": "t"}, "defaultVariant": "wide",
          "targeting": {"if": [{"$ref": "beta"}, "tall"]}, "metadata": {"version": "8", "owner": "ui"}
        },
        "old": {"state": "DISABLED", "variants": {"on": true, "off": false}, "defaultVariant": null}
      }
    }
    """

  private func ask(_ flag: FlagDefinition?, _ context: Value) -> FlagOutcome? {
    flag?.evaluate(
      LogicInput(context: context.objectValue ?? ObjectValue(), flagKey: "layout", now: Instant(seconds: 1_700_000_000)),
      parameters: NoParameters())
  }

  @Test("flagd flags use the shared evaluators of their document, and inherit its metadata")
  func mapForm() throws {
    let document = try FlagdDocument(reading: Self.twoFlags.utf8)
    #expect(document.flags.keys.sorted() == ["layout", "old"])
    let layout = document.flags["layout"]
    #expect(ask(layout, ["country": "SE"]) == .value("t", variant: "tall", reason: .targetingMatch))
    #expect(ask(layout, ["country": "DE"]) == .value("w", variant: "wide", reason: .default))
    #expect(layout?.metadata == ObjectValue([("flagSetId", "dots"), ("version", "8"), ("owner", "ui")]))
    #expect(layout?.reads.attributes == ["country"])
    #expect(ask(document.flags["old"], [:]) == FlagOutcome.none(reason: .disabled))
    #expect(document.flags["old"]?.metadata["version"] == "7")
  }

  @Test("a flagd document with an array of flags gives the same flags as one with a map")
  func arrayForm() throws {
    let document = try FlagdDocument(
      reading: #"{"flags": [{"key": "a", "state": "ENABLED", "variants": {"x": 1}, "defaultVariant": "x"}]}"#.utf8)
    #expect(ask(document.flags["a"], [:]) == .value(1, variant: "x", reason: .static))
  }

  @Test("a flagd document that is written is read back as the same document")
  func roundTrip() throws {
    let document = try FlagdDocument(reading: Self.twoFlags.utf8)
    #expect(try FlagdDocument(reading: JSONWriter.bytes(document.value)) == document)
  }

  @Test(
    "a flagd flag without targeting has the reason STATIC, and one without a default variant has no value",
    arguments: [
      (#""defaultVariant": "x""#, FlagOutcome.value(1, variant: "x", reason: .static)),
      (#""defaultVariant": null"#, .none(reason: .default)),
      (#""defaultVariant": "x", "targeting": {}"#, .value(1, variant: "x", reason: .static)),
      (#""targeting": {"if": [false, "x"]}"#, .none(reason: .default)),
      (#""defaultVariant": "x", "targeting": {"if": [true, null]}"#, .value(1, variant: "x", reason: .default)),
      (#""defaultVariant": "y""#, .error(.general, message: "There is no variant “y”.")),
      (#""targeting": {"if": [true, "z"]}"#, .error(.general, message: "There is no variant “z”.")),
    ])
  func reasons(rest: String, expected: FlagOutcome) throws {
    let document = try FlagdDocument(reading: #"{"flags": {"a": {"state": "ENABLED", "variants": {"x": 1}, \#(rest)}}}"#.utf8)
    #expect(ask(document.flags["a"], [:]) == expected)
  }

  @Test("a flagd integer and a float convert to each other only without loss, and other types do not convert")
  func types() throws {
    let flag = FlagDefinition(
      variants: ObjectValue([("i", 5), ("d", 2.5), ("w", 4.0), ("big", .integer(1 << 53))]), defaultVariant: "i")
    func resolved(_ variant: String, as type: FlagType) -> FlagOutcome {
      var flag = flag
      flag.defaultVariant = variant
      return flag.evaluate(
        as: type, LogicInput(context: ObjectValue(), flagKey: "f", now: Instant(seconds: 0)), parameters: NoParameters())
    }
    #expect(resolved("i", as: .float) == .value(5.0, variant: "i", reason: .static))
    #expect(resolved("w", as: .integer) == .value(4, variant: "w", reason: .static))
    for (variant, type) in [("d", FlagType.integer), ("big", .float), ("i", .boolean), ("i", .string), ("i", .object)] {
      guard case .error(.typeMismatch, _) = resolved(variant, as: type) else {
        Issue.record("\(variant) passed for \(type)")
        continue
      }
    }
  }

  @Test("all faults of a flagd document are reported together, each with its JSON pointer")
  func allFaults() throws {
    let text = """
      {
        "metadata": {"owner": ["a"]},
        "$evaluators": {"a": {"if": [{"$ref": "b"}]}, "b": {"if": [{"$ref": "a"}]}, "c": {"iff": [1]}},
        "flags": {
          "one": {"state": "ON", "variants": {}},
          "two": {"variants": {"x": 1, "y": "z", "n": null}, "defaultVariant": 3},
          "three": {"state": "ENABLED", "variants": {"x": 1}, "targeting": {"if": [{"$ref": "d"}]}},
          "four": {"state": "ENABLED", "variants": {"x": 1}, "targeting": {"fractional": [["x", -1], "x"]}},
          "five": {"state": "ENABLED", "variants": {"x": 1}, "targeting": {"sem_ver": ["1.x", "==", {"var": "v"}]}},
          "six": []
        }
      }
      """
    let faults = try #require(throws: Faults.self) { try FlagdDocument(reading: text.utf8) }.faults
    #expect(
      faults.map(\.pointer) == [
        "/metadata/owner", "/$evaluators/a/if/0/$ref", "/$evaluators/c/iff", "/flags/one/state",
        "/flags/one/variants", "/flags/two", "/flags/two/variants/y", "/flags/two/variants/n", "/flags/two/defaultVariant",
        "/flags/three/targeting/if/0/$ref", "/flags/four/targeting/fractional/0/1", "/flags/four/targeting/fractional/1",
        "/flags/five/targeting/sem_ver/1", "/flags/five/targeting/sem_ver/0", "/flags/six",
      ])
    #expect(faults[2].message.contains("Did you mean “if”?"))
    #expect(faults[1].message.contains("b → a → b"))
  }

  @Test("a fault in a shared flagd evaluator is reported once, however many flags refer to it")
  func faultsOnce() throws {
    let text = """
      {
        "$evaluators": {
          "outer": {"if": [{"$ref": "broken"}, true]}, "broken": {"if": [{"fractional": [["a", 1, 2]]}]},
          "x": {"if": [{"$ref": "y"}]}, "y": {"if": [{"$ref": "z"}]}, "z": {"if": [{"$ref": "x"}]}
        },
        "flags": {
          "one": {"state": "ENABLED", "variants": {"x": 1}, "targeting": {"if": [{"$ref": "broken"}, "x"]}},
          "two": {"state": "ENABLED", "variants": {"x": 1}, "targeting": {"if": [{"$ref": "outer"}, "x"]}},
          "three": {"state": "ENABLED", "variants": {"x": 1}, "targeting": {"if": [{"$ref": "y"}, "x"]}},
          "four": {"state": "ENABLED", "variants": {"x": 1}, "targeting": {"if": [{"$ref": "gone"}, "x"]}}
        }
      }
      """
    let faults = try #require(throws: Faults.self) { try FlagdDocument(reading: text.utf8) }.faults
    #expect(
      faults.map(\.pointer) == [
        "/$evaluators/broken/if/0/fractional/0", "/$evaluators/x/if/0/$ref", "/flags/four/targeting/if/0/$ref",
      ])
  }

  @Test(
    "a document that is not a flagd document is rejected with the pointer of the fault",
    arguments: [
      ("[]", ""), ("{}", ""), (#"{"flags": 1}"#, "/flags"), (#"{"flags": [{"state": "ENABLED", "variants": {"x": 1}}]}"#, "/flags/0"),
      (#"{"flags": {"": {"state": "ENABLED", "variants": {"x": 1}}}}"#, "/flags/"), (#"{"flags": {"a":"#, "/flags/a"),
      (#"{"flags": {"a": {"state": "ENABLED", "variants": {"x": [1]}}}}"#, "/flags/a/variants/x"),
      (#"{"flags": {"a": {"state": "ENABLED", "variants": {"x": 1}, "targeting": {"$ref": "b"}}}}"#, "/flags/a/targeting"),
      (#"{"flags": {"a": {"state": "ENABLED", "variants": {"x": 1}, "targeting": {"var": "$flagd.x"}}}}"#, "/flags/a/targeting/var"),
      (#"{"flags": {"a": {"state": "ENABLED", "variants": {"x": 1}, "targeting": {"parameter": "b"}}}}"#, "/flags/a/targeting/parameter"),
    ])
  func refused(text: String, pointer: String) throws {
    let faults = try #require(throws: Faults.self) { try FlagdDocument(reading: text.utf8) }.faults
    #expect(faults.map(\.pointer) == [pointer])
  }
}
