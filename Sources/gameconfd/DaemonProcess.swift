// Starts everything in its order, serves until told to stop, and ends in the reverse order.

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

/// The daemon as a whole.
struct DaemonProcess {
  let settings: Settings
  let environment: [String: String]

  /// Serves until SIGTERM or SIGINT.
  func run() async throws(StartFault) {
    // Where several hosts share a store, its time is theirs.
    let fleetClock = settings.postgres.flatMap { _ in settings.clock == nil ? FleetClock(over: SystemClock()) : nil }
    let hostClock: any HostClock = fleetClock ?? SystemClock()
    let clock = SteadyClock(settings.clock.map { FrozenClock(at: $0) } ?? hostClock)
    let logger = Self.logger(settings)
    let room = ConnectionRoom(settings, serverLimits, descriptors: ConnectionRoom.raiseDescriptors())
    for warning in settings.warnings + room.warnings { logger.warning("\(warning)") }
    let metrics = PrometheusMetrics()
    MetricsSystem.bootstrap(metrics)
    let notifier = ServiceNotifier()
    let listeners = try listen()
    let state = try openState()
    let folders = CatalogFolders(folders: settings.catalogFolders, missing: settings.folderFault)
    // Looked at before they are read, so that what is saved meanwhile is seen as a change.
    let seen = settings.watches ? folders.fingerprint() : [:]
    let core = try await EngineStart(
      folders: folders, state: state, clock: clock, fleetClock: fleetClock, rates: writeRates, notifier: notifier, logger: logger,
      postgres: settings.postgres, abandons: settings.abandons, times: storeTimes
    ).run()
    let roles = Roles(settings)
    let unknown = settings.unknownGames(among: Set(core.live.present.world.games.map(\.game)))
    for warning in roles.clientWarnings + unknown { logger.warning("\(warning)") }
    let watches = WatchHub(core.live.present.world, players: core.players.recent, clock: clock, limits: room.limits)
    if let fleet = core.store as? PostgresStore { fleet.follow { watches.watchedPlayers } }
    let images = MappedImages(core.live.present.world)
    let services = DaemonServices(
      clock: clock, store: core.store, administration: core.store, live: core.live, players: core.players, plays: core.plays,
      documents: TemplateFiles(), reload: core.reload,
      health: DaemonHealth(version: Release.version, store: core.store, expected: core.reload.expected),
      facts: facts(roles, room, unknown, startedAt: clock.now, origin: listeners.origin), secrets: SecretReaders(settings.secretReaders),
      metrics: metrics, watches: watches, images: images)
    // From the first connection on every end is an orderly one: nobody is cut off, and last-good.json has all that was answered.
    let endings = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    let hangUps = await UnixSignalsSequence(trapping: .sighup)
    let server: HTTPServer<DaemonApp>
    do {
      let router = try DaemonRoutes.router(DaemonRoutes.all(services), version: services.health.version)
      let worlds = ServedWorlds(router: router, tallies: services.tallies)
      core.publications.follow(worlds)
      core.publications.follow(watches)
      core.publications.follow(images)
      core.publications.follow(services.eventFollowers)
      core.health.follow { watches.tell($0) }
      await core.live.change { $0 }
      server = try await HTTPServer.start(
        listeners.all, router: router, state: worlds.state, limits: room.limits, loops: settings.loops,
        limitReached: { [logger] in logger.note($0) }, policy: { roles.admit($0, $1) })
      worlds.attach(server)
      // What changed between the two is shown now.
      await core.live.change { $0 }
    } catch {
      throw StartFault(message: "cannot serve: \(error)")
    }
    services.running.server = server
    if let folder = settings.imagesFolder(environment: environment) {
      images.start(
        in: folder, boot: BootID.bytes(given: environment["BOOT_ID"]), clock: clock, isNarrowed: settings.clients != nil
      ) { [logger] in logger.note(imageTroubles: $0) }
    }
    let follow = FollowTemplateFiles(store: core.store, live: core.live, documents: TemplateFiles(), files: TemplateFileLooks()) {
      [logger] in logger.note($0)
    }
    await follow.look(now: clock.now, isStart: true)
    let status = StatusLine(live: core.live, store: core.store, notifier: notifier)
    status.ready()
    for listener in listeners.all { logger.notice("serving \(listener.socket.name) on \(listener.name)") }
    logger.notice("ready", metadata: ["games": "\(core.live.present.world.games.map(\.game).joined(separator: ","))"])

    let reloading = Reloading(reload: core.reload, clock: clock, notifier: notifier, status: status)
    var running: [any Service] = [
      SignalService(hangUps: hangUps, reloading: reloading),
      TickService(
        store: core.store, clock: clock, hostWatch: core.hostWatch, logger: logger, status: status, reloading: reloading,
        activate: ActivateTemplate(store: core.store, present: core.live.present, documents: TemplateFiles()),
        scenarios: EndScenario(core.players),
        mayRetain: mayRetain(core.store), lookAtOthers: settings.postgres.map { _ in services.eventFollowers.wakeAll }),
      CheckService(administration: core.store, logger: logger), MemoryService(logger: logger),
      TemplateFileService(follow: follow, clock: clock),
    ]
    if settings.watches { running.append(WatchService(folders: folders, reloading: reloading, seen: seen)) }
    let watchdog = Watchdog(notifier: notifier, loops: server.turns) { silent in
      logger.critical("event loops do not answer: \(silent)", metadata: .fields(.watchdogHeld))
    }
    // First to start, last to stop.
    if let watchdog { running.insert(watchdog, at: 0) }
    let ending = ServiceGroupConfiguration.ServiceConfiguration(
      service: EndingService(endings: endings, logger: logger), successTerminationBehavior: .gracefullyShutdownGroup)
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(services: running.map { .init(service: $0) } + [ending], logger: logger))
    StartMemory.release()
    do { try await group.run() } catch { logger.error("stopping: \(error)") }
    notifier.stopping(status: "draining")
    watches.drain()
    await images.stop()
    await server.drain(withinSeconds: settings.limits[.drainSeconds] ?? 5)
    await core.store.stop()
    state.unlock()
    logger.notice("stopped")
  }

  private static func logger(_ settings: Settings) -> Logger {
    let level = settings.logLevel
    LoggingSystem.bootstrap { _ in
      JournalLogHandler(identifier: "gameconfd", level: level, hashPlayer: Self.hashed)
    }
    return Logger(label: "gameconfd")
  }

  /// What stands in the log for a player: the same for one player on one machine, and of no use anywhere else.
  @Sendable private static func hashed(_ player: String) -> String {
    var hash = SHA256()
    hash.update(MachineIdentity.applicationSpecific() ?? [])
    hash.update(player.utf8)
    return SHA256.hex(hash.digest().prefix(8))
  }

  private func listen() throws(StartFault) -> (all: [Listener], origin: String) {
    do {
      let given = try ListenDescriptors.adopt()
      if !given.all.isEmpty {
        var all: [Listener] = []
        if let games = try given.socket(named: "games", as: .unixStream) { all.append(try Listener.adopt(games, as: .games)) }
        if let admin = try given.socket(named: "admin", as: .unixStream) { all.append(try Listener.adopt(admin, as: .admin)) }
        if let metrics = try given.socket(named: "metrics", as: .tcpStream) { all.append(try Listener.adopt(metrics, as: .metrics)) }
        if all.isEmpty {
          throw StartFault(message: "systemd passes sockets, but none is named games, admin or metrics (FileDescriptorName=)")
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
    } catch let fault as StartFault {
      throw fault
    } catch {
      throw StartFault(message: "\(error)")
    }
  }

  /// One daemon of a fleet removes what is kept no longer; where the store is nobody else's, this one does.
  private func mayRetain(_ store: any DaemonStore) -> (@Sendable () async throws(StoreError) -> Bool)? {
    guard let store = store as? PostgresStore else { return nil }
    return { () async throws(StoreError) in
      try await store.takes(lease: FleetLease.retention, milliseconds: FleetLease.retentionMilliseconds)
    }
  }

  private func openState() throws(StartFault) -> StateDirectory {
    let path = settings.stateFolder(environment: environment)
    do throws(StateFault) { return try StateDirectory(path: path) } catch {
      throw StartFault(message: "the state directory \(path): \(error.message)")
    }
  }

  private var writeRates: WriteRateLimits {
    var limits = WriteRateLimits()
    if let value = settings.limits[.playerWritesPerSecond] { limits.writesPerSecond = value }
    if let value = settings.limits[.unknownPlayersPerMinute] { limits.unknownPlayersPerMinute = value }
    if let value = settings.limits[.growthMebibytesPerDay] { limits.growthMebibytesPerDay = value }
    return limits
  }

  private var storeTimes: StoreTimes {
    var times = StoreTimes()
    if let value = settings.limits[.readMilliseconds] { times.readDeadlineMin = value }
    return times
  }

  private var serverLimits: ServerLimits {
    var limits = ServerLimits()
    if let value = settings.limits[.connectionsMax] { limits.connectionsMax = value }
    if let value = settings.limits[.connectionsPerUIDMax] { limits.connectionsPerUserMax = value }
    if let value = settings.limits[.bodyBytesMax] { limits.bodyBytesMax = value }
    if let value = settings.limits[.headerTimeoutSeconds] { limits.headerTimeoutSeconds = value }
    if let value = settings.limits[.idleTimeoutSeconds] { limits.idleTimeoutSeconds = value }
    return limits
  }

  private func facts(_ roles: Roles, _ room: ConnectionRoom, _ unknown: [String], startedAt: Instant, origin: String) -> DaemonFacts {
    var warnings = settings.warnings + room.warnings + roles.warnings + unknown
    if roles.gamesSocketIsOpen { warnings.append("every user of this host may read on the games socket; the setting clients narrows it") }
    return DaemonFacts(
      startedAt: startedAt, settings: settings.shown(environment: environment), limits: room.limits, warnings: warnings,
      socketOrigin: origin, gamesSocketIsOpen: roles.gamesSocketIsOpen)
  }
}
