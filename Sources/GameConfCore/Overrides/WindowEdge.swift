// The beginnings and ends of windows, and the errors of adding a window.

/// The beginning or the end of an override's window.
public struct WindowEdge: Sendable, Hashable {
  /// The transitions of a window, in the order in which those of one instant are applied.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The window ended and was removed. At the same instant, ends are applied before beginnings.
    case ended
    /// The clock was set back to before the beginning of an open window, which was closed again.
    case postponed
    case opened
  }

  /// The transition that the window made.
  public var kind: Kind
  /// The instant of the window's beginning or end. For a postponed window it is the present.
  public var at: Instant
  /// The window's override in its state after the edge.
  public var record: OverrideRecord
  /// The effective overriding value before the edge; nil if no override was effective.
  public var before: Value?
  /// The effective overriding value after the edge; nil if no override is effective.
  public var after: Value?

  /// Creates an edge; its instant is the window's own even if it is applied late.
  public init(kind: Kind, at: Instant, record: OverrideRecord, before: Value?, after: Value?) {
    self.kind = kind
    self.at = at
    self.record = record
    self.before = before
    self.after = after
  }

  /// True if this edge is applied before the other one: ordered by instant, then ends before beginnings, then by slot.
  public func precedes(_ other: WindowEdge) -> Bool {
    if at != other.at { return at < other.at }
    if kind != other.kind { return (Kind.allCases.firstIndex(of: kind) ?? 0) < (Kind.allCases.firstIndex(of: other.kind) ?? 0) }
    return record.slot < other.record.slot
  }
}

/// The reason why a window cannot be added to a slot.
public enum WindowFault: Error, Sendable, Hashable {
  /// The end is not after the beginning.
  case endsBeforeItBegins(from: Instant, until: Instant)
  /// The window ended before the present.
  case past(until: Instant, now: Instant)
  /// The window overlaps another one of the slot.
  case overlap(OverrideWindow)
  /// The slot has the largest number of windows already.
  case tooMany(max: Int)
}
