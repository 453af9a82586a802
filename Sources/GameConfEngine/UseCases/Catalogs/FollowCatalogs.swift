// Catalogs of a fleet: what is accepted on one host is in force on all, and a host's files bring nothing old back.
public import GameConfCore
import GameConfStorage

/// The relation of one host's catalog files to the games of a fleet.
struct FleetFiles {
  /// The games of which there were revisions when this host started, whatever has become of them.
  let games: Set<String>
  /// The digests of this host's files when they were last looked at, by game.
  private var seen: [String: Int64] = [:]

  init(games: Set<String>) { self.games = games }

  /// At its start a host's files add only games that the fleet never had; later those that were changed here since this host last looked. All others
  /// are drift: another host has accepted something else meanwhile.
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

  /// Notes what the files say.
  mutating func looked(at files: [AcceptedFile], of game: String) { seen[game] = AcceptedCatalog.digest(of: files) }

  /// True if the files of this host say what they said when they were last looked at, or were not looked at yet.
  func isUnchanged(_ digest: Int64, of game: String) -> Bool { seen[game].map { $0 == digest } ?? true }

  /// True if the files of this host said something else when they were last looked at.
  func differs(_ digest: Int64, of game: String) -> Bool { seen[game].map { $0 != digest } ?? false }

  static let driftWords =
    "this host's files differ from the catalog in force in the fleet; update them, or reload here to put them in force"
  private static let forgottenWords =
    "the game was forgotten in the fleet; to serve it again, change its file on a host and reload there"
}

extension ReloadCatalogs {
  /// Decides what becomes of a game on a host of a fleet; the same where this host is alone.
  /// - Throws: where the game is served and the store cannot be asked for what the others have accepted: then it stays as it is.
  func judged(_ verdict: CatalogVerdict, of game: String) async throws(StoreError) -> CatalogVerdict {
    guard let fleet else { return verdict }
    let judged = fleet.judge(verdict, of: game, accepted: accepted[game])
    if case .refuse = judged, accepted[game] == nil, expected.contains(game) { return .refuse([ExpectedGames.awaitedWords]) }
    guard case .accept(_, let files, _) = judged else { return judged }
    let digest = AcceptedCatalog.digest(of: files)
    guard fleet.isUnchanged(digest, of: game) else { return judged }
    // Nobody has changed the file here: what others have accepted since this host started, or while it was without the database, stays.
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
    return live.present.world[game] == nil ? .refuse([FleetFiles.driftWords]) : .keep(.catalogDrift, details: [FleetFiles.driftWords])
  }

  /// Brings into force what other hosts have accepted or let go.
  /// - Parameter games: those of which the store has another catalog than this host had read.
  /// - Returns: the games that could not be read or published now, for another call.
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
    /// No catalog, and no word of one that was forgotten: the database has lost it.
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

  /// Accepts once more what is served, where the database knows nothing of it.
  private func bringBack(_ game: String, now: Instant) async throws(StoreError) {
    guard let served = live.present.world[game], let files = accepted[game] else { return expected.remove(game) }
    unsaved.insert(game)
    _ = try await accept(served.catalog, of: game, files, served.warnings, because: .again, now: now)
  }

  private func take(_ stored: StoredCatalog, of game: String, now: Instant) async throws(StoreError) {
    // A catalog that is in force here may be accepted again before the one between them was read.
    let isAwaited = live.present.world.awaitsCatalog(of: game)
    if !isAwaited, let present = accepted[game], AcceptedCatalog.digest(of: present) == stored.digest { return }
    let reading = await source.read(AcceptedCatalog(game: game, files: stored.files))
    guard case .read(let catalog, let warnings) = reading.outcome else {
      var faults: [String] = []
      if case .refused(let found) = reading.outcome { faults = found }
      await degrade(game, .catalogRefused, ["another host accepted a catalog that this one cannot read"] + faults, now: now)
      // Nothing is awaited any more. A change that is made on condition of a revision compares that of the database.
      return try await store.write(WriteMode(isAlone: true, scope: .game(game)), refusing: StoreError.self) { transaction in
        transaction.publish(.revision(game: game, revision: try transaction.revision(of: game)))
      }
    }
    let isTaken = try await store.write(WriteMode(isAlone: true, scope: .game(game)), refusing: StoreError.self) {
      [present = live.present] transaction in
      guard try transaction.newestCatalog(of: game)?.number == stored.number else { return false }
      var revision = try transaction.revision(of: game)
      if let served = present.world[game], served.revision >= revision {
        // The revision names values of the former catalog here: something else of the game was served meanwhile.
        revision = try transaction.nextRevision(of: game)
        try transaction.setRevision(revision, at: AcceptCatalog.changedKeys(from: served.catalog, to: catalog), of: game)
      }
      transaction.publish(.catalog(catalog, revision: revision, keyRevisions: try transaction.keyRevisions(of: game), warnings: warnings))
      return true
    }
    // A newer one is published by itself.
    guard isTaken else { return }
    noteAccepted(stored.files, of: game)
    let faults = await settle(game, files: stored.files, now: now)
    if faults.isEmpty, fleet?.differs(stored.digest, of: game) == true {
      await degrade(game, .catalogDrift, [FleetFiles.driftWords], now: now)
    }
  }

  private func letGo(_ game: String) async throws(StoreError) {
    guard accepted[game] != nil || live.present.world[game] != nil else { return expected.remove(game) }
    try await store.write(WriteMode(isAlone: true, scope: .game(game)), refusing: StoreError.self) { transaction in
      guard try transaction.newestCatalog(of: game) == nil else { return }
      transaction.publish(.catalogForgotten(game: game))
    }
    // Where its bytes stay, a start finds them unknown to the store and does not serve them.
    try? kept.remove(game: game)
    accepted[game] = nil
    expected.remove(game)
  }
}
