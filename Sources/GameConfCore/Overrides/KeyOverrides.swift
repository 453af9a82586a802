// The overrides of one key for one scope: a permanent one and scheduled windows, and the rule that selects the effective one.

/// The overrides of one key for the whole game or one player: at most one permanent override, and windows that do not overlap.
///
/// Only ``advance(to:)`` opens and closes windows. So a read of the effective override needs no clock, and a window that has ended stays
/// removed even if the clock is set back.
public struct KeyOverrides: Sendable, Hashable {
  /// The largest number of windows of one key in one scope.
  public static let windowsMax = 64

  /// The key and the scope that these overrides are for.
  public let slot: OverrideSlot
  /// The permanent override, which is effective while no window is open.
  public private(set) var permanent: OverrideRecord?
  /// The windows, ordered by the instant at which they begin.
  public private(set) var windows: [OverrideRecord] = []

  /// Creates an empty set of overrides for a key and a scope.
  public init(slot: OverrideSlot) { self.slot = slot }

  /// Creates the set from stored overrides. If several have no window, the last one becomes the permanent override.
  public init(slot: OverrideSlot, records: some Sequence<OverrideRecord>) {
    self.slot = slot
    for record in records {
      if record.window == nil { permanent = record } else { windows.append(record) }
    }
    windows.sort { $0.begins < $1.begins }
  }

  /// All overrides: the permanent one, then those with windows.
  public var records: [OverrideRecord] { (permanent.map { [$0] } ?? []) + windows }

  /// True if there is neither a permanent override nor one with a window.
  public var isEmpty: Bool { permanent == nil && windows.isEmpty }

  /// The effective override: that of the open window, else the permanent one. Quarantined overrides are skipped.
  public var inForce: OverrideRecord? {
    windows.first { $0.window?.isOpen == true && $0.quarantined == nil } ?? servedPermanent
  }

  /// Returns the override that will be effective at an instant if no change is made until then.
  public func inForce(at instant: Instant) -> OverrideRecord? {
    windows.first { $0.window?.contains(instant) == true && $0.quarantined == nil } ?? servedPermanent
  }

  /// Returns the instants after `now` at which a window begins or ends, in the order of ``windows``.
  public func edges(after now: Instant) -> [Instant] {
    windows.flatMap { record in record.window.map { [$0.from, $0.until] } ?? [] }.filter { $0 > now }
  }

  private var servedPermanent: OverrideRecord? { permanent?.quarantined == nil ? permanent : nil }
}

extension KeyOverrides {
  /// Stores the override as the permanent one, without its window. It replaces the former permanent override.
  public mutating func setPermanent(_ record: OverrideRecord) {
    var record = record
    record.window = nil
    permanent = record
  }

  /// Adds an override with a window, which is open immediately if it contains `now`.
  /// - Throws: ``WindowFault``, without changing anything.
  public mutating func add(_ record: OverrideRecord, window: OverrideWindow, now: Instant) throws(WindowFault) {
    guard window.from < window.until else { throw .endsBeforeItBegins(from: window.from, until: window.until) }
    guard window.until > now else { throw .past(until: window.until, now: now) }
    for other in windows {
      if let other = other.window, other.overlaps(window) { throw .overlap(other) }
    }
    guard windows.count < Self.windowsMax else { throw .tooMany(max: Self.windowsMax) }
    var record = record
    record.window = window
    record.window?.isOpen = window.contains(now)
    let place = windows.firstIndex { $0.begins > window.from } ?? windows.endIndex
    windows.insert(record, at: place)
  }

  /// Removes the override whose window has this id. If the id is nil, removes all overrides of the key in this scope.
  /// - Returns: The removed overrides.
  public mutating func remove(window id: String? = nil) -> [OverrideRecord] {
    let removed = id.map { id in windows.filter { $0.window?.id == id } } ?? records
    if id == nil { permanent = nil }
    windows.removeAll { record in removed.contains { $0.window?.id == record.window?.id } }
    return removed
  }

  /// Quarantines each override for which the closure returns a reason. Such an override stays stored but is not served. Overrides that are
  /// quarantined already do not change.
  /// - Returns: The newly quarantined overrides, with their reasons.
  public mutating func quarantine(_ reason: (OverrideRecord) -> String?) -> [OverrideRecord] {
    var quarantined: [OverrideRecord] = []
    change { record in
      guard record.quarantined == nil, let reason = reason(record) else { return }
      record.quarantined = reason
      quarantined.append(record)
    }
    return quarantined
  }

  /// Ends the quarantine of all overrides of the key in this scope, which are then served again.
  /// - Returns: The overrides that were quarantined.
  public mutating func release() -> [OverrideRecord] {
    var released: [OverrideRecord] = []
    change { record in
      guard record.quarantined != nil else { return }
      record.quarantined = nil
      released.append(record)
    }
    return released
  }

  /// Applies each beginning and end of a window up to `now`.
  ///
  /// A window that has ended is removed, and one that has begun is opened. If the clock was set back to before the beginning of an open
  /// window, the window is closed until its time comes again.
  /// - Returns: The applied transitions, in the order of the windows. Each has the instant of the window's own beginning or end, even if it
  ///   is applied late; only a postponed window has the instant `now`.
  public mutating func advance(to now: Instant) -> [WindowEdge] {
    var edges: [WindowEdge] = []
    let beneath = servedPermanent?.value
    var remaining: [OverrideRecord] = []
    for var record in windows {
      guard let window = record.window else { continue }
      let value = record.quarantined == nil ? record.value : beneath
      if !window.isOpen, window.from <= now {
        record.window?.isOpen = true
        edges.append(WindowEdge(kind: .opened, at: window.from, record: record, before: beneath, after: value))
      }
      if window.until <= now {
        edges.append(WindowEdge(kind: .ended, at: window.until, record: record, before: value, after: beneath))
        continue
      }
      if window.isOpen, window.from > now {
        record.window?.isOpen = false
        edges.append(WindowEdge(kind: .postponed, at: now, record: record, before: value, after: beneath))
      }
      remaining.append(record)
    }
    windows = remaining
    return edges
  }

  private mutating func change(_ body: (inout OverrideRecord) -> Void) {
    if var record = permanent {
      body(&record)
      permanent = record
    }
    for at in windows.indices { body(&windows[at]) }
  }
}

extension OverrideRecord {
  fileprivate var begins: Instant { window?.from ?? Instant(milliseconds: .min) }
}
