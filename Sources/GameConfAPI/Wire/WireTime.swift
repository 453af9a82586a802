// How instants stand on the wire: RFC 3339 in UTC.

import GameConfCore

enum WireTime {
  static func text(_ instant: Instant) -> String { String(instant.milliseconds) }

  static func instant(_ text: String) -> Instant? { Int64(text).map(Instant.init(milliseconds:)) }
}
