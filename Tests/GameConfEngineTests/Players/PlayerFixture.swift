// A fixture with a daemon's engine in memory: a game with scores, themes, ads and settings, a store, and clocks that tests advance.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Synchronization
import TestStore

final class PlayerFixture: Sendable {
  let store = MemoryStore()
  let live: LiveWorld
  let recent: PlayerCache
  let service: PlayerService
  private let time = Mutex((host: Instant(seconds: 1_795_262_400), uptime: Int64(0)))
  private let batches = Mutex<[StoreChange]>([])

  /// - Parameter reading: Returns the store from which the cache reads players, given the fixture's store, which is the default.
  init(_ catalog: Catalog = .dots, limits: WriteRateLimits = WriteRateLimits(), reading: ((MemoryStore) -> any Store)? = nil) {
    let sharedUptime = SharedUptime()
    live = LiveWorld(World(games: [GameSnapshot(catalog: catalog, revision: 0)]), publication: Unseen())
    recent = PlayerCache(store: reading?(store) ?? store)
    service = PlayerService(
      store: store, world: live.present, recent: recent, rates: WriteRateLimiter(limits) { sharedUptime.milliseconds })
    sharedUptime.set { [weak self] in self?.time.withLock { $0.uptime } ?? 0 }
    store.publish { [weak self, live, recent] batch in
      self?.batches.withLock { $0 += batch.changes }
      recent.apply(batch.changes)
      return { await live.change { $0.applying(batch.changes) } }
    }
  }

  var host: Instant { time.withLock { $0.host } }
  var published: [StoreChange] { batches.withLock { $0 } }
  /// The players in the store's publications, in order.
  var publishedPlayers: [(id: PlayerID, stored: StoredPlayer)] {
    published.compactMap { if case .player(let id, let stored) = $0 { (id, stored) } else { nil } }
  }

  /// Advances the host's clock and the uptime.
  func wait(seconds: Int64) {
    time.withLock { time in
      time.host.milliseconds += seconds * 1000
      time.uptime += max(0, seconds) * 1000
    }
  }

  func change(
    _ why: String? = nil, dryRun: Bool = false, admin: Bool = false, uid: UInt32 = 1000, if precondition: ChangePrecondition? = nil
  ) -> ChangeContext {
    ChangeContext(
      author: Author(uid: uid, name: "ada", pid: 7), reason: why, now: host, isDryRun: dryRun, precondition: precondition, isAdmin: admin)
  }

  static func id(_ player: String = "p1") -> PlayerID { PlayerID(game: "g", player: player) }

  @discardableResult
  func gameOver(
    _ score: Value? = nil, _ player: String = "p1", mode: String? = "classic", requestID: String? = nil, context: ObjectValue? = nil,
    dryRun: Bool = false
  ) async throws(ChangeRefusal) -> PlayerChangeOutcome<EventOutcome> {
    try await service.record(
      Self.id(player), PlayerEvent(name: "game_over", mode: mode, score: score, reason: "wrongTap"), requestID: requestID, context: context,
      change(dryRun: dryRun))
  }

  /// Records one more game over, and returns the decision about an ad at its placement.
  func ad(_ player: String = "p1") async throws(ChangeRefusal) -> AdDecision? { try await gameOver(nil, player).outcome.ads.first }

  @discardableResult
  func choose(_ value: Value?, for key: String, _ player: String = "p1") async throws(ChangeRefusal) -> SettingStatus? {
    try await service.change(Self.id(player), .choose([(key, value)]), change()).fresh?.outcome.first
  }

  func view(_ player: String = "p1") async throws(ChangeRefusal) -> PlayerView {
    try await service.view(Self.id(player), host: host)
  }

  func force(_ value: Value, _ key: String, player: String? = nil) async throws {
    _ = try await OverrideService(store: store, checking: WorldChecking(live.present)).change(
      .set(value), at: OverrideSlot(game: "g", player: player, key: key), context)
  }

