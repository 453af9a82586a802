// Registers the context that serves where a call gives none.
public import GameConfCore
import GameConfStorage

extension PlayerAct<ObjectValue> {
  /// Registers what is known of a player's device, language and the like, in place of the context before; the outcome is the context as it is
  /// stored.
  ///
  /// It throws `.refused` for a context that is too large or names another player.
  public static func register(_ context: ObjectValue) -> Self {
    Self { edit in
      var state = edit.view.state
      guard let entry = try state.register(context, of: edit.id.player, now: edit.view.now) else { return try edit.nothing(state.context) }
      var line = edit.line(.playerContext)
      line.before = .object(edit.view.state.context)
      line.after = .object(state.context)
      return try edit.commit(PlayerWrite(state: state, entry: entry), lines: [line], state.context)
    }
  }
}
