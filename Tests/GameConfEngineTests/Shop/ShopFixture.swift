// A fixture that serves the two small shops as the daemon does, with a store in memory and a host's clock that tests advance.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Synchronization
import TestStore
import Testing

/// The service for both shops, with helpers that perform acts as games and admins do.
final class ShopFixture: Sendable {
  /// The engine from one start to the next.
  struct Run: Sendable {
    let live: LiveWorld
    let service: PlayerService
  }

  static let noon = Instant(seconds: 1_795_262_400)
  let store: any Store
  private let running: Mutex<Run>
  private let hostNow = Mutex(ShopFixture.noon)
  private let batches = Mutex<[CommittedBatch]>([])
  private let catalogs: [Catalog]
  private let rates: WriteRateLimits

  init(
    over store: any Store = MemoryStore(), _ catalogs: [Catalog] = [.dotShop, .sudokuShop], at host: Instant = ShopFixture.noon,
    rates: WriteRateLimits = WriteRateLimits(writesPerSecond: 1_000_000)
  ) async throws {
    self.store = store
    self.catalogs = catalogs
    self.rates = rates
    running = Mutex(try await Self.start(store, catalogs, rates))
    hostNow.withLock { $0 = host }
    follow()
  }

  private static func start(_ store: any Store, _ catalogs: [Catalog], _ rates: WriteRateLimits) async throws -> Run {
    let contents = try await store.contents()
    let world = World(games: catalogs.map { GameSnapshot(catalog: $0, revision: 1) }).applying([.replaced(contents)])
    let live = LiveWorld(world, publication: Unwatched())
    let recent = PlayerCache(store: store)
    return Run(
      live: live,
      service: PlayerService(store: store, world: live.present, recent: recent, rates: WriteRateLimiter(rates, uptimeMilliseconds: { 0 })))
  }

  private func follow() {
    store.publish { [weak self] batch in
      guard let self else { return nil }
      let run = running.withLock { $0 }
      run.service.recent.apply(batch.changes)
      return {
        await run.live.change { $0.applying(batch.changes) }
        self.batches.withLock { $0.append(batch) }
      }
    }
  }

  /// Starts the engine again on the stored state.
  func restart() async throws {
    let run = try await Self.start(store, catalogs, rates)
    running.withLock { $0 = run }
  }

  var service: PlayerService { running.withLock { $0.service } }
  var published: [StoreChange] { batches.withLock { $0 }.flatMap(\.changes) }

  var host: Instant {
    get { hostNow.withLock { $0 } }
    set { hostNow.withLock { $0 = newValue } }
  }

  func wait(seconds: Int64) { hostNow.withLock { $0.milliseconds += seconds * 1000 } }

  /// Returns the context of a change by an admin, or by a game.
  func change(by admin: Bool = true, dryRun: Bool = false, why reason: String? = nil) -> ChangeContext {
    ChangeContext(
      author: Author(uid: admin ? 0 : 1000, name: admin ? "root" : "dotto", pid: 7), reason: reason, now: host, isDryRun: dryRun,
      isAdmin: admin)
  }

  func id(_ player: String = "p", in game: String = "dots") -> PlayerID { PlayerID(game: game, player: player) }

  /// Performs an act at the simulated store, by default as an admin.
  @discardableResult
  func act(
    _ act: ShopAct, _ player: String = "p", in game: String = "dots", by admin: Bool = true, dryRun: Bool = false
  ) async throws(ChangeRefusal) -> ShopOutcome {
    let answer = try await service.change(id(player, in: game), .shop(act), change(by: admin, dryRun: dryRun))
    return try Self.fresh(answer).outcome
  }

  /// Buys a product as a game, and returns the id of the store transaction.
  @discardableResult
  func buy(_ product: String, _ player: String = "p", in game: String = "dots") async throws -> String {
    let outcome = try await act(.purchase(product: product), player, in: game, by: false)
    #expect(outcome.status == .success)
    return try #require(outcome.transaction)
  }

  @discardableResult
  func premium(_ isOn: Bool, _ player: String = "p", in game: String = "dots") async throws(ChangeRefusal) -> ShopOutcome {
    try Self.fresh(try await service.change(id(player, in: game), .switchPremium(isOn: isOn), change())).outcome
  }

