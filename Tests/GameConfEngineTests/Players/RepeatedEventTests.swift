// Repeated events, and concurrent events of one player.
import GameConfCore
import GameConfEngine
import Testing

@Suite("Repeated events")
struct RepeatedEventTests {
  private let fixture = PlayerFixture()

  @Test("an event sent again with its id is not counted and gets the same answer, also after other events")
  func again() async throws {
    let first = try await fixture.gameOver(30, requestID: "e1")
    try await fixture.gameOver(5)
    try await fixture.force(1, "every")
    fixture.wait(seconds: 3600)
    let again = try await fixture.gameOver(30, requestID: "e1")
    #expect(again.isRepeat && !first.isRepeat)
    #expect(again.outcome == first.outcome && again.player.revision == first.player.revision)
    #expect(try await fixture.view().state.lifetimeScore == 35)
    #expect(try await fixture.gameOver(30, "p2", requestID: "e1").isRepeat == false, "ids are each player's own")
  }

  @Test("an event with a known id and other content is refused")
  func otherContent() async throws {
    try await fixture.gameOver(30, requestID: "e1", context: ["platform": "ios"])
    #expect(
      await refusal { try await fixture.gameOver(31, requestID: "e1", context: ["platform": "ios"]) } == .refused(.requestIDReused("e1")))
    #expect(await refusal { try await fixture.gameOver(30, requestID: "e1") } == .refused(.requestIDReused("e1")))
    #expect(await refusal { try await fixture.gameOver(30, requestID: "a\nb") } == .refused(.requestIDMalformed))
    #expect(try await fixture.view().state.lifetimeScore == 30)
  }

  @Test("a player's newest sixty-four event ids are recognized, and an event with an older id counts again")
  func sixtyFour() async throws {
    for number in 0...64 { try await fixture.gameOver(1, requestID: "e\(number)") }
    #expect(try await fixture.gameOver(1, requestID: "e1").isRepeat)
    #expect(try await fixture.gameOver(1, requestID: "e64").isRepeat)
    #expect(try await fixture.gameOver(1, requestID: "e0").isRepeat == false)
    #expect(try await fixture.view().state.lifetimeScore == 66)
  }

  @Test("a refused event does not use up its id, so a corrected event with the same id is recorded")
  func refused() async throws {
    #expect(await refusal { try await fixture.gameOver(-1, requestID: "e1") } != nil)
    #expect(try await fixture.gameOver(1, requestID: "e1").isRepeat == false)
  }

  @Test("of forty concurrent copies of an event one counts, and every sender gets the same answer")
  func atOnce() async throws {
    let answers = try await withThrowingTaskGroup(of: PlayerChangeOutcome<EventOutcome>.self) { group in
      for _ in 0..<40 { group.addTask { try await fixture.gameOver(60, requestID: "e1") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.filter { !$0.isRepeat }.count == 1)
    #expect(Set(answers.map(\.outcome)).count == 1 && Set(answers.map(\.player.revision)) == [1])
    #expect(try await fixture.view().state.lifetimeScore == 60)
  }
}
