// The routes that record players' events: one event, or a list from a client's queue.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage
internal import GameConfServer

struct EventRoutes {
  let services: DaemonServices

  var routes: [CallRoute] { [CallRoute(Calls.recordEvent) { call throws(Problem) in try record(call) }] }

  /// Returns the event id for a key in the header `Idempotency-Key`: the key, or its digest if the key is longer than an event id may be.
  private static func requestID(_ key: String) -> String {
    key.utf8.count <= PlayerLimits.requestIDBytesMax ? key : "sha256-" + SHA256.hex(SHA256.digest(of: key.utf8))
  }

  private func record(_ call: CallContext<EventsRequest>) throws(Problem) -> TypedReply<EventsAnswer> {
    let (request, body) = (call.request, call.body)
    let id = try request.playerID()
    let game = try call.game.snapshot
    let change = try call.playerChange(reason: nil, now: services.clock.now)
    if body.isList { return try record(body.events, refusing: body.faults, of: id, change, game, request) }
    guard let event = body.events.first else { throw Problem(.malformedRequest, "The body has no event.", pointer: "") }
    return try record(event, of: id, change, game, request)
  }

  private func record(
    _ body: EventRequest, of id: PlayerID, _ change: ChangeContext, _ game: GameSnapshot, _ request: Request
  ) throws(Problem) -> TypedReply<EventsAnswer> {
    let header = try request.idempotencyKey()
    let names = [body.eventID == nil, body.sequence == nil, header == nil, change.sequence == nil].count { !$0 }
    if names > 1 {
      throw Problem(
        .twoIDs, "Name the event by one of event_id, sequence, Idempotency-Key and Gameconf-Sequence.",
        pointer: body.eventID == nil ? "/sequence" : "/event_id")
    }
    let sequence = try body.mark(at: "") ?? change.sequence?.mark
    let context = try body.attributes(of: id.player, at: "")
    // Events are the most frequent writes. The writer therefore passes their answers directly to the event loop, without a task.
    let meters = services.meters
    let answer: @Sendable (Result<PlayerChangeOutcome<EventOutcome>, ChangeRefusal>) -> Result<TypedAnswer<EventsAnswer>, Problem> = {
      result in
      if !change.isDryRun { meters.count(result, in: id.game) }
      return result.map { changed in
        let json = changed.outcome.wire(of: body.event, id, isDryRun: change.isDryRun).json
        return .written(json, isRepeat: changed.isRepeat, changed.revisions(of: game))
      }.flatMapError { refusal in
        if case .alreadyDone(let revision) = refusal { return .success(.done(playerRevision: revision)) }
        return .failure(Problem(refusal))
      }
    }
    let (event, requestID) = (body.played, body.eventID ?? header.map(Self.requestID))
    let plays = services.plays
    let known: [String: PinnedPlay]? = event.play.map { play in plays.cached(play.id, of: id).map { [play.id: $0] } } ?? [:]
    guard let known else {
      return .task { () async throws(Problem) in
        let pinned: [String: PinnedPlay]
        do throws(StoreError) { pinned = try await plays.pinned(by: [event], of: id) } catch { throw Problem(error) }
        let result: Result<PlayerChangeOutcome<EventOutcome>, ChangeRefusal>
        do throws(ChangeRefusal) {
          result = .success(
            try await services.players.record(
              id, event, requestID: requestID, sequence: sequence, context: context, in: pinned, change))
        } catch { result = .failure(error) }
        return try answer(result).get()
      }
    }
    let recorded = TypedReply<EventsAnswer>.Promise(on: request.eventLoop)
    services.players.record(
      id, event, requestID: requestID, sequence: sequence, context: context, in: known, change, by: request.completions
    ) { recorded.complete(with: answer($0)) }
    return .later(recorded)
  }

