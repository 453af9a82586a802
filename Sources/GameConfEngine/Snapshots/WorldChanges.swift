// What a committed batch makes of the world.

internal import GameConfCore

extension World {
  /// The world after a batch. Of games without a catalog in force, what is forced is remembered for when they have one.
  public func applying(_ changes: [StoreChange]) -> World {
    var drafts: [String: GameDraft] = [:]
    var world = self
    // The revisions of what was made out before its turn: what the batch says of it one by one is in already.
    var precomputed: [String: Int64] = [:]
    // A game takes a revision with what follows at that revision; if nothing does, at the end.
    var raised: [String: Int64] = [:]

    func flush() {
      world = world.replacing(drafts.values.map { $0.snapshot() })
      drafts = [:]
    }
    func change(_ game: String, _ body: (inout GameDraft) -> Void) {
      // Taken out: a draft that the dictionary held too would be copied for each of twenty thousand overrides.
      guard var draft = drafts.removeValue(forKey: game) ?? world[game].map(GameDraft.init) else { return }
      body(&draft)
      drafts[game] = draft
    }

    func isServed(_ game: String) -> Bool { drafts[game] != nil || world[game] != nil }
    func force(in unserved: String, _ body: (inout OverrideIndex) -> Void) {
      var board = world.overrides(of: unserved)
      body(&board)
      world = world.forcing(board, inUnserved: unserved)
    }

    func put(_ overrides: KeyOverrides, _ revision: Int64) {
      let game = overrides.slot.game
      if precomputed[game] == revision { return }
      if isServed(game) {
        change(game) { $0.put(overrides, revision: revision) }
      } else {
        force(in: game) { $0.put(overrides, revision: revision) }
      }
    }

    for each in changes {
      switch each {
      case .overrides(let overrides, let revision, _): put(overrides, revision)
      case .overridesMany(let many):
        if let game = many.slots.first?.slot.game, precomputed[game] == many.revision { continue }
        for overrides in many.slots { put(overrides, many.revision) }
      case .precomputed(let made):
        let game = made.after.game
        // Made of another state, it would take away what came between.
        guard drafts[game] == nil, world[game] === made.before, raised[game] ?? made.after.revision == made.after.revision else { continue }
        world = world.replacing([made.after])
        precomputed[game] = made.after.revision
      case .forgotten(let id):
        let board = drafts[id.game]?.overrides ?? world.overrides(of: id.game)
        guard board.players[ByteText(id.player)] != nil else { continue }
        if isServed(id.game) {
          change(id.game) { $0.overrides.forget(id.player) }
        } else {
          force(in: id.game) { $0.forget(id.player) }
        }
      case .revision(let game, let revision): raised[game] = revision
      case .keys(let keys, let game, let revision): change(game) { $0.touch(keys, revision: revision) }
      case .catalog(let catalog, let revision, let keyRevisions, let warnings):
        let draft = drafts[catalog.game] ?? world[catalog.game].map(GameDraft.init)
        drafts[catalog.game] = nil
        let overrides = draft?.overrides ?? world.overrides(of: catalog.game)
        let snapshot = GameSnapshot(
          catalog: catalog, overrides: overrides, revision: revision, keyRevisions: keyRevisions,
          clock: draft?.clock ?? world.clocks[catalog.game] ?? .host, template: world.templates.template(for: catalog),
          scheduledTemplate: world.templates.activations[catalog.game], degraded: draft?.base.degraded ?? [], warnings: warnings)
        world = world.replacing([snapshot])
      case .catalogForgotten(let game):
        flush()
        world = world.removing(game)
      case .replaced(let contents):
        flush()
        world = world.renewed(from: contents.state)
      case .clock(let game, let clock):
        world = world.setting(clock, ofGame: game)
        change(game) { $0.clock = clock }
      case .template(let game, let template, let changed, let revision):
        flush()
        var templates = world.templates
        templates.kept[game] = template.kept
        templates.activations[game] = template.activation
        world = world.knowing(templates)
        if let snapshot = world[game] { world = world.replacing([snapshot.with(template, changed: changed, revision: revision)]) }
      case .scheduled(let game, let activation):
        flush()
        var templates = world.templates
        templates.activations[game] = activation
        world = world.knowing(templates)
        if let snapshot = world[game] { world = world.replacing([snapshot.scheduling(activation)]) }
      case .catalogAccepted, .player, .event, .play, .audited, .auditedMany, .auditLogReaches:
        break
      }
    }
    for (game, revision) in raised where (drafts[game]?.revision ?? world[game]?.revision ?? revision) < revision {
      change(game) { $0.revision = revision }
    }
    flush()
    return world
  }

  /// The same games and catalogs with other overrides and revisions.
  private func renewed(from state: StoredState) -> World {
    var boards: [String: OverrideIndex] = [:]
    for overrides in state.overrides.values {
      let newest = overrides.records.map(\.revision).max() ?? 0
      boards[overrides.slot.game, default: OverrideIndex()].put(overrides, revision: max(newest, state.slotRevisions[overrides.slot] ?? 0))
    }
    var keyRevisions: [String: [String: Int64]] = [:]
    for (slot, revision) in state.slotRevisions {
      if slot.player == nil {
        keyRevisions[slot.game, default: [:]][slot.key] = revision
      } else {
        boards[slot.game, default: OverrideIndex()].note(revision, at: slot)
      }
    }
    var templates = templates
    templates.kept = state.templates
    templates.activations = state.activations
    return World(
      games: games.map { game in
        GameSnapshot(
          catalog: game.catalog, overrides: boards[game.game] ?? OverrideIndex(),
          revision: max(game.revision, state.revisions[game.game] ?? 0), keyRevisions: keyRevisions[game.game] ?? [:],
          clock: state.clocks[game.game] ?? .host, template: templates.template(for: game.catalog),
          scheduledTemplate: templates.activations[game.game], degraded: game.degraded, warnings: game.warnings)
      }, unserved: boards, clocks: state.clocks, templates: templates, epoch: state.epoch)
  }
}
