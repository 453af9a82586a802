// Reads the catalogs again. Valid ones come into force; for invalid ones, the last accepted catalog stays.

public import GameConfCore
public import GameConfStorage

/// One game's part of a ``ReloadReport``.
public struct ReloadOutcome: Sendable, Hashable {
  /// The result for the game. `degraded`: served with its last accepted catalog despite faults; `refused`: not served.
  public enum Kind: String, Sendable, Hashable, CaseIterable { case unchanged, changed, degraded, refused }

  /// The game's id.
  public var game: String
  /// The result of the reload for this game; for a dry run, the expected result.
  public var kind: Kind
  /// The game's revision after the reload; nil if the game is not served.
  public var revision: Int64?
  /// The faults of the game's catalog files or of storing them, a line each.
  public var faults: [String]
  /// True if the same faults were reported before.
  public var isKnown = false
  /// True if the game had faults before the reload and has no faults now.
  public var isRecovered = false
}

/// The use case that reads the catalog files again and puts valid changes in force.
///
/// Reloads run one after another. When one returns, each catalog is in force, or its outcome says why it is not.
public actor ReloadCatalogs {
  let source: any CatalogSource
  let storedCatalogs: any AcceptedCatalogs
  let store: any Store
  let live: LiveWorld
  let report: @Sendable (ReloadReport) -> Void
  var accepted: [String: [AcceptedFile]] { didSet { expected.set(accepted: Set(accepted.keys)) } }
  /// The games that have a catalog, served or not.
  public nonisolated let expected = ExpectedGames()
  /// This host's files compared with the games of its fleet; nil for a single host.
  var fleet: FleetCatalogFiles?
  /// The games whose accepted files could not be stored on this host for the next start.
  private var notStored: Set<String> = []
  /// The games that are served at a revision for which the database has no catalog or another one.
  var unsaved: Set<String> = []
  /// The games whose catalog in the fleet differed from this host's at the start. Their newer catalogs are read by ``follow(_:now:)``.
  public private(set) var outdated: Set<String> = []
  /// The games whose new catalog waits, because the store could not accept it.
  private var late: Set<String> = []
  private var isRunning = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// The warnings of the last reload that belong to no single catalog, such as unreadable folders and shadowed files.
  public private(set) var warnings: [String] = []
  /// The games with invalid files and no accepted catalog, with the reasons.
  public private(set) var refused: [String: [String]] = [:] { didSet { expected.set(refused: refused, faulty: faulty) } }
  /// The catalog files with faults, by game.
  private var faulty: [String: String] = [:]

  /// True if a part of the last reload failed, so that another reload may complete it.
  public var isIncomplete: Bool { !(notStored.isEmpty && unsaved.isEmpty && late.isEmpty) }

  /// Creates the use case with the catalogs accepted earlier.
  /// - Parameters:
  ///   - accepted: The accepted catalogs stored on this host, which are served if they could be read.
  ///   - digests: The digest of the files of each game's newest revision in the store. If it differs from the stored files, the daemon
  ///     ended after the revision was written to the store and before the files were stored on this host. Values of other files were served
  ///     at this revision, so the stored files are accepted again at a new revision. Nil if the store is lost.
  ///   - fleet: The games with revisions in a store that several hosts share; nil for a single host.
  ///   - report: Receives the report of each reload that is not a dry run.
  package init(
    source: any CatalogSource, storedCatalogs: any AcceptedCatalogs, store: any Store, live: LiveWorld, accepted: [AcceptedCatalog],
    digests: [String: Int64]?, fleet: Set<String>? = nil, report: @escaping @Sendable (ReloadReport) -> Void = { _ in }
  ) {
    self.report = report
    self.source = source
    self.storedCatalogs = storedCatalogs
    self.store = store
    self.live = live
    self.accepted = Dictionary(accepted.map { ($0.game, $0.files) }) { $1 }
    self.fleet = fleet.map { FleetCatalogFiles(games: $0) }
    expected.set(accepted: Set(self.accepted.keys))
    guard let digests else { return }
    expected.wait(for: Set(digests.keys))
    let served = live.present.world
    let others = Set(
      accepted.filter { served[$0.game] != nil && AcceptedCatalog.digest(of: $0.files) != digests[$0.game] }.map(\.game))
    // If several hosts use the store, another digest means that another host has accepted other files.
    outdated = fleet == nil ? [] : others.filter { digests[$0] != nil }
    unsaved = others.subtracting(outdated)
  }

  /// Reads all catalog files again, and puts valid changes in force.
  /// - Parameters:
  ///   - now: The host's time, which dates new faults.
  ///   - cause: The event that caused the reload, for the log and the audit log.
  ///   - isDryRun: True to report the outcome for each game without changing anything.
  /// - Throws: ``StoreError`` if the store cannot write a new revision. That game stays as it was and is degraded; the others are in force.
  public func callAsFunction(
    now: Instant, because cause: ReloadCause, isDryRun: Bool = false
  ) async throws(StoreError) -> [ReloadOutcome] {
    await enter()
    defer { leave() }
    var outcomes: [ReloadOutcome] = []
    do throws(StoreError) {
      try await reload(now: now, because: cause, isDryRun: isDryRun, into: &outcomes)
    } catch {
      if !isDryRun { report(ReloadReport(cause: cause, outcomes: outcomes, storeError: error)) }
      throw error
    }
    if !isDryRun { report(ReloadReport(cause: cause, outcomes: outcomes)) }
    return outcomes
  }

  private func reload(
    now: Instant, because cause: ReloadCause, isDryRun: Bool, into outcomes: inout [ReloadOutcome]
  ) async throws(StoreError) {
    let readings = await source.read()
    let found = Dictionary(readings.games.map { ($0.game, $0) }) { $1 }
    let games = Set(found.keys).union(accepted.keys)
    let wrongBefore = refused
    if !isDryRun {
      warnings = readings.warnings
      late = []
      faulty = found.compactMapValues(\.faultyFile)
      refused = refused.filter { games.contains($0.key) }
    }
    var storeError: StoreError?
    for game in games.sorted() {
      let present = live.present.world[game]
      var verdict = CatalogVerdict(
        game, accepted: accepted[game], isInForce: present != nil, isSettled: present?.revision != 0 && !unsaved.contains(game),
        reading: found[game])
      if case .accept(_, let files, _)? = verdict, await isReverted(files, of: game) {
        verdict = .keep(.catalogDrift, details: [Self.driftWords])
      }
      guard let verdict else { continue }
      let wrong = (present?.degraded.filter { $0.kind != .templateRefused }.flatMap(\.details) ?? []) + (wrongBefore[game] ?? [])
      var outcome: ReloadOutcome
      do throws(StoreError) {
        outcome = try await apply(judged(verdict, of: game), to: game, now: now, because: cause, isDryRun: isDryRun)
        if !isDryRun, let files = found[game]?.files { fleet?.looked(at: files, of: game) }
      } catch {
        storeError = storeError ?? error
        outcome = await postpone(game, error, now: now)
      }
      outcome.isKnown = !outcome.faults.isEmpty && outcome.faults == wrong
      outcome.isRecovered = outcome.faults.isEmpty && !wrong.isEmpty
      outcomes.append(outcome)
    }
    if let storeError { throw storeError }
  }

  private func apply(
    _ verdict: CatalogVerdict, to game: String, now: Instant, because cause: ReloadCause, isDryRun: Bool
  ) async throws(StoreError) -> ReloadOutcome {
    let revision = live.present.world[game]?.revision
    switch verdict {
    case .unchanged:
      if !isDryRun { await forgetDrift(of: game) }
      let faults = isDryRun ? [] : await settle(game, files: notStored.contains(game) ? accepted[game] : nil, now: now)
      return ReloadOutcome(game: game, kind: .unchanged, revision: revision, faults: faults)
    case .accept(let catalog, let files, let warnings):
      if isDryRun { return ReloadOutcome(game: game, kind: .changed, revision: revision, faults: []) }
      // The revision rises before the files are stored. After a crash between these two steps, the revision only rises once more. In the
      // other order, a crash could leave a new catalog at the old revision.
      let revision = try await accept(catalog, of: game, files, warnings, because: cause, now: now)
      let faults = await settle(game, files: files, now: now)
      return ReloadOutcome(game: game, kind: .changed, revision: revision, faults: faults)
    case .keep(let what, let details):
      if !isDryRun {
        // If the store fails now, a later reload tries again.
        if unsaved.contains(game), let served = live.present.world[game], let files = accepted[game] {
          _ = try? await accept(served.catalog, of: game, files, served.warnings, because: .again, now: now)
        }
        if notStored.contains(game), let files = accepted[game] { _ = keep(game, files) }
        await degrade(game, what, details, now: now)
      }
      return ReloadOutcome(game: game, kind: .degraded, revision: live.present.world[game]?.revision, faults: details)
    case .refuse(let faults):
      if !isDryRun { refused[game] = faults }
      return ReloadOutcome(game: game, kind: .refused, revision: nil, faults: faults)
    }
  }

  func accept(
    _ catalog: Catalog, of game: String, _ files: [AcceptedFile], _ warnings: [String], because cause: ReloadCause, now: Instant
  ) async throws(StoreError) -> Int64 {
    let revision = try await AcceptCatalog(store: store, live: live).accept(
      CatalogAcceptance(
        catalog: catalog, files: files, warnings: warnings, former: accepted[game], isSettled: !unsaved.contains(game),
        author: cause.author, reason: cause.reason, cause: cause.word, now: now))
    noteAccepted(files, of: game)
    return revision
  }

  func noteAccepted(_ files: [AcceptedFile], of game: String) {
    accepted[game] = files
    refused[game] = nil
    switch store.health.condition {
    case .good, .lost: unsaved.remove(game)
    case .noSpace, .readOnly, .failing: unsaved.insert(game)
    }
  }

  /// Stores the accepted files, if there are any, on this host for the next start. Marks the game as degraded if that fails, and otherwise
  /// clears its degradation.
  /// - Returns: The fault if the files could not be stored; otherwise empty.
  func settle(_ game: String, files: [AcceptedFile]?, now: Instant) async -> [String] {
    if let files, let fault = keep(game, files) {
      let faults = ["in force, but it could not be stored for the next start: \(fault.message)"]
      await degrade(game, .catalogNotStored, faults, now: now)
      return faults
    }
    await degrade(game, by: [])
    return []
  }

  private func keep(_ game: String, _ files: [AcceptedFile]) -> StateFault? {
    do throws(StateFault) {
      try storedCatalogs.store(AcceptedCatalog(game: game, files: files))
      notStored.remove(game)
      return nil
    } catch {
      notStored.insert(game)
      return error
    }
  }

  /// Leaves a game as it is, because the store cannot accept its new catalog now.
  private func postpone(_ game: String, _ storeError: StoreError, now: Instant) async -> ReloadOutcome {
    late.insert(game)
    let faults = [
      "the store refuses the new catalog now: \(Self.words(of: storeError)); the catalog in force stays, and gameconfd tries again"
    ]
    let present = live.present.world[game]
    if present == nil { refused[game] = faults } else { await degrade(game, .catalogWaits, faults, now: now) }
    return ReloadOutcome(game: game, kind: present == nil ? .refused : .degraded, revision: present?.revision, faults: faults)
  }

  private static func words(of storeError: StoreError) -> String {
    switch storeError {
    case .noSpace: "no space is left"
    case .serverDiskFull(let words): "no space is left on the database server: \(words)"
    case .readOnly: "its disk is read-only"
    case .overloaded: "too many writes wait for it"
    case .late: "it did not answer in time"
    case .unavailable(let words), .failed(let words), .unknown(let words), .elsewhere(let words): words
    case .unreadable(let row): "\(row.phrase) cannot be read"
    }
  }

  func degrade(_ game: String, _ what: DegradationKind, _ details: [String], now: Instant) async {
    let since = live.present.world[game]?.degraded.first { $0.kind == what }?.since ?? now
    await degrade(game, by: [ActiveDegradation(what, since: since, details: details)])
  }

  private func degrade(_ game: String, by degraded: [ActiveDegradation]) async {
    guard let present = live.present.world[game], present.degraded.filter({ $0.kind != .templateRefused }) != degraded else { return }
    await live.change { world in
      guard let present = world[game] else { return world }
      // ``FollowTemplateFiles`` reports and ends a degradation by a refused template, so a reload of catalogs retains it.
      return world.replacing([present.degraded(by: degraded + present.degraded.filter { $0.kind == .templateRefused })])
    }
  }

  /// True if the files are those of the catalog that was reverted, so they have not changed since.
  private func isReverted(_ files: [AcceptedFile], of game: String) async -> Bool {
    let digest = AcceptedCatalog.digest(of: files)
    let reverted: Int64?
    do throws(StoreError) {
      reverted = try await store.readOnAnyThread(deadlineMilliseconds: Self.readDeadlineMilliseconds) { try $0.revertedDigest(of: game) }
    } catch { return false }
    return reverted == digest
  }

  /// Clears the digest of the reverted files once the game's files equal the catalog in force.
  private func forgetDrift(of game: String) async {
    guard live.present.world[game]?.degraded.contains(where: { $0.kind == .catalogDrift }) == true else { return }
    try? await store.write(refusing: StoreError.self) { transaction in try transaction.setRevertedDigest(nil, of: game) }
  }

  static let readDeadlineMilliseconds = 2_000
  private static let driftWords =
    "the catalog's file still has the reverted change; the catalog before it stays in force until the file changes, or the revert is reverted"

  func enter() async {
    if isRunning { await withCheckedContinuation { waiting.append($0) } } else { isRunning = true }
  }

  func leave() {
    if waiting.isEmpty { isRunning = false } else { waiting.removeFirst().resume() }
  }
}

