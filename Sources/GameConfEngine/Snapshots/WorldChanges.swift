// Applies a committed batch to the world.

internal import GameConfCore
public import GameConfStorage

extension World {
  /// The world after changes.
  public func applying(_ changes: [StoreChange]) -> World {
    var reached = state
    reached.apply(changes)
    for case .replaced(let contents) in changes { reached = contents.state }
    return applying(changes, reaching: reached)
  }

  /// The world after a batch. The games that its changes name are made again, out of the state after it.
  public func applying(_ changes: [StoreChange], reaching state: StoredState) -> World {
    var drafts: [String: GameDraft] = [:]
    var world = over(state)
    // The revisions of what was made before its transaction: what the batch says of it one by one is in already.
    var precomputed: [String: Int64] = [:]
    // A game takes a revision with what follows at that revision; if nothing does, at the end.
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
        // A key with the overrides that it had has another revision by the catalog that is awaited, and its value comes with that.
        let slot = overrides.slot
        if slot.player == nil, world.awaitsCatalog(of: game), overrides == self.state[slot] ?? KeyOverrides(slot: slot) { continue }
        if precomputed[game] != revision { change(game) { $0.note(slot, revision: revision) } }
      case .overridesMany(let many):
        guard let game = many.slots.first?.slot.game, precomputed[game] != many.revision else { continue }
        change(game) { for overrides in many.slots { $0.note(overrides.slot, revision: many.revision) } }
      case .precomputed(let before, let after):
        let game = after.game
        // Made of another state, it would take away what came between.
        guard let after = after as? GameSnapshot, drafts[game] == nil, world[game] === before,
          raised[game] ?? after.revision == after.revision
        else { continue }
        world = world.replacing([after])
        precomputed[game] = after.revision
      case .forgotten(let id, _):
        // Most players leave nothing behind that a game shows.
        guard let game = world[id.game], !game.overrides.isSame(as: state.overrides(of: id.game)) else { continue }
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
        // Everything else that a game shows is in the state.
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

  /// The same catalogs over what the state has of their games.
  /// - Parameter former: The epoch of the world before.
  private func renewed(since former: UInt64) -> World {
    // Within an epoch no revision falls; those of another say nothing. Zero is none: that of a world that begins.
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
