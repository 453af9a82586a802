// The codes of the page “Catalog reference” are codes of the daemon's answers.

import Foundation
import GameConfAPI
import GameConfCore
import Testing

@Suite("The codes of the catalog reference")
struct ReferenceCodesTests {
  @Test("the codes are problems, reasons against an ad, or reasons of a gate")
  func codes() throws {
    let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = top.appending(path: "Sources/gameconfd/Documentation.docc/Guides/CatalogReference.md")
    let text = try String(decoding: Data(contentsOf: page), as: UTF8.self)
    let table = try #require(text.components(separatedBy: "<!-- table: codes -->").last)
    let codes = table.matches(of: /\| `([A-Z_]+)` \|/).map { String($0.1) }
    #expect(codes.count > 30)
    for code in codes {
      let isKnown =
        ProblemCode(rawValue: code) != nil || AdRefusal(rawValue: code) != nil || GateDecision.Reason(rawValue: code) != nil
      #expect(isKnown, "\(code)")
    }
  }
}
