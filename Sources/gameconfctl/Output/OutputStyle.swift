// The style of output, which depends on the reader and on the terminal's width.

import GameConfCore

struct OutputStyle: Sendable {
  /// True if a person reads the output on a terminal.
  var isTerminal: Bool
  /// The number of the terminal's columns.
  var width: Int
  var isColored = false
  /// True if times and columns are shown in full (`--long`).
  var isLong = false
  /// The time on the host's clock, for relative times.
  var now: Instant
  var zone = LocalZone.host
}
