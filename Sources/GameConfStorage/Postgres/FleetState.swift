// The state of a schema that a fleet shares.

/// The state of a schema, from the fleet's row.
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
