// The stored history of the ads that a player was shown.

/// The ads of one player of one game.
public struct AdHistory: Sendable, Hashable {
  /// Each placement's counter and shows.
  public internal(set) var placements: [String: PlacementHistory] = [:]
  /// The instant when an ad last gave a reward.
  public internal(set) var lastRewardAt: Instant?
  /// The number of decisions to show that were ever made; the last one's number.
  public internal(set) var decisionsMade: Int64 = 0
  /// The newest decisions to show, oldest first.
  public internal(set) var decisions: [AdShow] = []

  /// No ads yet.
  public init() {}

  /// The instant when an ad was last shown at any placement.
  var lastShowAt: Instant? {
    var last: Instant?
    for history in placements.values { last = Instant.later(last, history.shows.last?.at) }
    return last
  }

  mutating func heedClock(_ now: Instant) {
    // Clocks seldom step back, and a loop that may write copies a list that another state shares even when it writes nothing.
    for (name, history) in placements where history.liesAhead(of: now) { placements[name]?.heedClock(now) }
    if let reward = lastRewardAt, reward > now { lastRewardAt = now }
    guard let last = decisions.last, last.at > now else { return }
    for at in decisions.indices where decisions[at].at > now { decisions[at].at = now }
  }

  /// Makes a decision to show, and lets those go that no report can need any more.
  /// - Returns: its number.
  mutating func addDecision(at placement: String, now: Instant, visit: Int64) -> Int64 {
    decisionsMade = decisionsMade.raised(by: 1)
    var first = max(0, decisions.count + 1 - PlayerLimits.decisionsMax)
    while first < decisions.count, now.milliseconds(since: decisions[first].at) > PlayerLimits.reportSecondsMax * 1000 { first += 1 }
    decisions = decisions[first...] + [AdShow(number: decisionsMade, placement: placement, at: now, visit: visit)]
    return decisionsMade
  }
}

/// One placement's counter and shows.
public struct PlacementHistory: Sendable, Hashable {
  /// A show that counts for caps and pacing: one whose report gave it back is none.
  struct Show: Sendable, Hashable {
    var at: Instant
    var decision: Int64
  }

  /// Events since the last show, reset or exemption, whichever came last.
  public internal(set) var count: Int64 = 0
  /// True if there was a show, reset or exemption; before, the counter starts at the placement's offset.
  public internal(set) var hasRestarted = false
  /// The instant when that was.
  var restartedAt: Instant?
  /// The instant up to which exemptions are heeded.
  var heededThrough: Instant?
  /// True if a show that brought no ad is owed.
  public internal(set) var isOwed = false
  /// True if an admin has forced the next event's ad.
  public internal(set) var isForced = false
  /// Decisions up to this number owe nothing, since a reset or exemption came after them.
  var settledThrough: Int64 = 0
  /// The newest shows, oldest first: all of the last day, and the last one before.
  var shows: [Show] = []
  /// The number of shows there ever were.
  public internal(set) var showsEver: Int64 = 0
  /// The visit that ``showsInVisit`` counts in.
  var visit: Int64 = 0
  /// The number of shows in that visit.
  var showsInVisit: Int64 = 0

  private static let dayMilliseconds: Int64 = 86_400_000

  /// True if anything here is later than that; the last show is the latest.
  func liesAhead(of now: Instant) -> Bool {
    func isAhead(_ instant: Instant?) -> Bool { instant.map { $0 > now } ?? false }
    return isAhead(shows.last?.at) || isAhead(restartedAt) || isAhead(heededThrough)
  }

  mutating func heedClock(_ now: Instant) {
    for at in shows.indices where shows[at].at > now { shows[at].at = now }
    if let at = restartedAt, at > now { restartedAt = now }
    if let at = heededThrough, at > now { heededThrough = now }
  }

  /// Counts from 0 again, owes nothing and forces nothing.
  mutating func restart(at instant: Instant, settling decision: Int64) {
    count = 0
    hasRestarted = true
    restartedAt = max(restartedAt ?? instant, instant)
    isOwed = false
    isForced = false
    settledThrough = decision
  }

  /// Restarts when the player has been exempt since this was last looked at.
  mutating func heedExemption(_ exempt: [String], _ entitlements: EntitlementHistory, decisions: Int64, now: Instant) {
    if exempt.isEmpty { return }
    if entitlements.holdsAny(of: exempt) {
      restart(at: now, settling: decisions)
    } else if let last = entitlements.lastHeldAny(of: exempt), last <= now, heededThrough.map({ last >= $0 }) ?? true {
      restart(at: last, settling: decisions)
    }
    heededThrough = now
  }

  mutating func addShow(_ decision: Int64, at now: Instant, visit: Int64) {
    count = 0
    hasRestarted = true
    restartedAt = now
    isOwed = false
    isForced = false
    var first = max(0, shows.count + 1 - PlayerLimits.showsMax)
    while first + 1 < shows.count, now.milliseconds(since: shows[first + 1].at) >= Self.dayMilliseconds { first += 1 }
    shows = shows[first...] + [Show(at: now, decision: decision)]
    showsEver = showsEver.raised(by: 1)
    if self.visit != visit { (self.visit, showsInVisit) = (visit, 0) }
    showsInVisit += 1
  }

  /// Takes a show back, as if it had taken neither cap nor time.
  mutating func giveBack(_ show: AdShow) {
    shows.removeAll { $0.decision == show.number }
    showsEver = max(0, showsEver - 1)
    if visit == show.visit { showsInVisit = max(0, showsInVisit - 1) }
  }
}

/// A decision to show an ad, and what became of it.
public struct AdShow: Sendable, Hashable {
  /// Counts the player's decisions from 1.
  public var number: Int64
  /// The placement.
  public var placement: String
  /// The instant when it was made.
  public var at: Instant
  /// In which visit.
  var visit: Int64
  /// The last report on it, rewards aside.
  public var outcome: AdOutcome?
  /// True if a reward was reported.
  public var isRewarded = false
}

/// The outcome of an ad that was to show.
public enum AdOutcome: String, Sendable, Hashable, CaseIterable {
  case shown, closed, failed, rewarded
  case noFill = "no_fill"
}
