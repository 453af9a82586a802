// The dependencies of the routes: the engine's use cases, the store, and facts about the daemon.

package import GameConfAPI
package import GameConfCore
public import GameConfEngine
public import GameConfStorage
package import GameConfServer

/// The dependencies of all routes, which the daemon creates at its start.
public struct DaemonServices: Sendable {
  /// The host's clock, on which simulated clocks are based.
  public let clock: any HostClock
  /// The database, to which every change is written.
  package let store: any Store
  /// The service that checks, copies and restores the database.
  public let administration: any StoreAdministration
  /// The world in force, with the functions that change it.
  let live: LiveWorld
  let templateSources = TemplateSources()
  /// The service that checks values against the catalogs in force.
  public let checking: WorldChecking
  /// The parser of templates in gameconfd's own form, Firebase's and flagd's.
  public let documents: any TemplateDocuments
  /// The service that makes all changes of players.
  public let players: PlayerService
  /// The plays that were recently read or opened, so that an evaluation with a play rarely needs the database.
  public let plays: PlayCache
  /// The reload of catalogs, for `POST /v1/reload`, the signal SIGHUP and saved files.
  public let reload: ReloadCatalogs
  let templateFiles: FollowTemplateFiles
  /// The health that the health and status calls, the metrics and the panel report.
  public let health: DaemonHealth
  /// The start time, settings and limits that the status call reports.
  public let facts: DaemonInfo
  /// The users who may read secret parameters.
  public let secrets: SecretReaders
  /// The time series that Prometheus scrapes.
  public let metrics: PrometheusMetrics
  package let tallies: EvaluationTallies
  /// The recorder of the values that games have read.
  package let reads: ReadRecorder
  package let views: LiveViewers
  /// The registry of watchers, which notifies them of changes.
  package let watches: WatchHub
  /// The publisher of the image files that games map; nil if the daemon publishes none.
  let images: MappedImages?
  /// The clients that read games' event streams.
  public let eventFollowers = StreamSubscribers()
  /// The histograms of scores from which ranks on leaderboards are estimated.
  let histograms: BoardHistograms
  /// The HTTP server, once it has started.
  public let running = RunningServer()
  /// The counters of games' events, ads and purchases.
  let meters = GameMeters()
  let longWork = SlicedWork()
  let overrides: OverrideService
  package var templates: TemplateService { TemplateService(store: store, present: players.world, documents: documents) }
  let simulations = SimulationQuota()

  /// Creates the dependencies. ``running`` gets the server later.
  package init(
    clock: any HostClock, store: any Store, administration: any StoreAdministration, live: LiveWorld, players: PlayerService,
    plays: PlayCache,
    documents: any TemplateDocuments = NoTemplateDocuments(), reload: ReloadCatalogs, templateFiles: FollowTemplateFiles,
    health: DaemonHealth, facts: DaemonInfo,
    secrets: SecretReaders, metrics: PrometheusMetrics, watches: WatchHub, tallies: EvaluationTallies = EvaluationTallies(),
    reads: ReadRecorder = ReadRecorder(), images: MappedImages? = nil
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
    self.reads = reads
    views = watches.views ?? LiveViewers(clock: clock, secrets: secrets)
    self.images = images
    histograms = BoardHistograms(store: store)
    health.list.add { [templateSources] in templateSources.findings(in: $0, at: $1) }
    health.list.add { [images] _, _ in images.map(\.findings) ?? [] }
  }
}

extension DaemonServices {
  /// Creates an answer with this many lines. If they are many, it is created on another thread, so that it delays no other call.
  package func answer(
    lines count: Int, for user: UInt32, _ make: @escaping @Sendable () throws(Problem) -> Answer
  ) async throws(Problem) -> Answer {
    guard count > SlicedWork.linesAtOnce else { return try make() }
    return try await longWork.slice(for: user, ignoresLimit: true, make)
  }

  /// Throws if the template gives a value to a key that the client may not read. Templates are only returned whole.
  package func admit(_ role: PeerRole, to template: Template, of game: GameSnapshot) throws(Problem) {
    let hidden = secrets.hidden(from: role, in: game)
    if let key = template.layers.keys.filter(hidden.contains).min() {
      throw Problem(.secretKey, "The template has a value for \(key), which is secret. Ask a user who may read it.")
    }
  }

  package func count(purchase status: ShopOutcome.Status) { meters.count(purchase: status) }
}

extension Problem {
  package init(_ error: StoreError) {
    if case .unreadable(let row) = error { self.init(error.code, row.sentence) } else { self.init(error.code, error.description) }
  }
}

/// The list of all routes, and the router that dispatches to them.
public enum DaemonRoutes {
  /// Returns the router of these calls and of the call that serves their OpenAPI document.
  package static func router(_ calls: [CallRoute], version: String) throws(RouterFault) -> Router {
    let contract = OpenAPIDocumentCache(version: version, endpoints: calls.map(\.endpoint) + [Calls.openAPI.endpoint])
    return try Router((calls + [CallRoute(Calls.openAPI) { _ in contract.reply }]).map(\.route))
  }

  /// Returns all routes of the daemon, in the order of the OpenAPI document. This is the only list of calls.
  /// - Parameter faces: The routes of other protocols, each from its own module.
  package static func all(_ services: DaemonServices, faces: [FaceRoutes] = []) -> [CallRoute] {
    FaceRoutes.joined(faces, with: handlers(services, faceLimits: faces.flatMap(\.limits))).map { call in
      var call = call
      call.route = call.route.readingLargeBodies(beside: services.longWork)
      return call
    }
  }

  private static func handlers(_ services: DaemonServices, faceLimits: [(String, Value)]) -> [CallRoute] {
    ReadingRoutes(health: services.health, clock: services.clock).routes
      + ConfigRoutes(
        clock: services.clock, secrets: services.secrets, players: services.players.recent, plays: services.plays,
        tallies: services.tallies, reads: services.reads, longWork: services.longWork, watches: services.watches
      ).routes
      + ImageRoutes(services: services).routes
      + WatchRoutes(services: services).routes
      + ExplainRoutes(services: services).routes
      + OverrideRoutes(services: services).routes
      + TemplateRoutes(services: services).routes
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
      + LiveRoutes(services: services).routes
      + AuditRoutes(services: services).routes
      + AdminRoutes(services: services, faceLimits: faceLimits).routes
      + MetricsRoutes(services: services).routes
      + StoreRoutes(services: services, administration: services.administration).routes
  }
}
