// Records a list of events from a client's queue.
public import GameConfCore
public import GameConfStorage

/// An event with its position in a client's queue.
public struct QueuedEvent: Sendable {
  /// The event as the game reported it.
  public var event: PlayerEvent
  /// The position in the queue, which makes a repeat recognizable.
  public var sequence: SequencePosition
  /// The event's context, which overrides the player's registered context.
  public var context: ObjectValue?

  /// Creates an event, by default without a context of its own.
  public init(_ event: PlayerEvent, at sequence: SequencePosition, context: ObjectValue? = nil) {
    self.event = event
    self.sequence = sequence
    self.context = context
  }
}

extension PlayerService {
  /// The outcome of each event that was processed.
  public typealias EventOutcomes = [Result<PlayerChangeOutcome<EventOutcome>, ChangeRefusal>]

  /// Records events in order, in atomic transactions of ``PlayerLimits/transactionEventsMax`` events.
  ///
  /// A refused event changes nothing, and the next ones are processed. A temporary failure (too many writes, a failure of the store) ends
  /// the list: the events after it are not processed.
  /// - Returns: One outcome for each processed event, from the first on.
  /// - Parameter plays: The events' plays with their pinned values, by id. An event of another play is refused.
  public func record(
    _ id: PlayerID, _ events: [QueuedEvent], in plays: [String: PinnedPlay] = [:], _ change: ChangeContext
  ) async -> EventOutcomes {
    // A dry run is one transaction. After a rolled-back transaction, the events of a second one would not see the effects of the first.
    let batchMax = change.isDryRun ? PlayerLimits.listedEventsMax : PlayerLimits.transactionEventsMax
    var outcomes: EventOutcomes = []
    while outcomes.count < events.count {
      var batch = events[outcomes.count...].prefix(batchMax)
      let refusal = admit(&batch, by: change.author.uid)
      if !batch.isEmpty {
        do throws(ChangeRefusal) { outcomes += try await record(batch, of: id, in: plays, change) } catch {
          return outcomes + [.failure(error)]
        }
      }
      if let refusal { return outcomes + [.failure(refusal)] }
    }
    return outcomes
  }

  /// Counts a transaction's events as writes of the user, and drops events beyond the limit.
  private func admit(_ batch: inout ArraySlice<QueuedEvent>, by uid: UInt32) -> ChangeRefusal? {
    for place in batch.indices {
      do throws(ChangeRefusal) { try rates.countWrite(by: uid) } catch {
        batch = batch[..<place]
        return error
      }
    }
    return nil
  }

  private func record(
    _ events: ArraySlice<QueuedEvent>, of id: PlayerID, in plays: [String: PinnedPlay], _ change: ChangeContext
  ) async throws(ChangeRefusal) -> EventOutcomes {
    let act = PlayerAct<EventOutcomes> { edit in
      var list = EventTransaction(edit, plays)
      for event in events { try list.record(event) }
      return try list.commit()
    }
    let answered = try await changeUncounted(id, act, change)
    return answered.fresh?.outcome ?? []
  }
}

/// The events of one transaction, each decided on the state after the previous one.
private struct EventTransaction {
  private let edit: PlayerEdit
  private var stored: StoredPlayer
  private var lines: [PlayerLine] = []
  private var details: [ObjectValue] = []
  private var outcomes: PlayerService.EventOutcomes = []
  /// The outcomes of this transaction's events, by their positions in queues.
  private var fresh: [SequencePosition: EventOutcome] = [:]
  /// The indices of the outcomes of events that this transaction has recorded, including repeats within the list.
  private var ofThisTransaction: Set<Int> = []
  private var marks: ClientSequences
  private var gains = EventImprovements()
  private var plays: EventPlays

  init(_ edit: PlayerEdit, _ plays: [String: PinnedPlay]) {
    self.edit = edit
    self.plays = EventPlays(edit, plays)
    stored = edit.view.stored
    marks = edit.view.stored.marks
  }

  mutating func record(_ queued: QueuedEvent) throws {
    do { try add(queued) } catch let refusal as Refusal {
      outcomes.append(.failure(.refused(refusal)))
    } catch let refusal as ChangeRefusal {
      // A temporary failure ends the list; any other refusal concerns this event alone.
      guard refusal.isRemembered else { throw refusal }
      outcomes.append(.failure(refusal))
    }
  }

  private mutating func add(_ queued: QueuedEvent) throws {
    let request = queued.event.sequenced(queued.sequence, queued.context)
    switch edit.change.isDryRun ? .new : try marks.standing(of: request) {
    case .new: break
    case .settled: return outcomes.append(.failure(.alreadyDone(revision: stored.revision)))
    case .done(let bits):
      if let outcome = fresh[queued.sequence] {
        ofThisTransaction.insert(outcomes.count)
        return outcomes.append(.success(PlayerChangeOutcome(outcome: outcome, player: stored, isRepeat: true)))
      }
      let newest = stored.state?.entries ?? 0
      guard let earlier = try edit.answer(to: queued.sequence.text, ofEvent: queued.event.name, entryBits: bits, newest: newest) else {
        return outcomes.append(.failure(.alreadyDone(revision: stored.revision)))
      }
      return outcomes.append(.success(try edit.repeated(earlier)))
    }
    let view = PlayerView(stored, edit.id, of: edit.view.game, host: edit.change.now, context: queued.context)
    try queued.event.checkSize(with: queued.context)
    var state = view.state
    var terms = try plays.terms(of: queued.event, over: view.terms)
    var (gained, after) = (gains, plays)
    try gained.count(queued.event, in: &terms, edit)
    var (outcome, entry) = try state.record(queued.event, under: terms)
    try after.take(queued.event)
    outcome.best = try gained.take(queued.event, under: terms, in: edit)
    (gains, plays) = (gained, after)
    stored.state = state
    if !edit.change.isDryRun { marks.note(request, entry: entry.number) }
    lines.append(
      PlayerLine(
        entry: entry, answer: edit.retained(outcome.storedJSON, of: queued.sequence.text), retained: terms.linesMax(of: queued.event.name)))
    details.append(entry.details)
    fresh[queued.sequence] = outcome
    ofThisTransaction.insert(outcomes.count)
    outcomes.append(.success(PlayerChangeOutcome(outcome: outcome, player: stored)))
  }

  /// Writes the effects of all events with one player revision.
  func commit() throws -> PlayerChangeOutcome<PlayerService.EventOutcomes> {
    guard let state = stored.state, !lines.isEmpty else { return PlayerChangeOutcome(outcome: outcomes, player: edit.view.stored) }
    let audited = details.flatMap { details in edit.lines(.playerEvent) { $0.detail = .object(details) } }
    var write = PlayerWrite(state: state, lines: lines, marks: marks)
    if !gains.isEmpty { write.gains = gains }
    var changed = try edit.commit(write, lines: audited, outcomes)
    try plays.commit()
    edit.log(lines.map(\.entry))
    for place in ofThisTransaction {
      changed.outcome[place] = outcomes[place].map {
        PlayerChangeOutcome(outcome: $0.outcome, player: changed.player, isRepeat: $0.isRepeat)
      }
    }
    return changed
  }
}