  @discardableResult
  func move(_ move: PlayerClockMove, _ player: String = "p", in game: String = "dots") async throws(ChangeRefusal) -> PlayerClockOutcome {
    try Self.fresh(try await service.change(id(player, in: game), .moveClock(move), change())).outcome
  }

  /// Advances a player's clock by a calendar period such as `P1M`.
  @discardableResult
  func advance(_ period: String, _ player: String = "p", in game: String = "dots") async throws -> PlayerClockOutcome {
    try await move(.to(.period(try CalendarPeriod(parsing: period))), player, in: game)
  }

  @discardableResult
  func move(game: String, _ move: GameClockMove, dryRun: Bool = false) async throws(ChangeRefusal) -> GameClockOutcome {
    let context = ChangeContext(author: Author(uid: 0, name: "root", pid: 7), now: host, isDryRun: dryRun)
    return try Self.fresh(try await service.setClock(of: game, move, context))
  }

  /// Returns the code with which the simulator refuses an act; nil if it admits the act.
  func refusal(
    of act: ShopAct, _ player: String = "p", in game: String = "dots", by admin: Bool = true
  ) async throws -> ProblemCode? {
    do throws(ChangeRefusal) {
      try await self.act(act, player, in: game, by: admin, dryRun: true)
      return nil
    } catch {
      guard case .refused(let refusal) = error else { throw error }
      return refusal.code
    }
  }

  /// Returns the player as a read at the host's present time gets it.
  func view(_ player: String = "p", in game: String = "dots", context: ObjectValue? = nil) async throws -> PlayerView {
    try await service.view(id(player, in: game), host: host, context: context)
  }

  func held(_ player: String = "p", in game: String = "dots") async throws -> Set<String> {
    try await view(player, in: game).holdings.ids
  }

  func gate(_ numbers: [Int64], _ player: String = "p", in game: String = "sudoku") async throws -> [GateDecision] {
    let view = try await view(player, in: game)
    return try CheckGates(view.id, view.stored, of: view.game, host: host).decide(
      "premium_puzzles", numbers.map { GateInput(arguments: ["number": .integer($0)]) })
  }

  func audits() async throws -> [AuditRecord] { try await store.audits(AuditSelection(limit: 1000)).reversed() }

  private static func fresh<Answer>(_ answer: ChangeAnswer<Answer>) throws(ChangeRefusal) -> Answer {
    guard let fresh = answer.fresh else { throw .repeatedWithOtherContent }
    return fresh
  }
}

extension ChangeRefusal {
  /// The code of a refusal by the simulated store; nil for any other refusal.
  var refusedCode: ProblemCode? { if case .refused(let refusal) = self { refusal.code } else { nil } }
}

/// A publisher that no reader observes.
private struct Unwatched: WorldPublisher {
  func publish(_ world: World) async {}
}

/// Further acts of players and admins: events, settings, overrides.
extension ShopFixture {
  /// Records a game over of the player as a game.
  @discardableResult
  func gameOver(score: Int64? = nil, _ player: String = "p") async throws -> EventOutcome {
    let event = PlayerEvent(name: "game_over", mode: "classic", score: score.map(Value.integer), reason: "wrongTap")
    return try await service.record(id(player), event, change(by: false)).outcome
  }

  /// Stores the theme that a player chose.
  func choose(_ theme: String, _ player: String = "p") async throws {
    _ = try await service.change(id(player), .choose([("selected_theme", .string(theme))]), change(by: false))
  }

  /// Overrides a value for the game or for one player.
  func force(_ value: Value, _ key: String, player: String? = nil, in game: String = "dots") async throws {
    _ = try await OverrideService(store: store, checking: WorldChecking(service.world)).change(
      .set(value), at: OverrideSlot(game: game, player: player, key: key), ChangeContext(author: Author(uid: 0, name: "root"), now: host))
  }

  /// Returns a parameter's value in force for a player.
  func value(_ key: String, _ player: String = "p", in game: String = "dots") async throws -> Value? {
    let view = try await view(player, in: game)
    return view.game.table.resolve(key, for: view.caller)?.value
  }
}
