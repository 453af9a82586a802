// The edge where a window begins or ends, and the reasons why a window cannot be added.

/// A moment at which a window began or ended.
public struct WindowEdge: Sendable, Hashable {
  /// The kinds of edge.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// It ended and is gone. Of edges at one instant these come first.
    case ended
    /// It had begun, and the clock stepped back to before its beginning.
    case postponed
    /// It began.
    case opened
  }

  /// The kind of edge.
  public var kind: Kind
  /// The instant: the window's own edge, or the present for a window that was postponed.
  public var at: Instant
  /// The window's override, as it is after the edge.
  public var record: OverrideRecord
  /// The override before; nil when there was none.
  public var before: Value?
  /// The override from then on; nil when there is none.
  public var after: Value?

  /// An edge.
  public init(kind: Kind, at: Instant, record: OverrideRecord, before: Value?, after: Value?) {
    self.kind = kind
    self.at = at
    self.record = record
    self.before = before
    self.after = after
  }

  /// True if this one is applied before the other: by instant, endings first, then by slot.
  public func precedes(_ other: WindowEdge) -> Bool {
    if at != other.at { return at < other.at }
    if kind != other.kind { return (Kind.allCases.firstIndex(of: kind) ?? 0) < (Kind.allCases.firstIndex(of: other.kind) ?? 0) }
    return record.slot < other.record.slot
  }
}

/// The reason why a window cannot be added.
public enum WindowFault: Error, Sendable, Hashable {
  /// Its end does not come after its beginning.
  case endsBeforeItBegins(from: Instant, until: Instant)
  /// It has ended already.
  case past(until: Instant, now: Instant)
  /// Another window at the slot has an instant in common with it.
  case overlap(OverrideWindow)
  /// The slot has all the windows it may have.
  case tooMany(max: Int)
}
