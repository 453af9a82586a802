// Opens a visit: a launch of the game.
public import GameConfCore
import GameConfStorage

extension PlayerAct<Visits> {
  /// Records the start of a visit, which is one launch of the game.
  ///
  /// The outcome has the number of visits and the beginning of this one.
  public static var openVisit: Self {
    Self { edit in
      var state = edit.view.state
      let entry = state.openVisit(now: edit.view.now)
      var line = edit.line(.playerVisit)
      line.detail = .object(entry.details)
      return try edit.commit(PlayerWrite(state: state, entry: entry), lines: [line], state.visits)
    }
  }
}
