// The decision whether an ad shows now, of every placement on an event, and the view and the acts of an admin.

/// The answer of a placement to an event, or its answer to the next one.
public struct AdDecision: Sendable, Hashable {
  /// The placement.
  public var placement: String
  /// The kind of ad.
  public var format: Placement.Format
  /// Names the show in reports; nil when no ad shows.
  public var decisionID: String?
  /// The first rule that refused; nil when the ad shows.
  public var refusal: AdRefusal?
  /// True if an admin forced it.
  public var isForced: Bool
  /// The counters, after the event.
  public var counters: AdCounters
  /// The earliest time of the next one.
  public var next: EarliestAd

  /// True if the ad shows.
  public var shows: Bool { refusal == nil }
}

/// A placement's counters.
public struct AdCounters: Sendable, Hashable {
  /// Events since the last show, reset or exemption; before the first of them, with the placement's offset.
  public var events: Int64 = 0
  /// The number of events that make the next ad due.
  public var every: Int64 = 0
  /// True if a show that brought no ad is owed.
  public var isOwed = false
  /// True if an admin has forced the next one.
  public var isForced = false
  /// The number of shows in this visit.
  public var showsInVisit: Int64 = 0
  /// The number of shows there ever were.
  public var showsEver: Int64 = 0
  /// The instant when the last one at this placement was.
  public var lastShowAt: Instant?

  /// Counters at zero.
  public init() {}

  /// Counters.
  public init(
    events: Int64, every: Int64, isOwed: Bool = false, isForced: Bool = false, showsInVisit: Int64 = 0, showsEver: Int64 = 0,
    lastShowAt: Instant? = nil
  ) {
    self.events = events
    self.every = every
    self.isOwed = isOwed
    self.isForced = isForced
    self.showsInVisit = showsInVisit
    self.showsEver = showsEver
    self.lastShowAt = lastShowAt
  }
}

extension PlayerState {
  /// The counts of a placement, and whether the next event would show an ad if it came now. Asking changes nothing.
  /// - Throws: `.unknownPlacement`.
  public func adStatus(at id: String, under terms: PlayerTerms) throws(Refusal) -> AdDecision {
    let placement = try terms.catalog.placement(id)
    var state = self
    state.heedClock(terms.now)
    state.heedExemption(placement, under: terms)
    // The visit that the next event would open is the one whose rules are reported.
    if state.isSilent(at: terms.now) { state.beginVisit(at: terms.now) }
    let counted = state.question(placement, under: terms)
    state.eventCounts[placement.event] = (eventCounts[placement.event] ?? 0).raised(by: 1)
    if !counted.isExempt { state.ads.placements[id]?.count = counted.history.count.raised(by: 1) }
    let refusal = state.question(placement, under: terms).refusal
    return decision(counted, of: placement, refusal: refusal)
  }

  /// Counts from 0 again at a placement; owed and forced shows are cancelled. Shows that were count on for caps and pacing.
  /// - Throws: `.unknownPlacement`.
  public mutating func resetAds(at id: String, under terms: PlayerTerms) throws(Refusal) -> HistoryEntry {
    let placement = try terms.catalog.placement(id)
    heedClock(terms.now)
    makeRoom(forPlacement: id, in: terms.rules)
    heedExemption(placement, under: terms)
    ads.placements[id, default: PlacementHistory()].restart(at: terms.now, settling: ads.decisionsMade)
    return note(.adReset, ["placement": .string(id)], at: terms.now)
  }

  /// Makes the next event show an ad whatever the rules say, once.
  /// - Throws: `.unknownPlacement`, `.childDirected`, `.adFree`.
  public mutating func forceAd(at id: String, under terms: PlayerTerms) throws(Refusal) -> HistoryEntry {
    let placement = try terms.catalog.placement(id)
    if terms.catalog.childDirected { throw .childDirected }
    if terms.entitlements.holdsAny(of: placement.exempt) { throw .adFree }
    heedClock(terms.now)
    makeRoom(forPlacement: id, in: terms.rules)
    heedExemption(placement, under: terms)
    ads.placements[id, default: PlacementHistory()].isForced = true
    return note(.adForce, ["placement": .string(id)], at: terms.now)
  }

  /// Restarts the counters of every placement that the player has been exempt from since they were last looked at.
  ///
  /// To be called whenever a purchase, refund or grant changes what the player holds, before and after the change: then also an exemption
  /// that began and ended within one millisecond counts.
  public mutating func heedExemptions(under terms: PlayerTerms) {
    heedClock(terms.now)
    for placement in terms.catalog.placements where ads.placements[placement.id] != nil || terms.entitlements.holdsAny(of: placement.exempt)
    {
      makeRoom(forPlacement: placement.id, in: terms.rules)
      heedExemption(placement, under: terms)
    }
  }

