// The overrides at one slot: the permanent one and the windows over it, and which of them holds.

/// All overrides at one key and scope: one permanent override, and windows that do not overlap.
///
/// What holds is a state that changes only by ``advance(to:)``, so a window that has ended is gone even when the clock steps back, and a
/// reader needs no clock.
public struct KeyOverrides: Sendable, Hashable {
  /// The most windows that one slot may have.
  public static let windowsMax = 64

  /// The slot of these overrides.
  public let slot: OverrideSlot
  /// The permanent override, which holds while no window does.
  public private(set) var permanent: OverrideRecord?
  /// The windows, by the instant they begin.
  public private(set) var windows: [OverrideRecord] = []

  /// No overrides at a slot.
  public init(slot: OverrideSlot) { self.slot = slot }

  /// The overrides at a slot as they were stored; of several permanent ones the last counts.
  public init(slot: OverrideSlot, records: some Sequence<OverrideRecord>) {
    self.slot = slot
    for record in records {
      if record.window == nil { permanent = record } else { windows.append(record) }
    }
    windows.sort { $0.begins < $1.begins }
  }

  /// All of them, the permanent one first.
  public var records: [OverrideRecord] { (permanent.map { [$0] } ?? []) + windows }

  /// True if there is no override here.
  public var isEmpty: Bool { permanent == nil && windows.isEmpty }

  /// The override in force now: the open window, else the permanent one; a quarantined one is passed over.
  public var inForce: OverrideRecord? {
    windows.first { $0.window?.isOpen == true && $0.quarantined == nil } ?? servedPermanent
  }

  /// The override that will be in force, or would have been, at an instant, if nothing is changed.
  public func inForce(at instant: Instant) -> OverrideRecord? {
    windows.first { $0.window?.contains(instant) == true && $0.quarantined == nil } ?? servedPermanent
  }

  /// The instants after `now` at which what holds may change, in order.
  public func edges(after now: Instant) -> [Instant] {
    windows.flatMap { record in record.window.map { [$0.from, $0.until] } ?? [] }.filter { $0 > now }
  }

  private var servedPermanent: OverrideRecord? { permanent?.quarantined == nil ? permanent : nil }
}

extension KeyOverrides {
  /// Sets the permanent override.
  public mutating func setPermanent(_ record: OverrideRecord) {
    var record = record
    record.window = nil
    permanent = record
  }

  /// Adds a window; it is open when it contains `now`.
  /// - Throws: ``WindowFault``; nothing is changed then.
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

  /// Removes everything, or the one window of that id.
  /// - Returns: what was removed.
  public mutating func remove(window id: String? = nil) -> [OverrideRecord] {
    let removed = id.map { id in windows.filter { $0.window?.id == id } } ?? records
    if id == nil { permanent = nil }
    windows.removeAll { record in removed.contains { $0.window?.id == record.window?.id } }
    return removed
  }

  /// Keeps out of service what `reason` gives a reason for, and puts back nothing.
  /// - Returns: the overrides that were served and are no more, with their reasons.
  public mutating func quarantine(_ reason: (OverrideRecord) -> String?) -> [OverrideRecord] {
    var taken: [OverrideRecord] = []
    change { record in
      guard record.quarantined == nil, let reason = reason(record) else { return }
      record.quarantined = reason
      taken.append(record)
    }
    return taken
  }

  /// Puts back into service all that is in quarantine.
  /// - Returns: what was put back.
  public mutating func release() -> [OverrideRecord] {
    var released: [OverrideRecord] = []
    change { record in
      guard record.quarantined != nil else { return }
      record.quarantined = nil
      released.append(record)
    }
    return released
  }

  /// Applies every edge up to `now`.
  ///
  /// A window whose end has come is removed. One that has begun is opened. One that was open and has not begun, since the clock stepped
  /// back, is closed until its time comes again.
  /// - Returns: the edges in their order, each dated at its own instant however late it is applied.
  public mutating func advance(to now: Instant) -> [WindowEdge] {
    var edges: [WindowEdge] = []
    let beneath = servedPermanent?.value
    var kept: [OverrideRecord] = []
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
      kept.append(record)
    }
    windows = kept
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
