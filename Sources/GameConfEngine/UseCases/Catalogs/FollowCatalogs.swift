// Follows the catalogs of a fleet: a catalog accepted on one host applies to all, and outdated files do not replace newer catalogs.
public import GameConfCore
import GameConfStorage

/// The catalog files of one host, compared with the games of its fleet. The comparison decides which files this host may accept.
struct FleetCatalogFiles {
  /// The games that had a revision in the fleet's database when this host started, served or not.
  let games: Set<String>
  /// The digests of this host's catalog files when they were last read, by game.
  private var seen: [String: Int64] = [:]

  init(games: Set<String>) { self.games = games }

  /// Adjusts the decision about a game's files to the fleet. When a host starts, its files only add games that the fleet never had. Later,
  /// only files that changed on this host since the last reading are accepted. Other differences are drift: another host has accepted
  /// another catalog.
  func judge(_ verdict: CatalogVerdict, of game: String, accepted: [AcceptedFile]?) -> CatalogVerdict {
    guard case .accept(_, let files, _) = verdict else { return verdict }
    let digest = AcceptedCatalog.digest(of: files)
    if let accepted, AcceptedCatalog.digest(of: accepted) == digest { return verdict }
    if let last = seen[game] {
      if last != digest { return verdict }
    } else if accepted == nil, !games.contains(game) {
      return verdict
    }
    return accepted == nil ? .refuse([Self.forgottenWords]) : .keep(.catalogDrift, details: [Self.driftWords])
  }

  /// Records the digest of a game's catalog files, which were just read.
  mutating func looked(at files: [AcceptedFile], of game: String) { seen[game] = AcceptedCatalog.digest(of: files) }

  /// True if this host's files of the game had the same digest at the last reading, or were never read.
  func isUnchanged(_ digest: Int64, of game: String) -> Bool { seen[game].map { $0 == digest } ?? true }

  /// True if this host's files of the game had another digest at the last reading.
  func differs(_ digest: Int64, of game: String) -> Bool { seen[game].map { $0 != digest } ?? false }

  static let driftWords =
    "this host's files differ from the catalog in force in the fleet; update them, or reload here to put them in force"
  private static let forgottenWords =
    "the game was forgotten in the fleet; to serve it again, change its file on a host and reload there"
}

extension ReloadCatalogs {
  /// Adjusts the decision about a game's files to the fleet; returns it unchanged on a host without a fleet.
  /// - Throws: ``StoreError`` if the game is served and the fleet's catalog cannot be read from the store. The game then stays as it is.
  func judged(_ verdict: CatalogVerdict, of game: String) async throws(StoreError) -> CatalogVerdict {
    guard let fleet else { return verdict }
    let judged = fleet.judge(verdict, of: game, accepted: accepted[game])
    if case .refuse = judged, accepted[game] == nil, expected.contains(game) { return .refuse([ExpectedGames.awaitedWords]) }
    guard case .accept(_, let files, _) = judged else { return judged }
    let digest = AcceptedCatalog.digest(of: files)
    guard fleet.isUnchanged(digest, of: game) else { return judged }
    // This host's file has not changed. So a catalog that other hosts accepted since this host's start, or while this host had no database,
    // stays in force.
    var other: Int64?
    do throws(StoreError) {
      other = try await store.readOnAnyThread(deadlineMilliseconds: Self.readDeadlineMilliseconds) {
        try $0.newestCatalog(of: game)?.digest
      }
    } catch {
      if live.present.world[game] != nil { throw error }
      return judged
    }
    guard let other, other != digest else { return judged }
    return live.present.world[game] == nil
      ? .refuse([FleetCatalogFiles.driftWords]) : .keep(.catalogDrift, details: [FleetCatalogFiles.driftWords])
  }

  /// Applies the catalogs that other hosts have accepted or removed.
  /// - Parameter games: The games whose catalog in the store differs from this host's.
  /// - Returns: The games that could not be read or published now; pass them to a later call.
  public func follow(_ games: [String], now: Instant) async -> [String] {
    await enter()
    defer { leave() }
    var left: [String] = []
    for game in games.sorted() {
      do throws(StoreError) {
        switch try await stored(game) {
        case .catalog(let stored): try await take(stored, of: game, now: now)
        case .forgotten: try await letGo(game)
        case .unknown: try await bringBack(game, now: now)
        }
      } catch {
        left.append(game)
      }
    }
    return left
  }

