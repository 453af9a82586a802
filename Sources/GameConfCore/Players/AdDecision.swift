// Decides for every placement of an event whether the game shows an ad at it. An admin can inspect and reset a placement, or force an ad.

/// The decision about an ad at one placement: whether it is shown, the rule that prevents it, and the earliest next ad.
public struct AdDecision: Sendable, Hashable {
  /// The id of the placement in the catalog.
  public var placement: String
  /// The format of the ads that the placement shows.
  public var format: Placement.Format
  /// The id that the game sends with its reports on this ad; nil if no ad is shown.
  public var decisionID: String?
  /// The first rule that does not allow the ad; nil if the ad is shown.
  public var refusal: AdRefusal?
  /// True if the ad is shown because an admin forced it.
  public var isForced: Bool
  /// The placement's counters after the event for which this decision was made.
  public var counters: AdCounters
  /// The earliest moment at which the placement may show the next ad.
  public var next: EarliestAd

  /// True if the game is to show the ad: no rule refuses it.
  public var shows: Bool { refusal == nil }
}

/// The counters of one placement for one player, as responses show them.
public struct AdCounters: Sendable, Hashable {
  /// The number of the placement's events since the last ad, reset or exemption. Until there is an ad, reset or exemption, the placement's
  /// offset is added.
  public var events: Int64 = 0
  /// The number of events after which the next ad is due, from the placement's `every`.
  public var every: Int64 = 0
  /// True if an ad was due but could not be loaded. The next event of the placement may then show an ad.
  public var isOwed = false
  /// True if an admin has forced an ad for the placement's next event.
  public var isForced = false
  /// The number of ads that were shown at the placement in the player's present visit.
  public var showsInVisit: Int64 = 0
  /// The number of ads that were ever shown to the player at the placement.
  public var showsEver: Int64 = 0
  /// The instant of the last ad at this placement; nil if there was no ad yet.
  public var lastShowAt: Instant?

  /// Creates the counters of a placement without events and ads.
  public init() {}

  /// Creates counters, by default of a placement that has never shown an ad.
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
  /// Returns a placement's counters, and the decision about an ad that the placement's next event would get now. Does not change the
  /// player.
  /// - Throws: `.unknownPlacement`.
  public func adStatus(at id: String, under terms: PlayerTerms) throws(Refusal) -> AdDecision {
    let placement = try terms.catalog.placement(id)
    var state = self
    state.clampToNow(terms.now)
    state.applyExemption(placement, under: terms)
    // After a long silence the next event begins a new visit, so the rules are evaluated as in that visit.
    if state.isSilent(at: terms.now) { state.beginVisit(at: terms.now) }
    let counted = state.question(placement, under: terms)
    state.eventCounts[placement.event] = (eventCounts[placement.event] ?? 0).raised(by: 1)
    if !counted.isExempt { state.ads.placements[id]?.count = counted.history.count.raised(by: 1) }
    let refusal = state.question(placement, under: terms).refusal
    return decision(counted, of: placement, refusal: refusal)
  }

  /// Resets a placement's event counter and cancels an owed or forced ad. Earlier ads still count for caps and intervals.
  /// - Throws: `.unknownPlacement`.
  public mutating func resetAds(at id: String, under terms: PlayerTerms) throws(Refusal) -> HistoryEntry {
    let placement = try terms.catalog.placement(id)
    clampToNow(terms.now)
    makeSpace(forPlacement: id, in: terms.rules)
    applyExemption(placement, under: terms)
    ads.placements[id, default: PlacementHistory()].restart(at: terms.now, settling: ads.decisionsMade)
    return note(.adReset, ["placement": .string(id)], at: terms.now)
  }

  /// Makes the next event of the placement show one ad, regardless of the rules on how often ads are shown.
  /// - Throws: `.unknownPlacement`, `.childDirected`, `.adFree`.
  public mutating func forceAd(at id: String, under terms: PlayerTerms) throws(Refusal) -> HistoryEntry {
    let placement = try terms.catalog.placement(id)
    if terms.catalog.childDirected { throw .childDirected }
    if terms.entitlements.holdsAny(of: placement.exempt) { throw .adFree }
    clampToNow(terms.now)
    makeSpace(forPlacement: id, in: terms.rules)
    applyExemption(placement, under: terms)
    ads.placements[id, default: PlacementHistory()].isForced = true
    return note(.adForce, ["placement": .string(id)], at: terms.now)
  }

