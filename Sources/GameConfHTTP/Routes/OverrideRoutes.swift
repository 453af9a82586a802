// Values that admins force: for the game and for one player, one by one and many at once.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer

/// The calls about overrides.
struct OverrideRoutes {
  let services: DaemonServices

  var routes: [Route] {
    [
      Route(Endpoints.override) { request throws(Problem) in try show(request, player: nil) },
      Route(Endpoints.playerOverride) { request throws(Problem) in try show(request, player: try request.pathPlayer()) },
      Route(Endpoints.putOverride) { request throws(Problem) in try put(request, player: nil) },
      Route(Endpoints.putPlayerOverride) { request throws(Problem) in try put(request, player: try request.pathPlayer()) },
      Route(Endpoints.deleteOverride) { request throws(Problem) in try delete(request, player: nil) },
      Route(Endpoints.deletePlayerOverride) { request throws(Problem) in try delete(request, player: try request.pathPlayer()) },
      Route(Endpoints.releaseOverride) { request throws(Problem) in try release(request, player: nil) },
      Route(Endpoints.releasePlayerOverride) { request throws(Problem) in try release(request, player: try request.pathPlayer()) },
      Route(Endpoints.overrides) { request throws(Problem) in try list(request) },
      Route(Endpoints.exportOverrides) { request throws(Problem) in try export(request) },
      Route(Endpoints.clearOverrides) { request throws(Problem) in try clear(request) },
      Route(Endpoints.importOverrides, bodyBytesMax: Self.importBytesMax) { request throws(Problem) in try bringIn(request) },
    ]
  }

  /// An import of as many rows as one may have fits into this.
  static let importBytesMax = 16 << 20

  private func show(_ request: Request, player: String?) throws(Problem) -> Reply {
    let game = try request.game().snapshot
    let key = request.path("key")
    var slot = player.map { game.overrides.player($0).slots[key] } ?? game.overrides.game[key]
    // A text that is no key may be equal to one: "\u{212A}" is to "K".
    if let found = slot, !ByteText.areSame(found.slot.key, key) { slot = nil }
    if slot == nil { _ = try game.entry(key) }
    return .now(.json(list(slot.map { [$0] } ?? [], of: game, request).wire, revision: UInt64(clamping: game.revision)))
  }

  private func list(_ request: Request) throws(Problem) -> Reply {
    let game = try request.game().snapshot
    if let player = try RequestCaller.player(request.query("player")) {
      if request.query("players") != nil {
        throw .query(.malformedQueryParameter, "players", "players and player say different things; give one of them.")
      }
      return .now(
        .json(
          list(Array(game.overrides.player(player).slots.values), of: game, request).wire, revision: UInt64(clamping: game.revision)))
    }
    switch request.query("players") {
    case nil:
      return .now(
        .json(list(Array(game.overrides.game.values), of: game, request).wire, revision: UInt64(clamping: game.revision)))
    case "all"?:
      // Thousands of them would hold up the event loop.
      return .task { .json(list(everything(in: game), of: game, request).wire, revision: UInt64(clamping: game.revision)) }
    case let other?: throw .query(.malformedQueryParameter, "players", "players is “\(other)”; the only word it takes is all.")
    }
  }

  private func export(_ request: Request) throws(Problem) -> Reply {
    let game = try request.game().snapshot
    let now = services.clock.now
    return .task {
      let all = list(everything(in: game), of: game, request).overrides
      let hidden = services.secrets.hidden(from: request.role, in: game)
      func omission(_ record: GameConfAPI.OverrideRecord) -> ExportOmission? {
        if hidden.contains(record.key) { return ExportOmission(key: record.key, player: record.player, because: .secret) }
        if record.quarantined != nil { return ExportOmission(key: record.key, player: record.player, because: .quarantined) }
        return nil
      }
      var answer = ExportAnswer(game: game.game, revision: game.revision, exportedAt: now, overrides: all.filter { omission($0) == nil })
      answer.omitted = all.compactMap(omission)
      return .json(answer.wire, revision: UInt64(clamping: game.revision))
    }
  }

