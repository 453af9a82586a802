// Starts the engine: loads the accepted catalogs and the store, then applies everything that became due.

import GameConfAPI
import GameConfCore
import GameConfEngine
import GameConfStorage
import GameConfSystemd
import Logging

/// The parts of the engine after a start: the store, and the games, players and use cases over it.
struct EngineCore {
  let store: any DaemonStore
  let live: LiveWorld
  let players: PlayerService
  let plays: PlayCache
  let reload: ReloadCatalogs
  let due: DueWork
  let templateFiles: FollowTemplateFiles
  let publications: PublicationObservers
  let health: HealthRelay
  let clockSteps: ClockStepDetector
  let clock: SteadyClock
}

/// Starts the engine: opens the store of a state directory, reads the catalogs, and does the work that became due while the daemon was
/// stopped.
struct EngineStart {
  let folders: CatalogFolders
  let state: StateDirectory
  let clock: SteadyClock
  /// The database's clock, if several hosts share the store; nil otherwise.
  let fleetClock: FleetClock?
  let rates: WriteRateLimits
  let notifier: ServiceNotifier
  let logger: Logger
  /// The PostgreSQL database of the store; nil for SQLite in the state directory.
  let postgres: PostgresSettings?
  /// True if the daemon may start although a different database was used with this state directory (`--abandon`).
  let abandons: Bool
  let times: StoreTiming

  /// The maximum age of a cached player if several hosts share the store: another host's change of the player is visible after this time.
  private static let playerAgeMax = Duration.seconds(1)
  private static let catalogsReadMilliseconds = 10_000
  /// The time in seconds that systemd must allow for one step of a schema migration.
  private static let migrationStepSecondsMax = 600

  func run() async throws(Fault) -> EngineCore {
    let healthy = HealthRelay()
    let following = FleetCatalogSync()
    let owner = StateOwner(isShared: postgres != nil) { [logger] in logger.warning("\($0)") }
    let store = try openStore(healthy, following, owner)
    let storedCatalogs = AcceptedCatalogFiles(in: state, owner: owner)
    let found = storedCatalogs.load()
    for fault in found.faults { logger.error("\(fault.path): \(fault.message)") }
    // No code has used the clock yet, so a jump to the database's time does no harm.
    if fleetClock != nil { clock.accept() }
    let recent = PlayerCache(store: store, ageMax: postgres == nil ? nil : Self.playerAgeMax)
    let plays = PlayCache(store: store)
    healthy.follow { [recent, plays] health in
      recent.clearIfLost(health)
      plays.clearIfLost(health)
    }
    let contents = try await contents(of: store)
    try checkFolders(found)
    let publications = PublicationObservers()
    publications.follow(recent)
    publications.follow(plays)
    publications.follow(ChangeJournal(logger: logger))
    let accepted = await acceptedCatalogs(found, storedCatalogs, store, contents)
    let live = LiveWorld(await world(of: accepted, contents), publication: publications)
    store.publish(to: publications.publication(changing: live))
    let reload = ReloadCatalogs(
      source: folders, storedCatalogs: storedCatalogs, store: store, live: live, accepted: accepted,
      digests: contents.origin == .store ? contents.state.catalogDigests : nil,
      fleet: postgres == nil ? nil : Set(contents.state.revisions.keys)
    ) { [logger] in logger.note($0) }
    let clockSteps = ClockStepDetector(clock, store: store, world: live.present)
    publications.follow(clockSteps)
    let rates = WriteRateLimiter(rates) { [uptime = UptimeClock()] in uptime.milliseconds }
    let service = PlayerService(store: store, world: live.present, recent: recent, rates: rates)
    let due = DueWork(service, TemplateService(store: store, present: live.present, documents: TemplateFiles()))
    await catchUp(clockSteps, reload, due)
    // The catalogs that could not be read from the shared database at this start are read as soon as possible.
    let unread = await reload.expected.missing(from: live.present.world).map { $0.game } + reload.outdated.sorted()
    following.begin(with: postgres == nil ? [] : unread, expect: { reload.expected.wait(for: Set($0)) }) { [clock] games in
      await reload.follow(games, now: clock.now)
    }
    let templateFiles = FollowTemplateFiles(store: store, live: live, documents: TemplateFiles(), files: TemplateFileReader()) {
      [logger] in logger.note($0)
    }
    return EngineCore(
      store: store, live: live, players: service, plays: plays, reload: reload, due: due, templateFiles: templateFiles,
      publications: publications, health: healthy,
      clockSteps: clockSteps, clock: clock)
  }

  private func contents(of store: any DaemonStore) async throws(Fault) -> StoreContents {
    let contents: StoreContents
    do throws(StoreError) { contents = try await store.contents() } catch {
      throw Fault("the store cannot be read: \(error)")
    }
    if case .lastGood(let savedAt) = contents.origin {
      // A full disk or an unreachable server is a temporary failure that loses no data, so the message must not say “lost”.
      let state =
        if store.health.isNewer { "is a newer version's" } else if case .lost = store.health.condition { "is lost" } else {
          "cannot be opened now"
        }
      logger.error("the database \(state); serving last-good.json, saved at \(savedAt.text)")
    }
    return contents
  }

  /// Throws if the folder of catalogs does not exist and the state directory has no accepted catalog either.
  private func checkFolders(_ found: AcceptedCatalogContents) throws(Fault) {
    guard let missing = folders.missing else { return }
    if found.catalogs.isEmpty { throw Fault(missing) }
    logger.warning("\(missing); the catalogs accepted earlier are served")
  }

