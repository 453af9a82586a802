// The life of the daemon: starts all parts in order, serves until a signal, and stops the parts in reverse order.

import CoreMetrics
import GameConfAPI
import GameConfCore
import GameConfEngine
import GameConfHTTP
import GameConfImages
import GameConfServer
import GameConfStorage
import GameConfSystemd
import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

struct DaemonProcess {
  let settings: Settings
  let environment: [String: String]

  /// Starts the daemon, serves until SIGTERM or SIGINT, and stops the daemon in order.
  func run() async throws(Fault) {
    let logger = Self.logger(settings)
    let findings = StartFindings(settings, environment: environment)
    for warning in findings.logged { logger.warning("\(warning)") }
    let metrics = PrometheusMetrics()
    MetricsSystem.bootstrap(metrics)
    let notifier = ServiceNotifier()
    let listeners = try listen()
    let state = try openState()
    let folders = CatalogFolders(folders: settings.catalogFolders, missing: settings.folderFault)
    // The stamps of the catalog files are taken before the files are read, so that a file that is saved after its stamp was taken counts as
    // changed.
    var listings = FolderListings()
    let seen = settings.watches ? folders.fingerprint(&listings) : [:]
    let core = try await startEngine(folders, state, notifier, logger)
    let unknown = settings.unknownGames(among: Set(core.live.present.world.games.map(\.game)))
    for warning in unknown { logger.warning("\(warning)") }
    let images = MappedImages(core.live.present.world)
    let services = services(core, findings, unknown, metrics, images, origin: listeners.origin)
    // Signals are trapped before the first connection, so that they stop the daemon in order: responses are completed, and last-good.json
    // contains all acknowledged changes.
    let endings = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    let hangUps = await UnixSignalsSequence(trapping: .sighup)
    let server = try await serve(services, core, images, listeners.all, findings, logger)
    services.running.server = server
    let list = services.health.list
    startImages(images, core.clock, services.views) { [live = core.live] in list.refresh(in: live.present.world) }
    await core.templateFiles.look(now: core.clock.now, isWaiting: false)
    let status = StatusLine(live: core.live, list: list, notifier: notifier)
    status.ready()
    for listener in listeners.all { logger.notice("serving \(listener.socket.name) on \(listener.name)") }
    logger.notice("ready", metadata: ["games": "\(core.live.present.world.games.map(\.game).joined(separator: ","))"])

    let reloading = CatalogReloader(
      reload: core.reload, templateFiles: core.templateFiles, clock: core.clock, notifier: notifier, status: status)
    var running = standingServices(core, services, reloading, status, logger)
    running += [SignalService(hangUps: hangUps, reloading: reloading), TemplateFileService(follow: core.templateFiles, clock: core.clock)]
    if settings.watches { running.append(CatalogWatchService(folders: folders, reloading: reloading, seen: seen)) }
    let watchdog = Watchdog(notifier: notifier, loops: server.schedulers) { silent in
      logger.critical("event loops do not respond: \(silent)", metadata: .fields(.watchdogHeld))
    }
    // The service group stops its services in reverse order, so the watchdog stops last.
    if let watchdog { running.insert(watchdog, at: 0) }
    await serve(running, until: ShutdownService(endings: endings, logger: logger), logger)
    notifier.stopping(status: "draining")
    await stop(services, core, images, server)
    state.unlock()
    logger.notice("stopped")
  }

  /// Opens the store and loads the games.
  private func startEngine(
    _ folders: CatalogFolders, _ state: StateDirectory, _ notifier: ServiceNotifier, _ logger: Logger
  ) async throws(Fault) -> EngineCore {
    // Hosts that share a database use the database's clock, so that they agree on the time.
    let fleetClock = settings.postgres.flatMap { _ in settings.clock == nil ? FleetClock(over: SystemClock()) : nil }
    let hostClock: any HostClock = fleetClock ?? SystemClock()
    let clock = SteadyClock(settings.clock.map { FrozenClock(at: $0) } ?? hostClock)
    return try await EngineStart(
      folders: folders, state: state, clock: clock, fleetClock: fleetClock, rates: writeRates, notifier: notifier, logger: logger,
      postgres: settings.postgres, abandons: settings.abandons, times: storeTimes
    ).run()
  }