  private func everything(in game: GameSnapshot) -> [KeyOverrides] {
    Array(game.overrides.game.values) + game.overrides.players.values.flatMap { $0.slots.values }
  }

  /// By key, the game's before the players', windows in the order they begin.
  private func list(_ slots: [KeyOverrides], of game: GameSnapshot, _ request: Request) -> OverrideList {
    let ordered = slots.sorted { ($0.slot.key, ByteText($0.slot.player ?? "")) < ($1.slot.key, ByteText($1.slot.player ?? "")) }
    let hidden = services.secrets.hidden(from: request.role, in: game)
    return OverrideList(
      game: game.game, revision: game.revision, overrides: ordered.flatMap(\.records).map { $0.wire(hiding: hidden) })
  }

  private func put(_ request: Request, player: String?) throws(Problem) -> Reply {
    try requireRank(request, player)
    let body = try request.shape(PutOverride.self)
    let slot = OverrideSlot(game: try request.game().snapshot.game, player: player, key: request.path("key"))
    let window = body.from != nil || body.until != nil ? WindowRequest(from: body.from, until: body.until) : nil
    let context = try request.change(reason: body.reason, now: services.clock.now)
    let location = "/v1/games/\(slot.game)" + (player.map { "/players/\(PercentEncoding.encode($0))" } ?? "") + "/overrides/\(slot.key)"
    return try change(request, slot.game, player, context) { outcome in
      guard let overrides = outcome.slots.first ?? outcome.kept(at: slot) else {
        return .noContent(revision: UInt64(clamping: outcome.revision))
      }
      let record = overrides.records.first { $0.window?.id == outcome.window } ?? overrides.standing
      guard let record else { return .noContent(revision: UInt64(clamping: outcome.revision)) }
      let answer = OverrideAnswer(
        game: slot.game, revision: outcome.revision, playerRevision: outcome.playerRevision, isDryRun: context.isDryRun,
        override: record.wire(hiding: .none))
      if context.isDryRun || outcome.isReplacement { return outcome.answer(answer.wire) }
      return .created(
        answer.wire, location: location + (outcome.window.map { "?window=\($0)" } ?? ""), revision: UInt64(clamping: outcome.revision),
        playerRevision: outcome.playerRevision.map { UInt64(clamping: $0) })
    } perform: { remembering async throws(OverrideError) in
      try await SetOverride(store: services.store, checking: services.checking)(
        body.value, at: slot, window: window, context, remembering: remembering)
    }
  }

  private func delete(_ request: Request, player: String?) throws(Problem) -> Reply {
    try requireRank(request, player)
    let slot = OverrideSlot(game: try request.game().snapshot.game, player: player, key: request.path("key"))
    let context = try request.change(reason: nil, now: services.clock.now)
    return try change(request, slot.game, player, context) { outcome in
      if !context.isDryRun {
        return .noContent(revision: UInt64(clamping: outcome.revision), playerRevision: outcome.playerRevision.map { UInt64(clamping: $0) })
      }
      return outcome.answer(
        ClearAnswer(game: slot.game, revision: outcome.revision, cleared: Int64(outcome.removed.count), isDryRun: true).wire)
    } perform: { remembering async throws(OverrideError) in
      try await RemoveOverride(store: services.store, checking: services.checking)(
        slot, window: request.query("window"), context, remembering: remembering)
    }
  }

  private func release(_ request: Request, player: String?) throws(Problem) -> Reply {
    try requireRank(request, player)
    let game = try request.game().snapshot
    let slot = OverrideSlot(game: game.game, player: player, key: request.path("key"))
    let context = try request.change(reason: try request.reason(), now: services.clock.now)
    // Hidden from everybody: the answer is remembered, and may be repeated to another.
    let hidden = HiddenKeys.secrets(of: game)
    return try change(request, slot.game, player, context) { outcome in
      outcome.answer(
        OverrideList(
          game: slot.game, revision: outcome.revision, overrides: outcome.slots.flatMap(\.records).map { $0.wire(hiding: hidden) }
        ).wire)
    } perform: { remembering async throws(OverrideError) in
      try await ReleaseOverride(store: services.store, checking: services.checking)(slot, context, remembering: remembering)
    }
  }