  /// Decides about every placement on an event that has been counted in ``eventCounts``.
  mutating func decideAds(on event: AdmittedEvent, under terms: PlayerTerms) -> [AdDecision] {
    terms.rules.placements(onEvent: event.position).map { decideAd(at: terms.catalog.placements[$0], on: event, under: terms) }
  }

  private mutating func decideAd(at placement: Placement, on event: AdmittedEvent, under terms: PlayerTerms) -> AdDecision {
    makeRoom(forPlacement: placement.id, in: terms.rules)
    var history = ads.placements[placement.id] ?? PlacementHistory()
    history.heedExemption(placement.exempt, terms.entitlements, decisions: ads.decisionsMade, now: terms.now)
    if !terms.entitlements.holdsAny(of: placement.exempt) { history.count(event) }
    var asked = question(placement, history, under: terms)
    if let refusal = asked.refusal {
      ads.placements[placement.id] = history
      return decision(asked, of: placement, refusal: refusal)
    }
    let wasForced = history.isForced
    let number = ads.addDecision(at: placement.id, now: terms.now, visit: visits.count)
    history.addShow(number, at: terms.now, visit: visits.count)
    ads.placements[placement.id] = history
    asked.history = history
    asked.lastShowAt = terms.now
    var shown = decision(asked, of: placement, refusal: nil)
    shown.decisionID = decisionID(number, at: placement.id, under: terms)
    shown.isForced = wasForced
    return shown
  }

  /// Names a decision so that it is known to be this player's and this placement's, and nobody can guess another's.
  func decisionID(_ number: Int64, at placement: String, under terms: PlayerTerms) -> String {
    let named = "\(terms.catalog.game)\0\(terms.player)\0\(placement)\0\(number)\0\(createdAt.milliseconds)"
    return "\(number)-\(SHA256.hex(SHA256.digest(of: named.utf8).prefix(8)))"
  }

  mutating func heedExemption(_ placement: Placement, under terms: PlayerTerms) {
    ads.placements[placement.id, default: PlacementHistory()]
      .heedExemption(placement.exempt, terms.entitlements, decisions: ads.decisionsMade, now: terms.now)
  }

  func question(_ placement: Placement, under terms: PlayerTerms) -> AdDecisionInput {
    question(placement, ads.placements[placement.id] ?? PlacementHistory(), under: terms)
  }

  private func question(_ placement: Placement, _ history: PlacementHistory, under terms: PlayerTerms) -> AdDecisionInput {
    AdDecisionInput(
      policy: AdPolicy(placement, childDirected: terms.catalog.childDirected, parameters: terms.parameters),
      history: history, isExempt: terms.entitlements.holdsAny(of: placement.exempt),
      eventsEver: eventCounts[placement.event] ?? 0, visits: visits, lastShowAt: ads.lastShowAt, lastRewardAt: ads.lastRewardAt,
      now: terms.now)
  }

  func decision(_ question: AdDecisionInput, of placement: Placement, refusal: AdRefusal?) -> AdDecision {
    let history = question.history
    let counters = AdCounters(
      events: question.count, every: question.policy.every, isOwed: history.isOwed, isForced: history.isForced,
      showsInVisit: history.visit == question.visits.count ? history.showsInVisit : 0, showsEver: history.showsEver,
      lastShowAt: history.shows.last?.at)
    return AdDecision(
      placement: placement.id, format: placement.format, decisionID: nil, refusal: refusal, isForced: false, counters: counters,
      next: question.next)
  }

  mutating func makeRoom(forPlacement id: String, in rules: PlayerRules) {
    guard ads.placements[id] == nil, ads.placements.count >= PlayerLimits.placementsMax else { return }
    let known = Set(rules.catalog.placements.map(\.id))
    ads.placements = ads.placements.filter { known.contains($0.key) }
  }
}

extension PlacementHistory {
  /// Counts an event unless it happened before the counter's last start.
  mutating func count(_ event: AdmittedEvent) {
    if event.isLate, let restartedAt, event.simulatedAt < restartedAt { return }
    count = count.raised(by: 1)
  }
}

extension Catalog {
  /// The placement of that id.
  func placement(_ id: String) throws(Refusal) -> Placement {
    guard let placement = placements.first(where: { $0.id == id }) else {
      throw .unknownPlacement(id, hint: NearestNames.hint(for: id, among: placements.map(\.id)))
    }
    return placement
  }
}
