// The style of output: the kind of reader and the width.

import GameConfCore

struct OutputStyle: Sendable {
  /// True if a person reads the output on a terminal.
  var isTerminal: Bool
  /// The number of the terminal's columns.
  var width: Int
  var isColored = false
  /// True if instants and columns are shown in full.
  var isLong = false
  /// The time on the host's clock, for relative times.
  var now: Instant
  var zone = LocalZone.host
}
