// The routes that read a game's values: all, some, or one.

package import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage
internal import GameConfServer

struct ConfigRoutes {
  let clock: any HostClock
  let secrets: SecretReaders
  let players: PlayerCache
  let plays: PlayCache
  let tallies: EvaluationTallies
  /// The recorder of games' reads; nil if reads are not recorded.
  var reads: ReadRecorder?
  let longWork: SlicedWork
  /// The registry that notifies waiting calls of a change; nil if calls cannot wait.
  var watches: WatchHub?
  /// The maximum number of keys that are evaluated with full details on the event loop.
  var fullKeysOnLoopMax = FullConfig.keysOnLoopMax

  private var playerReads: PlayerReads { PlayerReads(recent: players, plays: plays, clock: clock, longWork: longWork) }

  var routes: [CallRoute] {
    [
      CallRoute(Calls.config) { call throws(Problem) in try config(call, RequestCaller(call)) },
      CallRoute(Calls.evaluateConfig) { call throws(Problem) in try config(call, RequestCaller(call.body)) },
      CallRoute(Calls.value) { call throws(Problem) in
        try playerReads.reply(RequestCaller(call).context, of: call.game.snapshot, for: call.role.uid) { seen throws(Problem) in
          try value(seen, call)
        }
      },
      CallRoute(Calls.evaluateValue) { call throws(Problem) in
        let caller = try RequestCaller(call.body)
        if caller.keys != nil {
          throw Problem(.malformedRequest, "keys is for the whole config; this call answers one key.", pointer: "/keys")
        }
        return try playerReads.reply(caller.context, of: call.game.snapshot, for: call.role.uid) { seen throws(Problem) in
          try value(seen, call)
        }
      },
    ]
  }

  private func config<Ask>(_ call: CallContext<Ask>, _ caller: RequestCaller) throws(Problem) -> TypedReply<ConfigAnswer> {
    let game = try call.game
    if let reply = try waiting(game.snapshot, caller, call) { return reply }
    let epoch = call.request.served.world.epoch
    if isLong(call, caller, of: game.snapshot) {
      return .task { () async throws(Problem) in
        let context = try await playerReads.withPlay(caller.context, of: game.snapshot)
        let loadedPlayer = await Evaluate(players: players, clock: clock).loadedPlayer(of: context, in: game.snapshot)
        let host = clock.now
        let budget = EvaluationBudget(steps: LogicLimits.requestStepsMax)
        let seen = Evaluation(context, loadedPlayer, in: game.snapshot, host: host, within: budget)
        return try await inSlices(seen, caller.keys, call, epoch: epoch, host: host)
      }
    }
    return try playerReads.reply(caller.context, of: game.snapshot, for: call.role.uid) { seen throws(Problem) in
      var answer = try config(game, caller.keys, seen, call)
      answer.answer.identify(seen, epoch: epoch, host: clock.now)
      return answer
    }
  }

  /// True if the evaluation of the requested keys with full details would block the event loop too long.
  private func isLong<Ask>(_ call: CallContext<Ask>, _ caller: RequestCaller, of game: GameSnapshot) -> Bool {
    call.text(.detail) != nil && caller.keys?.count ?? game.table.entries.count > fullKeysOnLoopMax
  }

  /// Evaluates many keys with full details, in slices on another thread.
  private func inSlices<Ask>(
    _ seen: Evaluation, _ keys: [String]?, _ call: CallContext<Ask>, epoch: UInt64, host: Instant
  ) async throws(Problem) -> TypedAnswer<ConfigAnswer> {
    note(keys, seen, by: call.request)
    let full = FullConfig(seen, keys, readsSecrets: secrets.admits(call.role, to: seen.game.game), tallies)
    var answer = try await full.inSlices(by: longWork, for: call.role.uid)
    answer.answer.identify(seen, epoch: epoch, host: host)
    return answer
  }