extension ReloadCatalogs {
  /// Reverts the acceptance of a catalog: accepts the previous one again, under a new number. The present files are not accepted until they
  /// change.
  /// - Throws: ``ChangeRefusal``, for the reasons that ``OverrideService/revert(_:in:force:_:remembering:)`` has.
  public func revert(
    _ id: Int64, in game: String, force: Bool = false, _ context: ChangeContext,
    remembering: RepeatableChange<OverrideOutcome, ChangeRefusal>? = nil
  ) async throws(ChangeRefusal) -> ChangeAnswer<OverrideOutcome> {
    await enter()
    defer { leave() }
    let former = try await catalog(before: id, in: game)
    var read: CatalogLoad?
    if let former { read = await source.read(AcceptedCatalog(game: game, files: former.files)) }
    let reading = read
    let present = accepted[game]
    let isSettled = !unsaved.contains(game)
    let accepting = AcceptCatalog(store: store, live: live)
    let answered = try await store.change(
      WriteMode(isDryRun: context.isDryRun, isAlone: true), remembering: remembering,
      reused: ChangeRefusal.repeatedWithOtherContent
    ) { transaction in
      if case .gameRevision(let expected)? = context.precondition {
        let actual = try transaction.revision(of: game)
        if actual != expected { throw ChangeRefusal.changedMeanwhile(revision: actual) }
      }
      guard let line = try transaction.audit(id), line.game == game else { throw ChangeRefusal.unknownAudit(id) }
      guard line.action.isOfCatalog, let undo = line.undo else { throw ChangeRefusal.notRevertible(line.action) }
      let newest = try transaction.newestCatalog(of: game)
      if !force {
        if let other = line.revertedBy { throw ChangeRefusal.alreadyReverted(by: other) }
        guard newest?.number == undo.after.integerValue else { throw ChangeRefusal.changedSince }
      }
      guard let former, let reading else { throw ChangeRefusal.formerGone(Self.goneWords) }
      guard case .read(let catalog, let warnings) = reading.outcome else {
        throw ChangeRefusal.formerGone("The previous catalog can no longer be read: \(Self.faults(of: reading))")
      }
      var acceptance = CatalogAcceptance(
        catalog: catalog, files: former.files, warnings: warnings, former: present, isSettled: isSettled, author: context.author,
        reason: context.reason, cause: nil, now: context.now)
      acceptance.reverts = id
      try transaction.setRevertedDigest(newest?.digest, of: game)
      let own = try accepting.accept(acceptance, in: transaction)
      try transaction.markReverted(line, by: own.id)
      return OverrideOutcome(revision: own.revision ?? 0, slots: [], removed: [], window: nil, lines: [own])
    }
    if case .fresh = answered, !context.isDryRun, let former { await noteReverted(to: former.files, of: game, now: context.now) }
    return answered
  }

