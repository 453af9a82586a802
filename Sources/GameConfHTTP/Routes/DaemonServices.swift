// The services that the routes call: the engine's use cases and the daemon's facts about itself.

package import GameConfAPI
package import GameConfCore
public import GameConfEngine
public import GameConfStorage
package import GameConfServer

/// Everything the routes need, made once by the daemon's wiring.
public struct DaemonServices: Sendable {
  /// The host's time.
  public let clock: any HostClock
  /// The store behind every change.
  package let store: any Store
  /// Checks, copies and brings back the database.
  public let administration: any StoreAdministration
  /// The present world.
  let live: LiveWorld
  /// The sources of templates.
  let templateSources = TemplateSources()
  /// Holds values against the present catalogs.
  public let checking: WorldChecking
  /// Reads template documents.
  public let documents: any TemplateDocuments
  /// The parts that changes of players share.
  public let players: PlayerService
  /// The plays in memory.
  public let plays: PlayCache
  /// Reads catalogs again.
  public let reload: ReloadCatalogs
  /// Follows the files that catalogs name for their templates.
  let templateFiles: FollowTemplateFiles
  /// The health of the daemon.
  public let health: DaemonHealth
  /// The daemon's facts about itself.
  public let facts: DaemonInfo
  /// The users who are served secret parameters.
  public let secrets: SecretReaders
  /// The metrics.
  public let metrics: PrometheusMetrics
  /// The counts of answered values.
  package let tallies: EvaluationTallies
  /// The watchers that are notified of changes.
  package let watches: WatchHub
  /// The files that games map; nil where none are published.
  let images: MappedImages?
  /// The subscribers of the games' events.
  public let eventFollowers = StreamSubscribers()
  /// The histograms of leaderboards.
  let histograms: BoardHistograms
  /// The server, once it runs.
  public let running = RunningServer()
  /// The meters of games' requests and answers.
  let meters = GameMeters()
  /// The executor of what takes long.
  let longWork = SlicedWork()
  /// Changes overrides.
  let overrides: OverrideService
  /// Changes templates.
  var templates: TemplateService { TemplateService(store: store, present: players.world, documents: documents) }
  /// The simulations that run.
  let simulations = Simulations()

  /// The services of a daemon.
  package init(
    clock: any HostClock, store: any Store, administration: any StoreAdministration, live: LiveWorld, players: PlayerService,
    plays: PlayCache,
    documents: any TemplateDocuments = NoTemplateDocuments(), reload: ReloadCatalogs, templateFiles: FollowTemplateFiles,
    health: DaemonHealth, facts: DaemonInfo,
    secrets: SecretReaders, metrics: PrometheusMetrics, watches: WatchHub, tallies: EvaluationTallies = EvaluationTallies(),
    images: MappedImages? = nil
  ) {
    self.clock = clock
    self.store = store
    self.administration = administration
    self.live = live
    self.checking = WorldChecking(live.present)
    self.overrides = OverrideService(store: store, checking: checking)
    self.players = players
    self.plays = plays
    self.documents = documents
    self.reload = reload
    self.templateFiles = templateFiles
    self.health = health
    self.facts = facts
    self.secrets = secrets
    self.metrics = metrics
    self.tallies = tallies
    self.watches = watches
    self.images = images
    histograms = BoardHistograms(store: store)
    health.list.add { [templateSources] in templateSources.findings(in: $0, at: $1) }
    health.list.add { [images] _, _ in images.map(\.findings) ?? [] }
  }
}

extension DaemonServices {
  /// Makes an answer of so many lines: beside all tasks if there are many, so that it holds up no other call.
  package func answer(
    lines count: Int, for user: UInt32, _ make: @escaping @Sendable () throws(Problem) -> Answer
  ) async throws(Problem) -> Answer {
    guard count > SlicedWork.linesAtOnce else { return try make() }
    return try await longWork.slice(for: user, isPatient: true, make)
  }

  /// Counts what came of a purchase.
  package func count(purchase status: ShopOutcome.Status) { meters.count(purchase: status) }
}

extension Problem {
  /// The store's trouble as a caller sees it.
  package init(_ error: StoreError) {
    if case .unreadable(let row) = error { self.init(error.code, row.sentence) } else { self.init(error.code, error.description) }
  }
}

/// The daemon's routes.
public enum DaemonRoutes {
  /// The router over these calls, and over the one that describes them.
  package static func router(_ calls: [CallRoute], version: String) throws(RouterFault) -> Router {
    let contract = ContractText(version: version, endpoints: calls.map(\.endpoint) + [Calls.openAPI.endpoint])
    return try Router((calls + [CallRoute(Calls.openAPI) { _ in contract.reply }]).map(\.route))
  }

  /// Every call that the daemon answers, in the order in which the OpenAPI document has them: the one list of calls there is.
  /// - Parameter faces: the calls of protocols that modules of their own serve.
  package static func all(_ services: DaemonServices, faces: [CallRoute] = []) -> [CallRoute] {
    (handlers(services) + faces).map { call in
      var call = call
      call.route = call.route.readingLargeBodies(beside: services.longWork)
      return call
    }
  }

  private static func handlers(_ services: DaemonServices) -> [CallRoute] {
    ReadingRoutes(health: services.health, clock: services.clock).routes
      + ConfigRoutes(
        clock: services.clock, secrets: services.secrets, players: services.players.recent, plays: services.plays,
        tallies: services.tallies, longWork: services.longWork, watches: services.watches
      ).routes
      + ImageRoutes(services: services).routes
      + WatchRoutes(services: services).routes
      + OFREPRoutes(services: services).routes
      + ExplainRoutes(services: services).routes
      + OverrideRoutes(services: services).routes
      + TemplateRoutes(services: services).routes
      + FirebaseTemplateRoutes(services: services).routes
      + FirebaseFetchRoutes(services: services).routes
      + PlayerRoutes(services: services).routes
      + PlayerChangeRoutes(services: services).routes
      + EventRoutes(services: services).routes
      + BestRoutes(services: services).routes
      + EventStreamRoutes(services: services).routes
      + PlayRoutes(services: services).routes
      + ScenarioRoutes(services: services).routes
      + PlayerAdminRoutes(services: services).routes
      + ProductRoutes(services: services).routes
      + ShopperRoutes(services: services).routes
      + ShopActRoutes(services: services).routes
      + GateRoutes(services: services).routes
      + ClockRoutes(services: services).routes
      + ChangesRoutes(services: services).routes
      + AuditRoutes(services: services).routes
      + AdminRoutes(services: services).routes
      + MetricsRoutes(services: services).routes
      + StoreRoutes(services: services, administration: services.administration).routes
  }
}