  /// The state of a game's catalog in the store.
  private enum StoredCatalogState: Sendable {
    case catalog(StoredCatalog)
    case forgotten
    /// There is neither a catalog nor an audit line about its removal: the database has lost it.
    case unknown
  }

  private func stored(_ game: String) async throws(StoreError) -> StoredCatalogState {
    try await store.readOnAnyThread(deadlineMilliseconds: Self.readDeadlineMilliseconds) { view in
      if let newest = try view.newestCatalog(of: game), let catalog = try view.catalog(newest.number, of: game) { return .catalog(catalog) }
      var forgotten = AuditSelection(game: game, limit: 1)
      forgotten.action = .catalogForgotten
      return try view.audits(forgotten).isEmpty ? .unknown : .forgotten
    }
  }

  /// Accepts the served catalog again, because the database has lost it.
  private func bringBack(_ game: String, now: Instant) async throws(StoreError) {
    guard let served = live.present.world[game], let files = accepted[game] else { return expected.remove(game) }
    unsaved.insert(game)
    _ = try await accept(served.catalog, of: game, files, served.warnings, because: .again, now: now)
  }

  private func take(_ stored: StoredCatalog, of game: String, now: Instant) async throws(StoreError) {
    // While the world awaits a catalog, an equal digest is not enough: another host may have accepted this host's catalog again, after a
    // different one that this host never read.
    let isAwaited = live.present.world.awaitsCatalog(of: game)
    if !isAwaited, let present = accepted[game], AcceptedCatalog.digest(of: present) == stored.digest { return }
    let reading = await source.read(AcceptedCatalog(game: game, files: stored.files))
    guard case .read(let catalog, let warnings) = reading.outcome else {
      var faults: [String] = []
      if case .refused(let found) = reading.outcome { faults = found }
      await degrade(game, .catalogRefused, ["another host accepted a catalog that this one cannot read"] + faults, now: now)
      // The degradation ends the wait for the catalog. This publication raises the game's served revision to that of the database. A client
      // that sends the served revision as a precondition is then not refused.
      return try await store.write(WriteMode(isAlone: true, scope: .game(game)), refusing: StoreError.self) { transaction in
        transaction.publish(.revision(game: game, revision: try transaction.revision(of: game)))
      }
    }
    let isTaken = try await store.write(WriteMode(isAlone: true, scope: .game(game)), refusing: StoreError.self) {
      [present = live.present] transaction in
      guard try transaction.newestCatalog(of: game)?.number == stored.number else { return false }
      var revision = try transaction.revision(of: game)
      if let served = present.world[game], served.revision >= revision {
        // On this host the revision already names values of the former catalog, because another change of the game was served meanwhile.
        revision = try transaction.nextRevision(of: game)
        try transaction.setRevision(revision, at: AcceptCatalog.changedKeys(from: served.catalog, to: catalog), of: game)
      }
      transaction.publish(.catalog(catalog, revision: revision, keyRevisions: try transaction.keyRevisions(of: game), warnings: warnings))
      return true
    }
    // The catalog is not taken if another host has accepted a newer one meanwhile, which is published separately.
    guard isTaken else { return }
    noteAccepted(stored.files, of: game)
    let faults = await settle(game, files: stored.files, now: now)
    if faults.isEmpty, fleet?.differs(stored.digest, of: game) == true {
      await degrade(game, .catalogDrift, [FleetCatalogFiles.driftWords], now: now)
    }
  }

  private func letGo(_ game: String) async throws(StoreError) {
    guard accepted[game] != nil || live.present.world[game] != nil else { return expected.remove(game) }
    try await store.write(WriteMode(isAlone: true, scope: .game(game)), refusing: StoreError.self) { transaction in
      guard try transaction.newestCatalog(of: game) == nil else { return }
      transaction.publish(.catalogForgotten(game: game))
    }
    // If the removal of the stored files fails, the next start finds that the database has no catalog of the game, and does not serve it.
    try? storedCatalogs.remove(game: game)
    accepted[game] = nil
    expected.remove(game)
  }
}
