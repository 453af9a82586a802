// Whom something is shown to, and how much room there is.

import GameConfCore

struct OutputStyle: Sendable {
  /// True if a person looks.
  var isTerminal: Bool
  /// Columns of the terminal.
  var width: Int
  /// True if colours are shown.
  var isColored = false
  /// True if instants and columns are shown in full.
  var isLong = false
  /// What the host's clock shows, for instants beside it.
  var now: Instant
  /// The zone of local times.
  var zone = LocalZone.host
}
