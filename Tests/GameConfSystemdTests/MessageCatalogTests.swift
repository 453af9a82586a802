// The journal's catalog explains every `MessageID`. The entries of degradations, generated from their declarations, have their own test.

import FoundationEssentials
import GameConfSystemd
import Testing

@Suite("The journal's catalog")
struct MessageCatalogTests {
  private func catalog() throws -> String {
    let top = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    let text = try String(contentsOfFile: top + "/systemd/gameconfd.catalog", encoding: .utf8)
    let end = try #require(text.firstRange(of: "# What follows is made of the declarations of degradations"))
    return String(text[..<end.lowerBound])
  }

  @Test("the journal's catalog explains exactly the message ids that exist")
  func identifiers() throws {
    let explained = try catalog().split(separator: "\n").filter { $0.hasPrefix("-- ") }.map { String($0.dropFirst(3)) }
    #expect(explained.sorted() == MessageID.allCases.map(\.rawValue).sorted())
  }

  @Test("the journal's catalog gives each message id a subject, and names only fields of log entries")
  func contents() throws {
    let text = try catalog()
    let subjects = text.split(separator: "\n").filter { $0.hasPrefix("Subject: ") }
    #expect(Set(subjects).count == MessageID.allCases.count)
    let known = Set(LogField.allCases.map(\.journalName))
    for mention in text.matches(of: /@([A-Z_]+)@/) { #expect(known.contains(String(mention.1)), "@\(mention.1)@") }
  }

  @Test("a message id is 128 bits in lower-case hexadecimal", arguments: MessageID.allCases)
  func form(id: MessageID) {
    #expect(id.rawValue.wholeMatch(of: /[0-9a-f]{32}/) != nil)
  }
}
