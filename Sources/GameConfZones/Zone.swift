// A time zone: the offsets from UTC that its clocks have had, and the rule for later years.

public import GameConfCore

/// A time zone with all its changes of offset.
public struct Zone: Sendable, Hashable {
  /// A change of the zone's offset from UTC.
  struct Transition: Sendable, Hashable {
    /// The instant of the change, in seconds since 1970.
    var seconds: Int64
    /// The offset before the change, in seconds east of UTC.
    var before: Int64
    /// The offset after the change, in seconds east of UTC.
    var after: Int64

    /// The first local time, in seconds since 1970 on the clock, that is converted with the new offset.
    ///
    /// It is the end of the repeated hour or of the skipped hour. So a repeated time means its first occurrence, and a skipped time is
    /// converted with the offset before the gap.
    var firstShown: Int64 { seconds + max(before, after) }
  }

  /// The offset before the first transition, in seconds east of UTC.
  var firstOffset: Int64
  /// The transitions that the zone's file lists, in ascending order.
  var transitions: [Transition] = []
  /// The rule for instants after the last listed transition; nil if the last offset applies forever.
  var rule: ZoneRule?

  /// The zone UTC, which has offset 0 always.
  public static let utc = Zone(firstOffset: 0)

  /// Converts a local time to an instant.
  ///
  /// A time in the repeated hour of autumn means its first occurrence. A time in the skipped hour of spring is moved forward by the gap:
  /// 02:30 becomes 03:30.
  /// - Parameter clock: The local time, written as the instant at which a clock of UTC shows it.
  /// - Returns: nil if the result is outside the years 0001 to 9999.
  public func instant(showing clock: Instant) -> Instant? { clock.adding(milliseconds: -offset(showing: clock.seconds) * 1000) }

  private func offset(showing seconds: Int64) -> Int64 {
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].firstShown <= seconds { low = middle + 1 } else { high = middle }
    }
    let last = low > 0 ? transitions[low - 1] : nil
    guard low == transitions.count, let rule else { return last?.after ?? firstOffset }
    return rule.offset(showing: seconds, since: last)
  }
}
