// Tests strings that Swift considers equal and a database does not.

import GameConfCore
import Testing

@Suite("Strings distinguished by their bytes")
struct ByteTextTests {
  @Test(
    "canonically equivalent strings are different keys in byte order, and different override slots",
    arguments: [
      ("e\u{301}", "\u{E9}"), ("Kim", "\u{212A}im"),
      (String(repeating: "a", count: 40) + "\u{C5}", String(repeating: "a", count: 40) + "\u{212B}"),
    ])
  func apart(first: String, second: String) {
    #expect(first == second)
    #expect(ByteText(first) != ByteText(second) && ByteText(first) < ByteText(second))
    #expect(Set([first, second, first].map(ByteText.init)).count == 2)
    #expect(!Value.string(first).isSame(as: second) && Value.string(first).isSame(as: first) && !Value.null.isSame(as: first))
    let slots = [first, second].map { OverrideSlot(game: "g", player: $0, key: "k") }
    #expect(slots[0] != slots[1] && slots[0] < slots[1] && Set(slots).count == 2)
    #expect(slots[0].isOf(player: first) && !slots[0].isOf(player: second) && !slots[0].isOf(player: nil))
    #expect(OverrideSlot(game: "g", key: "k").isOf(player: nil))
  }

  @Test("override slots whose parts have the same concatenation are distinguished")
  func parts() {
    let slots = [
      OverrideSlot(game: "g", player: "ab", key: "c"), OverrideSlot(game: "g", player: "a", key: "bc"), OverrideSlot(game: "g", key: "c"),
    ]
    #expect(Set(slots).count == 3)
  }
}