  private func services(
    _ core: EngineCore, _ findings: StartFindings, _ unknown: [String], _ metrics: PrometheusMetrics, _ images: MappedImages,
    origin: String
  ) -> DaemonServices {
    let world = core.live.present.world
    let list = DegradationList(store: core.store, expected: core.reload.expected, clock: core.clock)
    let secrets = SecretReaders(settings.secretReaders)
    let views = LiveViewers(clock: core.clock, secrets: secrets)
    let watches = WatchHub(world, players: core.players.recent, clock: core.clock, limits: findings.quota.limits, views: views)
    if let fleet = core.store as? PostgresStore { fleet.follow { watches.watchedPlayers } }
    return DaemonServices(
      clock: core.clock, store: core.store, administration: core.store, live: core.live, players: core.players, plays: core.plays,
      documents: TemplateFiles(), reload: core.reload, templateFiles: core.templateFiles,
      health: DaemonHealth(version: ReleaseVersion.version, store: core.store, expected: core.reload.expected, list: list),
      facts: facts(findings, unknown, startedAt: core.clock.now, origin: origin), secrets: secrets,
      metrics: metrics, watches: watches, reads: ReadRecorder(now: core.clock.now), images: images)
  }

  /// Creates the routes and the state that they serve, and starts the HTTP server.
  private func serve(
    _ services: DaemonServices, _ core: EngineCore, _ images: MappedImages, _ listeners: [Listener], _ findings: StartFindings,
    _ logger: Logger
  ) async throws(Fault) -> HTTPServer<DaemonApp> {
    do {
      let calls = DaemonRoutes.all(services, faces: services.faces)
      let router = try DaemonRoutes.router(calls, version: services.health.version)
      let worlds = ServedWorlds(
        router: router, tallies: services.tallies, positions: services.reads.positions, expected: core.reload.expected)
      core.publications.follow(worlds)
      core.publications.follow(services.watches)
      core.publications.follow(images)
      core.publications.follow(services.eventFollowers)
      core.publications.follow(services.reads)
      core.publications.follow(services.views)
      core.health.follow { [watches = services.watches] in watches.notify($0) }
      follow(services.health.list, services.watches, core, logger)
      await core.live.change { $0 }
      let server = try await HTTPServer.start(
        listeners, router: router, state: worlds.state, limits: findings.quota.limits, loops: settings.loops,
        limitReached: { [logger] in logger.note($0) }, policy: { [roles = findings.roles] in roles.admit($0, $1) })
      worlds.attach(server)
      services.reads.attach(server)
      await services.views.attach(server)
      // This empty change publishes the present state again, so that the server also gets changes that were made before it was attached.
      await core.live.change { $0 }
      return server
    } catch {
      throw Fault("cannot serve: \(error)")
    }
  }

  /// From now on refreshes the list of degradations whenever a cause of degradations changes. Logs the list's changes and notifies the
  /// panel of them.
  private func follow(_ list: DegradationList, _ watches: WatchHub, _ core: EngineCore, _ logger: Logger) {
    let journal = DegradationJournal(logger)
    list.follow { journal.note($0) }
    list.follow { [watches] _ in watches.noteDegradations() }
    let refresh: @Sendable () -> Void = { [live = core.live] in list.refresh(in: live.present.world) }
    core.health.follow { _ in refresh() }
    core.publications.follow(DegradationObserver(list: list))
    core.reload.expected.follow(refresh)
    refresh()
  }

  private func startImages(_ images: MappedImages, _ clock: SteadyClock, _ views: LiveViewers, changed: @escaping @Sendable () -> Void) {
    guard let folder = settings.imagesFolder(environment: environment) else { return }
    images.start(
      in: folder, boot: BootID.bytes(given: environment["BOOT_ID"]), clock: clock, isNarrowed: settings.clients != nil,
      views: views, changed: changed)
  }

  /// The services that every daemon has, with any settings.
  private func standingServices(
    _ core: EngineCore, _ services: DaemonServices, _ reloading: CatalogReloader, _ status: StatusLine, _ logger: Logger
  ) -> [any Service] {
    [
      TickService(
        store: core.store, clock: core.clock, clockSteps: core.clockSteps, logger: logger, status: status,
        list: services.health.list, world: core.live.present, reloading: reloading,
        due: core.due, mayRetain: mayRetain(core.store), lookAtOthers: settings.postgres.map { _ in services.eventFollowers.wakeAll }),
      StoreCheckService(administration: core.store, logger: logger), MemoryService(logger: logger),
    ]
  }

