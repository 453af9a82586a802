// Every message identifier is explained in the journal's catalog that ships, before the entries of degradations, which are made of their declarations.

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

  @Test("explains exactly the identifiers there are")
  func identifiers() throws {
    let explained = try catalog().split(separator: "\n").filter { $0.hasPrefix("-- ") }.map { String($0.dropFirst(3)) }
    #expect(explained.sorted() == MessageID.allCases.map(\.rawValue).sorted())
  }

  @Test("gives each a subject, and mentions only fields that entries carry")
  func contents() throws {
    let text = try catalog()
    let subjects = text.split(separator: "\n").filter { $0.hasPrefix("Subject: ") }
    #expect(Set(subjects).count == MessageID.allCases.count)
    let known = Set(LogField.allCases.map(\.journalName))
    for mention in text.matches(of: /@([A-Z_]+)@/) { #expect(known.contains(String(mention.1)), "@\(mention.1)@") }
  }

  @Test("identifiers are 128 bits in lower-case hexadecimal", arguments: MessageID.allCases)
  func form(id: MessageID) {
    #expect(id.rawValue.wholeMatch(of: /[0-9a-f]{32}/) != nil)
  }
}