  private func clear(_ request: Request) throws(Problem) -> Reply {
    let body = try request.shape(ClearRequest.self)
    try requireRank(request, body.scope == .player ? body.player : nil)
    let player = try RequestCaller.player(body.player, pointer: "/player")
    let game = try request.game().snapshot.game
    let selection: OverrideSelection =
      switch body.scope {
      case .game: OverrideSelection(.game)
      case .player: OverrideSelection(.player(player ?? ""))
      case .players: OverrideSelection(.players)
      case .all: OverrideSelection(.all)
      }
    let context = try request.change(reason: body.reason, now: services.clock.now)
    return try change(request, game, nil, context) { outcome in
      outcome.answer(
        ClearAnswer(game: game, revision: outcome.revision, cleared: Int64(outcome.removed.count), isDryRun: context.isDryRun).wire)
    } perform: { remembering async throws(OverrideError) in
      try await ClearOverrides(store: services.store, checking: services.checking)(selection, in: game, context, remembering: remembering)
    }
  }

  private func bringIn(_ request: Request) throws(Problem) -> Reply {
    try request.role.require(.admin, to: "import overrides")
    let game = try request.game().snapshot.game
    return .task(try bringIn(request, into: game))
  }

  private func bringIn(_ request: Request, into game: String) throws(Problem) -> Work {
    let body = try request.shape(ImportRequest.self)
    let rows = body.overrides.map { row in
      OverrideRow(
        player: row.player, key: row.key, value: row.value,
        window: row.from != nil || row.until != nil ? WindowRequest(from: row.from, until: row.until) : nil, reason: row.reason)
    }
    let context = try request.change(reason: body.reason, now: services.clock.now)
    return try work(request, game, nil, context) { outcome in
      let answer = ImportAnswer(
        game: game, revision: outcome.revision, imported: Int64(rows.count), removed: Int64(outcome.removed.count),
        isDryRun: context.isDryRun)
      return outcome.answer(answer.wire)
    } perform: { remembering async throws(OverrideError) in
      try await ImportOverrides(store: services.store, checking: services.checking)(
        rows, into: game, replacing: body.mode == .replace, context, remembering: remembering)
    }
  }

  private func requireRank(_ request: Request, _ player: String?) throws(Problem) {
    if player == nil {
      try request.role.require(.admin, to: "force values for the game")
    } else {
      try request.role.require(.tester, to: "force values for a player")
    }
  }

  private typealias Work = @Sendable () async throws(Problem) -> Answer
  private typealias Render = @Sendable (OverrideOutcome) -> Answer
  private typealias Perform =
    @Sendable (Remembering<OverrideOutcome, OverrideError>?) async throws(OverrideError) -> Answered<OverrideOutcome>

  private func change(
    _ request: Request, _ game: String, _ player: String?, _ context: ChangeContext, render: @escaping Render, perform: @escaping Perform
  ) throws(Problem) -> Reply { .task(try work(request, game, player, context, render: render, perform: perform)) }

  private func work(
    _ request: Request, _ game: String, _ player: String?, _ context: ChangeContext, render: @escaping Render, perform: @escaping Perform
  ) throws(Problem) -> Work {
    let remembering: Remembering<OverrideOutcome, OverrideError>? = try request.remembering(
      in: game, player: player, now: context.now
    ) { result in
      switch result {
      case .success(let outcome): render(outcome)
      case .failure(let error): Problem(error).answer
      }
    }
    return { () async throws(Problem) in
      do throws(OverrideError) {
        switch try await perform(remembering) {
        case .fresh(let outcome): return render(outcome)
        case .remembered(let answer): return Answer(answer)
        }
      } catch { throw Problem(error) }
    }
  }
}

extension OverrideOutcome {
  func answer(_ wire: Value) -> Answer {
    .json(wire, revision: UInt64(clamping: revision), playerRevision: playerRevision.map { UInt64(clamping: $0) })
  }

  /// Where nothing changed there is nothing to show.
  fileprivate func kept(at slot: OverrideSlot) -> KeyOverrides? { slots.first { $0.slot == slot } }
}
