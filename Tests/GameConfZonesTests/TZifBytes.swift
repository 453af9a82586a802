// Builds TZif files, valid and invalid, for the tests of their parser.

import GameConfZones

/// The content of a TZif file to encode. Its members may contradict each other.
struct TZifBytes {
  var version: Unicode.Scalar = "2"
  /// The instant of each transition, in seconds since 1970, and the index of the offset that applies from then on.
  var transitions: [(seconds: Int64, kind: UInt8)] = []
  /// The offset of each kind of local time, in seconds east of UTC.
  var offsets: [Int32] = [0]
  var leapSeconds: UInt32 = 0
  var rule = ""

  var bytes: [UInt8] {
    let isFirst = version == "\0"
    if isFirst { return header(transitions.count, offsets.count) + block(width: 4) }
    let rest = header(transitions.count, offsets.count) + block(width: 8) + Array("\n\(rule)\n".utf8)
    // The version 1 block of a “slim” file, which modern readers skip: one kind of time and nothing else.
    return header(0, 1) + [0, 0, 0, 0, 0, 0] + Array("UTC\0".utf8) + rest
  }

  /// Returns a zone that lists no transitions and follows a POSIX TZ rule.
  static func zone(rule: String) throws -> Zone { try Zone(tzif: TZifBytes(rule: rule).bytes) }

  private func header(_ transitions: Int, _ kinds: Int) -> [UInt8] {
    var head = Array("TZif".utf8) + [UInt8(version.value)] + [UInt8](repeating: 0, count: 15)
    for count in [0, 0, transitions == 0 ? 0 : leapSeconds, UInt32(transitions), UInt32(kinds), 4] { head += Self.bytes(Int64(count), 4) }
    return head
  }

  private func block(width: Int) -> [UInt8] {
    var block: [UInt8] = []
    for transition in transitions { block += Self.bytes(transition.seconds, width) }
    block += transitions.map(\.kind)
    for offset in offsets { block += Self.bytes(Int64(offset), 4) + [0, 0] }
    block += Array("XXX\0".utf8)
    for _ in 0..<leapSeconds { block += [UInt8](repeating: 0, count: width + 4) }
    return block
  }

  private static func bytes(_ number: Int64, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