  private static let goneWords =
    "The previous catalog is no longer stored: only the newest \(StoreLimits.catalogsMax) of a game are."

  private static func faults(of reading: CatalogLoad) -> String {
    if case .refused(let faults) = reading.outcome { faults.joined(separator: "; ") } else { "" }
  }

  /// Returns the game's catalog before the acceptance that a line of the audit log records; nil if that catalog is no longer stored.
  private func catalog(before id: Int64, in game: String) async throws(ChangeRefusal) -> StoredCatalog? {
    do throws(StoreError) {
      return try await store.read(deadlineMilliseconds: Self.readDeadlineMilliseconds) { view in
        guard let number = try view.audit(id)?.undo?.before.integerValue else { return nil }
        return try view.catalog(number, of: game)
      }
    } catch { throw .store(error) }
  }

  /// Stores the files of a catalog that a revert put in force, and reports drift if the game's present files are the reverted ones.
  private func noteReverted(to files: [AcceptedFile], of game: String, now: Instant) async {
    noteAccepted(files, of: game)
    let faults = await settle(game, files: files, now: now)
    guard faults.isEmpty, let found = await source.read().games.first(where: { $0.game == game }) else { return }
    if await isReverted(found.files, of: game) { await degrade(game, .catalogDrift, [Self.driftWords], now: now) }
  }

