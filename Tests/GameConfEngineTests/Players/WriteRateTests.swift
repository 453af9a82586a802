// The limits of one user's writes, on both sides of each limit.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

@Suite("The rates of a user's writes")
struct WriteRateTests {
  @Test("a user's writes succeed up to the limit per second, not beyond it, and again when time has passed")
  func writes() async throws {
    let fixture = PlayerFixture(limits: WriteRateLimits(writesPerSecond: 5))
    for _ in 0..<5 { try await fixture.gameOver(1) }
    #expect(await refusal { try await fixture.gameOver(1) } == .tooManyWrites(retryAfterSeconds: 1))
    let other = try await fixture.service.record(PlayerFixture.id(), PlayerEvent(name: "opened_store"), fixture.change(uid: 1001))
    #expect(other.player.state?.lifetimeScore == 5, "another user's bucket is another")
    fixture.wait(seconds: 1)
    for _ in 0..<5 { try await fixture.gameOver(1) }
    #expect(await refusal { try await fixture.gameOver(1) } != nil)
    fixture.wait(seconds: 1000)
    for _ in 0..<5 { try await fixture.gameOver(1) }
    #expect(await refusal { try await fixture.gameOver(1) } != nil, "a bucket is never more than full")
  }

  @Test("a dry run of an event, of a list or of a visit counts as a write in the user's rate")
  func dryRuns() async throws {
    let fixture = PlayerFixture(limits: WriteRateLimits(writesPerSecond: 5))
    for _ in 0..<3 { try await fixture.gameOver(1, dryRun: true) }
    _ = try await fixture.service.change(PlayerFixture.id(), .openVisit, fixture.change(dryRun: true))
    try await fixture.gameOver(1)
    #expect(await refusal { try await fixture.gameOver(1, dryRun: true) } == .tooManyWrites(retryAfterSeconds: 1))
    #expect(await refusal { try await fixture.service.change(PlayerFixture.id(), .openVisit, fixture.change(dryRun: true)) } != nil)
    #expect(await refusal { try await fixture.gameOver(1) } != nil, "what was asked dry is taken from what may be written")
    fixture.wait(seconds: 1)
    let client = "018f2b6c-0000-7000-8000-000000000001"
    let events = try (1...8).map { number in
      QueuedEvent(
        PlayerEvent(name: "game_over", mode: "classic", score: 1, reason: "wrongTap"),
        at: try SequencePosition(client: client, number: Int64(number)))
    }
    let outcomes = await fixture.service.record(PlayerFixture.id(), events, fixture.change(dryRun: true))
    #expect(outcomes.map { (try? $0.get()) != nil } == [true, true, true, true, true, false])
    #expect(try await fixture.view().stored.state?.lifetimeScore == 1, "a dry run changes nothing")
  }

  @Test("refused retries do not prolong the wait until the user may create the next new player")
  func noRounding() async throws {
    let fixture = PlayerFixture(limits: WriteRateLimits(unknownPlayersPerMinute: 3))
    for number in 0..<3 { try await fixture.gameOver(1, "p\(number)") }
    for second in 1...19 {
      fixture.wait(seconds: 1)
      #expect(await refusal { try await fixture.gameOver(1, "p3") } == .tooManyNewPlayers(retryAfterSeconds: 20 - second))
    }
    fixture.wait(seconds: 1)
    try await fixture.gameOver(1, "p3")
  }

  @Test("a user may create new players up to the limit per minute, and events of known players still succeed")
  func players() async throws {
    let fixture = PlayerFixture(limits: WriteRateLimits(unknownPlayersPerMinute: 3))
    for number in 0..<3 { try await fixture.gameOver(1, "p\(number)") }
    #expect(await refusal { try await fixture.gameOver(1, "p3") } == .tooManyNewPlayers(retryAfterSeconds: 20))
    #expect(try await fixture.view("p3").stored == StoredPlayer(), "nothing is left of the refused one")
    try await fixture.gameOver(1, "p0")
    fixture.wait(seconds: 20)
    try await fixture.gameOver(1, "p3")
    #expect(await refusal { try await fixture.gameOver(1, "p4") } != nil)
  }

