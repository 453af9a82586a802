// Records that something happened in the game.
public import GameConfCore

/// Records a player's event: scores, counters, milestones and the decisions of ads in one turn.
///
/// With a request's id it is done once: what was answered is kept beside the player's history, and a repeat is answered the same, with the
/// player revision of then.
public struct RecordEvent: Sendable {
  private let desk: PlayerDesk

  /// A use case on a desk.
  public init(_ desk: PlayerDesk) { self.desk = desk }

  /// Records the event.
  /// - Parameters:
  ///   - requestID: `event_id` or `Idempotency-Key`; the newest 64 of a player are known again.
  ///   - context: what the call says of the caller, over the registered context.
  /// - Throws: `.unknownGame`, `.notAPlayer`, `.fault`, `.tooManyNewPlayers`, `.tooManyWrites`, `.changedMeanwhile`, `.reason`, `.store`.
  public func callAsFunction(
    _ id: PlayerID, _ event: PlayerEvent, requestID: String? = nil, context: ObjectValue? = nil, _ change: PlayerChange
  ) async throws(PlayerRefusal) -> PlayerChanged<EventOutcome> {
    let result = await withCheckedContinuation { waiting in
      record(id, event, requestID: requestID, context: context, change, by: nil) { waiting.resume(returning: $0) }
    }
    return try result.get()
  }

  /// Records the event, and hands over what came of it where the courier carries it: the way for who records many.
  public func record(
    _ id: PlayerID, _ event: PlayerEvent, requestID: String? = nil, context: ObjectValue? = nil, _ change: PlayerChange,
    by courier: (any AnswerCourier)?, then take: @escaping @Sendable (Result<PlayerChanged<EventOutcome>, PlayerRefusal>) -> Void
  ) {
    let mark: RequestMark?
    do throws(PlayerFault) {
      mark = try requestID.map { requestID throws(PlayerFault) in
        try RequestMark(route: "events", id: requestID, content: Self.content(of: event, context))
      }
    } catch { return take(.failure(.fault(error))) }
    desk.change(id, context: context, change, by: courier) { edit in
      var state = edit.view.state
      if let mark, !change.isDryRun, let entry = try state.answered(mark) {
        let kept = try edit.answer(beside: entry)
        var player = edit.view.stored
        player.revision = kept.revision
        return PlayerChanged(outcome: try EventOutcome(decoding: kept.answer), player: player, isRepeat: true)
      }
      let (outcome, entry) = try state.record(event, under: edit.view.terms)
      if let mark { state.remember(mark, at: entry) }
      var write = PlayerWrite(state: state, entry: entry)
      if mark != nil { write.answer = outcome.storedJSON }
      return try edit.commit(write, lines: edit.lines(.playerEvent) { $0.detail = .object(entry.details) }, outcome)
    } then: {
      take($0)
    }
  }

  /// All that was asked, for telling a repeat from another request with the same id.
  private static func content(of event: PlayerEvent, _ context: ObjectValue?) -> Value {
    var content: ObjectValue = ["event": .string(event.name)]
    content["mode"] = event.mode.map(Value.string)
    content["score"] = event.score
    content["reason"] = event.reason.map(Value.string)
    content["occurred_at"] = event.occurredAt.map { .integer($0.milliseconds) }
    content["context"] = context.map(Value.object)
    return .object(content)
  }
}