  func unforce(_ key: String, player: String? = nil) async throws {
    _ = try await OverrideService(store: store, checking: WorldChecking(live.present)).change(
      .remove(), at: OverrideSlot(game: "g", player: player, key: key), context)
  }

  var context: ChangeContext { ChangeContext(author: Author(uid: 0, name: "root"), reason: "because", now: host) }

  func audits() async throws -> [AuditRecord] { try await store.audits(AuditSelection(limit: 1000)).reversed() }

  private struct Unseen: WorldPublisher {
    func publish(_ world: World) async {}
  }

  /// The uptime of the fixture. Its source is set after the service is created, because the source refers to the fixture.
  private final class SharedUptime: Sendable {
    private let source = Mutex<(@Sendable () -> Int64)?>(nil)
    func set(_ uptime: @escaping @Sendable () -> Int64) { source.withLock { $0 = uptime } }
    var milliseconds: Int64 { source.withLock { $0 }?() ?? 0 }
  }
}

extension Catalog {
  /// A catalog like a small Where's The Dot, with a board whose size limits a setting, as in RememberSquare.
  static var dots: Catalog {
    var catalog = Catalog(game: "g", title: "Dots", locales: ["en", "es"])
    catalog.modes = ["classic", "arcade"]
    catalog.events = [
      EventDefinition(name: "game_over", reasons: ["wrongTap", "timeUp"], carriesScore: true), EventDefinition(name: "opened_store"),
    ]
    func integer(_ key: String, _ number: Int64, _ range: NumericRange? = nil, setting: Bool = false) -> Parameter {
      var parameter = Parameter(key: key, type: .integer, defaultValue: .value(.integer(number)), section: "S", description: "D")
      parameter.range = range
      parameter.isPlayerSetting = setting
      return parameter
    }
    let orders = NumericRange(min: .parameter("order_length_min"), max: .parameter("order_length_max"))
    catalog.parameters = [
      integer("forest_at", 50), integer("ocean_at", 200), integer("every", 3, NumericRange(min: .number(1), max: .number(100))),
      integer("grid_side", 4, NumericRange(min: .number(3), max: .number(5))), integer("order_length_min", 4),
      integer("order_length_max", 16), integer("order_length", 6, orders, setting: true),
    ]
    if let fits = try? LogicExpression(
      compiling: ["<=": [["parameter": "order_length_max"], ["*": [["parameter": "grid_side"], ["parameter": "grid_side"]]]]])
    {
      catalog.constraints = [Constraint(id: "fits", require: fits, message: "The longest order must fit the board.")]
    }
    catalog.parameters.append(Parameter(key: "default_theme", type: .string, defaultValue: .value("neon"), section: "S", description: "D"))
    var selected = Parameter(
      key: "selected_theme", type: .string, defaultValue: .parameter("default_theme"), section: "S", description: "D")
    (selected.oneOf, selected.isPlayerSetting) = (.unlockedThemes, true)
    var dark = Parameter(key: "dark_mode", type: .boolean, defaultValue: .value(false), section: "S", description: "D")
    dark.isPlayerSetting = true
    catalog.parameters += [selected, dark]
    catalog.milestones =
      [Milestone(id: "got_forest", metric: .unlocked(milestone: "forest"), threshold: .number(1), isAchievement: true)]
      + ["forest", "ocean"].map { Milestone(id: $0, metric: .lifetimeScore, threshold: .parameter("\($0)_at")) }
    catalog.themes =
      [Theme(id: "neon", name: [:], unlock: .free), Theme(id: "dark", name: [:], unlock: .parameter("dark_mode"))]
      + ["forest", "ocean"].map { Theme(id: $0, name: [:], unlock: .milestone($0)) }
      + [Theme(id: "aurora", name: [:], unlock: .entitlement("theme.aurora"))]
    var placement = Placement(id: "game_over", format: .interstitial, event: "game_over", every: .parameter("every"))
    (placement.exempt, placement.onNoFill) = (["ad_free"], .keepSlot)
    catalog.placements = [placement]
    return catalog
  }
}
