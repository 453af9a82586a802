// The state of one player, as one value.

/// The state of a player of a game: scores, counters, unlocks, settings and ads.
///
/// It is a pure value. Each change is a method that gets its input and the time, and either throws without changing anything or returns the
/// outcome. ``PlayerLimits`` bounds its size. History entries are stored outside it; ``entries`` numbers them.
public struct PlayerState: Sendable, Hashable {
  /// The instant at which the player was created by a first write.
  public internal(set) var createdAt: Instant
  /// The instant of the last change.
  public internal(set) var changedAt: Instant
  /// The sum of all scores.
  public internal(set) var lifetimeScore: Int64 = 0
  /// The number of events with a score.
  public internal(set) var gamesPlayed: Int64 = 0
  /// The best score in any mode.
  public internal(set) var bestScore: Int64?
  /// The best score of each mode.
  public internal(set) var bestScores: [String: Int64] = [:]
  /// The number of events of each type.
  public internal(set) var eventCounts: [String: Int64] = [:]
  /// The number of events of each type in each mode, by type and mode.
  public internal(set) var modeCounts: [String: [String: Int64]] = [:]
  /// The instant at which each milestone was unlocked. It stays unlocked if its threshold changes.
  public internal(set) var milestones: [String: Instant] = [:]
  /// The visits, which are sessions of the game.
  public internal(set) var visits = Visits()
  /// The player's choices, by key. A choice is stored even while it is not effective.
  public internal(set) var settings: [String: Value] = [:]
  /// The context that is used for calls without one.
  public internal(set) var context = ObjectValue()
  /// The ads that the player was shown, with the counters of placements.
  public internal(set) var ads = AdHistory()
  /// The number of history entries so far, which is also the number of the last one.
  public internal(set) var entries: Int64 = 0
  /// The fingerprints of recent requests. The store saves them in a column of their own, because they are most of the state's size.
  public internal(set) var remembered = RequestFingerprints()

  /// Creates a player without any data.
  public init(createdAt: Instant) {
    self.createdAt = createdAt
    changedAt = createdAt
  }
}

/// The visits of one player. A visit is a session: it begins with a launch, or with an event after a long silence.
public struct Visits: Sendable, Hashable {
  /// The number of visits so far.
  public internal(set) var count: Int64 = 0
  /// The instant at which the last visit began.
  public internal(set) var openedAt: Instant?
  /// The instant of the last event or launch.
  public internal(set) var activeAt: Instant?

  /// Creates the visits of a player who has never launched the game.
  public init() {}
}

extension PlayerState {
  /// Moves instants in the future to the present after the clock was set back. Otherwise a waiting period that began at one of them would
  /// last longer than its length.
  mutating func clampToNow(_ now: Instant) {
    if let opened = visits.openedAt, opened > now { visits.openedAt = now }
    if let active = visits.activeAt, active > now { visits.activeAt = now }
    ads.clampToNow(now)
  }

  /// Moves all instants in the future to the present after the simulated clock was set back.
  public mutating func redate(to now: Instant) {
    clampToNow(now)
    createdAt = min(createdAt, now)
    changedAt = min(changedAt, now)
    for (id, at) in milestones where at > now { milestones[id] = now }
  }

  /// True if an event at this instant begins a new visit.
  func isSilent(at instant: Instant) -> Bool {
    guard let active = visits.activeAt else { return true }
    return instant.milliseconds(since: active) >= PlayerLimits.silenceSeconds * 1000
  }

  mutating func beginVisit(at instant: Instant) {
    visits.count = visits.count.raised(by: 1)
    visits.openedAt = instant
    visits.activeAt = max(visits.activeAt ?? instant, instant)
  }

  /// Begins a visit because the game was launched.
  /// - Returns: The history entry.
  public mutating func openVisit(now: Instant) -> HistoryEntry {
    clampToNow(now)
    beginVisit(at: now)
    return note(.visit, ["visit": .integer(visits.count)], at: now)
  }
}

extension Instant {
  /// Returns the time since another instant in milliseconds, negative if this one is earlier. The result saturates.
  func milliseconds(since other: Instant) -> Int64 {
    let (difference, overflows) = milliseconds.subtractingReportingOverflow(other.milliseconds)
    return overflows ? (milliseconds < other.milliseconds ? .min : .max) : difference
  }

  /// Returns the instant this many milliseconds later, at most the latest representable one.
  func later(byMilliseconds more: Int64) -> Instant { adding(milliseconds: more) ?? .latest }
}

extension Int64 {
  /// Returns the sum, saturated at the largest integer.
  func raised(by more: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(more)
    return overflows ? .max : sum
  }
}
