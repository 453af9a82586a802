// Tests that requests to the simulated store report their faults, and that its answers say that they are simulated.

import GameConfAPI
import GameConfCore
import Testing

@Suite("The simulated store's requests and answers")
struct StoreShapeTests {
  @Test("every answer about products, purchases, transactions and entitlements has the member that says that it is simulated")
  func environment() {
    for sample in StoreSamples.all where sample.wire["game"] != nil && !(sample is ClockAnswer) && !(sample is PlayerClockAnswer) {
      #expect(sample.wire["environment"] == "simulated", "\(type(of: sample))")
    }
    for sample: any WireShape in [StoreSamples.transaction, StoreSamples.entitlement, StoreSamples.subscription, StoreSamples.line] {
      #expect(sample.wire["environment"] == "simulated", "\(type(of: sample))")
    }
  }

  @Test(
    "a refusal's HTTP status distinguishes the unknown, the not allowed, the conflicting and the invalid",
    arguments: [
      (.unknownProduct, 404), (.unknownTransaction, 404), (.purchasesAdminsOnly, 403), (.purchasesNotSimulated, 403),
      (.unknownEntitlement, 422),
      (.invalidPeriod, 422), (.invalidPrice, 422), (.invalidCurrency, 422), (.invalidBehaviour, 422), (.clockRate, 422),
      (.clockTooFar, 422), (.outsideCalendar, 422), (.clockBackwards, 409), (.alreadyOwned, 409), (.alreadyFinished, 409),
      (.alreadyRefunded, 409), (.notPending, 409), (.missingArgument, 422), (.unknownArgument, 422), (.argumentType, 422),
    ] as [(ProblemCode, Int)])
  func statuses(code: ProblemCode, status: Int) {
    #expect(code.status == status)
  }

  @Test(
    "a faulty request to move a game's clock, such as one with two targets, is refused with the fault's pointer",
    arguments: [
      ([:], ""), (["now": "2026-01-01T00:00:00Z", "advance": "P1M"], "/advance"), (["now": "tomorrow"], "/now"),
      (["rate": "fast"], "/rate"),
      (["offset_milliseconds": 1], "/offset_milliseconds"),
    ] as [(Value, String)])
  func clocks(body: Value, pointer: String) {
    #expect(#expect(throws: Fault.self) { try PutClock(wire: body) }?.pointer == pointer)
  }

  @Test(
    "a faulty request to move a player's clock, such as one with two targets, is refused with the fault's pointer",
    arguments: [
      ([:], ""), (["now": "2026-01-01T00:00:00Z", "offset_milliseconds": 5], "/offset_milliseconds"), (["rate": 1], "/rate"),
      (["offset_milliseconds": 1.5], "/offset_milliseconds"),
    ] as [(Value, String)])
  func playerClocks(body: Value, pointer: String) {
    #expect(#expect(throws: Fault.self) { try PutPlayerClock(wire: body) }?.pointer == pointer)
  }

  @Test("an unknown or malformed member in a request for the store's behaviour is reported with its JSON pointer")
  func behaviour() {
    #expect(#expect(throws: Fault.self) { try PutBehaviour(wire: ["asks_to_buy": true]) }?.pointer == "/asks_to_buy")
    #expect(
      #expect(throws: Fault.self) { try PutBehaviour(wire: ["fail": ["purchase": ["times": 2]]]) }?.pointer == "/fail/purchase/error")
    #expect(#expect(throws: Fault.self) { try PutBehaviour(wire: ["ask_to_buy": "on"]) }?.pointer == "/ask_to_buy")
  }

  @Test("a gate request is read from one or many sets of arguments, and an answer with one or many verdicts is read back as written")
  func gates() throws {
    let check = GateCheck(args: members(["number": 4]))
    #expect(try GateRequest(wire: ["args": ["number": 4]]) == GateRequest(check))
    #expect(try GateRequest(wire: [["args": ["number": 4]]]) == GateRequest([check]))
    #expect(try GateRequest(wire: []) == GateRequest([]))
    for answer in [GateAnswer(verdicts: [StoreSamples.verdict], isList: false), GateAnswer(verdicts: [StoreSamples.verdict], isList: true)]
    {
      #expect(try GateAnswer(wire: answer.wire) == answer)
    }
    #expect(#expect(throws: Fault.self) { try GateRequest(wire: [["args": ["a": 1]], ["arg": 1]]) }?.pointer == "/1/arg")
  }

  @Test("a gate request may have as many sets of arguments as the limit, and one more is refused")
  func manyGates() throws {
    func sets(_ count: Int) -> Value { .list((0..<count).map { ["args": ["number": .integer(Int64($0))]] }) }
    #expect(try GateRequest(wire: sets(GateRequest.checksMax)).checks.count == GateRequest.checksMax)
    #expect(throws: Fault.self) { try GateRequest(wire: sets(GateRequest.checksMax + 1)) }
  }
}
