// The publication of a new world to its readers.
import GameConfCore
import GameConfEngine
import Synchronization
import Testing

@Suite("The live world")
struct LiveWorldTests {
  /// A publisher that records every world, and yields in between, so that a concurrent publication would show.
  private final class Seen: WorldPublisher {
    private let state = Mutex<(worlds: [[Int64]], isShowing: Bool, isMixed: Bool)>(([], false, false))

    var worlds: [[Int64]] { state.withLock { $0.worlds } }
    var isMixed: Bool { state.withLock { $0.isMixed } }

    func publish(_ world: World) async {
      state.withLock { state in
        if state.isShowing { state.isMixed = true }
        state.isShowing = true
      }
      for _ in 0..<3 { await Task.yield() }
      state.withLock { state in
        state.worlds.append(world.games.map(\.revision))
        state.isShowing = false
      }
    }
  }

  @Test("concurrent changes of the world run one after the other, and each ends after its publication")
  func oneAfterTheOther() async {
    let seen = Seen()
    let live = LiveWorld(World(games: [GameSnapshot(catalog: .g(), revision: 0)]), publication: seen)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<50 {
        group.addTask {
          let made = Mutex<Int64>(0)
          await live.change { world in
            let revision = (world["g"]?.revision ?? 0) + 1
            made.withLock { $0 = revision }
            return world.replacing([GameSnapshot(catalog: .g(), revision: revision)])
          }
          return seen.worlds.contains([made.withLock { $0 }])
        }
      }
      for await wasShown in group { #expect(wasShown) }
    }
    #expect(seen.worlds == (1...50).map { [$0] })
    #expect(!seen.isMixed && live.present.world["g"]?.revision == 50)
  }

  @Test("a write is answered only after readers have the world with it")
  func answeredWhenShown() async throws {
    let seen = Seen()
    let fixture = CatalogFixture()
    fixture.save("g", .g())
    let run = try await fixture.start(showing: seen)
    let revision = try await fixture.set(run, 10, "a")
    #expect(seen.worlds.last == [revision])
  }

  @Test("the overrides of a removed game stay, and apply again with its next catalog")
  func removing() async throws {
    let fixture = CatalogFixture()
    fixture.save("g", .g())
    let run = try await fixture.start()
    try await fixture.set(run, 10, "a")
    let world = run.world.removing("g")
    #expect(world["g"] == nil && world.state.overrides["g"]?.counts.game == 1)
    let back = world.applying([.catalog(.g(), revision: 9, keyRevisions: [:], warnings: [])])
    #expect(back["g"]?.overrides.counts.game == 1 && back["g"]?.table.entry("a")?.layers.override == 10)
  }
}
