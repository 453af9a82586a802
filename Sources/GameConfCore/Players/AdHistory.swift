// The ads that a player was shown: counters, recent shows and reports, as they are stored.

/// The ads that one player of a game was shown.
public struct AdHistory: Sendable, Hashable {
  /// The counters and recent shows of each placement, by its id.
  public internal(set) var placements: [String: PlacementHistory] = [:]
  /// The instant at which an ad last gave the player a reward.
  public internal(set) var lastRewardAt: Instant?
  /// The number of decisions to show an ad so far, which is also the number of the last one.
  public internal(set) var decisionsMade: Int64 = 0
  /// The most recent decisions to show an ad, oldest first.
  public internal(set) var decisions: [AdShow] = []

  /// Creates the history of a player who has seen no ads.
  public init() {}

  /// The instant of the last ad at any placement.
  var lastShowAt: Instant? {
    var last: Instant?
    for history in placements.values { last = Instant.later(last, history.shows.last?.at) }
    return last
  }

  mutating func clampToNow(_ now: Instant) {
    // The check before each mutation avoids a copy-on-write of storage that other states share, since clocks are rarely set back.
    for (name, history) in placements where history.liesAhead(of: now) { placements[name]?.clampToNow(now) }
    if let reward = lastRewardAt, reward > now { lastRewardAt = now }
    guard let last = decisions.last, last.at > now else { return }
    for at in decisions.indices where decisions[at].at > now { decisions[at].at = now }
  }

  /// Adds a decision to show an ad, and drops the decisions that are too old to be reported on.
  /// - Returns: The number of the new decision.
  mutating func addDecision(at placement: String, now: Instant, visit: Int64) -> Int64 {
    decisionsMade = decisionsMade.raised(by: 1)
    var first = max(0, decisions.count + 1 - PlayerLimits.decisionsMax)
    while first < decisions.count, now.milliseconds(since: decisions[first].at) > PlayerLimits.reportSecondsMax * 1000 { first += 1 }
    decisions = decisions[first...] + [AdShow(number: decisionsMade, placement: placement, at: now, visit: visit)]
    return decisionsMade
  }
}

/// The counters and the recent shows of one placement.
public struct PlacementHistory: Sendable, Hashable {
  /// A shown ad that counts for caps and intervals. Ads that were reported as not shown are removed.
  struct RecordedShow: Sendable, Hashable {
    var at: Instant
    var decision: Int64
  }

  /// The number of events since the last ad, reset or exemption.
  public internal(set) var count: Int64 = 0
  /// True if there has been an ad, a reset or an exemption. Until then the counter starts at the placement's offset.
  public internal(set) var hasRestarted = false
  /// The instant of the last ad, reset or exemption.
  var restartedAt: Instant?
  /// The instant up to which exemptions have been applied.
  var exemptionsAppliedThrough: Instant?
  /// True if an ad was due but could not be loaded, so that the next event may show it.
  public internal(set) var isOwed = false
  /// True if an admin has forced an ad at the next event.
  public internal(set) var isForced = false
  /// The highest decision number that a failed report no longer adds an owed ad for, because a reset or exemption followed it.
  var settledThrough: Int64 = 0
  /// The recent ads, oldest first: those of the last 24 hours, and at least the last one.
  var shows: [RecordedShow] = []
  /// The number of ads that were ever shown here.
  public internal(set) var showsEver: Int64 = 0
  /// The number of the visit that ``showsInVisit`` counts ads for.
  var visit: Int64 = 0
  /// The number of ads that were shown in the visit with the number ``visit``.
  var showsInVisit: Int64 = 0

  private static let dayMilliseconds: Int64 = 86_400_000

  /// True if any instant here is after `now`. Of the shows, only the last one is checked, because it is the latest.
  func liesAhead(of now: Instant) -> Bool {
    func isAhead(_ instant: Instant?) -> Bool { instant.map { $0 > now } ?? false }
    return isAhead(shows.last?.at) || isAhead(restartedAt) || isAhead(exemptionsAppliedThrough)
  }

  mutating func clampToNow(_ now: Instant) {
    for at in shows.indices where shows[at].at > now { shows[at].at = now }
    if let at = restartedAt, at > now { restartedAt = now }
    if let at = exemptionsAppliedThrough, at > now { exemptionsAppliedThrough = now }
  }

  /// Resets the event counter and cancels owed and forced ads.
  mutating func restart(at instant: Instant, settling decision: Int64) {
    count = 0
    hasRestarted = true
    restartedAt = max(restartedAt ?? instant, instant)
    isOwed = false
    isForced = false
    settledThrough = decision
  }

  /// Restarts the counter if the player has been exempt since the last call.
  mutating func applyExemption(_ exempt: [String], _ entitlements: EntitlementHistory, decisions: Int64, now: Instant) {
    if exempt.isEmpty { return }
    if entitlements.holdsAny(of: exempt) {
      restart(at: now, settling: decisions)
    } else if let last = entitlements.lastHeldAny(of: exempt), last <= now, exemptionsAppliedThrough.map({ last >= $0 }) ?? true {
      restart(at: last, settling: decisions)
    }
    exemptionsAppliedThrough = now
  }

  mutating func addShow(_ decision: Int64, at now: Instant, visit: Int64) {
    count = 0
    hasRestarted = true
    restartedAt = now
    isOwed = false
    isForced = false
    var first = max(0, shows.count + 1 - PlayerLimits.showsMax)
    while first + 1 < shows.count, now.milliseconds(since: shows[first + 1].at) >= Self.dayMilliseconds { first += 1 }
    shows = shows[first...] + [RecordedShow(at: now, decision: decision)]
    showsEver = showsEver.raised(by: 1)
    if self.visit != visit { (self.visit, showsInVisit) = (visit, 0) }
    showsInVisit += 1
  }

  /// Removes an ad that was not shown in fact, so that it counts for no cap and no interval.
  mutating func giveBack(_ show: AdShow) {
    shows.removeAll { $0.decision == show.number }
    showsEver = max(0, showsEver - 1)
    if visit == show.visit { showsInVisit = max(0, showsInVisit - 1) }
  }
}

/// A decision to show an ad, with the game's reports on it.
public struct AdShow: Sendable, Hashable {
  /// The number of the decision among those of the player, counted from 1.
  public var number: Int64
  /// The id of the placement.
  public var placement: String
  /// The instant of the decision.
  public var at: Instant
  /// The number of the player's visit in which the decision was made.
  var visit: Int64
  /// The last report on the decision, except for rewards.
  public var outcome: AdOutcome?
  /// True if the game reported that the player earned the reward.
  public var isRewarded = false
}

/// The outcome of an ad, as the game reports it.
public enum AdOutcome: String, Sendable, Hashable, CaseIterable {
  case shown, closed, failed, rewarded
  case noFill = "no_fill"
}
