// The routes of overrides: for a game and for one player, one at a time or in bulk.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage

struct OverrideRoutes {
  let services: DaemonServices

  var routes: [CallRoute] {
    [
      CallRoute(Calls.override) { call throws(Problem) in try show(call) },
      CallRoute(Calls.playerOverride) { call throws(Problem) in try show(call) },
      CallRoute(Calls.putOverride) { call throws(Problem) in try put(call) },
      CallRoute(Calls.putPlayerOverride) { call throws(Problem) in try put(call) },
      CallRoute(Calls.deleteOverride) { call throws(Problem) in try delete(call) },
      CallRoute(Calls.deletePlayerOverride) { call throws(Problem) in try delete(call) },
      CallRoute(Calls.releaseOverride) { call throws(Problem) in try release(call) },
      CallRoute(Calls.releasePlayerOverride) { call throws(Problem) in try release(call) },
      CallRoute(Calls.overrides) { call throws(Problem) in try list(call) },
      CallRoute(Calls.exportOverrides) { call throws(Problem) in try export(call) },
      CallRoute(Calls.clearOverrides) { call throws(Problem) in try clear(call) },
      CallRoute(Calls.importOverrides, bodyBytesMax: Self.importBytesMax) { call throws(Problem) in try bringIn(call) },
    ]
  }

  /// The maximum size of an import's body in bytes. It is large enough for the maximum number of rows.
  static let importBytesMax = 16 << 20

