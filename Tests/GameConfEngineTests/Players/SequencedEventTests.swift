// Events of a client's queue: repeated, out of order, in lists, and the errors that end a list.
import GameConfCore
import GameConfEngine
import Testing

@Suite("Events of a client's queue")
struct SequencedEventTests {
  private let fixture = PlayerFixture()

  private static func mark(_ number: Int64, client: Int = 1) throws -> SequencePosition {
    try SequencePosition(client: "0198c5c8-6f2a-7cc1-8a3e-00000000000\(client)", number: number)
  }

  private static func queued(_ numbers: some Sequence<Int64>, score: Int64 = 1, mode: String? = "classic") throws -> [QueuedEvent] {
    try numbers.map { number in
      QueuedEvent(PlayerEvent(name: "game_over", mode: mode, score: .integer(score), reason: "wrongTap"), at: try mark(number))
    }
  }

  @discardableResult
  private func send(_ number: Int64, score: Int64 = 1, client: Int = 1, if precondition: ChangePrecondition? = nil) async throws
    -> PlayerChangeOutcome<EventOutcome>
  {
    try await fixture.service.record(
      PlayerFixture.id(), PlayerEvent(name: "game_over", mode: "classic", score: .integer(score), reason: "wrongTap"),
      sequence: try Self.mark(number, client: client), fixture.change(if: precondition))
  }

  private func list(_ events: [QueuedEvent], dryRun: Bool = false) async -> PlayerService.EventOutcomes {
    await fixture.service.record(PlayerFixture.id(), events, fixture.change(dryRun: dryRun))
  }

  @Test("queued events that are sent one by one in order, and again in reverse order, count once")
  func oneByOne() async throws {
    var first: [Int64: PlayerChangeOutcome<EventOutcome>] = [:]
    for number in Int64(1)...300 { first[number] = try await send(number) }
    for number in (Int64(1)...300).reversed() {
      do {
        let again = try await send(number)
        let before = try #require(first[number])
        #expect(again.isRepeat && again.outcome == before.outcome && again.player.revision == before.player.revision)
      } catch ChangeRefusal.alreadyDone(let revision) {
        #expect(number <= 100 && revision == 300, "the answer of \(number) is beside one of the newest two hundred lines")
      }
    }
    #expect(try await fixture.view().state.lifetimeScore == 300)
  }