  /// Restarts the event counter of every placement whose ads the player's entitlements remove, or have removed at any time since the last
  /// call.
  ///
  /// The caller calls it before and after each change of the player's entitlements. So an exemption that lasts less than a millisecond also
  /// takes effect.
  public mutating func applyExemptions(under terms: PlayerTerms) {
    clampToNow(terms.now)
    for placement in terms.catalog.placements where ads.placements[placement.id] != nil || terms.entitlements.holdsAny(of: placement.exempt)
    {
      makeSpace(forPlacement: placement.id, in: terms.rules)
      applyExemption(placement, under: terms)
    }
  }

  /// Decides about an ad at every placement that the event triggers. ``eventCounts`` already includes the event.
  mutating func decideAds(on event: AdmittedEvent, under terms: PlayerTerms) -> [AdDecision] {
    terms.rules.placements(onEvent: event.position).map { decideAd(at: terms.catalog.placements[$0], on: event, under: terms) }
  }

  private mutating func decideAd(at placement: Placement, on event: AdmittedEvent, under terms: PlayerTerms) -> AdDecision {
    makeSpace(forPlacement: placement.id, in: terms.rules)
    var history = ads.placements[placement.id] ?? PlacementHistory()
    history.applyExemption(placement.exempt, terms.entitlements, decisions: ads.decisionsMade, now: terms.now)
    if !terms.entitlements.holdsAny(of: placement.exempt) { history.count(event) }
    var input = question(placement, history, under: terms)
    if let refusal = input.refusal {
      ads.placements[placement.id] = history
      return decision(input, of: placement, refusal: refusal)
    }
    let wasForced = history.isForced
    let number = ads.addDecision(at: placement.id, now: terms.now, visit: visits.count)
    history.addShow(number, at: terms.now, visit: visits.count)
    ads.placements[placement.id] = history
    input.history = history
    input.lastShowAt = terms.now
    var shown = decision(input, of: placement, refusal: nil)
    shown.decisionID = decisionID(number, at: placement.id, under: terms)
    shown.isForced = wasForced
    return shown
  }

  /// Derives the id of an ad decision by hashing. The id is thus valid only for this player and placement, and a client cannot guess it.
  func decisionID(_ number: Int64, at placement: String, under terms: PlayerTerms) -> String {
    let named = "\(terms.catalog.game)\0\(terms.player)\0\(placement)\0\(number)\0\(createdAt.milliseconds)"
    return "\(number)-\(SHA256.hex(SHA256.digest(of: named.utf8).prefix(8)))"
  }

  mutating func applyExemption(_ placement: Placement, under terms: PlayerTerms) {
    ads.placements[placement.id, default: PlacementHistory()]
      .applyExemption(placement.exempt, terms.entitlements, decisions: ads.decisionsMade, now: terms.now)
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

  mutating func makeSpace(forPlacement id: String, in rules: PlayerRules) {
    guard ads.placements[id] == nil, ads.placements.count >= PlayerLimits.placementsMax else { return }
    let known = Set(rules.catalog.placements.map(\.id))
    ads.placements = ads.placements.filter { known.contains($0.key) }
  }
}

extension PlacementHistory {
  /// Counts an event for the placement's interval between ads, unless it is a late event from before the counter's last restart.
  mutating func count(_ event: AdmittedEvent) {
    if event.isLate, let restartedAt, event.simulatedAt < restartedAt { return }
    count = count.raised(by: 1)
  }
}

extension Catalog {
  /// Returns the placement with this id.
  /// - Throws: `.unknownPlacement`, which suggests a similar id.
  func placement(_ id: String) throws(Refusal) -> Placement {
    guard let placement = placements.first(where: { $0.id == id }) else {
      throw .unknownPlacement(id, hint: NearestNames.hint(for: id, among: placements.map(\.id)))
    }
    return placement
  }
}
