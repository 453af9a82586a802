// Tests the chapters of the shipped adventure game, and that typical faults in such chapters are reported at their position.

import GameConfCore
import Testing

@Suite("Chapters of the shipped adventure")
struct ShippedCatalogsContentTests {
  private static func chapters() throws -> [Value] {
    guard case .value(let chapters) = try ShippedCatalogs.parameter("chapters", of: "adventure").defaultValue else { return [] }
    return chapters.listValue ?? []
  }

  @Test(
    "an adventure chapter has its title, keywords and levels",
    arguments: [
      (1, "Ice Cave", "door trap bridge bats lever", "closed 3:0, closed 3:2, closed 3:0, closed 3:1"),
      (2, "The Lost City", "bear wolves spikes water", "rotor 4 clues 1 hints 3:0, rotor 3 clues 0 hints 4:0"),
      (3, "Hidden Valley", "climbing waterfall temple door mechanism", "open 1, open 1, open 1, open 1"),
      (4, "The Hidden Tomb", "puzzle blocks walls jewels tiles", "search 2:1 2:0 2:1, search 4:1 4:2 4:1"),
    ])
  func chapter(index: Int, title: String, keywords: String, levels: String) throws {
    let chapters = try Self.chapters()
    #expect(chapters.count == 4)
    let chapter = try #require(chapters.first { $0["index"] == .integer(Int64(index)) })
    #expect(chapter["title"]?["en"] == .string(title))
    let words = (chapter["keywords"]?.listValue ?? []).compactMap { $0["en"]?.stringValue }
    #expect(words.joined(separator: " ") == keywords)
    #expect((chapter["levels"]?.listValue ?? []).map(Self.summary).joined(separator: ", ") == levels)
  }

  /// Returns the level's kind and the counts of its parts, as `ANSWERS:RIGHT`.
  private static func summary(of level: Value) -> String {
    func count(_ name: String) -> Int { level[name]?.listValue?.count ?? 0 }
    func choices(_ place: Value, _ name: String) -> String {
      "\(place[name]?.listValue?.count ?? 0):\(place["right"]?.integerValue ?? -1)"
    }
    switch level["kind"] {
    case "closed_question": return "closed \(choices(level, "answers"))"
    case "rotor": return "rotor \(count("clues")) clues \(count("hints")) hints \(choices(level, "answers"))"
    case "open_question": return "open \(count("right_answers"))"
    case "search": return (["search"] + (level["steps"]?.listValue ?? []).map { choices($0, "actions") }).joined(separator: " ")
    default: return "unknown"
    }
  }

  @Test("the adventure's secret code 4402 is listed between two random decoys")
  func decoys() throws {
    let level = try #require(try Self.chapters()[1]["levels"]?.listValue?.first)
    #expect(level["answers"] == [["en": "4402", "fr": "4402"], ["random_digits": 4], ["random_digits": 4]])
  }

  @Test("localized chapters have one language and unchanged decoys", arguments: [("fr", "La grotte de glace"), ("en", "Ice Cave")])
  func localized(locale: String, title: String) throws {
    let schema = try #require(try ShippedCatalogs.parameter("chapters", of: "adventure").schema)
    #expect(schema.isLocalized)
    let chapters = try #require(schema.localizing(.list(try Self.chapters()), by: [locale]).listValue)
    #expect(chapters.first?["title"] == .string(title))
    #expect(chapters[1]["levels"]?.listValue?.first?["answers"] == ["4402", ["random_digits": 4], ["random_digits": 4]])
    let text = JSONWriter.text(.list(chapters))
    #expect(!text.contains(#""en":"#) && !text.contains(#""fr":"#))
  }

  @Test("each adventure keyword occurs in its chapter's description, in each language", arguments: ["en", "fr"])
  func keywords(locale: String) throws {
    for chapter in try Self.chapters() {
      let description = try #require(chapter["description"]?[locale]?.stringValue)
      for keyword in chapter["keywords"]?.listValue ?? [] {
        let word = try #require(keyword[locale]?.stringValue)
        #expect(description.contains(word), "\(word)")
      }
    }
  }