  /// Returns the reply to a call that waits for a change; nil if the call is answered immediately.
  private func waiting<Ask>(
    _ game: GameSnapshot, _ caller: RequestCaller, _ call: CallContext<Ask>
  ) throws(Problem) -> TypedReply<ConfigAnswer>? {
    guard call.endpoint.query.contains(.wait) else { return nil }
    guard let seconds = call.number(.wait) else {
      if call.text(.known) == nil { return nil }
      throw .query(.malformedQueryParameter, "after", "after needs wait, the number of seconds to wait: wait=30.")
    }
    guard let after = call.text(.known) else {
      throw .query(.malformedQueryParameter, "wait", "wait needs after, the Gameconf-Id of the last answer.")
    }
    guard let position = WatchPosition(parsing: after), let watches else { return nil }
    // If the database must be read for the play, this call is answered immediately. The next call finds the play in memory.
    guard let context = playerReads.withPlayAtOnce(caller.context, of: game) else { return nil }
    var caller = caller
    caller.context = context
    let request = call.request
    let eventLoop = request.eventLoop
    let pendingCall = WaitingCall(
      watches: watches, scope: try request.watchScope(caller, of: game, secrets), game: game, after: position, seconds: seconds,
      user: request.role.uid)
    let epoch = request.served.world.epoch
    if call.text(.detail) != nil {
      // A task, because full details may take long, and a task is cancelled if the client disconnects.
      return .task { [caller] () async throws(Problem) in
        guard let state = try await pendingCall.nextState(on: eventLoop) else { return .unchanged(after) }
        var seen = state
        seen.budget = EvaluationBudget(steps: LogicLimits.requestStepsMax)
        let evaluation = seen.evaluation(for: caller.context, seen.view(of: caller.context))
        return try await inSlices(evaluation, caller.keys, call, epoch: epoch, host: seen.host)
      }
    }
    let promise = TypedReply<ConfigAnswer>.Promise(on: eventLoop)
    pendingCall.begin(on: eventLoop) { [caller] (result: Result<WatchedState?, Problem>) in
      do throws(Problem) {
        guard let state = try result.get() else { return promise.complete(with: .success(.unchanged(after))) }
        let seen = state.evaluation(for: caller.context, state.view(of: caller.context))
        var answer = try config(nil, caller.keys, seen, call)
        answer.answer.identify(seen, epoch: epoch, host: state.host)
        promise.complete(with: .success(answer))
      } catch { promise.complete(with: .failure(error)) }
    }
    return .later(promise)
  }

  private func value<Ask>(_ seen: Evaluation, _ call: CallContext<Ask>) throws(Problem) -> TypedAnswer<ValueAnswer> {
    let game = seen.game
    let key = call.path("key")
    if seen.play?.values[key] == nil { _ = try game.entry(key) }
    guard let answer = seen.answer(for: key) else {
      throw Problem(.internalFault, "\(key) has no value. This is a fault of gameconfd; report it with the catalog.")
    }
    if answer.isSecret, !secrets.admits(call.role, to: game.game) {
      throw secrets.refusal(of: key, to: call.role)
    }
    tallies.count(game: game.game, layer: answer.layer)
    reads?.note(answer, seen, by: call.request)
    var wire = ValueAnswer(answer)
    if !answer.degraded.isEmpty {
      wire.degraded = answer.degraded.map(\.rawValue)
      wire.metadata["degraded"] = .list(wire.degraded.map(Value.string))
    }
    return .ok(wire, seen.revisions)
  }