  private func serve(_ running: [any Service], until ending: ShutdownService, _ logger: Logger) async {
    // ServiceLifecycle names a service without a given name by its description. To print all that a service holds takes 6 % of a start.
    let running = running.map { ServiceGroupConfiguration.ServiceConfiguration(service: $0, serviceName: "\(type(of: $0))") }
    let ending = ServiceGroupConfiguration.ServiceConfiguration(
      service: ending, successTerminationBehavior: .gracefullyShutdownGroup, serviceName: "\(type(of: ending))")
    let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: running + [ending], logger: logger))
    ProgramCodeMemory.release()
    do { try await group.run() } catch { logger.error("stopping: \(error)") }
  }

  /// Stops the daemon's parts in the reverse order of their start: watchers, images, server, store.
  private func stop(_ services: DaemonServices, _ core: EngineCore, _ images: MappedImages, _ server: HTTPServer<DaemonApp>) async {
    services.watches.drain()
    await images.stop()
    await server.drain(withinSeconds: settings.limits[.drainSeconds] ?? 5)
    await core.store.stop()
  }

  private static func logger(_ settings: Settings) -> Logger {
    let level = settings.logLevel
    LoggingSystem.bootstrap { _ in
      JournalLogHandler(identifier: "gameconfd", level: level, hashPlayer: Self.hashed)
    }
    return Logger(label: "gameconfd")
  }

  /// Returns a player's pseudonym for the log. It is a keyed hash that stays the same on this machine and cannot be compared with another
  /// machine's.
  @Sendable private static func hashed(_ player: String) -> String {
    var hash = SHA256()
    hash.update(MachineIdentity.applicationSpecific() ?? [])
    hash.update(player.utf8)
    return SHA256.hex(hash.digest().prefix(8))
  }

  private func listen() throws(Fault) -> (all: [Listener], origin: String) {
    do {
      let given = try ListenDescriptors.adopt()
      if !given.all.isEmpty {
        var all: [Listener] = []
        if let games = try given.socket(named: "games", as: .unixStream) { all.append(try Listener.adopt(games, as: .games)) }
        if let admin = try given.socket(named: "admin", as: .unixStream) { all.append(try Listener.adopt(admin, as: .admin)) }
        if let metrics = try given.socket(named: "metrics", as: .tcpStream) { all.append(try Listener.adopt(metrics, as: .metrics)) }
        // Clients of a socket that the daemon did not serve would wait forever.
        if let unknown = given.names(besides: ["games", "admin", "metrics"]).first {
          throw Fault("systemd passes a socket named “\(unknown)”; its FileDescriptorName= must be games, admin or metrics")
        }
        return (all, "systemd")
      }
      let folder = settings.runtimeFolder(environment: environment)
      try Settings.makeFolder(folder, mode: 0o755)
      return (
        [
          try Listener.bind(folder + "/games.sock", mode: 0o666, as: .games),
          try Listener.bind(folder + "/admin.sock", mode: 0o666, as: .admin),
        ], "bound"
      )
    } catch { throw Fault("\(error)") }
  }

  /// Returns a function that returns true if this daemon holds the lease for removing expired data. Returns nil if no other daemon shares
  /// the store.
  private func mayRetain(_ store: any DaemonStore) -> (@Sendable () async throws(StoreError) -> Bool)? {
    guard let store = store as? PostgresStore else { return nil }
    return { () async throws(StoreError) in
      try await store.takes(lease: FleetLease.retention, milliseconds: FleetLease.retentionMilliseconds)
    }
  }

  private func openState() throws(Fault) -> StateDirectory {
    let path = settings.stateFolder(environment: environment)
    do throws(StateFault) { return try StateDirectory(path: path) } catch {
      throw Fault("the state directory \(path): \(error.message)")
    }
  }

  private var writeRates: WriteRateLimits {
    var limits = WriteRateLimits()
    if let value = settings.limits[.playerWritesPerSecond] { limits.writesPerSecond = value }
    if let value = settings.limits[.unknownPlayersPerMinute] { limits.unknownPlayersPerMinute = value }
    if let value = settings.limits[.growthMebibytesPerDay] { limits.growthMebibytesPerDay = value }
    return limits
  }

  private var storeTimes: StoreTiming {
    var times = StoreTiming()
    if let value = settings.limits[.readMilliseconds] { times.readDeadlineMin = value }
    return times
  }

  private func facts(_ findings: StartFindings, _ unknown: [String], startedAt: Instant, origin: String) -> DaemonInfo {
    var warnings = findings.warnings + unknown
    let isOpen = findings.roles.gamesSocketIsOpen
    if isOpen { warnings.append("every user of this host may use the games socket; restrict it with the setting “clients”") }
    return DaemonInfo(
      startedAt: startedAt, settings: settings.shown(environment: environment), limits: findings.quota.limits, warnings: warnings,
      socketOrigin: origin, gamesSocketIsOpen: isOpen)
  }
}
