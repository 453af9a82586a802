// The states of a PostgreSQL schema: empty, in use by a fleet, or in a move of its store.

/// The state of a PostgreSQL schema, from the single row of its table `fleet`.
enum FleetState: Equatable {
  /// The schema does not exist or is empty.
  case absent
  case inUse(fleet: String)
  /// A move into the schema has begun, from the store with this epoch.
  case beingMoved(from: String)
  case movedAway

  static let moving = "gameconfd, being moved from "
  static let moved = "gameconfd, moved to SQLite"
}