  /// - Parameter ready: The encoded members of the game's snapshot; nil if the evaluation used another snapshot.
  private func config<Ask>(
    _ ready: ServedGame?, _ keys: [String]?, _ seen: Evaluation, _ call: CallContext<Ask>
  ) throws(Problem) -> TypedAnswer<ConfigAnswer> {
    let game = seen.game
    let readsSecrets = secrets.admits(call.role, to: game.game)
    note(keys, seen, by: call.request)
    if call.text(.detail) != nil { return FullConfig(seen, keys, readsSecrets: readsSecrets, tallies).whole() }
    guard let served = ready, seen.play == nil else { return plainConfig(seen, keys, readsSecrets: readsSecrets) }
    var body = ConfigBody(of: served, for: seen.caller, readsSecrets: readsSecrets)
    var unknown: [String] = []
    if let keys {
      let wanted = RequestCaller.keys(keys, of: seen)
      for key in wanted.known { if let entry = game.table.entry(key) { body.append(entry) } }
      unknown = wanted.unknown
    } else {
      body.appendAll()
    }
    if body.isOver { throw .answerTooLarge }
    for (layer, count) in body.layers { tallies.count(game: game.game, layer: layer, by: count) }
    var answer = TypedAnswer<ConfigAnswer>.written(body.finish(degraded: seen.degraded.map(\.rawValue), unknown: unknown), seen.revisions)
    // Cacheable: without a query the answer is the same for every caller, and only a new snapshot or the time changes it. If the simulated
    // clock is stopped, no time window begins or ends, and setting the clock creates a new snapshot.
    if call.request.isBare, !served.hasSecrets, !body.isTimeDependent {
      let counts = body.layers.map { (tallies.position(game: game.game, layer: $0.key), $0.value) }
      answer.answer.standing = Answer.Cacheability(
        target: "/v1/games/\(game.game)/config", until: body.nextChangeAt.flatMap { game.host(at: $0) },
        tallies: Dictionary(counts, uniquingKeysWith: +), mark: served.marks.all, stamp: UInt32(truncatingIfNeeded: game.revision))
    }
    return answer
  }

  /// Records that a game read these keys, or all values if `keys` is nil.
  private func note(_ keys: [String]?, _ seen: Evaluation, by request: Request) {
    guard let reads else { return }
    guard let keys else { return reads.noteAll(seen, by: request) }
    guard request.marksReads else { return }
    for key in keys { if let answer = seen.answer(for: key) { reads.note(answer, seen, by: request) } }
  }

  private func plainConfig(_ seen: Evaluation, _ keys: [String]?, readsSecrets: Bool) -> TypedAnswer<ConfigAnswer> {
    var values: [(String, Value)] = []
    let wanted = RequestCaller.keys(keys, of: seen)
    for key in wanted.known {
      guard let answer = seen.answer(for: key), readsSecrets || !answer.isSecret else { continue }
      tallies.count(game: seen.game.game, layer: answer.layer)
      values.append((answer.key, answer.value))
    }
    let degraded = seen.degraded.map(\.rawValue)
    return .ok(
      ConfigAnswer(
        game: seen.game.game, revision: seen.game.revision, values: .bare(ObjectValue(values)), degraded: degraded, unknown: wanted.unknown
      ),
      seen.revisions)
  }
}

extension Answer {
  /// Adds the header with the position of the answer's state. A client passes it to a later call that waits for the next change.
  fileprivate mutating func identify(_ seen: Evaluation, epoch: UInt64, host: Instant) {
    identify(seen.game, playerRevision: seen.playerRevision, epoch: epoch, host: host)
  }

  /// Adds the header with the position of the answer's state. A client passes it to a later call that waits for the next change.
  mutating func identify(_ game: GameSnapshot, playerRevision: Int64?, epoch: UInt64, host: Instant) {
    let position = WatchPosition(epoch: epoch, revision: game.revision, playerRevision: playerRevision ?? 0, instant: host)
    fields.append(Field("Gameconf-Id", position.text))
  }
}

extension Evaluation {
  var revisions: AnswerRevisions { AnswerRevisions(game: game.revision, player: playerRevision) }
}

/// The users who may read secret parameters, for each game.
public struct SecretReaders: Sendable, Hashable {
  private let uids: [String: Set<UInt32>]

  /// Creates the list from the uids for each game.
  public init(_ uids: [String: [UInt32]]) { self.uids = uids.mapValues(Set.init) }

  /// True if a client may read the secrets of a game. On the games socket it is always false, even for a listed user.
  package func admits(_ role: PeerRole, to game: String) -> Bool { role.isOnAdminSocket && uids[game]?.contains(role.uid) == true }

  /// Returns the refusal for a client that requests a secret key and may not read it.
  package func refusal(of key: String, to role: PeerRole) -> Problem {
    let why =
      role.isOnAdminSocket
      ? "uid \(role.uid) is not one of its readers in the daemon's setting “secret_readers”"
      : "only the admin socket gives secrets, to the users in the daemon's setting “secret_readers”"
    return Problem(.secretKey, "\(key) is secret; \(why).")
  }
}
