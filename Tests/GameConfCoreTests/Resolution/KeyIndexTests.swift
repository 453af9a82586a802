// Keys are found where they stand, and none beside them.

import Testing

@testable import GameConfCore

@Suite("Key index")
struct KeyIndexTests {
  @Test("every key is found at its place, whatever its length, and its neighbours are not", arguments: [0, 1, 7, 100, 3_000])
  func found(count: Int) {
    let keys = (0..<count).map { "k\($0)" + String(repeating: "x", count: $0 % 41) }
    let index = KeyIndex(keys)
    for (at, key) in keys.enumerated() {
      #expect(index.position(of: key) == at)
      #expect(index.position(of: key + "y") == nil)
      #expect(index.position(of: String(key.dropLast())) == keys.firstIndex(of: String(key.dropLast())))
    }
    #expect(index.position(of: "") == nil)
    #expect(index.position(of: "\u{e9}") == nil)
  }

  @Test("keys that differ in one byte only are told apart", arguments: 1...40)
  func oneByte(length: Int) {
    let keys = (0..<length).map { at in String(repeating: "a", count: at) + "b" + String(repeating: "a", count: length - at - 1) }
    let index = KeyIndex(keys)
    for (at, key) in keys.enumerated() { #expect(index.position(of: key) == at) }
    #expect(index.position(of: String(repeating: "a", count: length)) == nil)
  }

  @Test("of equal keys the last counts, and the others are found still")
  func equal() {
    let index = KeyIndex(["same", "other", "same", "third"])
    #expect(index.position(of: "same") == 2 && index.position(of: "other") == 1 && index.position(of: "third") == 3)
  }
}
