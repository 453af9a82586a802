// The routes that open and close plays, and show the values that plays have pinned.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage

struct PlayRoutes {
  let services: DaemonServices
  private var reads: PlayerReads { services.playerReads }

  var routes: [CallRoute] {
    [
      CallRoute(Calls.openPlay) { call throws(Problem) in try open(call) },
      CallRoute(Calls.plays) { call throws(Problem) in try list(call) },
      CallRoute(Calls.play) { call throws(Problem) in try show(call) },
      CallRoute(Calls.putPlayState) { call throws(Problem) in try put(call) },
      CallRoute(Calls.closePlay) { call throws(Problem) in
        let (game, play) = (try call.game.snapshot, call.path("play"))
        return try call.changingPlayer(
          .closePlay(play), services, reason: call.body?.reason,
          render: { closed, _, change in
            .ok(
              PlayAnswer(
                playerRevision: closed.player.revision, play: closed.outcome.play.wire, wasClosed: closed.outcome.wasClosed,
                isDryRun: change.isDryRun), closed.revisions(of: game))
          })
      },
    ]
  }

  private func open(_ call: CallContext<OpenPlayRequest?>) throws(Problem) -> TypedReply<PlayAnswer> {
    let game = try call.game.snapshot
    let id = try call.request.playerID()
    let keys = try self.keys(call, in: game)
    let attributes = try attributes(call.body?.context ?? ObjectValue(), of: id.player)
    let pinsSecrets = services.secrets.admits(call.role, to: game.game)
    let (clock, user) = (services.clock, call.role.uid)
    // Evaluates the values before the transaction, because rules may take longer than the writer may be blocked.
    return .task { () async throws(Problem) in
      let known: StoredPlayer
      do throws(StoreError) { known = try await services.players.recent.read(id, counting: game.table.playerRules.bestCounts) } catch {
        throw Problem(error)
      }
      let context = EvaluationContext(player: id.player, attributes: attributes, locale: "*")
      let host = clock.now
      let content = try await services.longWork.evaluation(for: user) { (budget) throws(Problem) in
        PlayContent(
          of: Evaluation(context, .player(known, id), in: game, host: host, within: budget), keys: keys, pinsSecrets: pinsSecrets,
          context: attributes)
      }
      return try await keep(content, call, in: game).value
    }
  }

  private func keep(
    _ content: PlayContent, _ call: CallContext<OpenPlayRequest?>, in game: GameSnapshot
  ) throws(Problem) -> TypedReply<PlayAnswer> {
    do throws(ChangeRefusal) { try content.check() } catch { throw Problem(error) }
    return try call.changingPlayer(
      .openPlay(content, as: Self.newID()), services, reason: call.body?.reason,
      render: { opened, id, change in
        let answer = PlayAnswer(playerRevision: opened.player.revision, play: opened.outcome.wire, isDryRun: change.isDryRun)
        let revisions = opened.revisions(of: game)
        if change.isDryRun { return .ok(answer, revisions) }
        return .created(
          answer, at: Calls.play.target(["game": id.game, "player": id.player, "play": opened.outcome.id]), revisions)
      })
  }

  private func keys(_ call: CallContext<OpenPlayRequest?>, in game: GameSnapshot) throws(Problem) -> [String]? {
    guard let keys = call.body?.keys else { return nil }
    if keys.isEmpty { throw Problem(.malformedRequest, "Name the keys to pin, or leave keys out to pin all.", pointer: "/keys") }
    if let (at, words) = RequestCaller.fault(of: keys) { throw Problem(.malformedRequest, words, pointer: "/keys/\(at)") }
    let readsSecrets = services.secrets.admits(call.role, to: game.game)
    for (at, key) in keys.enumerated() {
      do throws(Problem) {
        let entry = try game.entry(key)
        guard entry.parameter.isSecret, !readsSecrets else { continue }
      } catch { throw error.at("/keys/\(at)") }
      throw Problem(
        .secretKey, "\(key) is secret; uid \(call.role.uid) is not among its readers in the daemon's settings.", pointer: "/keys/\(at)")
    }
    return keys
  }

  /// Returns the caller's attributes without a targeting key. Throws if the targeting key is not this player's id.
  private func attributes(_ context: ObjectValue, of player: String) throws(Problem) -> ObjectValue {
    var attributes = try RequestCaller.canonical(context, isStored: true)
    if let key = attributes["targetingKey"] {
      guard let text = key.stringValue, ByteText.areSame(text, player) else {
        throw Problem(
          .playersDiffer, "The play is for the player in the path; leave targetingKey out.", pointer: "/context/targetingKey")
      }
      attributes["targetingKey"] = nil
    }
    return attributes
  }