  private func show(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<OverrideList> {
    let game = try call.game.snapshot
    let at = try call.slot
    var slot = at.player.map { game.overrides.player($0).slots[at.key] } ?? game.overrides.game[at.key]
    // Swift compares strings by canonical equivalence, in which "\u{212A}" equals "K". Keys are equal only if their bytes are.
    if let found = slot, !ByteText.areSame(found.slot.key, at.key) { slot = nil }
    if slot == nil { _ = try game.entry(at.key) }
    return .now(.ok(list(slot.map { [$0] } ?? [], of: game, call.role), game.revisions))
  }

  private func list(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<OverrideList> {
    let game = try call.game.snapshot
    if let player = call.text(.player) {
      if call.text(.allPlayers) != nil {
        throw .query(.malformedQueryParameter, "players", "players and player exclude each other; give one of them.")
      }
      return .now(.ok(list(Array(game.overrides.player(player).slots.values), of: game, call.role), game.revisions))
    }
    if call.text(.allPlayers) == nil { return .now(.ok(list(Array(game.overrides.game.values), of: game, call.role), game.revisions)) }
    // A task, because thousands of overrides would block the event loop.
    return .task { .ok(list(everything(in: game), of: game, call.role), game.revisions) }
  }

  private func export(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<ExportAnswer> {
    let game = try call.game.snapshot
    let now = services.clock.now
    let player = call.text(.player)
    return .task {
      let slots = player.map { Array(game.overrides.player($0).slots.values) } ?? everything(in: game)
      let all = list(slots, of: game, call.role).overrides
      let hidden = services.secrets.hidden(from: call.role, in: game)
      func omission(_ record: WireOverride) -> ExportOmission? {
        if hidden.contains(record.key) { return ExportOmission(key: record.key, player: record.player, because: .secret) }
        if record.quarantined != nil { return ExportOmission(key: record.key, player: record.player, because: .quarantined) }
        return nil
      }
      var answer = ExportAnswer(game: game.game, revision: game.revision, exportedAt: now, overrides: all.filter { omission($0) == nil })
      answer.omitted = all.compactMap(omission)
      return .ok(answer, game.revisions)
    }
  }

  private func everything(in game: GameSnapshot) -> [KeyOverrides] {
    Array(game.overrides.game.values) + game.overrides.players.values.flatMap { $0.slots.values }
  }

  /// Returns the list of overrides, ordered by key. Overrides for the game come before those for players, and windows are ordered by their
  /// start.
  private func list(_ slots: [KeyOverrides], of game: GameSnapshot, _ role: PeerRole) -> OverrideList {
    let ordered = slots.sorted { ($0.slot.key, ByteText($0.slot.player ?? "")) < ($1.slot.key, ByteText($1.slot.player ?? "")) }
    let hidden = services.secrets.hidden(from: role, in: game)
    return OverrideList(
      game: game.game, revision: game.revision, overrides: ordered.flatMap(\.records).map { $0.wire(hiding: hidden) })
  }

  private func put(_ call: CallContext<PutOverride>) throws(Problem) -> TypedReply<OverrideAnswer> {
    let slot = try call.slot
    let wanted = try act(call)
    let context = try call.change(about: slot.player, reason: call.body.reason, now: services.clock.now)
    // Hides all secrets: a client that may set a value may not be allowed to read it, and the answer may be repeated to another client.
    let hidden = HiddenKeys.secrets(of: try call.game.snapshot)
    let location = call.endpoint.target(["game": slot.game, "player": slot.player ?? "", "key": slot.key])
    return try call.changing(in: slot.game, player: slot.player, at: context.now) { (outcome: OverrideOutcome) in
      // Nothing changed, so there is no override to show.
      guard let overrides = outcome.slots.first(where: { $0.slot == slot }),
        let record = overrides.records.first(where: { $0.window?.id == outcome.window }) ?? overrides.permanent
      else { return .noContent(outcome.revisions) }
      var answer = OverrideAnswer(
        game: slot.game, revision: outcome.revision, playerRevision: outcome.playerRevision, isDryRun: context.isDryRun,
        override: record.wire(hiding: .none), replaced: outcome.replaced.first?.wire(hiding: hidden))
      answer.inForce = outcome.inForce.first?.wire(hiding: hidden, besides: outcome.revision)
      if context.isDryRun || outcome.isReplacement { return .ok(answer, outcome.revisions) }
      return .created(answer, at: location + (outcome.window.map { "?window=\($0)" } ?? ""), outcome.revisions)
    } perform: { remembering async throws(ChangeRefusal) in
      try await services.overrides.change(wanted, at: slot, context, remembering: remembering)
    }
  }

  /// Returns the change that the PUT requests.
  private func act(_ call: CallContext<PutOverride>) throws(Problem) -> OverrideAct {
    let (body, named) = (call.body, call.text(.replacedWindow))
    let hasWindow = body.from != nil || body.until != nil
    guard call.flag(.replace) else {
      guard let named else { return .set(body.value, window: hasWindow ? WindowRequest(from: body.from, until: body.until) : nil) }
      if !hasWindow { return .change(body.value, window: named) }
      throw .query(
        .malformedQueryParameter, "window",
        "window alone changes the value of that window, whose beginning and end stay: leave from and until out. With replace=true it names the window that the new one ends."
      )
    }
    guard hasWindow else {
      throw .query(
        .malformedQueryParameter, "replace",
        "replace is for a window, and needs until. A permanent override ends no window; the window stays above it.")
    }
    return .set(
      body.value, window: WindowRequest(from: body.from, until: body.until, replacing: named.map(WindowReplacement.named) ?? .own))
  }

  private func delete(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<ClearAnswer> {
    let slot = try call.slot
    let context = try call.change(about: slot.player, reason: nil, now: services.clock.now)
    return try call.changing(in: slot.game, player: slot.player, at: context.now) { (outcome: OverrideOutcome) in
      if !context.isDryRun { return .noContent(outcome.revisions) }
      return .ok(
        ClearAnswer(game: slot.game, revision: outcome.revision, cleared: Int64(outcome.removed.count), isDryRun: true), outcome.revisions)
    } perform: { remembering async throws(ChangeRefusal) in
      try await services.overrides.change(
        .remove(window: call.text(.window)), at: slot, context, remembering: remembering)
    }
  }

  private func release(_ call: CallContext<ReasonRequest?>) throws(Problem) -> TypedReply<OverrideList> {
    let slot = try call.slot
    let context = try call.change(about: slot.player, reason: call.body?.reason, now: services.clock.now)
    // Hides all secrets, because the answer is stored and may be repeated to a client that may not read them.
    let hidden = HiddenKeys.secrets(of: try call.game.snapshot)
    return try call.changing(in: slot.game, player: slot.player, at: context.now) { (outcome: OverrideOutcome) in
      .ok(
        OverrideList(
          game: slot.game, revision: outcome.revision, overrides: outcome.slots.flatMap(\.records).map { $0.wire(hiding: hidden) }),
        outcome.revisions)
    } perform: { remembering async throws(ChangeRefusal) in
      try await services.overrides.change(
        .release, at: slot, context, remembering: remembering)
    }
  }

  private func clear(_ call: CallContext<ClearRequest>) throws(Problem) -> TypedReply<ClearAnswer> {
    let player = try RequestCaller.player(call.body.player, pointer: "/player")
    let game = try call.game.snapshot.game
    let selection: OverrideSelection =
      switch call.body.scope {
      case .game: OverrideSelection(.game)
      case .player: OverrideSelection(.player(player ?? ""))
      case .players: OverrideSelection(.players)
      case .all: OverrideSelection(.all)
      }
    let context = try call.change(
      about: call.body.scope == .player ? player : nil, reason: call.body.reason, now: services.clock.now)
    return try call.changing(in: game, at: context.now) { (outcome: OverrideOutcome) in
      .ok(
        ClearAnswer(game: game, revision: outcome.revision, cleared: Int64(outcome.removed.count), isDryRun: context.isDryRun),
        outcome.revisions)
    } perform: { remembering async throws(ChangeRefusal) in
      try await services.overrides.clear(
        selection, in: game, context, remembering: remembering)
    }
  }

  private func bringIn(_ call: CallContext<ImportRequest>) throws(Problem) -> TypedReply<ImportAnswer> {
    let (game, body) = (try call.game.snapshot.game, call.body)
    let rows = body.overrides.map { row in
      OverrideRow(
        player: row.player, key: row.key, value: row.value,
        window: row.from != nil || row.until != nil ? WindowRequest(from: row.from, until: row.until) : nil, reason: row.reason)
    }
    // If all rows of a merge concern players, a tester may make it, because a tester may also set each of these overrides alone.
    let namesPlayers = body.mode == .merge && !rows.isEmpty && rows.allSatisfy { $0.player != nil }
    let context = try call.change(about: namesPlayers ? rows.first?.player : nil, reason: body.reason, now: services.clock.now)
    let hidden = HiddenKeys.secrets(of: try call.game.snapshot)
    return try call.changing(in: game, at: context.now) { (outcome: OverrideOutcome) in
      var answer = ImportAnswer(
        game: game, revision: outcome.revision, imported: Int64(rows.count), removed: Int64(outcome.removed.count),
        isDryRun: context.isDryRun)
      if rows.count <= OverrideLimits.rowsShownMax {
        answer.overrides = outcome.slots.flatMap(\.records).filter { $0.revision == outcome.revision }.map { $0.wire(hiding: hidden) }
        answer.replaced = outcome.replaced.map { $0.wire(hiding: hidden) }
        answer.inForce = outcome.inForce.map { $0.wire(hiding: hidden, besides: outcome.revision) }
      }
      return .ok(answer, outcome.revisions)
    } perform: { remembering async throws(ChangeRefusal) in
      try await services.overrides.importRows(
        rows, into: game, replacing: body.mode == .replace, context, remembering: remembering)
    }
  }
}

extension CallContext {
  /// The key that the path names, with the player if the override is a player's.
  fileprivate var slot: OverrideSlot {
    get throws(Problem) {
      OverrideSlot(
        game: try game.snapshot.game, player: endpoint.pathParameters.contains("player") ? try request.pathPlayer() : nil, key: path("key"))
    }
  }
}
