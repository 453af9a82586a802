// Closes a play; what it pinned stays readable.
internal import GameConfCore
public import GameConfStorage

/// The outcome of closing a play.
public struct PlayCloseOutcome: Sendable, Hashable {
  /// The play as it is then.
  public var play: StoredPlay
  /// True if it had been closed before, so that nothing changed.
  public var wasClosed: Bool
}

extension PlayerAct<PlayCloseOutcome> {
  /// Closes a play; one that is closed already stays as it is.
  ///
  /// It throws `.unknownPlay`.
  public static func closePlay(_ play: String) -> Self {
    Self { edit in
      let (id, change) = (edit.id, edit.change)
      guard var closed = try edit.transaction.play(play, of: id) else { throw ChangeRefusal.unknownPlay(play) }
      if closed.closedAt != nil { return try edit.nothing(PlayCloseOutcome(play: closed, wasClosed: true)) }
      (closed.closedAt, closed.closedAtHost) = (edit.view.now, change.now)
      var line = edit.line(.playClosed)
      line.detail = .object(closed.told)
      let changed = try edit.commit(PlayerWrite(), lines: [line], PlayCloseOutcome(play: closed, wasClosed: false))
      try edit.transaction.close(closed, of: id)
      try edit.transaction.dropPlays(of: id, host: change.now)
      return changed
    }
  }
}
