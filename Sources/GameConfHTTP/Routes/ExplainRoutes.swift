// The routes that explain a key's value, and simulate its distribution over many players.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer

struct ExplainRoutes {
  /// The maximum number of players in one simulation.
  static let playersMax: Int64 = 1_000_000
  /// The time limit of one simulation. The answer then has the players simulated so far.
  static let secondsMax: Int64 = 10

  let services: DaemonServices

  var routes: [CallRoute] {
    [
      CallRoute(Calls.explain) { call throws(Problem) in try explain(RequestCaller(call), call) },
      CallRoute(Calls.evaluateExplain) { call throws(Problem) in try explain(RequestCaller(call.body), call) },
      CallRoute(Calls.simulate) { call throws(Problem) in try simulate(call) },
    ]
  }

  private func explain<Ask>(_ caller: RequestCaller, _ call: CallContext<Ask>) throws(Problem) -> TypedReply<ExplainAnswer> {
    let served = try call.game
    return .task { () async throws(Problem) in
      let readers = await services.watches.readers(of: served.snapshot.game)
      return try await services.playerReads.reply(caller.context, of: served.snapshot, for: call.role.uid) { seen throws(Problem) in
        try explain(seen, call, of: served, readers)
      }.value
    }
  }

  private func explain<Ask>(
    _ seen: Evaluation, _ call: CallContext<Ask>, of served: ServedGame, _ readers: [WatchingReader]
  ) throws(Problem) -> TypedAnswer<ExplainAnswer> {
    let (game, caller) = (seen.game, seen.caller)
    let entry = try game.entry(call.path("key"))
    let key = entry.parameter.key
    let pinned = seen.play.map { ($0, seen.answer(for: key)) }
    guard let explanation = game.table.explain(key, for: caller, skipped: seen.skipped) else {
      throw Problem(.internalFault, "\(key) has no value. This is a fault of gameconfd; report it with the catalog.")
    }
    let readsSecrets = services.secrets.admits(call.role, to: game.game)
    let isHidden = (entry.parameter.isSecret || pinned?.1?.isSecret == true) && !readsSecrets
    var rendering = TraceRendering(showsSecrets: readsSecrets)
    var answer = ValueAnswer(explanation.resolution, of: entry, revision: game.revision(at: key, for: caller.player))
    answer.degraded = seen.degraded.map(\.rawValue)
    if let pinned = pinned?.1, pinned.layer == .play { answer = ValueAnswer(pinned) }
    if isHidden { answer.mask() }
    var layers = explanation.layers.map { explained in
      var layer = layer(of: explained, key, game, caller, isHidden: isHidden, &rendering)
      if let record = Self.override(of: explained.layer, key, game, caller)?.inForce {
        layer.read = services.reads.read(record, in: served, watchers: readers)
      }
      if explained.layer == .setting, entry.parameter.isPlayerSetting { layer.addSetting(of: seen, key) }
      return layer
    }
    if let (play, answer) = pinned { Self.put(play, answer, above: &layers, isHidden: isHidden) }
    let explained = ExplainAnswer(game: game.game, answer: answer, player: caller.player, context: caller.context, layers: layers)
    var timeless = explained
    for at in timeless.layers.indices { timeless.layers[at].read = nil }
    return .ok(explained, sameAs: timeless, seen.revisions)
  }

  /// Returns the overrides of a key in this layer; nil if the layer has no overrides.
  private static func override(of layer: Layer, _ key: String, _ game: GameSnapshot, _ caller: Caller) -> KeyOverrides? {
    switch layer {
    case .playerOverride: caller.player.flatMap { game.overrides.player($0).slots[key] }
    case .gameOverride: game.overrides.game[key]
    case .play, .setting, .remote, .catalogDefault: nil
    }
  }

  /// Inserts a play's pinned value into an explanation, above all other layers.
  private static func put(_ play: PinnedPlay, _ answer: EvaluatedValue?, above layers: inout [ExplainedLayer], isHidden: Bool) {
    let pinned = answer.flatMap { $0.layer == .play ? $0 : nil }
    if pinned != nil {
      for at in layers.indices where layers[at].isApplied {
        layers[at].isApplied = false
        layers[at].why = "\(Layer.play.phrase) is above it"
      }
    }
    let why = pinned == nil ? "the play has not pinned the key" : "pinned when the play opened, at revision \(play.play.revision)"
    var layer = ExplainedLayer(
      layer: Layer.play.rawValue, value: pinned.map { isHidden ? .null : $0.value }, isApplied: pinned != nil, why: why)
    layer.at = play.play.openedAt
    layers.insert(layer, at: 0)
  }

