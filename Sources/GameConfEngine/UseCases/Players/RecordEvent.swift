// Records an event of the game for a player.
public import GameConfCore
public import GameConfStorage

extension PlayerService {
  /// Records a player's event: scores, counters, milestones and ad decisions in one transaction.
  ///
  /// With a request id or a position in a client's queue, the event is recorded once: the answer is stored with the history line, and a
  /// repeat gets the same answer with the player revision of that time.
  /// - Parameters:
  ///   - requestID: `event_id` or `Idempotency-Key`; a player's newest 64 ids are stored.
  ///   - sequence: The position in a client's queue instead of an id.
  ///   - context: The call's context, which overrides the registered one.
  ///   - plays: The event's play with its pinned values, by id. Without it, an event of a play is refused.
  /// - Throws: `.unknownGame`, `.notAPlayer`, `.refused`, `.unknownPlay`, `.userPlaysTooLarge`, `.tooManyNewPlayers`, `.tooManyWrites`,
  ///   `.changedMeanwhile`, `.alreadyDone`, `.reason`, `.store`.
  public func record(
    _ id: PlayerID, _ event: PlayerEvent, requestID: String? = nil, sequence: SequencePosition? = nil, context: ObjectValue? = nil,
    in plays: [String: PinnedPlay] = [:], _ change: ChangeContext
  ) async throws(ChangeRefusal) -> PlayerChangeOutcome<EventOutcome> {
    let result = await withCheckedContinuation { waiting in
      record(id, event, requestID: requestID, sequence: sequence, context: context, in: plays, change, by: nil) {
        waiting.resume(returning: $0)
      }
    }
    return try result.get()
  }

  /// Records a player's event, and passes the outcome to the completion queue; for a caller that records many events.
  public func record(
    _ id: PlayerID, _ event: PlayerEvent, requestID: String? = nil, sequence: SequencePosition? = nil, context: ObjectValue? = nil,
    in plays: [String: PinnedPlay] = [:], _ change: ChangeContext, by completions: (any CompletionQueue)?,
    then take: @escaping @Sendable (Result<PlayerChangeOutcome<EventOutcome>, ChangeRefusal>) -> Void
  ) {
    let mark: RequestFingerprint?
    do throws(Refusal) {
      try event.checkSize(with: context)
      mark = try requestID.map { requestID throws(Refusal) in
        try RequestFingerprint(route: "events", id: requestID, content: event.content(context))
      }
    } catch { return take(.failure(.refused(error))) }
    var change = change
    change.sequence = sequence.map { event.sequenced($0, context) }
    self.change(id, context: context, change, by: completions) { [change] edit in
      if change.isDryRun { return nil }
      if let sequence = change.sequence { return try edit.repeated(sequence, event) }
      guard let mark, let bits = try edit.view.state.answered(mark) else { return nil }
      guard let earlier = try edit.answer(to: mark.name, ofEvent: event.name, entryBits: bits, newest: edit.view.state.entries) else {
        throw ChangeRefusal.alreadyDone(revision: edit.view.stored.revision)
      }
      return try edit.repeated(earlier)
    } _: { [change] edit in
      var state = edit.view.state
      var ofPlays = EventPlays(edit, plays)
      var terms = try ofPlays.terms(of: event, over: edit.view.terms)
      var gains = EventImprovements()
      try gains.count(event, in: &terms, edit)
      var (outcome, entry) = try state.record(event, under: terms)
      try ofPlays.take(event)
      outcome.best = try gains.take(event, under: terms, in: edit)
      if let mark { state.remember(mark, at: entry) }
      let request = mark?.name ?? change.sequence?.mark.text
      let answer = request.map { edit.retained(outcome.storedJSON, of: $0) }
      var write = PlayerWrite(state: state, entry: entry, answer: answer, retained: terms.linesMax(of: event.name))
      if !gains.isEmpty { write.gains = gains }
      let changed = try edit.commit(write, lines: edit.lines(.playerEvent) { $0.detail = .object(entry.details) }, outcome)
      try ofPlays.commit()
      edit.log([entry])
      return changed
    } then: {
      take($0)
    }
  }
}

extension PlayerEdit {
  /// Returns the stored answer of an earlier event with the same position in a queue; nil for a new event.
  fileprivate func repeated(_ sequence: SequencedRequest, _ event: PlayerEvent) throws -> PlayerChangeOutcome<EventOutcome>? {
    guard case .done(let bits) = try view.stored.marks.standing(of: sequence),
      let earlier = try answer(to: sequence.mark.text, ofEvent: event.name, entryBits: bits, newest: view.state.entries)
    else { return nil }
    return try repeated(earlier)
  }

  /// Decodes the stored outcome of an event, for a repeated request.
  func repeated(_ earlier: (answer: Value, revision: Int64)) throws -> PlayerChangeOutcome<EventOutcome> {
    var player = view.stored
    player.revision = earlier.revision
    return PlayerChangeOutcome(outcome: try EventOutcome(decoding: earlier.answer), player: player, isRepeat: true)
  }
}

extension PlayerEdit {
  /// Publishes events for the daemon's log if the game's catalog enables that.
  func log(_ entries: [HistoryEntry]) {
    if view.game.catalog.logsEvents { for entry in entries { transaction.publish(.event(id, entry)) } }
  }
}

extension PlayerEvent {
  /// Throws a refusal if the event exceeds its size limits.
  func checkSize(with context: ObjectValue?) throws(Refusal) {
    if let state = play?.state { try EventPlay.check(state) }
    if details.isEmpty, context == nil { return }
    let bytes = JSONWriter.bytes(.object(details)).count + (context.map { JSONWriter.bytes(.object($0)).count } ?? 0)
    if bytes > PlayerLimits.eventBytesMax { throw .eventTooLarge(bytes: bytes) }
  }

  /// Returns the event as a request: its position in a client's queue, and a digest of its content.
  func sequenced(_ mark: SequencePosition, _ context: ObjectValue?) -> SequencedRequest {
    SequencedRequest(mark, contentDigest: SHA256.digest(of: CBOR.bytes(content(context))))
  }

  /// Returns all parts of the request, which distinguish a repeat from another request with the same id.
  func content(_ context: ObjectValue?) -> Value {
    var content: ObjectValue = ["event": .string(name)]
    content["mode"] = mode.map(Value.string)
    content["score"] = score
    content["reason"] = reason.map(Value.string)
    if !details.isEmpty { content["details"] = .object(details) }
    content["occurred_at"] = occurredAt.map { .integer($0.milliseconds) }
    content["context"] = context.map(Value.object)
    if let play {
      content["play"] = .string(play.id)
      content["state"] = play.state
      if play.closes { content["close"] = true }
    }
    return .object(content)
  }
}
