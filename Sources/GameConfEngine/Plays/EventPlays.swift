// The plays of the events of one transaction: their pinned values, new states and closings.
internal import GameConfCore
import GameConfStorage

/// The plays that the events of one transaction belong to, with the changes by these events.
struct EventPlays {
  private let edit: PlayerEdit
  private let pinned: [String: PinnedPlay]
  /// The plays as the events so far have changed them, by the plays' ids.
  private var plays: [String: StoredPlay] = [:]
  /// The states that the events store with plays, as JSON, by the plays' ids.
  private var states: [String: [UInt8]] = [:]
  /// The plays that the events close, in the order of the events.
  private var closed: [StoredPlay] = []
  private var growth = 0

  /// - Parameter pinned: The plays of the transaction's events with their pinned values, by id, as read before the transaction.
  init(_ edit: PlayerEdit, _ pinned: [String: PinnedPlay]) {
    self.edit = edit
    self.pinned = pinned
  }

  /// Returns the inputs of decisions about an event: those of the player, with the pinned values of the event's play.
  ///
  /// The transaction reads only whether the play is stored and closed, because the cached play may lack another host's write.
  /// - Throws: `.unknownPlay`, ``StoreError``.
  mutating func terms(of event: PlayerEvent, over terms: PlayerTerms) throws -> PlayerTerms {
    guard let id = event.play?.id else { return terms }
    guard let known = pinned[id], let play = try plays[id] ?? edit.transaction.play(id, of: edit.id), play.digest == known.play.digest
    else {
      throw ChangeRefusal.unknownPlay(id)
    }
    plays[id] = play
    var terms = terms
    terms.play = PlayTerms(known.values, openedAt: play.openedAt, closedAt: play.closedAt, closedAtHost: play.closedAtHost)
    return terms
  }

  /// Applies an event to the play that it belongs to. The caller has called ``terms(of:over:)`` for the event before. A closed play stays
  /// unchanged.
  /// - Throws: `.userPlaysTooLarge`, ``StoreError``.
  mutating func take(_ event: PlayerEvent) throws {
    guard let of = event.play, var play = plays[of.id], play.closedAt == nil else { return }
    if let state = of.state {
      let bytes = JSONWriter.bytes(state)
      growth += try edit.transaction.admit(state: bytes, of: play, player: edit.id)
      states[of.id] = bytes
    }
    guard of.closes else { return }
    (play.closedAt, play.closedAtHost) = (edit.view.now, edit.change.now)
    plays[of.id] = play
    closed.append(play)
  }

  /// Writes the new states and closings of the plays. The caller has written the player before.
  func commit() throws {
    if growth > 0, !edit.change.isDryRun { try edit.service.rates.countGrowth(bytes: growth, by: edit.change.author.uid) }
    for (id, state) in states { try edit.transaction.set(state: state, ofPlay: id, player: edit.id) }
    for play in closed { try edit.transaction.close(play, of: edit.id) }
    if !closed.isEmpty { try edit.transaction.dropPlays(of: edit.id, host: edit.change.now) }
  }
}

extension EventPlay {
  /// Throws `.stateTooLarge` if the state's JSON is longer than ``PlayLimits/stateBytesMax``.
  static func check(_ state: Value) throws(Refusal) {
    let bytes = JSONWriter.bytes(state).count
    if bytes > PlayLimits.stateBytesMax { throw .stateTooLarge(bytes: bytes) }
  }
}

extension WriteTransaction {
  /// Checks that a new state of a play fits into the quota of bytes that the user's plays may take.
  /// - Returns: The bytes by which the new state is longer than the former; 0 if it is not longer.
  /// - Throws: `.userPlaysTooLarge`, ``StoreError``.
  func admit(state: [UInt8], of play: StoredPlay, player: PlayerID) throws -> Int {
    let growth = try state.count - (playState(play.id, of: player)?.count ?? 0)
    guard growth > 0 else { return 0 }
    let max = PlayLimits.userBytesMax
    if try playBytes(of: play.uid) + Int64(growth) > max { throw ChangeRefusal.userPlaysTooLarge(max: max) }
    return growth
  }
}
