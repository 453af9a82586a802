// Tests gates: locked, open, and opened by an entitlement.

import GameConfCore
import Testing

private struct Free: ParameterLookup {
  var count: Int64 = 3
  func value(ofParameter key: String) -> Value? { key == "free" ? .integer(count) : nil }
}

@Suite("Gates")
struct GateTests {
  private let now = Instant(seconds: 1_795_262_400)

  private func gate() throws -> Gate {
    let expression = try LogicExpression(compiling: [">": [["var": "number"], ["parameter": "free"]]])
    return Gate(id: "puzzles", arguments: [Gate.Argument(name: "number", type: .integer)], lockedWhen: expression, unless: ["Pro"])
  }

  private func decide(
    _ arguments: ObjectValue, free: Int64 = 3, held: Set<String> = [], context: ObjectValue = ObjectValue()
  ) throws -> GateDecision {
    try gate().decide(
      arguments: arguments, context: context, parameters: Free(count: free), entitlements: held, catalog: .sudoku, now: now)
  }

  @Test("of 27 puzzles the first 3 are open, all with the entitlement Pro, and the first 5 if the parameter is 5", arguments: 1...27)
  func section(number: Int) throws {
    let arguments: ObjectValue = ["number": .integer(Int64(number))]
    let locked = GateDecision(isLocked: true, reason: .locked, unlocksWith: ["monthly", "yearly", "monthly_b"])
    let open = GateDecision(isLocked: false, reason: .open, unlocksWith: [])
    #expect(try decide(arguments) == (number > 3 ? locked : open))
    #expect(try decide(arguments, free: 5) == (number > 5 ? locked : open))
    #expect(try decide(arguments, held: ["Pro"]).isLocked == false)
    #expect(try decide(arguments, held: ["Pro"]).reason == (number > 3 ? .entitled : .open))
    #expect(try decide(arguments, held: ["pro"]) == (number > 3 ? locked : open))
    #expect(try decide(arguments, context: ["number": 1]) == (number > 3 ? locked : open))
  }

  @Test("a gate is open while its subscription is active and locked once that has expired") func subscription() throws {
    var shop = try Shop(.sudoku, at: "2026-01-10T00:00:00Z")
    let id = try shop.buy("monthly")
    #expect(try decide(["number": 4], held: shop.entitlements.ids).reason == .entitled)
    try shop.act(.transaction(.expire, id))
    #expect(try decide(["number": 4], held: shop.entitlements.ids).reason == .locked)
  }

  @Test(
    "a gate rejects a missing argument, one of another type and an unknown one",
    arguments: [
      (ObjectValue(), ProblemCode.missingArgument), (ObjectValue([("number", "4")]), .argumentType),
      (ObjectValue([("number", 4.5)]), .argumentType), (ObjectValue([("number", 4), ("level", 1)]), .unknownArgument),
    ])
  func faults(arguments: ObjectValue, code: ProblemCode) {
    let refusal = #expect(throws: Refusal.self) { try decide(arguments) }
    #expect(refusal?.code == code && refusal?.faults.isEmpty == true)
  }
}
