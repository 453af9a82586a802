// Tests objects: members in order, found by name.

import GameConfCore
import Testing

@Suite("Members of objects")
struct ObjectValueTests {
  @Test("a name is appended only if it is absent, in objects of every size", arguments: [1, 8, 9, 15, 16, 17, 18, 100])
  func appendIfAbsent(count: Int) {
    var object = ObjectValue()
    for number in 0..<count {
      let isAdded = object.appendIfAbsent("n\(number)", .integer(Int64(number)))
      #expect(isAdded)
    }
    for number in 0..<count {
      let isAdded = object.appendIfAbsent("n\(number)", .null)
      #expect(!isAdded)
    }
    #expect(object.names == (0..<count).map { "n\($0)" })
    for number in 0..<count {
      #expect(object["n\(number)"] == .integer(Int64(number)))
      #expect(object.position(of: "n\(number)") == number)
    }
    object["n0"] = nil
    #expect(object.count == count - 1)
    let isAddedAgain = object.appendIfAbsent("n0", true)
    #expect(isAddedAgain)
    #expect(object.names.last == "n0")
    #expect(object["n0"] == true)
  }

  @Test("of members with equal names the last value is stored at the position of the first", arguments: [3, 15, 16, 17, 40])
  func repeatedNames(count: Int) {
    let members: [(String, Value)] = (0..<count).map { ("n\($0)", .integer(Int64($0))) }
    let repeated = members + members.reversed().map { ($0.0, .string($0.0)) }
    for object in [ObjectValue(repeated), ObjectValue(repeated.lazy.map { $0 })] {
      #expect(object.names == members.map(\.0))
      #expect(object.members.allSatisfy { $0.value == .string($0.name) })
    }
  }

  @Test("canonically equivalent names are one name")
  func equivalentNames() {
    let object = ObjectValue([("caf\u{E9}", 1), ("cafe\u{301}", 2)])
    #expect(object.count == 1 && object["caf\u{E9}"] == 2)
  }
}
