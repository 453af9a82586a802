// The plays of the events of one transaction: what their values are, and what becomes of them.
internal import GameConfCore
import GameConfStorage

/// The plays of the events of one transaction.
struct EventPlays {
  private let edit: PlayerEdit
  private let pinned: [String: PinnedPlay]
  /// The plays as the events so far leave them, by id.
  private var plays: [String: StoredPlay] = [:]
  /// The states that the events leave, by the plays' ids.
  private var states: [String: [UInt8]] = [:]
  /// The plays that the events close, in order.
  private var closed: [StoredPlay] = []
  private var growth = 0

  /// The plays of a transaction.
  /// - Parameter pinned: the plays with their values, by id, read before the transaction.
  init(_ edit: PlayerEdit, _ pinned: [String: PinnedPlay]) {
    self.edit = edit
    self.pinned = pinned
  }

  /// The terms of an event: a player's with its play.
  ///
  /// The transaction reads only that the play is stored, and whether it is closed. A play in memory can be older than another host's write.
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

  /// Notes what an event does to its play, whose terms were read. A closed play stays as it ended.
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

  /// Writes it, after the player.
  func commit() throws {
    if growth > 0, !edit.change.isDryRun { try edit.service.rates.countGrowth(bytes: growth, by: edit.change.author.uid) }
    for (id, state) in states { try edit.transaction.set(state: state, ofPlay: id, player: edit.id) }
    for play in closed { try edit.transaction.close(play, of: edit.id) }
    if !closed.isEmpty { try edit.transaction.dropPlays(of: edit.id, host: edit.change.now) }
  }
}

extension EventPlay {
  /// Refuses a state that is larger than a play may have.
  static func check(_ state: Value) throws(Refusal) {
    let bytes = JSONWriter.bytes(state).count
    if bytes > PlayLimits.stateBytesMax { throw .stateTooLarge(bytes: bytes) }
  }
}

extension WriteTransaction {
  /// Holds a play's new state against what the plays of its user may take.
  /// - Returns: how many bytes longer it is.
  /// - Throws: `.userPlaysTooLarge`, ``StoreError``.
  func admit(state: [UInt8], of play: StoredPlay, player: PlayerID) throws -> Int {
    let growth = try state.count - (playState(play.id, of: player)?.count ?? 0)
    guard growth > 0 else { return 0 }
    let max = PlayLimits.userBytesMax
    if try playBytes(of: play.uid) + Int64(growth) > max { throw ChangeRefusal.userPlaysTooLarge(max: max) }
    return growth
  }
}