  private func record(
    _ bodies: [EventRequest], refusing faults: [Int: Fault], of id: PlayerID, _ change: ChangeContext, _ game: GameSnapshot,
    _ request: Request
  ) throws(Problem) -> TypedReply<EventsAnswer> {
    if try request.idempotencyKey() != nil || change.sequence != nil {
      throw Problem(.twoIDs, "Each event of a list has its own “sequence”; leave out Idempotency-Key and Gameconf-Sequence.")
    }
    if change.precondition != nil {
      throw .header("If-Match", "A list of events takes no If-Match: its events are separate changes, one after another.")
    }
    var queued: [QueuedEvent] = []
    var refused = faults.mapValues { fault in Problem(fault) }
    for (place, body) in bodies.enumerated() {
      guard let mark = try body.mark(at: "/\(place)") else {
        throw Problem(.malformedRequest, "An event of a list has a “sequence”.", pointer: "/\(place)")
      }
      if refused[place] != nil { continue }
      do throws(Problem) {
        queued.append(QueuedEvent(body.played, at: mark, context: try body.attributes(of: id.player, at: "/\(place)")))
      } catch { refused[place] = error }
    }
    return .task { [queued, refused] () async throws(Problem) in
      let pinned: [String: PinnedPlay]
      do throws(StoreError) { pinned = try await services.plays.pinned(by: queued.map(\.event), of: id) } catch { throw Problem(error) }
      let outcomes = await services.players.record(id, queued, in: pinned, change)
      var answers: [ListedEventAnswer] = []
      var last: Int64?
      var left = outcomes[...]
      for (place, body) in bodies.enumerated() {
        let number = body.sequence?.number ?? 0
        if refused[place] == nil, let outcome = left.popFirst() {
          if !change.isDryRun { services.meters.count(outcome, in: id.game) }
          answers.append(outcome.listed(body.event, number, place, id, isDryRun: change.isDryRun))
          if case .success(let changed) = outcome { last = changed.player.revision }
        } else {
          let notTried = "An event before this one can be sent again in a moment; send this one after it."
          let problem = refused[place] ?? Problem(.notTried, notTried)
          answers.append(ListedEventAnswer(number: number, status: problem.status, problem: problem))
        }
      }
      var answer = TypedAnswer.ok(EventsAnswer.list(answers), AnswerRevisions(game: game.revision, player: last))
      if let wait = answers.lazy.compactMap({ $0.problem?.retryAfterSeconds }).first {
        answer.answer.fields.append(Answer.Field("Retry-After", String(wait)))
      }
      return answer
    }
  }
}

extension Result<PlayerChangeOutcome<EventOutcome>, ChangeRefusal> {
  fileprivate func listed(_ event: String, _ number: Int64, _ place: Int, _ id: PlayerID, isDryRun: Bool) -> ListedEventAnswer {
    switch self {
    case .success(let changed):
      return ListedEventAnswer(
        number: number, status: 200, isRepeated: changed.isRepeat, answer: changed.outcome.wire(of: event, id, isDryRun: isDryRun))
    case .failure(.alreadyDone): return ListedEventAnswer(number: number, status: 200, isRepeated: true)
    case .failure(let refusal):
      var problem = Problem(refusal)
      problem.pointer = problem.pointer.map { "/\(place)" + $0 }
      return ListedEventAnswer(number: number, status: problem.status, problem: problem)
    }
  }
}

extension EventRequest {
  /// The event in the form that the engine records.
  fileprivate var played: PlayerEvent {
    PlayerEvent(
      name: event, mode: mode, score: score, reason: reason, details: details, occurredAt: occurredAt,
      play: play.map { EventPlay($0, state: state, closes: isClosing) })
  }

  /// Returns the event's position in a client's queue; nil if the event has no position.
  fileprivate func mark(at pointer: String) throws(Problem) -> SequencePosition? {
    guard let sequence else { return nil }
    do throws(Refusal) { return try SequencePosition(client: sequence.client, number: sequence.number) } catch {
      throw Problem(.malformedRequest, error.message, pointer: pointer + "/sequence")
    }
  }

  /// Returns the attributes in the event; nil if it has no attributes.
  fileprivate func attributes(of player: String, at pointer: String) throws(Problem) -> ObjectValue? {
    if context.isEmpty { return nil }
    let context = try RequestCaller.canonical(context, at: pointer + "/context")
    guard let key = context["targetingKey"], !key.isSame(as: player) else { return context }
    throw Problem(
      .playersDiffer, "The event is of “\(player)”, and context.targetingKey names another; leave it out, or give the same.",
      pointer: pointer + "/context/targetingKey")
  }
}