  /// A typical fault that an author of chapters makes.
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// A text that occurs before the changed position.
    let after: String
    /// The text that the fault replaces, and its replacement.
    let find: String
    let put: String
    /// A text on the first line after `after` that the fault may name, and how many lines below that line are accepted too.
    let line: String
    let below: Int

    init(_ testDescription: String, after: String, _ find: String, _ put: String, at line: String, below: Int = 0) {
      self.testDescription = testDescription
      self.after = after
      self.find = find
      self.put = put
      self.line = line
      self.below = below
    }
  }

  static let faults: [Fault] = [
    Fault("a title in one language", after: "default:", #", fr: "La grotte de glace"}"#, "}", at: "title:"),
    Fault(
      "a title in a language the game does not have", after: "default:", #", fr: "La grotte de glace"}"#,
      #", fr: "La grotte de glace", de: "Die Eishöhle"}"#, at: "title:"),
    Fault("a keyword in one language", after: "default:", #"{en: "wolves", fr: "loups"}"#, #"{en: "wolves"}"#, at: #"{en: "wolves"}"#),
    Fault("an answer in one language", after: "Three levers", #"{en: "The wet lever.", "#, "{", at: "Le levier mouillé."),
    Fault("a right answer after the last", after: "Three levers", "right: 1", "right: 3", at: "right: 3"),
    Fault("a right answer before the first", after: "Three levers", "right: 1", "right: -1", at: "right: -1"),
    Fault("a right answer that is no number", after: "Three levers", "right: 1", "right: warm", at: "right: warm"),
    Fault("a right answer that is drawn at random", after: "The gate opens", "right: 0", "right: 1", at: "random_digits"),
    Fault("a right action after the last", after: "Second block", "right: 0", "right: 2", at: "right: 2"),
    Fault(
      "a result more than there are actions", after: "cross the sky", "results:\n",
      "results:\n                  - {en: \"Nothing.\", fr: \"Rien.\"}\n", at: "results:", below: 1),
    Fault(
      "a result more than there are actions left", after: "cross the sand",
      #"                  - {en: "Step on the fish.", fr: "Marcher sur le poisson."}"# + "\n", "", at: "results:", below: 1),
    Fault(
      "a decoy equal to the right answer", after: "The gate opens", "{random_digits: 4}", #"{en: "4402", fr: "4402"}"#, at: "answers:",
      below: 2),
    Fault(
      "a decoy equal to the right answer in one language", after: "Que fais-tu", "Je frappe le milieu du poing.",
      "Je pousse doucement sur le côté gauche.", at: "answers:", below: 2),
    Fault("an action twice", after: "First block", #"{en: "Pull the block.""#, #"{en: "Push the block.""#, at: "actions:", below: 2),
    Fault("an index twice", after: "The night.", "- index: 3", "- index: 2", at: "- index: 2"),
    Fault("an unknown kind of level", after: "default:", "kind: rotor", "kind: riddle", at: "kind: riddle"),
    Fault("a level without its question", after: "default:", "            question:", "            x-question:", at: "kind:", below: 1),
    Fault(
      "an open question without a right answer", after: "climbing begins",
      "right_answers:\n" + #"              - {en: "rope", fr: "corde"}"#, "right_answers: []", at: "right_answers"),
  ]

  @Test("a typical fault in the adventure's chapters is reported on its line", arguments: faults)
  func caught(fault: Fault) throws {
    let text = String(decoding: try ShippedCatalogs.bytes(of: "adventure"), as: UTF8.self)
    let start = try #require(text.firstRange(of: fault.after)).upperBound
    let place = try #require(text[start...].firstRange(of: fault.find))
    var changed = text
    changed.replaceSubrange(place, with: fault.put)

    let reading = ShippedCatalogs.read("adventure", Array(changed.utf8))
    let isAccepted = reading.catalog != nil
    #expect(!isAccepted)
    let first = try #require(reading.faults.first)
    let from = try #require(changed.firstRange(of: fault.after)).upperBound
    let marker = try #require(changed[from...].firstRange(of: fault.line)).lowerBound
    let line = changed[..<marker].count(where: { $0 == "\n" }) + 1
    #expect((line...line + fault.below).contains(first.line), "\(first)")
  }
}
