// Registers a player's context, which applies to calls that send no context.
public import GameConfCore
import GameConfStorage

extension PlayerAct<ObjectValue> {
  /// Replaces a player's registered context: attributes such as device and language. The outcome is the stored context.
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