  /// Removes a game whose file was removed. Its players, purchases and overrides stay for a future catalog of that name.
  /// - Returns: The removed data; an outcome without a change if the game was unknown.
  public func forget(_ game: String, _ context: ChangeContext) async throws(ChangeRefusal) -> GameRemovalOutcome {
    await enter()
    defer { leave() }
    if let found = await source.read().games.first(where: { $0.game == game }) {
      throw .fileExists(found.files.first?.name ?? game + ".yaml")
    }
    let counts = live.present.world.overrides(of: game).counts
    var gone = GameRemovalOutcome(
      game: game, isKnown: live.present.world[game] != nil || expected.contains(game) || refused[game] != nil,
      overrides: counts.game + counts.players)
    guard gone.isKnown, !context.isDryRun else { return gone }
    do throws(StoreError) {
      gone.revision = try await store.write(WriteMode(isAlone: true), refusing: StoreError.self) { transaction in
        let revision = try transaction.nextRevision(of: game)
        try transaction.forgetCatalogs(of: game)
        var line = AuditRecord(context, action: .catalogForgotten, game: game)
        line.revision = revision
        try transaction.append(line)
        return revision
      }
    } catch { throw .store(error) }
    do throws(StateFault) { try storedCatalogs.remove(game: game) } catch { gone.leftBehind = "\(error.path): \(error.message)" }
    if gone.leftBehind == nil { accepted[game] = nil }
    expected.remove(game)
    notStored.remove(game)
    unsaved.remove(game)
    late.remove(game)
    refused[game] = nil
    return gone
  }
}