  @Test("a repeated request with a sequence number is recognized before its precondition is checked")
  func precondition() async throws {
    let first = try await send(1, if: .playerRevision(0))
    let again = try await send(1, if: .playerRevision(0))
    #expect(again.isRepeat && again.outcome == first.outcome)
    await #expect(throws: ChangeRefusal.playerChanged(revision: 1)) { try await send(2, if: .playerRevision(0)) }
    #expect(try await send(2).isRepeat == false, "what a precondition refused is not done")
    let id = PlayerEvent(name: "opened_store")
    let named = try await fixture.service.record(PlayerFixture.id(), id, requestID: "e1", fixture.change(if: .playerRevision(2)))
    let twice = try await fixture.service.record(PlayerFixture.id(), id, requestID: "e1", fixture.change(if: .playerRevision(2)))
    #expect(twice.isRepeat && twice.outcome == named.outcome, "the same with an id")
    var change = fixture.change(if: .playerRevision(3))
    change.sequence = SequencedRequest(try Self.mark(3), contentDigest: [1, 2, 3, 4])
    let context = change
    _ = try await fixture.service.change(PlayerFixture.id(), .register(["country": "SE"]), context)
    await #expect(throws: ChangeRefusal.alreadyDone(revision: 4), "the same of a change whose answer is not remembered any more") {
      try await fixture.service.change(PlayerFixture.id(), .register(["country": "SE"]), context)
    }
  }

  @Test("a known sequence number with other content is refused, also for another kind of request")
  func otherContent() async throws {
    try await send(1, score: 5)
    let mark = try Self.mark(1)
    await #expect(throws: ChangeRefusal.refused(.sequenceReused(mark))) { try await send(1, score: 6) }
    var change = fixture.change()
    change.sequence = SequencedRequest(mark, contentDigest: [1, 2, 3, 4])
    let visit = change
    await #expect(throws: ChangeRefusal.refused(.sequenceReused(mark))) {
      try await fixture.service.change(PlayerFixture.id(), .openVisit, visit)
    }
    #expect(try await fixture.view().state.lifetimeScore == 5)
  }

  @Test("a request with a sequence number counts as done even if it changes nothing")
  func nothing() async throws {
    func register(_ country: Value, _ number: Int64) async throws -> Int64? {
      var change = fixture.change()
      change.sequence = SequencedRequest(try Self.mark(number), contentDigest: [UInt8(number), 0, 0, 1])
      return try await fixture.service.change(PlayerFixture.id(), .register(["country": country]), change).fresh?.player.revision
    }
    _ = try await register("SE", 1)
    _ = try await register("SE", 2)
    _ = try await register("NO", 3)
    await #expect(throws: ChangeRefusal.alreadyDone(revision: 3)) { try await register("SE", 2) }
    #expect(try await fixture.view().state.context["country"] == "NO")
  }

  @Test("a list of events is recorded once, in whatever parts it is sent again")
  func lists() async throws {
    let all = try Self.queued(1...200)
    let first = await list(all)
    #expect(first.count == 200)
    let revisions = first.compactMap { try? $0.get().player.revision }
    #expect(Set(revisions) == Set(1...7), "a player revision for each turn of thirty-two")
    let again = await list(Array(all[20..<150]) + Array(all[0..<20]))
    #expect(again.count == 150)
    for (outcome, number) in zip(again, Array(21...150) + Array(1...20)) {
      let (repeated, before) = (try outcome.get(), try first[number - 1].get())
      #expect(repeated.isRepeat && repeated.outcome == before.outcome && repeated.player.revision == before.player.revision)
    }
    #expect(try await fixture.view().state.lifetimeScore == 200)
    #expect(try await send(150).isRepeat, "one of a list sent alone")
  }

  @Test("an event whose sequence number occurs twice in a list is recorded once")
  func twiceInAList() async throws {
    let outcomes = await list(try Self.queued([1, 2, 2, 1, 3]))
    let answers = try outcomes.map { try $0.get() }
    #expect(answers.map(\.isRepeat) == [false, false, true, true, false])
    #expect(answers[3].outcome == answers[0].outcome && answers.allSatisfy { $0.player.revision == 1 })
    #expect(try await fixture.view().state.lifetimeScore == 3)
  }

  @Test("a refused event of a list changes nothing and can be sent again, and later events are recorded")
  func refusedWithin() async throws {
    var events = try Self.queued(1...40)
    events[3] = try Self.queued([4], mode: "nowhere")[0]
    let outcomes = await list(events)
    #expect(outcomes.count == 40)
    guard case .failure(.refused(let refusal)) = outcomes[3], refusal.code == .unknownMode else { throw Unexpected() }
    #expect(try await fixture.view().state.lifetimeScore == 39)
    #expect(try await send(4).isRepeat == false)
    #expect(try await fixture.view().state.lifetimeScore == 40)
  }

  @Test("each event of a list counts among the user's writes, and the first above the limit ends the list")
  func rates() async throws {
    let fixture = PlayerFixture(limits: WriteRateLimits(writesPerSecond: 50))
    let outcomes = await fixture.service.record(PlayerFixture.id(), try Self.queued(1...100), fixture.change())
    #expect(outcomes.count == 51)
    guard case .failure(.refused(let refusal)) = outcomes[50], refusal.code == .rateLimited else { throw Unexpected() }
    #expect(try await fixture.view().state.lifetimeScore == 50)
    fixture.wait(seconds: 1)
    let rest = await fixture.service.record(PlayerFixture.id(), Array(try Self.queued(1...100)[50...]), fixture.change())
    #expect(try rest.count == 50 && rest.map { try $0.get().isRepeat } == Array(repeating: false, count: 50))
    #expect(try await fixture.view().state.lifetimeScore == 100)
  }

  @Test("a store failure ends a list of events; earlier events stay, and the rest is recorded when the list is sent again")
  func storeError() async throws {
    let events = try Self.queued(1...64)
    _ = await list(Array(events[..<32]))
    fixture.store.fail(with: .noSpace)
    let outcomes = await list(events)
    #expect(outcomes.count == 1, "not even what is done is answered while the store is in trouble")
    fixture.store.fail(with: nil)
    #expect(await list(events).count == 64)
    #expect(try await fixture.view().state.lifetimeScore == 64)
  }

  @Test("a dry run of a list of events returns each outcome and changes nothing")
  func dryRun() async throws {
    let outcomes = await list(try Self.queued(1...100), dryRun: true)
    #expect(try outcomes.map { try $0.get().outcome.lifetimeScore } == Array(1...100))
    #expect(try await fixture.view().state.lifetimeScore == 0)
    #expect(await list(try Self.queued(1...100)).count == 100)
    #expect(try await fixture.view().state.lifetimeScore == 100)
  }

  @Test("a player's ninth client evicts the first one, whose requests are then refused as those of a forgotten client")
  func ninth() async throws {
    for client in 1...9 { try await send(1, client: client) }
    let forgotten = ChangeRefusal.refused(.clientForgotten(try Self.mark(1).client.text))
    await #expect(throws: forgotten) { try await send(2) }
    await #expect(throws: forgotten) { try await send(1) }
    #expect(try await fixture.view().state.lifetimeScore == 9)
  }

  @Test("forgetting a player forgets the sequence numbers, so the queue's first event creates a new player")
  func forgotten() async throws {
    try await send(1)
    _ = try await fixture.service.change(PlayerFixture.id(), .forget, fixture.change(admin: true))
    #expect(try await send(1).isRepeat == false)
    #expect(try await fixture.view().state.lifetimeScore == 1)
  }

  private struct Unexpected: Error {}
}
