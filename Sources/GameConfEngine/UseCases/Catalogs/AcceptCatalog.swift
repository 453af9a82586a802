// Accepts a new catalog: revision, quarantine and audit line in one transaction.

internal import GameConfCore
public import GameConfStorage

/// A catalog to accept, with its files, the author and the reason.
struct CatalogAcceptance: Sendable {
  let catalog: Catalog
  let files: [AcceptedFile]
  let warnings: [String]
  /// The files of the catalog that was accepted before; nil for the game's first catalog.
  let former: [AcceptedFile]?
  /// True if the database has the previous catalog at the served revision. If not, every key counts as changed.
  let isSettled: Bool
  let author: Author
  let reason: String?
  /// The cause of the acceptance, as a word for the audit log such as `sighup`; nil if the author requested it.
  let cause: String?
  /// The audit line whose acceptance this one reverts; nil for an ordinary acceptance.
  var reverts: Int64?
  let now: Instant
}

/// The use case that puts a new catalog of a game in force.
///
/// Changed keys get a new revision, and overrides that the catalog does not admit are quarantined. When the call returns, every reader sees
/// the catalog. It is durable too, unless the database cannot be written and only the served state changes.
struct AcceptCatalog: Sendable {
  let store: any Store
  let live: LiveWorld

  /// - Returns: The game's revision from which the catalog is in force.
  func accept(_ acceptance: CatalogAcceptance) async throws(StoreError) -> Int64 {
    let game = acceptance.catalog.game
    let mode = WriteMode(isAlone: true, scope: .game(game))
    let body: @Sendable (any StateTransaction) throws -> Int64 = { transaction in
      // A reverted catalog is not accepted again while its files stay the same. Now other files are accepted, so its digest is cleared.
      try transaction.setRevertedDigest(nil, of: game)
      return try accept(acceptance, in: transaction).revision ?? 0
    }
    if survivesLoss(game) { return try await store.writeSurviving(mode, refusing: StoreError.self, body) }
    return try await store.write(mode, refusing: StoreError.self) { try body($0) }
  }

  /// Accepts the catalog within a transaction that shares its batch with no other transaction.
  /// - Returns: The audit line, with the revision.
  func accept(_ acceptance: CatalogAcceptance, in transaction: any StateTransaction) throws -> AuditRecord {
    let present = live.present
    let (catalog, game) = (acceptance.catalog, acceptance.catalog.game)
    let before = present.world[game]
    let revision = try transaction.nextRevision(of: game)
    let keys = Self.changedKeys(from: acceptance.isSettled ? before?.catalog : nil, to: catalog)
    try transaction.accept(AcceptedCatalog.digest(of: acceptance.files), changing: keys, at: revision, of: game)
    let (former, number) = try keep(acceptance, in: transaction)
    let world = present.world
    let candidate = GameSnapshot(catalog: catalog, keyRevisions: [:], world.state(for: catalog, over: before?.state, revision: revision))
    let keyRevisions = try transaction.keyRevisions(of: game)
    let warnings = acceptance.warnings + CatalogChanges.movedShares(from: before?.catalog, to: candidate)
    transaction.publish(.catalog(catalog, revision: revision, keyRevisions: keyRevisions, warnings: warnings))
    let checking = WorldChecking(present, candidate: candidate)
    _ = try transaction.quarantineOverrides(in: game, checking: checking, revision: revision, now: acceptance.now)
    var line = AuditRecord(
      at: acceptance.now, author: acceptance.author, action: acceptance.reverts == nil ? .catalogAccepted : .catalogReverted, game: game,
      reason: acceptance.reason)
    line.revision = revision
    line.reverts = acceptance.reverts
    let changes = CatalogChanges(from: before?.catalog, to: catalog)
    (line.before, line.after) = (changes.before, changes.after)
    line.detail = .object(changes.detail(number: number, former: former, acceptance))
    if let former { line.undo = AuditUndo(before: .integer(former), after: .integer(number)) }
    return try transaction.append(line, about: Set(changes.keys))
  }

  /// Stores the files, and the previous files if they are not stored yet.
  /// - Returns: The number of the game's previous acceptance, if there is one, and the number of this one.
  private func keep(_ acceptance: CatalogAcceptance, in transaction: any StateTransaction) throws -> (former: Int64?, number: Int64) {
    let game = acceptance.catalog.game
    var newest = try transaction.newestCatalog(of: game)
    if let former = acceptance.former {
      let digest = AcceptedCatalog.digest(of: former)
      if newest?.digest != digest {
        let stored = StoredCatalog(number: (newest?.number ?? 0) + 1, digest: digest, files: former)
        try transaction.append(stored, of: game)
        newest = (stored.number, digest)
      }
    }
    let number = (newest?.number ?? 0) + 1
    try transaction.append(
      StoredCatalog(number: number, digest: AcceptedCatalog.digest(of: acceptance.files), files: acceptance.files), of: game)
    return (acceptance.former == nil ? nil : newest?.number, number)
  }

  /// True if the acceptance may run without the database. If the database is lost, the store writes the acceptance to its last good state.
  /// During a temporary failure it does not, so the new catalog waits unless its game is not served at all.
  private func survivesLoss(_ game: String) -> Bool {
    if case .lost = store.health.condition { return true }
    return live.present.world[game] == nil
  }

  /// Returns the keys whose values may differ under the new catalog: added, removed and changed parameters, and all parameters that refer
  /// to them.
  static func changedKeys(from old: Catalog?, to new: Catalog) -> Set<String> {
    guard let old else { return Set(new.parameters.map(\.key)) }
    var before: [String: Parameter] = [:]
    for parameter in old.parameters { before[parameter.key] = parameter }
    var changed = Set<String>()
    for parameter in new.parameters where before.removeValue(forKey: parameter.key) != parameter { changed.insert(parameter.key) }
    changed.formUnion(before.keys)
    for parameter in new.parameters {
      let isLocalized = parameter.type == .localized || parameter.schema?.isLocalized == true
      if isLocalized, old.locales != new.locales { changed.insert(parameter.key) }
      if parameter.flagd != nil || !parameter.rules.isEmpty, old.fractional != new.fractional { changed.insert(parameter.key) }
    }
    var grown = true
    while grown {
      grown = false
      for parameter in new.parameters where !changed.contains(parameter.key) && !changed.isDisjoint(with: parameter.references) {
        changed.insert(parameter.key)
        grown = true
      }
    }
    return changed
  }
}

extension AuditAction {
  /// A game's catalog was accepted.
  public static let catalogAccepted = AuditAction(.catalogAccepted)
  /// An acceptance was reverted: a former catalog was accepted again.
  public static let catalogReverted = AuditAction(.catalogReverted)
  /// A game whose catalog file is gone was removed.
  public static let catalogForgotten = AuditAction(.catalogForgotten)

  /// True for the acceptance of a catalog, which is reverted by accepting another.
  public var isOfCatalog: Bool { self == .catalogAccepted || self == .catalogReverted }
}
