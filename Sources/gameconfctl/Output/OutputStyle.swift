// Whom something is shown to, and how much room there is.

import GameConfCore

struct OutputStyle: Sendable {
  /// Whether a person looks.
  var isTerminal: Bool
  /// Columns of the terminal.
  var width: Int
  /// Whether colours are shown.
  var isColored = false
  /// Whether instants and columns are shown in full.
  var isLong = false
  /// What the host's clock shows, for instants beside it.
  var now: Instant
  /// The zone of local times.
  var zone = LocalZone.host
}
