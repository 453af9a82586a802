// Loads the served state from the rows of every kind.

extension StoredState {
  /// Returns the state to serve from memory, and the lower bound of players' revisions.
  /// - Parameter notes: Called with each unreadable row, which is not served.
  static func loaded(
    from database: any TableDatabase, noting notes: @escaping (UnreadableRow) -> Void
  ) throws -> (StoredState, playerFloor: Int64) {
    let view = ReadTransaction(database, floors: ReadTransaction.RevisionFloors(), noting: notes)
    do {
      var state = StoredState()
      for kind in StateKinds.all { try kind.load(into: &state, from: view) }
      let floor = try view.number(RevisionRows.playerFloor)
      state.playerRevisionMax = max(state.playerRevisionMax, floor)
      return (state, floor)
    } catch {
      throw view.failure ?? DatabaseFailure(error)
    }
  }
}
