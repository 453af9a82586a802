// The state of the tables that a fleet shares.

/// The state of a fleet's row about its tables.
enum FleetState: Equatable {
  /// There is no schema of that name, or it is empty.
  case absent
  case inUse(fleet: String)
  /// A move into it was begun, from the store with that epoch.
  case beingMoved(from: String)
  /// It was moved away.
  case movedAway

  static let moving = "gameconfd, being moved from "
  static let moved = "gameconfd, moved to SQLite"
}
