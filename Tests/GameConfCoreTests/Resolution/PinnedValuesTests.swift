// Tests the pinned values of a play and their localization.

import GameConfCore
import Testing

@Suite("Pinned values of plays")
struct PinnedValuesTests {
  private func story() throws -> Parameter {
    var parameter = Parameter(key: "chapters", type: .list, defaultValue: .absent, section: "S", description: "D")
    parameter.schema = try ValueSchema(
      compiling: [
        "type": "array",
        "items": [
          "type": "object",
          "properties": [
            "title": ["localized": true],
            "levels": ["type": "array", "items": ["type": "object", "properties": ["text": ["localized": true]]]],
          ],
        ],
      ])
    return parameter
  }

  private let chapters: Value = [
    [
      "title": ["en": "One", "fr": "Un"], "number": 1.0,
      "levels": [["text": ["en": "Go", "fr": "Va"], "at": 2], ["text": ["en": "Stop", "fr": "Arrête"]]],
    ],
    ["number": 2],
  ]

  @Test("pinned texts inside lists and objects are localized without the catalog")
  func leaves() throws {
    let places = try story().places(ofTextsIn: chapters, locales: ["en", "fr"])
    let values = PinnedValues(
      [PinnedValue(key: "chapters", type: .list, value: chapters, texts: places, layer: .catalogDefault)], locales: ["en", "fr"])
    let back = try PinnedValues(decoding: values.encoded)
    let pinned = try #require(back["chapters"])
    let french = pinned.value(in: ["fr", "en"])
    #expect(
      french == [
        ["title": "Un", "number": 1.0, "levels": [["text": "Va", "at": 2], ["text": "Arrête"]]], ["number": 2],
      ])
    #expect(french.listValue?[0]["number"]?.kind == .double, "numbers keep their kind")
    #expect(pinned.value(in: []) == chapters, "no language gives all of them")
    #expect(pinned.value(in: ["ru"]).listValue?[0]["title"] == "One", "a language that is not there gives the first")
  }

  @Test("a pinned localized value becomes a text, and an object without localized texts stays unchanged")
  func plain() throws {
    let title = Parameter(key: "t", type: .localized, defaultValue: .absent, section: "S", description: "D")
    let texts: Value = ["en": "Hello", "fr": "Bonjour"]
    #expect(title.places(ofTextsIn: texts, locales: ["en", "fr"]) == true)
    #expect(PinnedValue(key: "t", type: .localized, value: texts, texts: true, layer: .remote).value(in: ["fr", "en"]) == "Bonjour")
    let object = Parameter(key: "o", type: .object, defaultValue: .absent, section: "S", description: "D")
    #expect(object.places(ofTextsIn: texts, locales: ["en"]) == nil)
    #expect(PinnedValue(key: "o", type: .object, value: texts, layer: .remote).value(in: ["fr"]) == texts)
  }

  @Test("equal pinned values are encoded identically and decoded with all members")
  func encoding() throws {
    func values() -> PinnedValues {
      PinnedValues(
        [
          PinnedValue(key: "a", type: .double, value: 2.0, layer: .setting, variant: "wide", isSecret: true),
          PinnedValue(key: "b", type: .integer, value: .integer(.max), layer: .gameOverride),
        ], locales: ["en"])
    }
    #expect(values().encoded == values().encoded)
    let back = try PinnedValues(decoding: values().encoded)
    #expect(back.values == values().values && back.locales == ["en"])
    #expect(back["a"]?.value.kind == .double)
    #expect(throws: Fault.self) { try PinnedValues(decoding: Array("{\"l\":[],\"v\":[[1]]}".utf8)) }
    #expect(throws: Fault.self) { try PinnedValues(decoding: Array("[".utf8)) }
  }
}