  /// Applies what became due while the daemon was stopped: changed files, ended windows, expired leases, scheduled templates.
  private func catchUp(_ clockSteps: ClockStepDetector, _ reload: ReloadCatalogs, _ due: DueWork) async {
    do throws(StoreError) {
      let held = try await clockSteps.begin()
      if !held.isEmpty { logger.noteHeldClocks(of: held) }
      _ = try await reload(now: clock.now, because: .start)
    } catch {
      logger.error("the store refuses the changes since the last run: \(error)")
    }
    // Work that became due while the daemon was stopped is done before the first request is answered.
    for note in await due.run(now: clock.now) { logger.note(note, delayedAs: .error) }
    for warning in await reload.warnings { logger.warning("\(warning)") }
  }

  /// Returns the catalogs in force. If several hosts share a store, these are the store's catalogs, and the local copies are updated to
  /// match. The copies serve while the store is unreachable.
  private func acceptedCatalogs(
    _ found: AcceptedCatalogContents, _ storedCatalogs: AcceptedCatalogFiles, _ store: any DaemonStore, _ contents: StoreContents
  ) async -> [AcceptedCatalog] {
    guard postgres != nil || !found.foreign.isEmpty, contents.origin == .store else { return found.catalogs }
    let stored: [AcceptedCatalog]
    do throws(StoreError) {
      stored = try await store.readOnAnyThread(deadlineMilliseconds: Self.catalogsReadMilliseconds) { view in
        try contents.state.catalogDigests.keys.sorted().compactMap { game in
          guard let newest = try view.newestCatalog(of: game), let stored = try view.catalog(newest.number, of: game) else { return nil }
          return AcceptedCatalog(game: game, files: stored.files)
        }
      }
    } catch {
      logger.error("the catalogs in the database cannot be read; those accepted here last are served: \(error)")
      return found.catalogs
    }
    do throws(StateFault) {
      for each in stored where !found.catalogs.contains(each) { try storedCatalogs.store(each) }
      let games = (postgres == nil ? [] : found.catalogs.map(\.game)) + found.foreign
      for game in games where !stored.contains(where: { $0.game == game }) { try storedCatalogs.remove(game: game) }
    } catch { logger.error("\(error.path): \(error.message)") }
    return stored
  }

  private func openStore(_ healthy: HealthRelay, _ following: FleetCatalogSync, _ owner: StateOwner) throws(Fault) -> any DaemonStore {
    let conditionChanged: @Sendable (StoreHealth) -> Void = { healthy.notify($0) }
    let migrating: @Sendable (StoreMigration) -> Void = { [logger, notifier] migration in
      notifier.extendTimeout(seconds: Self.migrationStepSecondsMax)
      logger.note(migration)
    }
    let now: @Sendable () -> Instant = { [clock] in clock.now }
    let queueFilled: @Sendable () -> Void = { [logger] in logger.noteFullQueue() }
    let rowUnreadable: @Sendable (UnreadableRow) -> Void = { [logger] row in logger.note(row) }
    guard let postgres else {
      if !abandons, let refusal = FormerSharedStore.refusal(forStateAt: state.path) { throw Fault(refusal) }
      return SQLiteStore(
        in: state, lastGood: LastGoodFile(in: state), owner: owner, times: times, now: now, conditionChanged: conditionChanged,
        migrating: migrating, queueFilled: queueFilled, rowUnreadable: rowUnreadable)
    }
    try leaveDatabase()
    return PostgresStore(
      postgres, writer: WriterName.text(state: state.path), release: ReleaseVersion.version,
      clock: fleetClock ?? FleetClock(over: SystemClock()), lastGood: LastGoodFile(in: state), owner: owner, times: times, now: now,
      conditionChanged: conditionChanged, migrating: migrating, queueFilled: queueFilled, rowUnreadable: rowUnreadable,
      catalogsChanged: { following.check($0) }
    ) { [logger] words in
      logger.critical("the database has lost changes: \(words). Every revision was raised above them, and watchers start again")
    }
  }

  /// Throws if the settings name another database than the one in use in the state directory, unless `--abandon` allows that.
  private func leaveDatabase() throws(Fault) {
    guard let database = AbandonedDatabase(at: state.path) else { return }
    if !abandons {
      var hasContents = true
      do throws(StoreError) { hasContents = try database.hasContents() } catch {
        logger.warning("the database \(database.path) cannot be read: \(error)")
      }
      if hasContents { throw Fault(database.refusal) }
    }
    do throws(StateFault) {
      let left = try database.leave()
      logger.notice("the database \(database.path) is left behind as \(left)")
    } catch {
      throw Fault("\(error.path) \(error.message)")
    }
  }

  private func world(of accepted: [AcceptedCatalog], _ contents: StoreContents) async -> World {
    var games: [GameSnapshot] = []
    for each in accepted {
      switch await folders.read(each).outcome {
      case .read(let catalog, let warnings):
        var known = GameState(revision: contents.state.revisions[catalog.game] ?? 0)
        known.warnings = warnings
        games.append(GameSnapshot(catalog: catalog, keyRevisions: [:], known))
      case .refused(let faults):
        logger.error("the accepted catalog of \(each.game) can no longer be read: \(faults.joined(separator: "; "))")
      }
    }
    return World(games: games, documents: TemplateFiles()).applying([.replaced(contents)])
  }
}
