// How much one user may write: both sides of each edge.
import GameConfCore
import GameConfEngine
import Testing

@Suite("Write rates")
struct WriteRateTests {
  @Test("as many writes a second as the limit, not one more, and again when time has passed")
  func writes() async throws {
    let bench = PlayerBench(limits: WriteRateLimits(writesPerSecond: 5))
    for _ in 0..<5 { try await bench.gameOver(1) }
    #expect(await refusal { try await bench.gameOver(1) } == .tooManyWrites(retryAfterSeconds: 1))
    let other = try await RecordEvent(bench.desk)(PlayerBench.id(), PlayerEvent(name: "opened_store"), bench.change(uid: 1001))
    #expect(other.player.state?.lifetimeScore == 5, "another user's bucket is another")
    bench.wait(seconds: 1)
    for _ in 0..<5 { try await bench.gameOver(1) }
    #expect(await refusal { try await bench.gameOver(1) } != nil)
    bench.wait(seconds: 1000)
    for _ in 0..<5 { try await bench.gameOver(1) }
    #expect(await refusal { try await bench.gameOver(1) } != nil, "a bucket is never more than full")
    _ = try await bench.gameOver(1, dryRun: true)
  }

  @Test("who asks again and again waits no longer than the limit says")
  func noRounding() async throws {
    let bench = PlayerBench(limits: WriteRateLimits(unknownPlayersPerMinute: 3))
    for number in 0..<3 { try await bench.gameOver(1, "p\(number)") }
    for second in 1...19 {
      bench.wait(seconds: 1)
      #expect(await refusal { try await bench.gameOver(1, "p3") } == .tooManyNewPlayers(retryAfterSeconds: 20 - second))
    }
    bench.wait(seconds: 1)
    try await bench.gameOver(1, "p3")
  }

  @Test("as many new players a minute as the limit, known ones go on")
  func players() async throws {
    let bench = PlayerBench(limits: WriteRateLimits(unknownPlayersPerMinute: 3))
    for number in 0..<3 { try await bench.gameOver(1, "p\(number)") }
    #expect(await refusal { try await bench.gameOver(1, "p3") } == .tooManyNewPlayers(retryAfterSeconds: 20))
    #expect(try await bench.view("p3").stored == StoredPlayer(), "nothing is left of the refused one")
    try await bench.gameOver(1, "p0")
    bench.wait(seconds: 20)
    try await bench.gameOver(1, "p3")
    #expect(await refusal { try await bench.gameOver(1, "p4") } != nil)
  }
}
