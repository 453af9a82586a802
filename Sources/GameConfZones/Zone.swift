// A time zone: how far its clocks are ahead of UTC, and when that changes.

public import GameConfCore

/// The offsets of a time zone through the years.
public struct Zone: Sendable, Hashable {
  /// A change of the offset.
  struct Transition: Sendable, Hashable {
    /// The instant, in seconds since 1970.
    var seconds: Int64
    /// Seconds east of UTC before it.
    var before: Int64
    /// Seconds east of UTC from then on.
    var after: Int64

    /// The time on the clock from which the new offset is meant.
    ///
    /// A time that the clock shows twice is the first of the two; one that the clock skips is counted by the offset before the gap.
    var firstShown: Int64 { seconds + max(before, after) }
  }

  /// Seconds east of UTC before the first transition.
  var firstOffset: Int64
  /// In the order of time.
  var transitions: [Transition] = []
  /// The rule after the last transition; nil if its offset stays.
  var rule: ZoneRule?

  /// UTC.
  public static let utc = Zone(firstOffset: 0)

  /// The instant at which clocks in this zone show what a clock of UTC shows at another.
  ///
  /// In autumn, when an hour passes twice, it is the earlier instant. In spring, when clocks skip an hour, a time within it is as long after the
  /// gap as it says: 02:30 is 03:30.
  /// - Returns: nil outside the years 0001 to 9999.
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
