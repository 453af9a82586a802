// Stores a game's own state in a play, for example at a pause.
public import GameConfCore
public import GameConfStorage

/// A play's state in stored form.
public struct PlayState: Sendable, Hashable {
  /// The bytes of the state as a JSON document.
  public let bytes: [UInt8]

  /// Creates a state from JSON in the form in which the store has it.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// A digest of the state in 32 hexadecimal digits. A client sends it as the precondition that this state is still stored.
  public var tag: String { String(SHA256.hex(SHA256.digest(of: bytes)).prefix(32)) }
}

extension PlayerService {
  /// Replaces the state of a play. No revision rises, no watcher is notified, and no history line or audit line is written.
  ///
  /// The precondition is checked first, as for every change. A closed play refuses every state except the one that it has.
  /// - Returns: The state, which is durable when this returns.
  /// - Throws: `.unknownPlay`, `.playClosed`, `.stateChanged`, `.refused`, `.userPlaysTooLarge`, `.tooMuchGrowth`, `.tooManyWrites`,
  ///   `.repeatedWithOtherContent`, `.store`.
  public func storeState(
    of id: PlayerID, _ play: String, _ state: Value, _ change: ChangeContext,
    remembering: RepeatableChange<PlayState, ChangeRefusal>? = nil
  ) async throws(ChangeRefusal) -> ChangeAnswer<PlayState> {
    do throws(Refusal) { try EventPlay.check(state) } catch { throw .refused(error) }
    let state = PlayState(bytes: JSONWriter.bytes(state))
    guard world.world[id.game] != nil else { throw .unknownGame(id.game) }
    guard OverrideLimits.admits(player: id.player) else { throw .notAPlayer(id.player) }
    try rates.countWrite(by: change.author.uid)
    return try await store.change(
      WriteMode(isDryRun: change.isDryRun, scope: .players([id])), remembering: remembering, reused: .repeatedWithOtherContent
    ) { transaction in
      guard let stored = try transaction.play(play, of: id) else { throw ChangeRefusal.unknownPlay(play) }
      let before = try transaction.playState(play, of: id).map(PlayState.init(bytes:))
      if case .playState(let tag)? = change.precondition, tag != before?.tag ?? "" { throw ChangeRefusal.stateChanged(tag: before?.tag) }
      if before == state { return state }
      guard stored.closedAt == nil else { throw ChangeRefusal.playClosed(play) }
      let growth = try transaction.admit(state: state.bytes, of: stored, player: id)
      if growth > 0, !change.isDryRun { try rates.countGrowth(bytes: growth, by: change.author.uid) }
      try transaction.set(state: state.bytes, ofPlay: play, player: id)
      return state
    }
  }

  /// Reads a play and its state from the store, since other hosts may have written them.
  /// - Throws: `.unknownPlay`, `.store`.
  public func play(_ play: String, of id: PlayerID) async throws(ChangeRefusal) -> (play: StoredPlay, state: PlayState?) {
    let found: (StoredPlay, [UInt8]?)?
    do throws(StoreError) {
      found = try await store.read { view in
        guard let stored = try view.play(play, of: id) else { return nil }
        return (stored, try view.playState(play, of: id))
      }
    } catch { throw .store(error) }
    guard let (stored, state) = found else { throw .unknownPlay(play) }
    return (stored, state.map(PlayState.init(bytes:)))
  }
}
