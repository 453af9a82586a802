// The ads that a player was shown, as they are stored: counters, recently shown ads and the game's reports.

/// The ads that one player of a game was shown: counters by placement, and the newest decisions that the game can still report on.
public struct AdHistory: Sendable, Hashable {
  /// The counters and the recently shown ads of each placement, by the placement's id.
  public internal(set) var placements: [String: PlacementHistory] = [:]
  /// The instant at which the player last earned a reward from an ad; nil if there was no reward yet.
  public internal(set) var lastRewardAt: Instant?
  /// The number of decisions to show an ad so far, which is also the number of the latest decision.
  public internal(set) var decisionsMade: Int64 = 0
  /// The newest decisions to show an ad, oldest first, at most ``PlayerLimits/decisionsMax``.
  public internal(set) var decisions: [AdShow] = []

  /// Creates the history of a player who has seen no ads.
  public init() {}

  /// The instant of the last ad at any placement; nil if no ad was shown yet.
  var lastShowAt: Instant? {
    var last: Instant?
    for history in placements.values { last = Instant.later(last, history.shows.last?.at) }
    return last
  }

  mutating func clampToNow(_ now: Instant) {
    // Each mutation is behind a check, because a mutation copies the storage that other states share, even if it changes nothing
    // (copy-on-write). Clocks are rarely set back.
    for (name, history) in placements where history.liesAhead(of: now) { placements[name]?.clampToNow(now) }
    if let reward = lastRewardAt, reward > now { lastRewardAt = now }
    guard let last = decisions.last, last.at > now else { return }
    for at in decisions.indices where decisions[at].at > now { decisions[at].at = now }
  }

  /// Adds a decision to show an ad, and drops the earlier decisions on which the game can no longer report.
  /// - Returns: The number of the new decision.
  mutating func addDecision(at placement: String, now: Instant, visit: Int64) -> Int64 {
    decisionsMade = decisionsMade.raised(by: 1)
    var first = max(0, decisions.count + 1 - PlayerLimits.decisionsMax)
    while first < decisions.count, now.milliseconds(since: decisions[first].at) > PlayerLimits.reportSecondsMax * 1000 { first += 1 }
    decisions = decisions[first...] + [AdShow(number: decisionsMade, placement: placement, at: now, visit: visit)]
    return decisionsMade
  }
}

/// The counters and the recently shown ads of one placement for one player.
public struct PlacementHistory: Sendable, Hashable {
  /// A shown ad that counts for caps and intervals. An ad that the game reports as not shown is removed.
  struct ShownAd: Sendable, Hashable {
    var at: Instant
    var decision: Int64
  }

  /// The number of events since the last ad, reset by an admin, or exemption by an entitlement.
  public internal(set) var count: Int64 = 0
  /// True if there has been an ad, a reset or an exemption. Until then the counter of events starts at the placement's offset.
  public internal(set) var hasRestarted = false
  /// The instant of the last ad, reset or exemption at this placement; nil if there was no such restart of the counter.
  var restartedAt: Instant?
  /// The instant up to which the player's exemptions from ads have been taken into account.
  var exemptionsAppliedThrough: Instant?
  /// True if an ad was due but could not be loaded. The next event of the placement may then show an ad.
  public internal(set) var isOwed = false
  /// True if an admin has forced an ad for the placement's next event.
  public internal(set) var isForced = false
  /// The number of the latest decision before the last reset or exemption. If the game reports that the ad of this decision or of an
  /// earlier one failed to load, the player is not owed another ad.
  var settledThrough: Int64 = 0
  /// The recently shown ads, oldest first: those of the last 24 hours, and at least the latest ad.
  var shows: [ShownAd] = []
  /// The number of ads that were ever shown at this placement.
  public internal(set) var showsEver: Int64 = 0
  /// The number of the player's visit to which ``showsInVisit`` refers.
  var visit: Int64 = 0
  /// The number of ads that were shown in the visit with the number ``visit``.
  var showsInVisit: Int64 = 0

  private static let dayMilliseconds: Int64 = 86_400_000

  /// True if any instant in this history is after `now`, which happens if the clock was set back. Of the shown ads, only the last one is
  /// checked, because it is the latest.
  func liesAhead(of now: Instant) -> Bool {
    func isAhead(_ instant: Instant?) -> Bool { instant.map { $0 > now } ?? false }
    return isAhead(shows.last?.at) || isAhead(restartedAt) || isAhead(exemptionsAppliedThrough)
  }

  mutating func clampToNow(_ now: Instant) {
    for at in shows.indices where shows[at].at > now { shows[at].at = now }
    if let at = restartedAt, at > now { restartedAt = now }
    if let at = exemptionsAppliedThrough, at > now { exemptionsAppliedThrough = now }
  }

  /// Resets the event counter and cancels an owed or forced ad.
  /// - Parameter decision: The number of the player's latest decision, for ``settledThrough``.
  mutating func restart(at instant: Instant, settling decision: Int64) {
    count = 0
    hasRestarted = true
    restartedAt = max(restartedAt ?? instant, instant)
    isOwed = false
    isForced = false
    settledThrough = decision
  }

  /// Restarts the event counter if the player has, or had since the last call, an entitlement that exempts from ads.
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
    shows = shows[first...] + [ShownAd(at: now, decision: decision)]
    showsEver = showsEver.raised(by: 1)
    if self.visit != visit { (self.visit, showsInVisit) = (visit, 0) }
    showsInVisit += 1
  }

  /// Removes an ad that was not shown (`no_fill` or `failed`), so that it counts for no cap and no interval between ads.
  mutating func giveBack(_ show: AdShow) {
    shows.removeAll { $0.decision == show.number }
    showsEver = max(0, showsEver - 1)
    if visit == show.visit { showsInVisit = max(0, showsInVisit - 1) }
  }
}

/// A decision to show an ad, with the game's reports on that ad.
public struct AdShow: Sendable, Hashable {
  /// The number of the decision, counted from 1 over all ads of the player.
  public var number: Int64
  /// The id of the placement at which the ad was to be shown.
  public var placement: String
  /// The instant of the decision, by the player's clock.
  public var at: Instant
  /// The number of the player's visit in which the decision was made.
  var visit: Int64
  /// The last outcome that the game reported for the ad, except for a reward; nil before the first report.
  public var outcome: AdOutcome?
  /// True if the game reported that the player earned the ad's reward.
  public var isRewarded = false
}

/// The outcome of an ad, as the game reports it.
public enum AdOutcome: String, Sendable, Hashable, CaseIterable {
  case shown, closed, failed, rewarded
  case noFill = "no_fill"
}
