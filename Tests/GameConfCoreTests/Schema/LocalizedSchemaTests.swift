// Tests localized texts in schemas, with the content of a game and typical mistakes in it.

import GameConfCore
import Testing

@Suite("Localized content")
struct LocalizedSchemaTests {
  static let locales = ["en", "fr"]

  static let chapters = ##"""
    {
      "type": "array", "minItems": 1, "unique_by": "index",
      "items": {
        "type": "object", "additionalProperties": false, "required": ["index", "title", "levels"],
        "properties": {
          "index": {"type": "integer", "minimum": 1}, "title": {"$ref": "#/$defs/text"},
          "levels": {"type": "array", "items": {"oneOf": [
            {"$ref": "#/$defs/closed"}, {"$ref": "#/$defs/rotor"}, {"$ref": "#/$defs/open"}, {"$ref": "#/$defs/search"}]}}
        }
      },
      "$defs": {
        "text": {"localized": true, "minLength": 1, "maxLength": 60},
        "answer": {"oneOf": [{"type": "string"}, {"$ref": "#/$defs/text"},
          {"type": "object", "required": ["random_digits"], "additionalProperties": false, "properties": {"random_digits": {"type": "integer", "minimum": 1}}}]},
        "answers": {"type": "array", "minItems": 2, "items": {"$ref": "#/$defs/answer"}},
        "closed": {"type": "object", "additionalProperties": false, "required": ["kind", "question", "answers", "right"], "properties": {
          "kind": {"const": "closed"}, "question": {"$ref": "#/$defs/text"},
          "answers": {"$ref": "#/$defs/answers", "differs_from": "right"}, "right": {"type": "integer", "index_into": "answers"}}},
        "rotor": {"type": "object", "required": ["kind", "clues", "answers", "right"], "properties": {
          "kind": {"const": "rotor"}, "clues": {"type": "array", "items": {"$ref": "#/$defs/text"}},
          "answers": {"$ref": "#/$defs/answers", "differs_from": "right"}, "right": {"type": "integer", "index_into": "answers"}}},
        "open": {"type": "object", "required": ["kind", "question", "answer"], "properties": {
          "kind": {"const": "open"}, "question": {"$ref": "#/$defs/text"}, "answer": {"$ref": "#/$defs/text"}}},
        "search": {"type": "object", "required": ["kind", "steps"], "properties": {
          "kind": {"const": "search"}, "steps": {"type": "array", "items": {"type": "object", "required": ["actions", "results", "right"], "properties": {
            "actions": {"type": "array", "items": {"$ref": "#/$defs/text"}},
            "results": {"type": "array", "items": {"$ref": "#/$defs/text"}, "same_length_as": "actions"},
            "right": {"type": "integer", "index_into": "actions"}}}}}}
      }
    }
    """##

  static let good = ##"""
    [
      {"index": 1, "title": {"en": "Ice Cave", "fr": "Grotte de glace"}, "levels": [
        {"kind": "closed", "question": {"en": "A door", "fr": "Une porte"}, "right": 0,
          "answers": [{"en": "Open", "fr": "Ouvrir"}, {"en": "Wait", "fr": "Attendre"}, {"en": "Run", "fr": "Courir"}]}]},
      {"index": 2, "title": {"en": "Lost City", "fr": "Cité perdue"}, "levels": [
        {"kind": "rotor", "clues": [{"en": "Four", "fr": "Quatre"}], "answers": ["4402", {"random_digits": 4}, {"random_digits": 4}], "right": 0},
        {"kind": "open", "question": {"en": "What falls?", "fr": "Qu'est-ce qui tombe ?"}, "answer": {"en": "water", "fr": "eau"}},
        {"kind": "search", "steps": [
          {"actions": [{"en": "Left", "fr": "Gauche"}, {"en": "Right", "fr": "Droite"}],
            "results": [{"en": "Wall", "fr": "Mur"}, {"en": "Gem", "fr": "Joyau"}], "right": 1}]}]}
    ]
    """##

  @Test("valid game content matches its schema and is localized")
  func goodContent() throws {
    let schema = try ValueSchemaTests.schema(Self.chapters)
    let value = try JSONReader.value(from: Self.good)
    #expect(schema.violations(of: value, locales: Self.locales) == [])
    #expect(schema.isLocalized)
    let french = schema.localizing(value, by: ["fr", "en"])
    #expect(french.value(at: "/0/title") == "Grotte de glace")
    #expect(french.value(at: "/0/levels/0/answers/2") == "Courir")
    #expect(french.value(at: "/1/levels/0/answers") == ["4402", ["random_digits": 4], ["random_digits": 4]])
    #expect(french.value(at: "/1/levels/2/steps/0/results/1") == "Joyau")
    #expect(schema.localizing(value, by: ["de", "en"]).value(at: "/1/levels/1/answer") == "water")
    #expect(schema.localizing(value, by: ["de"]).value(at: "/0/title") == "Ice Cave")
  }

  @Test(
    "typical mistakes in game content are reported at their positions",
    arguments: [
      ("a missing locale", ##""fr": "Grotte de glace""##, ##""x-fr": "Grotte""##, ["/0/title", "/0/title/x-fr"]),
      ("a locale the game does not have", ##""fr": "Grotte de glace""##, ##""fr": "Grotte", "de": "Höhle""##, ["/0/title/de"]),
      ("an empty text", ##""en": "Ice Cave""##, ##""en": """##, ["/0/title/en"]),
      ("a missing locale deep inside", ##", "fr": "Mur""##, "", ["/1/levels/2/steps/0/results/0"]),
      ("a text that is none", ##""en": "water""##, ##""en": 7"##, ["/1/levels/1/answer/en"]),
      ("a right answer that is not among them", ##""right": 0,"##, ##""right": 3,"##, ["/0/levels/0/right"]),
      ("a right answer below the first", ##""right": 1}"##, ##""right": -1}"##, ["/1/levels/2/steps/0/right"]),
      (
        "more results than actions", ##"{"en": "Gem", "fr": "Joyau"}"##, ##"{"en": "Gem", "fr": "Joyau"}, {"en": "x", "fr": "y"}"##,
        ["/1/levels/2/steps/0/results"]
      ),
      ("a decoy that is the right answer", ##"["4402", {"random_digits": 4},"##, ##"["4402", "4402","##, ["/1/levels/0/answers/1"]),
      ("a decoy that is the right answer in French only", ##""fr": "Courir""##, ##""fr": "Ouvrir""##, ["/0/levels/0/answers/2"]),
      ("an index used twice", ##""index": 2"##, ##""index": 1"##, ["/1"]),
      ("a kind that does not exist", ##""kind": "rotor""##, ##""kind": "rotar""##, ["/1/levels/0/kind"]),
      ("a mistyped member", ##""question": {"en": "A door""##, ##""qestion": {"en": "A door""##, ["/0/levels/0", "/0/levels/0/qestion"]),
      (
        "a mistyped decoy", ##"{"random_digits": 4}, "##, ##"{"random_digit": 4}, "##,
        ["/1/levels/0/answers/1", "/1/levels/0/answers/1/random_digit"]
      ),
      ("a text too long", "Cité perdue", String(repeating: "é", count: 61), ["/1/title/fr"]),
    ])
  func mistake(name: String, right: String, wrong: String, pointers: [String]) throws {
    let schema = try ValueSchemaTests.schema(Self.chapters)
    let text = Self.good.replacing(right, with: wrong, maxReplacements: 1)
    #expect(text != Self.good)
    let violations = schema.violations(of: try JSONReader.value(from: text), locales: Self.locales)
    #expect(violations.map(\.pointer) == pointers, "\(violations)")
  }

  @Test("a locale that the game does not have is reported with the ones that it has")
  func foreignLocale() throws {
    let schema = try ValueSchemaTests.schema(##"{"localized":true}"##)
    let value: Value = ["en": "x", "fr": "y", "de": "z"]
    #expect(
      schema.violations(of: value, locales: Self.locales)
        == [Fault("The game does not have the locale “de”; it has en, fr.", at: "/de")])
    #expect(schema.violations(of: value, locales: []).isEmpty)
  }

  @Test("the tiers of a rating must start at zero and ascend, and their stars must descend")
  func tiers() throws {
    let schema = try ValueSchemaTests.schema(
      ##"{"type":"array","prefixItems":[{"$ref":"#/$defs/first"}],"items":{"$ref":"#/$defs/tier"},"rising_by":"from","falling_by":"stars","$defs":{"tier":{"type":"object","required":["from","stars"],"properties":{"from":{"type":"integer"},"stars":{"type":"number"}}},"first":{"$ref":"#/$defs/tier","properties":{"from":{"const":0}}}}}"##
    )
    func pointers(_ text: String) throws -> [String] {
      schema.violations(of: try JSONReader.value(from: text), locales: ["en"]).map(\.pointer)
    }
    #expect(try pointers(##"[{"from":0,"stars":3.0},{"from":1,"stars":2.5},{"from":11,"stars":0}]"##) == [])
    #expect(try pointers(##"[{"from":1,"stars":3.0},{"from":2,"stars":2.5}]"##) == ["/0/from"])
    #expect(try pointers(##"[{"from":0,"stars":3.0},{"from":3,"stars":2.5},{"from":3,"stars":2.0}]"##) == ["/2"])
    #expect(try pointers(##"[{"from":0,"stars":3.0},{"from":3,"stars":2.5},{"from":5,"stars":2.5}]"##) == ["/2"])
  }

  @Test("a schema without localized leaves does not change values")
  func notLocalized() throws {
    let schema = try ValueSchemaTests.schema(##"{"properties":{"a":{"type":"object"}},"not":{"localized":true}}"##)
    #expect(!schema.isLocalized)
    let value: Value = ["a": ["en": "x", "fr": "y"]]
    #expect(schema.localizing(value, by: ["fr"]) == value)
  }

  @Test(
    "localized leaves are found through every keyword that refers to another schema",
    arguments: [
      ##"{"properties":{"a":{"localized":true}}}"##, ##"{"additionalProperties":{"localized":true}}"##,
      ##"{"allOf":[{"properties":{"a":{"localized":true}}}]}"##,
      ##"{"anyOf":[{"required":["b"]},{"properties":{"a":{"localized":true}}}]}"##,
      ##"{"oneOf":[{"required":["b"]},{"properties":{"a":{"localized":true}}}]}"##,
      ##"{"if":{"required":["a"]},"then":{"properties":{"a":{"localized":true}}}}"##,
      ##"{"if":{"required":["b"]},"then":{},"else":{"properties":{"a":{"localized":true}}}}"##,
      ##"{"properties":{"a":{"$ref":"#/$defs/t"}},"$defs":{"t":{"localized":true}}}"##,
      ##"{"properties":{"a":{"localized":true,"type":"string"}}}"##,
    ])
  func ways(source: String) throws {
    let schema = try ValueSchemaTests.schema(source)
    #expect(schema.isLocalized)
    #expect(schema.localizing(["a": ["en": "x", "fr": "y"]], by: ["fr"]) == ["a": "y"])
  }

  @Test("a leaf that is not text by locale stays unchanged")
  func oddLeaves() throws {
    let schema = try ValueSchemaTests.schema(##"{"items":{"localized":true}}"##)
    let value: Value = [[:], 1, "x", ["en": 1], ["en": 1, "fr": "y"]]
    #expect(schema.localizing(value, by: ["en"]) == [[:], 1, "x", ["en": 1], "y"])
  }
}
