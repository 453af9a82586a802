// Tests every schema keyword with valid and invalid values, and the errors of invalid schemas.

import GameConfCore
import TestSupport
import Testing

@Suite("Value schemas")
struct ValueSchemaTests {
  static func schema(_ text: String) throws -> ValueSchema { try ValueSchema(compiling: JSONReader.value(from: text)) }

  @Test(
    "each schema keyword accepts valid and rejects invalid values",
    arguments: [
      ("{}", ["1", "null", "[]"], []), ("true", ["1", "{}"], []), ("false", [], ["1", "null"]),
      (##"{"type":"integer"}"##, ["1", "1.0", "-0"], ["1.5", "\"1\"", "true", "null"]), (##"{"type":"number"}"##, ["1", "1.5"], ["\"1\""]),
      (##"{"type":"string"}"##, [##""""##], ["1", "{}"]),
      (##"{"type":"boolean"}"##, ["true"], ["0", "null"]), (##"{"type":"null"}"##, ["null"], ["0", "false"]),
      (##"{"type":"array"}"##, ["[]"], ["{}"]), (##"{"type":"object"}"##, ["{}"], ["[]", "null"]),
      (##"{"type":["string","null"]}"##, ["null", ##""a""##], ["1"]),
      (
        ##"{"enum":[1,"a",null,{"x":[1.0]}]}"##, ["1", "1.0", ##""a""##, "null", ##"{"x":[1]}"##], ["2", ##""b""##, "true", ##"{"x":[]}"##]
      ),
      (##"{"const":{"a":1}}"##, [##"{"a":1}"##, ##"{"a":1.0}"##], [##"{"a":2}"##, ##"{"a":1,"b":2}"##, "1"]),
      (##"{"const":null}"##, ["null"], ["0"]),
      (##"{"minimum":2}"##, ["2", "2.0", "3", ##""a""##], ["1", "1.9"]), (##"{"maximum":2}"##, ["2", "-5"], ["3", "2.1"]),
      (##"{"exclusiveMinimum":0}"##, ["0.1", "5e-324"], ["0", "-1", "0.0"]),
      (##"{"exclusiveMaximum":1.5}"##, ["1.4"], ["1.5", "2"]),
      (##"{"maximum":9007199254740992.0}"##, ["9007199254740992"], ["9007199254740993"]),
      (##"{"minimum":9223372036854775807}"##, ["9223372036854775807"], ["9223372036854775806"]),
      (##"{"multipleOf":0.1}"##, ["0.3", "0.7", "1", "1.1", "-0.2", "0"], ["0.35", "0.01"]),
      (##"{"multipleOf":5}"##, ["10", "10.0"], ["11", "7.5"]), (##"{"multipleOf":0.05}"##, ["0.45", "2.0"], ["0.46"]),
      (##"{"minLength":2}"##, [##""ab""##, ##""😀😀""##, "1"], [##""a""##, ##""😀""##]),
      (##"{"maxLength":2}"##, [##""ab""##, ##""😀😀""##], [##""abc""##]),
      (##"{"pattern":"^a+$"}"##, [##""aa""##, "1"], [##""b""##, ##""""##]),
      (##"{"items":{"type":"integer"}}"##, ["[]", "[1,2]", "{}"], ["[1,\"a\"]"]),
      (##"{"prefixItems":[{"const":1},{"const":2}]}"##, ["[]", "[1]", "[1,2,3]"], ["[2]", "[1,1]"]),
      (##"{"prefixItems":[{"const":1}],"items":false}"##, ["[1]", "[]"], ["[1,2]"]), (##"{"minItems":1}"##, ["[1]", "{}"], ["[]"]),
      (##"{"maxItems":1}"##, ["[]", "[1]"], ["[1,2]"]),
      (
        ##"{"uniqueItems":true}"##, ["[1,2,\"1\",true]", "[]", "[[1],[2]]", "[0,false]"],
        ["[1,1]", "[1,1.0]", "[{\"a\":1,\"b\":2},{\"b\":2,\"a\":1.0}]", "[0.0,-0.0]"]
      ), (##"{"uniqueItems":false}"##, ["[1,1]"], []),
      (##"{"properties":{"a":{"type":"integer"}}}"##, ["{}", ##"{"a":1,"b":"x"}"##, "[]"], [##"{"a":"x"}"##]),
      (##"{"required":["a","b"]}"##, [##"{"a":1,"b":null}"##, "[]"], [##"{"a":1}"##, "{}"]),
      (##"{"properties":{"a":{}},"additionalProperties":false}"##, ["{}", ##"{"a":1}"##], [##"{"b":1}"##]),
      (##"{"additionalProperties":{"type":"integer"}}"##, [##"{"a":1}"##], [##"{"a":"x"}"##]),
      (##"{"minProperties":1}"##, [##"{"a":1}"##, "[]"], ["{}"]), (##"{"maxProperties":1}"##, ["{}"], [##"{"a":1,"b":2}"##]),
      (##"{"oneOf":[{"type":"integer"},{"minimum":2}]}"##, ["1", "2.5", ##""a""##], ["3", "1.5"]),
      (##"{"anyOf":[{"type":"integer"},{"minimum":2}]}"##, ["1", "2.5", "3"], ["1.5"]),
      (##"{"allOf":[{"type":"integer"},{"minimum":2}]}"##, ["2"], ["1", "2.5"]),
      (##"{"not":{"type":"integer"}}"##, ["1.5", "null"], ["1"]),
      (##"{"if":{"type":"integer"},"then":{"minimum":2},"else":{"type":"string"}}"##, ["2", ##""a""##], ["1", "1.5"]),
      (##"{"if":{"type":"integer"},"then":{"minimum":2}}"##, ["2", "null"], ["1"]), (##"{"if":{"const":1}}"##, ["1", "2"], []),
      (##"{"$defs":{"n":{"type":"integer"}},"items":{"$ref":"#/$defs/n"}}"##, ["[1]"], ["[null]"]),
      (##"{"$defs":{"a/b c":{"const":1}},"$ref":"#/$defs/a~1b%20c"}"##, ["1"], ["2"]),
      (##"{"$defs":{"n":{"type":"integer"}},"$ref":"#/$defs/n","minimum":3}"##, ["3"], ["2", ##""a""##]),
      (##"{"properties":{"child":{"$ref":"#"}},"additionalProperties":false}"##, [##"{"child":{"child":{}}}"##], [##"{"child":{"x":1}}"##]),
      (##"{"properties":{"a":{"type":"integer"},"b":{"$ref":"#/properties/a"}}}"##, [##"{"b":1}"##], [##"{"b":"x"}"##]),
      (
        ##"{"title":"t","description":"d","$comment":"c","examples":[1],"default":1,"x-mine":{"type":7},"$schema":"https://json-schema.org/draft/2020-12/schema"}"##,
        ["1"], []
      ),
      (
        ##"{"rising_by":"n"}"##, ["[]", ##"[{"n":1},{"n":2.5},{"n":3}]"##, ##"[{"n":1},{},{"n":2}]"##, ##"[{"n":"a"},{"n":"b"}]"##, "{}"],
        [##"[{"n":1},{"n":1}]"##, ##"[{"n":2},{"n":1}]"##, ##"[{"n":1},{},{"n":1.0}]"##]
      ),
      (
        ##"{"falling_by":"n"}"##, [##"[{"n":3},{"n":2.5},{"n":1}]"##],
        [##"[{"n":1},{"n":1}]"##, ##"[{"n":1},{"n":2}]"##, ##"[{"n":9007199254740992.0},{"n":9007199254740993}]"##]
      ),
      (##"{"unique_by":"n"}"##, [##"[{"n":1},{"n":2},{"m":1},{}]"##], [##"[{"n":1},{"n":2},{"n":1.0}]"##, ##"[{"n":"a"},{"n":"a"}]"##]),
      (
        ##"{"properties":{"i":{"index_into":"l"}}}"##,
        [##"{"l":["a","b"],"i":1}"##, ##"{"l":["a"],"i":[0]}"##, ##"{"l":["a"],"i":[]}"##, ##"{"l":["a"]}"##, ##"{"l":["a"],"i":0.0}"##],
        [
          ##"{"l":["a","b"],"i":2}"##, ##"{"l":["a"],"i":-1}"##, ##"{"l":[],"i":0}"##, ##"{"i":0}"##, ##"{"l":"a","i":0}"##,
          ##"{"l":["a"],"i":"0"}"##, ##"{"l":["a"],"i":0.5}"##, ##"{"l":["a"],"i":[0,1]}"##, ##"{"l":["a"],"i":null}"##,
        ]
      ),
      (##"{"properties":{"i":{"items":{"index_into":"l"}}}}"##, [##"{"l":["a","b"],"i":[1,0]}"##], [##"{"l":["a","b"],"i":[1,2]}"##]),
      (##"{"index_into":"l"}"##, [], ["1"]),
      (
        ##"{"properties":{"r":{"same_length_as":"a"}}}"##, [##"{"a":[1,2],"r":[3,4]}"##, ##"{"r":1}"##, ##"{"a":[1]}"##],
        [##"{"a":[1,2,3,4],"r":[1,2,3,4,5]}"##, ##"{"r":[]}"##, ##"{"a":[1],"r":[]}"##]
      ),
      (
        ##"{"properties":{"d":{"differs_from":"r"}}}"##,
        [##"{"d":"x","r":"y"}"##, ##"{"d":["x","y"],"r":"z"}"##, ##"{"d":"x"}"##, ##"{"d":["x"],"r":["y","z"]}"##, ##"{"d":[],"r":[]}"##],
        [
          ##"{"d":"x","r":"x"}"##, ##"{"d":["x","y"],"r":"y"}"##, ##"{"d":["x"],"r":["y","x"]}"##, ##"{"d":1,"r":1.0}"##,
          ##"{"d":"y","r":["y"]}"##,
        ]
      ),
      (
        ##"{"properties":{"answers":{"differs_from":"right"},"right":{"index_into":"answers"}}}"##,
        [##"{"answers":["a","b","c"],"right":1}"##, ##"{"answers":["b","a","a"],"right":0}"##, ##"{"answers":[1,0],"right":0}"##],
        [##"{"answers":["a","b","a"],"right":0}"##, ##"{"answers":["a","a"],"right":1}"##]
      ),
      (
        ##"{"properties":{"answers":{"items":{"differs_from":"right"}},"right":{"index_into":"answers"}}}"##,
        [##"{"answers":["a","b","c"],"right":1}"##], [##"{"answers":["a","b","a"],"right":0}"##]
      ),
      (
        ##"{"properties":{"decoys":{"differs_from":"right"},"right":{"index_into":"answers"}}}"##,
        [##"{"answers":["a","b"],"right":0,"decoys":["b","c"]}"##], [##"{"answers":["a","b"],"right":0,"decoys":["c","a"]}"##]
      ),
      (
        ##"{"properties":{"wrong":{"index_into":"answers","differs_from":"right"},"right":{"$ref":"#/$defs/i"}},"$defs":{"i":{"index_into":"answers"}}}"##,
        [##"{"answers":["a","b"],"right":0,"wrong":1}"##],
        [##"{"answers":["a","b"],"right":0,"wrong":0}"##, ##"{"answers":["a","a"],"right":0,"wrong":[1]}"##]
      ),
    ] as [(String, [String], [String])])
  func keyword(source: String, admitted: [String], refused: [String]) throws {
    let schema = try Self.schema(source)
    for text in admitted {
      let violations = schema.violations(of: try JSONReader.value(from: text), locales: ["en"])
      #expect(violations.isEmpty, "\(source) should admit \(text): \(violations)")
    }
    for text in refused {
      let violations = schema.violations(of: try JSONReader.value(from: text), locales: ["en"])
      #expect(!violations.isEmpty, "\(source) should refuse \(text)")
      for violation in violations { #expect(violation.message.hasSuffix(".") || violation.message.hasSuffix("?"), "\(violation.message)") }
    }
  }

  @Test(
    "an invalid schema is rejected at the position of the fault",
    arguments: [
      ("1", ""), ("null", ""), (##"{"type":"list"}"##, "/type"), (##"{"type":7}"##, "/type"), (##"{"type":[]}"##, "/type"),
      (##"{"enum":[]}"##, "/enum"), (##"{"enum":1}"##, "/enum"), (##"{"minimum":"1"}"##, "/minimum"),
      (##"{"minimum":2,"maximum":1}"##, "/minimum"), (##"{"multipleOf":0}"##, "/multipleOf"), (##"{"multipleOf":-1}"##, "/multipleOf"),
      (##"{"minLength":-1}"##, "/minLength"), (##"{"minLength":1.5}"##, "/minLength"),
      (##"{"minLength":3,"maxLength":2}"##, "/minLength"), (##"{"minItems":3,"maxItems":2}"##, "/minItems"),
      (##"{"minProperties":3,"maxProperties":2}"##, "/minProperties"), (##"{"pattern":"("}"##, "/pattern"),
      (##"{"pattern":1}"##, "/pattern"),
      (##"{"items":[{}]}"##, "/items"), (##"{"prefixItems":{}}"##, "/prefixItems"), (##"{"prefixItems":[]}"##, "/prefixItems"),
      (##"{"uniqueItems":1}"##, "/uniqueItems"), (##"{"properties":[]}"##, "/properties"),
      (##"{"properties":{"a/b":{"typ":"string"}}}"##, "/properties/a~1b/typ"), (##"{"required":"a"}"##, "/required"),
      (##"{"required":["a","a"]}"##, "/required/1"), (##"{"required":[1]}"##, "/required/0"), (##"{"allOf":[]}"##, "/allOf"),
      (##"{"oneOf":[{},7]}"##, "/oneOf/1"), (##"{"then":{}}"##, "/then"), (##"{"else":{}}"##, "/else"),
      (##"{"const":1,"enum":[1]}"##, "/const"), (##"{"$ref":"#/$defs/a"}"##, "/$ref"), (##"{"$ref":"other.json"}"##, "/$ref"),
      (##"{"$ref":7}"##, "/$ref"),
      (##"{"$ref":"#/%zz"}"##, "/$ref"), (##"{"$ref":"#"}"##, "/$ref"),
      (##"{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"allOf":[{"$ref":"#/$defs/a"}]}}}"##, "/$defs/b/allOf/0/$ref"),
      (##"{"not":{"$ref":"#"}}"##, "/not/$ref"),
      (##"{"unknown":1}"##, "/unknown"), (##"{"format":"date"}"##, "/format"), (##"{"definitions":{}}"##, "/definitions"),
      (##"{"items":{"$schema":"https://json-schema.org/draft/2020-12/schema"}}"##, "/items/$schema"),
      (##"{"$schema":"draft-07"}"##, "/$schema"),
      (##"{"localized":"yes"}"##, "/localized"), (##"{"localized":true,"type":"integer"}"##, "/type"),
      (##"{"localized":true,"properties":{}}"##, "/properties"), (##"{"index_into":7}"##, "/index_into"),
      (##"{"rising_by":""}"##, "/rising_by"),
      (##"{"properties":{"right":{"index_into":"anwsers"},"answers":{}},"additionalProperties":false}"##, "/properties/right/index_into"),
    ])
  func refusedSchema(source: String, pointer: String) {
    let faults = #expect(throws: Faults.self) { try Self.schema(source) }
    #expect(faults?.faults.map(\.pointer) == [pointer])
    for fault in faults?.faults ?? [] { #expect(fault.message.hasSuffix(".") || fault.message.hasSuffix("?"), "\(fault.message)") }
  }

  @Test("all faults of a schema are reported together, each with the nearest valid keyword")
  func allFaults() {
    let faults = #expect(throws: Faults.self) {
      try Self.schema(##"{"minLenght":1,"type":"double","properties":{"a":{"patern":"x"}},"$defs":{"b":{"$ref":"#/$defs/c"}}}"##)
    }
    #expect(faults?.faults.map(\.pointer) == ["/minLenght", "/type", "/properties/a/patern", "/$defs/b/$ref"])
    #expect(faults?.faults.first?.message.contains("“minLength”") == true)
    #expect(faults?.faults.dropFirst().first?.message.contains("“number”") == true)
    #expect(faults?.faults.last?.message.contains("#/$defs/b") == true)
  }

  @Test("violations of a schema are in the order of the value, without duplicates")
  func order() throws {
    let schema = try Self.schema(
      ##"{"allOf":[{"$ref":"#/$defs/p"},{"$ref":"#/$defs/p"}],"required":["z"],"$defs":{"p":{"properties":{"a":{"type":"integer"},"b/c":{"items":{"type":"string"}}}}}}"##
    )
    let value: Value = ["b/c": ["x", 1, 2], "a": "no"]
    #expect(schema.violations(of: value, locales: []).map(\.pointer) == ["", "/b~1c/1", "/b~1c/2", "/a"])
  }

  @Test("the message of a violation says what would be valid")
  func messages() throws {
    func first(_ schema: String, _ value: Value) throws -> String? {
      try Self.schema(schema).violations(of: value, locales: ["en"]).first?.message
    }
    #expect(try first(##"{"minimum":2.5}"##, 1) == "It must be at least 2.5, and is 1.")
    #expect(try first(##"{"type":["string","null"]}"##, 1) == "It must be null or a string, and is an integer.")
    #expect(
      try first(##"{"enum":["circle","square"]}"##, "cirlce")
        == "It must be one of \"circle\", \"square\", and is \"cirlce\". Did you mean \"circle\"?")
    #expect(
      try first(##"{"properties":{"answers":{}},"additionalProperties":false}"##, ["anwsers": []])
        == "There is no member “anwsers” here. Did you mean “answers”?")
    #expect(try first(##"{"required":["a"]}"##, [:]) == "The member “a” is missing.")
    #expect(
      try first(##"{"properties":{"i":{"index_into":"l"}}}"##, ["l": ["a", "b"], "i": 2])
        == "It must be an index into “l”, from 0 to 1, and is 2.")
  }

  @Test("of several alternatives, the violation of the closest one is reported")
  func forms() throws {
    let schema = try Self.schema(
      ##"{"oneOf":[{"properties":{"kind":{"const":"open"},"answer":{"type":"string"}},"required":["kind","answer"]},{"properties":{"kind":{"const":"closed"},"right":{"type":"integer"}},"required":["kind","right"]}]}"##
    )
    func found(_ value: Value) -> [Fault] { schema.violations(of: value, locales: []) }
    #expect(found(["kind": "open", "answer": "a"]).isEmpty)
    #expect(
      found(["kind": "open", "answer": 1]) == [Fault("It must be a string, and is an integer.", at: "/answer")])
    #expect(found(["kind": "closed"]) == [Fault("The member “right” is missing.")])
    let mistyped = found(["kind": "opne"])
    #expect(mistyped.map(\.pointer) == ["/kind"])
    #expect(mistyped.first?.message == "It must be one of \"open\", \"closed\", and is \"opne\". Did you mean \"open\"?")
    #expect(found(7).isEmpty == false)
  }

  @Test("the number of violations and the steps of a validation are limited")
  func bounds() throws {
    let many = try Self.schema(##"{"items":{"type":"string"}}"##)
    let violations = many.violations(of: .list(Array(repeating: 1, count: 5000)), locales: [])
    #expect(violations.count == SchemaLimits.violationsMax + 1)
    #expect(violations.first?.pointer == "/0")

    let doubling = (0..<25).map { ##""d\##($0)":{"anyOf":[{"$ref":"#/$defs/d\##($0 + 1)"},{"$ref":"#/$defs/d\##($0 + 1)"}]}"## }.joined(
      separator: ",")
    let explosive = try Self.schema(##"{"$ref":"#/$defs/d0","$defs":{\##(doubling),"d25":{"type":"string"}}}"##)
    #expect(explosive.violations(of: "a", locales: []).isEmpty)
    let costly = explosive.violations(of: 1, locales: [])
    #expect(costly.last?.message.contains("steps") == true)

    let recursive = try Self.schema(##"{"items":{"$ref":"#"}}"##)
    var deep: Value = 1
    for _ in 0..<1000 { deep = [deep] }
    #expect(recursive.violations(of: deep, locales: []).first?.message.contains("deep") == true)
  }

  @Test("a schema that is too deep, too large or has too long a chain of references is rejected")
  func schemaBounds() throws {
    func nested(_ depth: Int) -> String { String(repeating: ##"{"items":"##, count: depth) + "{}" + String(repeating: "}", count: depth) }
    let limits = JSONLimits(depthMax: 256, bytesMax: 1 << 22)
    _ = try ValueSchema(compiling: JSONReader.value(from: nested(SchemaLimits.depthMax), limits: limits))
    #expect(throws: Faults.self) {
      try ValueSchema(compiling: JSONReader.value(from: nested(SchemaLimits.depthMax + 1), limits: limits))
    }
    let wide = "{\"allOf\":[" + Array(repeating: "{}", count: SchemaLimits.schemasMax - 1).joined(separator: ",") + "]}"
    _ = try Self.schema(wide)
    #expect(throws: Faults.self) { try Self.schema(wide.replacing("{},{}", with: "{},{},{}", maxReplacements: 1)) }
    func chain(_ count: Int) -> String {
      let links = (0..<count).map { ##""d\##($0)":{"$ref":"#/$defs/d\##($0 + 1)"}"## }.joined(separator: ",")
      return ##"{"$defs":{\##(links),"d\##(count)":{}}}"##
    }
    _ = try Self.schema(chain(SchemaLimits.chainMax - 1))
    #expect(throws: Faults.self) { try Self.schema(chain(SchemaLimits.chainMax)) }
  }

  @Test("validating random values with random schemas neither crashes nor hangs", arguments: 0..<30)
  func random(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed) &+ 77)
    let schemas = [
      ##"{"items":{"$ref":"#"},"additionalProperties":{"$ref":"#"},"minimum":0,"maxLength":4,"uniqueItems":true,"localized":false}"##,
      ##"{"oneOf":[{"type":"array","items":{"$ref":"#"}},{"type":"object","additionalProperties":{"$ref":"#"}},{"localized":true},{"type":["number","string"]}]}"##,
      ##"{"additionalProperties":{"index_into":"","differs_from":"","same_length_as":"a"}}"##.replacing(##""""##, with: ##""a""##),
    ]
    for source in schemas {
      let schema = try Self.schema(source)
      for _ in 0..<20 {
        let value = Value.random(depth: 4, using: &generator)
        for violation in schema.violations(of: value, locales: ["en", "fr"]) {
          #expect(value.value(at: violation.pointer) != nil || violation.pointer.contains("…"))
        }
        if schema.violations(of: value, locales: []).isEmpty { _ = schema.localizing(value, by: ["en"]) }
      }
    }
  }
}
