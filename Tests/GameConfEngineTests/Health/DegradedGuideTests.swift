// The guide “When it says degraded” and the journal's explanations match the declarations of the kinds of degradation.

import Foundation
import GameConfEngine
import Testing

@Suite("The explanations of degradations")
struct DegradedGuideTests {
  private static let top = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
  private static let guide = top + "/Sources/gameconfd/Documentation.docc/Guides/Degraded.md"
  private static let catalog = top + "/systemd/gameconfd.catalog"
  private static let parts: [DegradationKind.AffectedPart] = [.store, .daemon, .game]
  private static let heading = "| status says | that is | do games notice | what you do | over when |"
  private static let begin =
    "# What follows is made of the declarations of degradations; DegradedGuideTests writes it with GAMECONF_RECORD.\n"

  private static func table(of part: DegradationKind.AffectedPart) -> [String] {
    [heading, "|---|---|---|---|---|"]
      + DegradationKind.allCases.filter { $0.declaration.part == part }.map { kind in
        let text = kind.declaration
        let cells = [text.title, text.effect, text.remedy, text.end].map { $0.replacing("“", with: "`").replacing("”", with: "`") }
        return "| `\(kind.rawValue)` | \(cells.joined(separator: " | ")) |"
      }
  }

  /// Returns the guide with its tables written again from the declarations.
  private static func withTables(_ page: String) -> String {
    var lines: [String] = []
    var parts = parts[...]
    var isInTable = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("| status says"), let part = parts.popFirst() {
        lines += table(of: part)
        isInTable = true
      }
      if isInTable, line.hasPrefix("|") { continue }
      isInTable = false
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the journal catalog's entry of a kind of degradation, in lines of at most 90 columns.
  private static func entry(of kind: DegradationKind) -> String {
    let text = kind.declaration
    let sentences = [
      "The code of this degradation is \(kind.rawValue).", "Do games notice: \(text.effect).", "What you do: \(text.remedy).",
      "Over when: \(text.end).",
    ]
    let body = sentences.map { sentence in
      var lines = [""]
      for word in sentence.replacing("“", with: "'").replacing("”", with: "'").split(separator: " ") {
        if lines[lines.count - 1].count + word.count > 88 { lines.append("") }
        lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
      }
      return lines.joined(separator: "\n")
    }
    return """

      -- \(text.messageID)
      Subject: \(text.title)
      Defined-By: gameconfd
      Documentation: man:gameconfctl(1)

      \(body.joined(separator: "\n"))

      """
  }

  private static func withEntries(_ catalog: String) -> String {
    let head = catalog.range(of: begin).map { String(catalog[..<$0.lowerBound]) } ?? catalog
    return head + begin + DegradationKind.allCases.map(entry).joined()
  }

  private func check(_ path: String, _ written: (String) -> String) throws {
    let page = try String(contentsOfFile: path, encoding: .utf8)
    let present = written(page)
    if let folder = ProcessInfo.processInfo.environment["GAMECONF_RECORD"] {
      try Data(present.utf8).write(to: URL(filePath: folder + "/" + (path.split(separator: "/").last.map(String.init) ?? "page")))
    }
    let (own, due) = (page.split(separator: "\n"), present.split(separator: "\n"))
    #expect(own.count == due.count)
    let differing = zip(own, due).first { $0 != $1 }.map { "the page says: \($0)\nthe declaration: \($1)" }
    #expect(differing == nil)
  }

  @Test("the guide's tables match the declared kinds; with GAMECONF_RECORD the test writes the tables")
  func guide() throws {
    try check(Self.guide, Self.withTables)
    let page = try String(contentsOfFile: Self.guide, encoding: .utf8)
    #expect(page.split(separator: "\n").count { $0 == Self.heading } == Self.parts.count)
  }

  @Test("the journal's catalog explains each kind as declared; with GAMECONF_RECORD the test writes it")
  func journal() throws { try check(Self.catalog, Self.withEntries) }

  @Test("message ids and titles are unique, texts are phrases, and ids are 128 bits in lower-case hexadecimal")
  func forms() {
    let texts = DegradationKind.allCases.map(\.declaration)
    #expect(Set(texts.map(\.messageID)).count == texts.count && Set(texts.map(\.title)).count == texts.count)
    for text in texts {
      #expect(text.messageID.wholeMatch(of: /[0-9a-f]{32}/) != nil && text.messageID.utf8.count == 32, "\(text.title)")
      for words in [text.title, text.effect, text.remedy, text.end] { #expect(!words.isEmpty && !words.hasSuffix("."), "\(words)") }
    }
  }
}
