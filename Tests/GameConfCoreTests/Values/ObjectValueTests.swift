// Members by name, in their order.

import GameConfCore
import Testing

@Suite("Object values")
struct ObjectValueTests {
  @Test("a name is added once, also among many", arguments: [1, 7, 8, 9, 10, 100])
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
}
