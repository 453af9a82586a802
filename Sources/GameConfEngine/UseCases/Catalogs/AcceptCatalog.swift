// Brings a new catalog into force: revision, quarantine and audit in one turn.

internal import GameConfCore

/// Accepts a game's catalog.
///
/// What it changes gets a new revision; overrides it does not admit go to quarantine. Every reader sees it on return, and it is durable unless
/// the store is lost: then it is in force over what is served all the same.
struct AcceptCatalog: Sendable {
  let store: any Store
  let live: LiveWorld

  /// - Parameters:
  ///   - files: what the catalog was read from.
  ///   - isSettled: whether the store knows what was served before at its revision; if not, every key counts as changed.
  /// - Returns: the game's revision from then on.
  func callAsFunction(
    _ catalog: Catalog, from files: [AcceptedFile], warnings: [String], isSettled: Bool, now: Instant
  ) async throws(StoreError) -> Int64 {
    let present = live.present
    let game = catalog.game
    let digest = AcceptedCatalog.digest(of: files)
    let mode = WriteMode(isAlone: true, survivesLoss: survivesLoss(game), scope: .game(game))
    return try await store.write(mode, refusing: StoreError.self) { turn in
      let before = present.world[game]
      let revision = try turn.nextRevision(of: game)
      for key in Self.changedKeys(from: isSettled ? before?.catalog : nil, to: catalog) {
        try turn.setRevision(revision, at: OverrideSlot(game: game, key: key))
      }
      try turn.setCatalogDigest(digest, of: game)
      let world = present.world
      let candidate = GameSnapshot(
        catalog: catalog, overrides: world.overrides(of: game), revision: revision, template: world.templates.template(for: catalog))
      let keyRevisions = try turn.keyRevisions(of: game)
      turn.publish(.catalog(catalog, revision: revision, keyRevisions: keyRevisions, warnings: warnings))
      let checking = WorldChecking(present, candidate: candidate)
      _ = try QuarantineOverrides()(in: turn, game: game, checking: checking, revision: revision, now: now)
      var line = AuditRecord(at: now, author: .daemon, action: .catalogAccepted, game: game)
      line.revision = revision
      turn.publish(.audited(try turn.append(line)))
      return revision
    }
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
  public static let catalogAccepted = AuditAction(rawValue: "catalog.accept")
}