  @Test("a refusal by a rate limit is not stored for repeats: the same request succeeds when the limit allows it again")
  func notRemembered() async throws {
    let fixture = PlayerFixture(limits: WriteRateLimits(unknownPlayersPerMinute: 1))
    try await fixture.gameOver(1, "p0")
    let request = RepeatID(game: "g", player: "p1", route: "PUT context", id: "k")
    let remembering = RepeatableChange<PlayerChangeOutcome<ObjectValue>, ChangeRefusal>(id: request, by: 1000, contentDigest: "c") { _ in
      StoredAnswer(contentDigest: "c", status: 200, body: "", at: Instant(seconds: 1))
    }
    func register() async throws(ChangeRefusal) -> ChangeAnswer<PlayerChangeOutcome<ObjectValue>> {
      try await fixture.service.change(PlayerFixture.id("p1"), .register(["a": 1]), fixture.change(), remembering: remembering)
    }
    let refused = await refusal { try await register() }
    #expect(refused == .tooManyNewPlayers(retryAfterSeconds: 60))
    fixture.wait(seconds: 60)
    #expect(try await register().fresh != nil)
    #expect(try await register().fresh == nil)
  }
}

@Suite("The daily limit on the bytes that a user adds to the store")
struct GrowthTests {
  private static let limits = WriteRateLimits(growthMebibytesPerDay: 1)

  /// Registers contexts of 8 KiB for new players until one is refused.
  private func fill(_ fixture: PlayerFixture, from first: Int = 0, uid: UInt32 = 1000) async -> (players: Int, refusal: ChangeRefusal?) {
    let context: ObjectValue = ["note": .string(String(repeating: "x", count: 8_000))]
    for number in 0..<1_000 {
      let refused = await refusal {
        try await fixture.service.change(PlayerFixture.id("p\(first + number)"), .register(context), fixture.change(uid: uid))
      }
      if let refused { return (number, refused) }
    }
    return (1_000, nil)
  }

  @Test("a user may add bytes up to the daily limit; writes that add nothing, other users and other days are not affected")
  func bytes() async throws {
    let fixture = PlayerFixture(limits: Self.limits)
    let filled = await fill(fixture)
    #expect((100...128).contains(filled.players), "\(filled.players) of about 9 KiB in 1 MiB")
    guard case .refused(let growth)? = filled.refusal, let seconds = growth.retryAfterSeconds,
      filled.refusal == .tooMuchGrowth(retryAfterSeconds: Int(seconds))
    else {
      Issue.record("\(String(describing: filled.refusal))")
      return
    }
    #expect((1...86_400).contains(seconds))
    #expect(try await fixture.view("p\(filled.players)").stored.isUnknown, "nothing is left of the refused one")
    let context: ObjectValue = ["note": "short"]
    _ = try await fixture.service.change(PlayerFixture.id("p0"), .register(context), fixture.change())
    #expect(await fill(fixture, from: 2_000, uid: 1001).players == filled.players)
    // Waits for two KiB more, so that the size of the short context does not matter.
    fixture.wait(seconds: seconds + 200)
    #expect(await fill(fixture, from: 4_000).players == 1)
    fixture.wait(seconds: 86_400)
    #expect(await fill(fixture, from: 6_000).players >= filled.players - 1)
  }

  @Test("events count towards the limit only until a player's history is full, and a dry run never does")
  func lines() async throws {
    let fixture = PlayerFixture(limits: Self.limits)
    for _ in 0..<PlayerLimits.historyEntriesMax { try await fixture.gameOver(1, dryRun: true) }
    for _ in 0..<PlayerLimits.historyEntriesMax { try await fixture.gameOver(1) }
    let before = await fill(fixture, from: 10)
    #expect(before.refusal != nil && before.players < 128)
    for _ in 0..<50 { try await fixture.gameOver(1) }
  }
}
