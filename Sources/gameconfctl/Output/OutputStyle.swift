// The style of output: for whom it is, and how much space there is.

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
  /// The time on the host's clock, for instants beside it.
  var now: Instant
  /// The zone of local times.
  var zone = LocalZone.host
}
