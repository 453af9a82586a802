// Closes a play; what it pinned stays readable.
internal import GameConfCore

/// What closing a play came to.
public struct ClosedPlay: Sendable, Hashable {
  /// The play as it is then.
  public var play: StoredPlay
  /// Whether it had been closed before, so that nothing changed.
  public var wasClosed: Bool
}

/// Closes plays.
public struct ClosePlay: Sendable {
  private let desk: PlayerDesk

  /// A use case on a desk.
  public init(_ desk: PlayerDesk) { self.desk = desk }

  /// Closes a play; one that is closed already stays as it is.
  /// - Throws: `.unknownPlay`, and what every change of a player throws.
  public func callAsFunction(
    _ id: PlayerID, _ play: String, _ change: Change,
    remembering: Remembering<PlayerChanged<ClosedPlay>, PlayerRefusal>? = nil
  ) async throws(PlayerRefusal) -> Answered<PlayerChanged<ClosedPlay>> {
    try await desk.change(id, change, remembering: remembering) { edit in
      guard var closed = try edit.turn.play(play, of: id) else { throw PlayerRefusal.unknownPlay(play) }
      if closed.closedAt != nil { return try edit.nothing(ClosedPlay(play: closed, wasClosed: true)) }
      (closed.closedAt, closed.closedAtHost) = (edit.view.now, change.now)
      var line = edit.line(.playClosed)
      line.detail = .object(closed.told)
      let changed = try edit.commit(PlayerWrite(), lines: [line], ClosedPlay(play: closed, wasClosed: false))
      try edit.turn.close(play, of: id, at: edit.view.now, host: change.now)
      edit.turn.publish(.play(id, .closed(closed)))
      try edit.dropPlays()
      return changed
    }
  }
}
