// Brings a new catalog into force: revision, quarantine and audit in one transaction.

internal import GameConfCore
public import GameConfStorage

/// A catalog that is to be accepted: what it was read from, on whose behalf, and why.
struct CatalogAcceptance: Sendable {
  let catalog: Catalog
  /// The files that it was read from.
  let files: [AcceptedFile]
  let warnings: [String]
  /// The files that the game's catalog was accepted from before; nil when there were none.
  let former: [AcceptedFile]?
  /// True if the store knows what was served before at its revision; if not, every key counts as changed.
  let isSettled: Bool
  let author: Author
  let reason: String?
  /// The cause of the acceptance, in a word; nil where it was the author.
  let cause: String?
  /// The line of the audit log that it takes back.
  var reverts: Int64?
  let now: Instant
}

/// Accepts a game's catalog.
///
/// What it changes gets a new revision; overrides it does not admit go to quarantine. Every reader sees it on return, and it is durable unless
/// the store cannot store it: then it is in force over what is served all the same.
struct AcceptCatalog: Sendable {
  let store: any Store
  let live: LiveWorld

  /// - Returns: the game's revision from then on.
  func accept(_ acceptance: CatalogAcceptance) async throws(StoreError) -> Int64 {
    let game = acceptance.catalog.game
    let mode = WriteMode(isAlone: true, scope: .game(game))
    let body: @Sendable (any StateTransaction) throws -> Int64 = { transaction in
      // The files have changed since what they said was taken back.
      try transaction.setRevertedDigest(nil, of: game)
      return try accept(acceptance, in: transaction).revision ?? 0
    }
    if survivesLoss(game) { return try await store.writeSurviving(mode, refusing: StoreError.self, body) }
    return try await store.write(mode, refusing: StoreError.self) { try body($0) }
  }

  /// Accepts it within a transaction that runs alone.
  /// - Returns: the line of the audit log, with the revision.
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

  /// Keeps the bytes, and those before where they are not kept yet.
  /// - Returns: the number of the acceptance before, where there was one, and of this one.
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

  /// A lost store keeps what is made in memory in the last good state. One that may be good again soon does not: there a catalog waits, unless
  /// its game would be absent.
  private func survivesLoss(_ game: String) -> Bool {
    if case .lost = store.health.condition { return true }
    return live.present.world[game] == nil
  }

  /// The keys whose answers the new catalog may change: added, removed and different ones, and all that refer to them.
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
  /// An acceptance was taken back: a former catalog was accepted again.
  public static let catalogReverted = AuditAction(.catalogReverted)
  /// A game whose file is gone was let go.
  public static let catalogForgotten = AuditAction(.catalogForgotten)

  /// True if it is the acceptance of a catalog, which is taken back by accepting another.
  public var isOfCatalog: Bool { self == .catalogAccepted || self == .catalogReverted }
}
