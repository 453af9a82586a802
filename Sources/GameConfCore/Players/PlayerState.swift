// The state of one player as one value: scores, counters, unlocks, settings and ads.

/// The state of a player of a game: scores, counters, unlocks, settings and ads.
///
/// It is a value without side effects. Each change is a method that gets its input and the time, and either throws without changing
/// anything or returns the outcome. ``PlayerLimits`` bounds its size. History entries are stored outside it; ``entries`` numbers them.
public struct PlayerState: Sendable, Hashable {
  /// The instant at which the first write about the player created this state.
  public internal(set) var createdAt: Instant
  /// The instant of the last change that a history entry records, by the player's clock.
  public internal(set) var changedAt: Instant
  /// The sum of all scores that the player reached.
  public internal(set) var lifetimeScore: Int64 = 0
  /// The number of the player's events with a score.
  public internal(set) var gamesPlayed: Int64 = 0
  /// The player's best score in any mode; nil without a score.
  public internal(set) var bestScore: Int64?
  /// The player's best score by game mode.
  public internal(set) var bestScores: [String: Int64] = [:]
  /// The number of the player's events by event type.
  public internal(set) var eventCounts: [String: Int64] = [:]
  /// The number of the player's events by event type and game mode.
  public internal(set) var modeCounts: [String: [String: Int64]] = [:]
  /// The instants at which milestones were unlocked, by id. A milestone stays unlocked if its threshold changes.
  public internal(set) var milestones: [String: Instant] = [:]
  /// The number and the times of the player's visits. A visit is one session of the game.
  public internal(set) var visits = Visits()
  /// The player's own choices for settings, by parameter key. A choice is stored even while it has no effect, for example under an
  /// override.
  public internal(set) var settings: [String: Value] = [:]
  /// The registered context, which applies to requests that send no context.
  public internal(set) var context = ObjectValue()
  /// The ads that the player was shown, with the counters of each placement.
  public internal(set) var ads = AdHistory()
  /// The number of history entries so far, which is also the number of the newest entry.
  public internal(set) var entries: Int64 = 0
  /// The fingerprints of the player's recent requests. The store saves them in a column of their own, because they are most of the state's
  /// size.
  public internal(set) var remembered = RequestFingerprints()

  /// Creates the state of a player without scores, events and settings.
  public init(createdAt: Instant) {
    self.createdAt = createdAt
    changedAt = createdAt
  }
}

/// The visits of one player. A visit is a session: it begins when the game is launched, or with an event after
/// ``PlayerLimits/silenceSeconds`` without an event or launch.
public struct Visits: Sendable, Hashable {
  /// The number of the player's visits so far, which is also the number of the last one.
  public internal(set) var count: Int64 = 0
  /// The instant at which the last visit began; nil before the first visit.
  public internal(set) var openedAt: Instant?
  /// The instant of the last event or launch of the game; nil before the first one.
  public internal(set) var activeAt: Instant?

  /// Creates the visits of a player who has never launched the game.
  public init() {}
}

extension PlayerState {
  /// Replaces instants in the future by the present, in case the clock was set back. Otherwise a waiting period between ads that began at
  /// such an instant would last longer than intended.
  mutating func clampToNow(_ now: Instant) {
    if let opened = visits.openedAt, opened > now { visits.openedAt = now }
    if let active = visits.activeAt, active > now { visits.activeAt = now }
    ads.clampToNow(now)
  }

  /// Replaces all instants in the future by the present, after the simulated clock was reset to an earlier time.
  public mutating func redate(to now: Instant) {
    clampToNow(now)
    createdAt = min(createdAt, now)
    changedAt = min(changedAt, now)
    for (id, at) in milestones where at > now { milestones[id] = now }
  }

  /// True if an event at this instant begins a new visit, because ``PlayerLimits/silenceSeconds`` passed without an event or launch.
  func isSilent(at instant: Instant) -> Bool {
    guard let active = visits.activeAt else { return true }
    return instant.milliseconds(since: active) >= PlayerLimits.silenceSeconds * 1000
  }

  mutating func beginVisit(at instant: Instant) {
    visits.count = visits.count.raised(by: 1)
    visits.openedAt = instant
    visits.activeAt = max(visits.activeAt ?? instant, instant)
  }

  /// Begins a new visit because the game was launched.
  /// - Returns: The entry for the player's history.
  public mutating func openVisit(now: Instant) -> HistoryEntry {
    clampToNow(now)
    beginVisit(at: now)
    return note(.visit, ["visit": .integer(visits.count)], at: now)
  }
}

extension Instant {
  /// Returns the time since another instant in milliseconds, negative if this one is earlier. A difference beyond 64 bits is clamped to the
  /// nearest `Int64`.
  func milliseconds(since other: Instant) -> Int64 {
    let (difference, overflows) = milliseconds.subtractingReportingOverflow(other.milliseconds)
    return overflows ? (milliseconds < other.milliseconds ? .min : .max) : difference
  }

  /// Returns the instant this many milliseconds later, at most the latest representable one.
  func later(byMilliseconds more: Int64) -> Instant { adding(milliseconds: more) ?? .latest }
}

extension Int64 {
  /// Returns the sum, or `Int64.max` if the addition overflows.
  func raised(by more: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(more)
    return overflows ? .max : sum
  }
}