  private func layer(
    of explained: LayerExplanation, _ key: String, _ game: GameSnapshot, _ caller: Caller, isHidden: Bool, _ rendering: inout TraceRendering
  ) -> ExplainedLayer {
    let value = explained.answer.map { isHidden ? .null : $0.value }
    var layer = ExplainedLayer(layer: explained.layer.rawValue, value: value, isApplied: explained.isApplied, why: explained.why)
    let overrides = Self.override(of: explained.layer, key, game, caller)
    if let record = overrides?.inForce {
      layer.author = record.author.wire
      layer.at = record.at
      layer.reason = record.reason
      layer.window = record.window.map { WireWindow(id: $0.id, from: $0.from, until: $0.until) }
    } else if let why = overrides?.records.compactMap(\.quarantined).first {
      layer.why = "in quarantine: \(isHidden ? SecretReaders.hiddenFault : why)"
    }
    if explained.layer == .catalogDefault {
      layer.dropIns = game.catalog.dropIns(at: key).map { "\($0.file): \($0.fields.joined(separator: ", "))" }
      if !layer.dropIns.isEmpty { layer.why += "; changed by \(layer.dropIns.joined(separator: "; "))" }
    }
    if !explained.rules.isEmpty { layer.rules = .list(explained.rules.map { $0.wire(&rendering) }) }
    layer.targeting = isHidden ? nil : explained.flag?.wire(&rendering)
    return layer
  }

  private func simulate(_ call: CallContext<SimulateRequest>) throws(Problem) -> TypedReply<SimulateAnswer> {
    let game = try call.game.snapshot
    let entry = try game.entry(call.path("key"))
    let body = call.body
    guard (1...Self.playersMax).contains(body.players) else {
      throw Problem(.malformedRequest, "players is \(body.players); it takes 1 to \(Self.playersMax).", pointer: "/players")
    }
    if services.secrets.hidden(from: call.role, in: game).contains(entry.parameter.key) {
      throw Problem(.secretKey, "\(entry.parameter.key) is secret; its values are not shown.")
    }
    guard OverrideLimits.admits(player: "\(body.prefix)\(body.players)") else {
      throw Problem(
        .malformedRequest,
        "A player's id has at most \(OverrideLimits.playerBytesMax) bytes and no control characters, its number included.",
        pointer: "/prefix")
    }
    if body.context["targetingKey"] != nil {
      throw Problem(.malformedRequest, "Each simulated player is a targetingKey; leave it out.", pointer: "/context/targetingKey")
    }
    let caller = try RequestCaller.context(nil, body.context).caller(in: game, now: game.now(host: services.clock.now))
    let (user, longWork, simulations) = (call.role.uid, services.longWork, services.simulations)
    return .task { () async throws(Problem) in
      guard simulations.enter(user) else {
        throw Problem(
          .rateLimited,
          "The limit of simulations is reached: \(SimulationQuota.perUserMax) of one user, \(SimulationQuota.atOnceMax) in all. Try again in a few seconds.",
          retryAfterSeconds: 2)
      }
      defer { simulations.leave(user) }
      let simulation = try await Simulation(of: entry.parameter.key, in: game, for: caller, prefix: body.prefix, players: body.players)
        .run(by: longWork, for: user, until: ContinuousClock.now + .seconds(Self.secondsMax))
      return .ok(
        SimulateAnswer(game: game.game, key: entry.parameter.key, players: simulation.done, shares: simulation.ordered), game.revisions)
    }
  }
}

extension ExplainedLayer {
  /// Adds the player's stored setting to this layer, although the setting is not in effect. If the store cannot be read, adds the reason
  /// instead.
  fileprivate mutating func addSetting(of seen: Evaluation, _ key: String) {
    if let storeError = seen.storeError {
      why = "the player's settings cannot be read from the store: \(Problem(storeError).detail)"
    } else if value == nil, let stored = seen.settings[key] {
      value = stored
    }
  }
}
