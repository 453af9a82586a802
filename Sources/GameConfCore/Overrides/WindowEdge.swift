// The beginnings and ends of windows, and the errors of adding a window.

/// The beginning or the end of an override's window.
public struct WindowEdge: Sendable, Hashable {
  /// The transitions of a window. At one instant they are applied in the order of the cases.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The window ended and its override was removed. At one instant, ends are applied before beginnings.
    case ended
    /// The clock was set back to before the beginning of an open window, which was closed again.
    case postponed
    case opened
  }

  /// The transition that the window made.
  public var kind: Kind
  /// The instant of the window's beginning or end. For a postponed window, it is the instant at which the daemon noticed that the clock was
  /// set back.
  public var at: Instant
  /// The override that has the window, in its state after the transition.
  public var record: OverrideRecord
  /// The effective overriding value before the transition; nil if no override was effective.
  public var before: Value?
  /// The effective overriding value after the transition; nil if no override is effective.
  public var after: Value?

  /// Creates a transition from all of its data.
  public init(kind: Kind, at: Instant, record: OverrideRecord, before: Value?, after: Value?) {
    self.kind = kind
    self.at = at
    self.record = record
    self.before = before
    self.after = after
  }

  /// True if this transition is applied before the other one. Transitions are ordered by instant, then by kind, then by the override's
  /// game, player and key.
  public func precedes(_ other: WindowEdge) -> Bool {
    if at != other.at { return at < other.at }
    if kind != other.kind { return (Kind.allCases.firstIndex(of: kind) ?? 0) < (Kind.allCases.firstIndex(of: other.kind) ?? 0) }
    return record.slot < other.record.slot
  }
}

/// The reason why a window cannot be added to the overrides of a key.
public enum WindowFault: Error, Sendable, Hashable {
  /// The window's end is not after its beginning.
  case endsBeforeItBegins(from: Instant, until: Instant)
  /// The window's end is not after the present.
  case past(until: Instant, now: Instant)
  /// The window overlaps another window, which the key already has in the same scope: the associated value.
  case overlap(OverrideWindow)
  /// The key already has the largest number of windows in this scope, ``KeyOverrides/windowsMax``.
  case tooMany(max: Int)
}
