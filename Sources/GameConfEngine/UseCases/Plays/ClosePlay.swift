// Closes a play. Its pinned values can still be read.
internal import GameConfCore
public import GameConfStorage

/// The outcome of closing a play. Closing a closed play changes nothing and sets ``wasClosed``.
public struct PlayCloseOutcome: Sendable, Hashable {
  /// The play with the instant at which it was closed.
  public var play: StoredPlay
  /// True if the play was closed before, so that nothing changed.
  public var wasClosed: Bool
}

extension PlayerAct<PlayCloseOutcome> {
  /// Closes a play; a closed one stays unchanged.
  ///
  /// It throws `.unknownPlay`.
  public static func closePlay(_ play: String) -> Self {
    Self { edit in
      let (id, change) = (edit.id, edit.change)
      guard var closed = try edit.transaction.play(play, of: id) else { throw ChangeRefusal.unknownPlay(play) }
      if closed.closedAt != nil { return try edit.nothing(PlayCloseOutcome(play: closed, wasClosed: true)) }
      (closed.closedAt, closed.closedAtHost) = (edit.view.now, change.now)
      var line = edit.line(.playClosed)
      line.detail = .object(closed.detail)
      let changed = try edit.commit(PlayerWrite(), lines: [line], PlayCloseOutcome(play: closed, wasClosed: false))
      try edit.transaction.close(closed, of: id)
      try edit.transaction.dropPlays(of: id, host: change.now)
      return changed
    }
  }
}
