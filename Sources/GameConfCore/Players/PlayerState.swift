// All that is kept of one player, as one value.

/// The acts and choices of a game's player.
///
/// A pure value: every change is a method that takes its input and the instant, refuses without changing anything, and answers what came of
/// it. Bounded by ``PlayerLimits``. The newest history entries stand beside it, one by one, numbered by ``entries``.
public struct PlayerState: Sendable, Hashable {
  /// The instant when the first write made the player.
  public internal(set) var createdAt: Instant
  /// The instant when the last change was made.
  public internal(set) var changedAt: Instant
  /// The sum of all scores.
  public internal(set) var lifetimeScore: Int64 = 0
  /// The number of events that carried a score.
  public internal(set) var gamesPlayed: Int64 = 0
  /// The best score in any mode.
  public internal(set) var bestScore: Int64?
  /// The best score by mode.
  public internal(set) var bestScores: [String: Int64] = [:]
  /// The number of times that each event was recorded.
  public internal(set) var eventCounts: [String: Int64] = [:]
  /// The number of times that each event was recorded in a mode, by event and mode.
  public internal(set) var modeCounts: [String: [String: Int64]] = [:]
  /// The instant when each milestone was unlocked. Earned is kept, whatever its threshold becomes.
  public internal(set) var milestones: [String: Instant] = [:]
  /// The launches of the game.
  public internal(set) var visits = Visits()
  /// The player's choices, by key, whether they are in force or not.
  public internal(set) var settings: [String: Value] = [:]
  /// The context registered for calls that give none.
  public internal(set) var context = ObjectValue()
  /// The ads that the player was shown, and the times when the next are due.
  public internal(set) var ads = AdHistory()
  /// The number of history entries that were ever written; the last one's number.
  public internal(set) var entries: Int64 = 0
  /// The newest requests, which are known again. They stand beside the rest in a store, since they are most of it.
  public internal(set) var remembered = RequestFingerprints()

  /// A player nothing is known of yet.
  public init(createdAt: Instant) {
    self.createdAt = createdAt
    changedAt = createdAt
  }
}

/// The launches of the game by one player.
public struct Visits: Sendable, Hashable {
  /// The number of visits.
  public internal(set) var count: Int64 = 0
  /// The instant when the last one began.
  public internal(set) var openedAt: Instant?
  /// The instant when the last event or launch came.
  public internal(set) var activeAt: Instant?

  /// None yet.
  public init() {}
}

extension PlayerState {
  /// Brings instants that lie ahead, since the clock stepped back, to the present: a rule that counts from one of them lasts from now for as
  /// long as it says, and no longer.
  mutating func heedClock(_ now: Instant) {
    if let opened = visits.openedAt, opened > now { visits.openedAt = now }
    if let active = visits.activeAt, active > now { visits.activeAt = now }
    ads.heedClock(now)
  }

  /// Brings every instant that lies ahead to the present, since simulated time was set back.
  public mutating func redate(to now: Instant) {
    heedClock(now)
    createdAt = min(createdAt, now)
    changedAt = min(changedAt, now)
    for (id, at) in milestones where at > now { milestones[id] = now }
  }

  /// True if an event at that instant would open a visit.
  func isSilent(at instant: Instant) -> Bool {
    guard let active = visits.activeAt else { return true }
    return instant.milliseconds(since: active) >= PlayerLimits.silenceSeconds * 1000
  }

  mutating func beginVisit(at instant: Instant) {
    visits.count = visits.count.raised(by: 1)
    visits.openedAt = instant
    visits.activeAt = max(visits.activeAt ?? instant, instant)
  }

  /// Opens a visit: a launch of the game.
  /// - Returns: the entry for the player's history.
  public mutating func openVisit(now: Instant) -> HistoryEntry {
    heedClock(now)
    beginVisit(at: now)
    return note(.visit, ["visit": .integer(visits.count)], at: now)
  }
}

extension Instant {
  /// The time by which this is after the other, in milliseconds; negative when before.
  func milliseconds(since other: Instant) -> Int64 {
    let (difference, overflows) = milliseconds.subtractingReportingOverflow(other.milliseconds)
    return overflows ? (milliseconds < other.milliseconds ? .min : .max) : difference
  }

  /// The instant that many milliseconds later, at most the last one that has a text.
  func later(byMilliseconds more: Int64) -> Instant { adding(milliseconds: more) ?? .latest }
}

extension Int64 {
  /// The sum, at most the greatest integer.
  func raised(by more: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(more)
    return overflows ? .max : sum
  }
}