  private func list(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<PlayList> {
    let game = try call.game.snapshot
    let id = try call.request.playerID()
    let limit = Int(call.number(.playsLimit) ?? 0)
    let before = call.text(.beforePlay)
    return .task { () async throws(Problem) in
      let found: [StoredPlay]
      do throws(ChangeRefusal) {
        found = try await services.players.plays(of: id, before: before, limit: limit)
      } catch { throw Problem(error) }
      let list = PlayList(
        game: id.game, player: id.player, plays: found.map(\.wire), nextBefore: found.count == limit ? found.last?.id : nil)
      return .ok(list, game.revisions)
    }
  }

  private func show(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<PlayShown> {
    let game = try call.game.snapshot
    let id = try call.request.playerID()
    var context = EvaluationContext(player: id.player, locale: "*")
    context.playID = call.path("play")
    let locale = call.locale(.anyLocale)
    let readsSecrets = services.secrets.admits(call.role, to: game.game)
    return .task { [context] () async throws(Problem) in
      var found = try await reads.withPlay(context, of: game)
      found.attributes = found.play?.play.context ?? ObjectValue()
      // The cached play has the pinned values. Another host may have closed the play, so its state is read from the database.
      let stored: (play: StoredPlay, state: PlayState?)
      do throws(ChangeRefusal) {
        stored = try await services.players.play(call.path("play"), of: PlayerID(game: game.game, player: id.player))
      } catch { throw Problem(error) }
      return try await reads.reply(found, of: game, for: call.role.uid) { seen throws(Problem) in
        guard let play = seen.play else { throw Problem(ChangeRefusal.unknownPlay(call.path("play"))) }
        var shown = play.shown(in: seen, locale: locale, readsSecrets: readsSecrets)
        shown.play = stored.play.wire
        if let state = stored.state {
          shown.state = try? JSONReader.value(from: state.bytes)
          shown.stateTag = state.tag
        }
        return .ok(shown, seen.revisions)
      }.value
    }
  }

  private func put(_ call: CallContext<PutPlayState>) throws(Problem) -> TypedReply<PlayStateAnswer> {
    let (game, id, play) = (try call.game.snapshot, try call.request.playerID(), call.path("play"))
    let (state, now) = (call.body.state, services.clock.now)
    let change = try call.playerChange(reason: nil, now: now)
    return try call.changing(in: id.game, player: id.player, at: now) { (stored: PlayState) in
      .ok(PlayStateAnswer(play: play, stateTag: stored.tag, isDryRun: change.isDryRun), game.revisions)
    } perform: { remembering async throws(ChangeRefusal) in
      try await services.players.storeState(of: id, play, state, change, remembering: remembering)
    }
  }

  /// Returns 128 random bits as text, a play's new id. Unlike a number, it stays unique after a backup is restored.
  private static func newID() -> String {
    var random = SystemRandomNumberGenerator()
    let halves = [random.next(), random.next()] as [UInt64]
    return SHA256.hex(halves.flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> ($0 * 8)) } })
  }
}

extension StoredPlay {
  fileprivate var wire: WirePlay {
    WirePlay(
      play: id, isOpen: closedAt == nil, openedAt: openedAt, closedAt: closedAt, revision: revision, keys: Int64(keysCount),
      bytes: Int64(bytesCount))
  }
}

extension PinnedPlay {
  /// Returns the play for an answer. If a key's present value without the play differs from the pinned value, the answer has the present
  /// value too.
  fileprivate func shown(in seen: Evaluation, locale: String?, readsSecrets: Bool) -> PlayShown {
    func locales(among all: [String]) -> [String] { locale == "*" ? [] : LocaleLookup.order(for: locale, among: all) }
    let pinnedLocales = locales(among: values.locales)
    var speaking = seen.caller
    speaking.locales = locales(among: seen.game.catalog.locales)
    var differs: [String] = []
    var shown: [String: PinnedAnswer] = [:]
    for each in values.values {
      let now = seen.game.table.resolve(each.key, for: seen.caller)
      let isOther = now.map { !$0.value.isExactly(each.value) } ?? true
      if isOther { differs.append(each.key) }
      var answer = PinnedAnswer(
        type: each.type.rawValue, value: each.value(in: pinnedLocales), source: each.layer.rawValue, variant: each.variant, differs: isOther
      )
      if isOther, let now {
        answer.now = seen.game.table.resolve(each.key, for: speaking)?.value ?? now.value
        answer.nowSource = now.layer.rawValue
      }
      if !readsSecrets, each.isSecret || seen.game.table.entry(each.key)?.parameter.isSecret == true {
        (answer.value, answer.now, answer.variant, answer.isMasked) = (.null, nil, nil, true)
      }
      shown[each.key] = answer
    }
    return PlayShown(game: player.game, player: player.player, play: play.wire, context: play.context, differs: differs, values: shown)
  }
}
