// The host's clock steps back: simulated time stops, also over restarts, and no more ads show than their cap permits.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Synchronization
import Testing

@Suite("A host's clock that steps back")
struct HeldClockTests {
  /// A host's clock that tests set forward and back.
  private final class HandClock: HostClock {
    private let shown: Mutex<Instant>
    init(_ now: Instant) { shown = Mutex(now) }
    var now: Instant {
      get { shown.withLock { $0 } }
      set { shown.withLock { $0 = newValue } }
    }
    var isFrozen: Bool { false }
    func step(seconds: Int64) { shown.withLock { $0.milliseconds += seconds * 1000 } }
  }

  private static let day: Int64 = 86_400

  private static func capped(_ count: Int64, per window: Placement.Cap.Window) -> Catalog {
    var catalog = Catalog.dots
    catalog.placements[0].every = .number(1)
    catalog.placements[0].caps = [Placement.Cap(count: .number(.integer(count)), per: window)]
    return catalog
  }

  /// The fixture's engine with a host's clock that the tests set.
  private struct Run {
    let fixture: PlayerFixture
    let host: HandClock
    let clock: SteadyClock
    let watch: ClockStepDetector

    init(_ fixture: PlayerFixture, host: HandClock) {
      (self.fixture, self.host) = (fixture, host)
      clock = SteadyClock(host)
      watch = ClockStepDetector(clock, store: fixture.store, world: fixture.live.present)
    }

    var game: GameSnapshot? { fixture.live.present.world["g"] }
    var simulated: Instant? { game?.now(host: clock.now) }

    /// Records this many game overs, and returns the number of those that showed an ad.
    func shows(of times: Int) async throws -> Int {
      var shows = 0
      for _ in 0..<times {
        let change = ChangeContext(author: Author(uid: 7, name: "game"), now: clock.now)
        let event = PlayerEvent(name: "game_over", mode: "classic", reason: "wrongTap")
        if try await fixture.service.record(PlayerFixture.id(), event, change).outcome.ads.first?.shows == true { shows += 1 }
        watch.take(CommittedBatch(number: 1, changes: [], state: StoredState()))
      }
      _ = try await watch.look()
      return shows
    }
  }

  @Test(
    "the daemon's clock never steps back by itself: it absorbs a step below a second, and stops simulated time at a larger one")
  func steady() async throws {
    let run = Run(PlayerFixture(), host: HandClock(Instant(seconds: 1000)))
    #expect(run.clock.now == Instant(seconds: 1000))
    run.host.now = Instant(milliseconds: 999_001)
    #expect(run.clock.now == Instant(seconds: 1000))
    #expect(try await run.watch.look().isEmpty)
    #expect(run.clock.now == Instant(seconds: 1000))
    run.host.now = Instant(seconds: 999)
    #expect(run.clock.now == Instant(seconds: 1000))
    #expect(try await run.watch.look() == ["g"])
    #expect(run.clock.now == Instant(seconds: 999))
    #expect(run.simulated == Instant(seconds: 1000))
    #expect(try await run.watch.look().isEmpty, "once is enough")
  }

  @Test("simulated time stops until the host has caught up; if an admin sets the clock, it continues immediately")
  func held() async throws {
    let run = Run(PlayerFixture(), host: HandClock(Instant(seconds: 1_000_000)))
    let context = ChangeContext(author: Author(uid: 0, name: "root"), now: run.clock.now)
    _ = try await run.fixture.service.setClock(of: "g", GameClockMove(rateThousandths: 2000), context)
    run.host.step(seconds: 100)
    #expect(run.simulated == Instant(seconds: 1_000_200))
    run.host.step(seconds: -50)
    #expect(try await run.watch.look() == ["g"])
    for _ in 0..<5 {
      #expect(run.simulated == Instant(seconds: 1_000_200))
      run.host.step(seconds: 10)
    }
    #expect(run.simulated == Instant(seconds: 1_000_200))
    run.host.step(seconds: 10)
    #expect(run.simulated == Instant(seconds: 1_000_220))
    run.host.step(seconds: -2 * Self.day)
    #expect(try await run.watch.look() == ["g"])
    var later = context
    later.now = run.clock.now
    _ = try await run.fixture.service.setClock(of: "g", GameClockMove(rateThousandths: 1000), later)
    run.host.step(seconds: 10)
    #expect(run.simulated == Instant(seconds: 1_000_230), "anchored anew where it stood")
  }

  @Test("a simulated clock that an admin has stopped is unchanged by a step back of the host's clock")
  func standing() async throws {
    let run = Run(PlayerFixture(), host: HandClock(Instant(seconds: 1_000_000)))
    let context = ChangeContext(author: Author(uid: 0, name: "root"), now: run.clock.now)
    _ = try await run.fixture.service.setClock(of: "g", GameClockMove(rateThousandths: 0), context)
    run.host.step(seconds: -100)
    #expect(try await run.watch.look().isEmpty)
    #expect(run.simulated == Instant(seconds: 1_000_000))
  }

  @Test("simulated time stops too if the host's clock has stepped back during a restart, as the last saved time shows")
  func restarted() async throws {
    let fixture = PlayerFixture()
    let host = HandClock(Instant(seconds: 1_795_262_400))
    let first = Run(fixture, host: host)
    #expect(try await first.watch.begin().isEmpty)
    _ = try await first.shows(of: 1)
    host.step(seconds: -Self.day)
    let second = Run(fixture, host: host)
    #expect(second.clock.now == host.now)
    #expect(try await second.watch.begin() == ["g"])
    #expect(second.simulated == Instant(seconds: 1_795_262_400))
    #expect(try await Run(fixture, host: host).watch.begin().isEmpty, "what is seen since is what counts")
  }

  @Test("a host's clock that is frozen for tests neither saves its time nor stops simulated time")
  func frozen() async throws {
    let fixture = PlayerFixture()
    func watch(at seconds: Int64) -> ClockStepDetector {
      ClockStepDetector(SteadyClock(FrozenClock(at: Instant(seconds: seconds))), store: fixture.store, world: fixture.live.present)
    }
    let late = watch(at: 4_000_000_000)
    late.take(CommittedBatch(number: 1, changes: [], state: StoredState()))
    #expect(try await late.look().isEmpty)
    #expect(try await fixture.store.contents().state.hostSeen == nil)
    #expect(try await watch(at: 1000).begin().isEmpty)
  }

  @Test(
    "if the host's clock jumps a day ahead and back, or a day back and ahead, no ad shows above its cap", arguments: [1, -1] as [Int64],
    [Placement.Cap.Window.hour, .day])
  func caps(direction: Int64, window: Placement.Cap.Window) async throws {
    let run = Run(PlayerFixture(Self.capped(2, per: window)), host: HandClock(Instant(seconds: 1_795_262_400)))
    #expect(try await run.shows(of: 4) == 2)
    var shows = 0
    for step in [direction, -direction] {
      run.host.step(seconds: step * Self.day)
      _ = try await run.watch.look()
      run.host.step(seconds: 60)
      shows += try await run.shows(of: 4)
    }
    // In total one day passes in the game if the clock first jumps ahead, which allows two shows more. If it first jumps back, no day
    // passes.
    #expect(shows == (direction > 0 ? 2 : 0), "\(shows)")
  }
}
