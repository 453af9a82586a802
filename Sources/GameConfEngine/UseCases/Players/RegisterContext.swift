// Registers the context that serves where a call gives none.
public import GameConfCore

/// Keeps what is known of a player's device, language and the like.
public struct RegisterContext: Sendable {
  private let desk: PlayerDesk

  /// A use case on a desk.
  public init(_ desk: PlayerDesk) { self.desk = desk }

  /// Registers the context in place of the one before.
  /// - Returns: the context as it is kept.
  /// - Throws: `.refused` for one that is too large or names another player, and what every change of a player throws.
  public func callAsFunction(
    _ id: PlayerID, _ context: ObjectValue, _ change: Change,
    remembering: Remembering<PlayerChanged<ObjectValue>, PlayerRefusal>? = nil
  ) async throws(PlayerRefusal) -> Answered<PlayerChanged<ObjectValue>> {
    try await desk.change(id, change, remembering: remembering) { edit in
      var state = edit.view.state
      guard let entry = try state.register(context, of: id.player, now: edit.view.now) else { return try edit.nothing(state.context) }
      var line = edit.line(.playerContext)
      line.before = .object(edit.view.state.context)
      line.after = .object(state.context)
      return try edit.commit(PlayerWrite(state: state, entry: entry), lines: [line], state.context)
    }
  }
}
