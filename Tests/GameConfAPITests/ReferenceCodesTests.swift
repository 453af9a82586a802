// Tests that the codes on the page “Catalog reference” are codes that the daemon answers.

import Foundation
import GameConfAPI
import GameConfCore
import Testing

@Suite("The codes of the catalog reference")
struct ReferenceCodesTests {
  @Test("each code on the page is a problem's code, a reason for not showing an ad, or a reason of a gate's verdict")
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
