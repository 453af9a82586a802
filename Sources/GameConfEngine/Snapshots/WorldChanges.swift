// Applies a committed batch to the world.

internal import GameConfCore
public import GameConfStorage

extension World {
  /// Returns the world after changes of the stored state, applied in their order.
  public func applying(_ changes: [StoreChange]) -> World {
    var reached = state
    reached.apply(changes)
    for case .replaced(let contents) in changes { reached = contents.state }
    return applying(changes, reaching: reached)
  }

  /// Returns the world after a batch of changes. The games that the batch changes are computed again from the stored state after it.
  public func applying(_ changes: [StoreChange], reaching state: StoredState) -> World {
    var drafts: [String: GameDraft] = [:]
    var world = over(state)
    // By game, the revision of a snapshot that was computed before the transaction. The snapshot already includes the changes of overrides
    // that come later in the list `changes`.
    var precomputed: [String: Int64] = [:]
    // The new revisions of games. A game gets its revision with the changes of that revision, or at the end if there is no such change.
    var raised: [String: Int64] = [:]

    func change(_ game: String, _ body: (inout GameDraft) -> Void) {
      guard var draft = drafts.removeValue(forKey: game) ?? world[game].map({ GameDraft($0, over: state) }) else { return }
      body(&draft)
      drafts[game] = draft
    }

    for each in changes {
      switch each {
      case .overrides(let overrides, let revision, _):
        let game = overrides.slot.game
        // A key with unchanged overrides got its new revision from the awaited catalog, and its new value comes with that catalog.
        let slot = overrides.slot
        if slot.player == nil, world.awaitsCatalog(of: game), overrides == self.state[slot] ?? KeyOverrides(slot: slot) { continue }
        if precomputed[game] != revision { change(game) { $0.note(slot, revision: revision) } }
      case .overridesMany(let many):
        guard let game = many.slots.first?.slot.game, precomputed[game] != many.revision else { continue }
        change(game) { for overrides in many.slots { $0.note(overrides.slot, revision: many.revision) } }
      case .precomputed(let before, let after):
        let game = after.game
        // A snapshot precomputed from another state would discard the changes made to the game since that state.
        guard let after = after as? GameSnapshot, drafts[game] == nil, world[game] === before,
          raised[game] ?? after.revision == after.revision
        else { continue }
        world = world.replacing([after])
        precomputed[game] = after.revision
      case .forgotten(let id, _):
        // Most forgotten players had nothing that a game's snapshot contains, so the game is computed again only if its state differs.
        guard drafts[id.game] == nil, let game = world[id.game], GameDraft(game, over: state).state != game.state else { continue }
        change(id.game) { _ in }
      case .revision(let game, let revision): raised[game] = revision
      case .catalogAccepted(let game, _, _): world = world.awaiting(world.awaited.union([game]))
      case .keys(let keys, let game, let revision): change(game) { $0.touch(keys, revision: revision) }
      case .catalog(let catalog, let revision, let keyRevisions, let warnings):
        drafts[catalog.game] = nil
        var own = world.state(for: catalog, over: world[catalog.game]?.state, revision: revision)
        own.warnings = warnings
        let snapshot = GameSnapshot(catalog: catalog, keyRevisions: keyRevisions, own)
        world = world.replacing([snapshot]).awaiting(world.awaited.subtracting([catalog.game]))
      case .catalogForgotten(let game):
        drafts[game] = nil
        world = world.removing(game).awaiting(world.awaited.subtracting([game]))
      case .replaced:
        drafts = [:]
        world = world.renewed(since: epoch).awaiting([])
      case .template(let game, let template, let changed, let revision):
        change(game) { $0.put(template, changed: changed, revision: revision) }
      case .templateStored(let game, _):
        change(game) { draft in if let template = world.template(for: draft.base.catalog) { draft.put(template) } }
      default:
        // The stored state has all other changes already, so an empty change suffices to compute the game again.
        if let game = each.game { change(game) { _ in } }
      }
    }
    for (game, revision) in raised
    where (drafts[game] != nil || !world.awaitsCatalog(of: game))
      && (drafts[game]?.revision ?? world[game]?.revision ?? revision) < revision
    {
      change(game) { $0.raise(to: revision) }
    }
    return world.replacing(drafts.values.map { $0.snapshot() })
  }

  /// Returns the world with the same catalogs after the whole stored state was replaced, as by a restore.
  /// - Parameter former: The epoch of the world before the replacement.
  private func renewed(since former: UInt64) -> World {
    // Revisions only rise within an epoch. Revisions of other epochs do not count. The epoch 0 means that the world has
    // no epoch yet.
    let isOther = former != 0 && epoch != 0 && former != epoch
    return replacing(
      games.map { game in
        let revision = max(isOther ? 0 : game.revision, state.revisions[game.game] ?? 0)
        return GameSnapshot(
          catalog: game.catalog, keyRevisions: state.keyRevisions(of: game.game),
          self.state(for: game.catalog, over: game.state, revision: revision))
      })
  }
}
