// Records an event of a player: validates it, updates scores and counters, unlocks milestones and decides about ads.

/// The result of recording an event: the player's new counters, the unlocked content and the decisions about ads.
public struct EventOutcome: Sendable, Hashable {
  /// The instant at which the event occurred, by the host's clock.
  public var occurredAt: Instant
  /// The instant of the event in the player's simulated time. It is never before the previous event or launch of the game.
  public var simulatedAt: Instant
  /// The sum of all scores of the player, the event's own score included.
  public var lifetimeScore: Int64
  /// The number of the player's events with a score so far.
  public var gamesPlayed: Int64
  /// The best score in the event's mode, or in the whole game if the event has no mode. It is nil if the event has no score.
  public var bestScore: Int64?
  /// True if the event's score is the player's new best in the mode, or in the game if the event has no mode.
  public var isBest: Bool
  /// The number of the player's events of this type so far.
  public var count: Int64
  /// The number of the player's visit in which the event occurred.
  public var visit: Int64
  /// True if the event began a new visit: the player's first, or one after ``PlayerLimits/silenceSeconds`` without an event or launch.
  public var opensVisit: Bool
  /// The ids of the milestones that the event unlocked, in the order of unlocking. Achievements are included.
  public var milestones: [String]
  /// The milestones, achievements and themes that the event unlocked, with their display names.
  public var unlocked: Unlocks
  /// The decisions about ads at the placements that the event triggers.
  public var ads: [AdDecision]
  /// The player's best for the event's details; nil if the catalog declares no bests for the event type.
  public var best: EventBest?
  /// The ids of the catalog's checks that exceeded the evaluation budget, and therefore passed.
  public var uncheckedBy: [String] = []

  /// The ids of the themes that the event's milestones unlocked.
  public var themes: [String] { unlocked.themes.map(\.id) }
}

extension PlayerState {
  /// Validates and records an event.
  /// - Returns: The outcome, and the new entry for the player's history.
  /// - Throws: ``Refusal`` if the catalog does not declare the event, or if its score, time or details are not valid, or if a check fails.
  public mutating func record(_ event: PlayerEvent, under terms: PlayerTerms) throws(Refusal) -> (EventOutcome, HistoryEntry) {
    let play = event.play
    let event = try terms.rules.admit(event, under: terms)
    let uncheckedBy = try terms.rules.check(event, under: terms)
    if event.isAnalytics {
      var noted = note(event, of: play, at: terms.now)
      noted.0.uncheckedBy = uncheckedBy
      return noted
    }
    try makeSpace(for: event, in: terms.rules)
    // All validation is done, so the changes below cannot fail. They are made in place, without a copy to roll back to.
    clampToNow(terms.now)
    let count = count(event)
    let (best, isBest) = add(event)
    let simulatedAt = max(event.simulatedAt, visits.activeAt ?? event.simulatedAt)
    let opensVisit = isSilent(at: simulatedAt)
    if opensVisit { beginVisit(at: simulatedAt) } else { visits.activeAt = simulatedAt }
    let milestones = unlockMilestones(under: terms)
    let ads = decideAds(on: event, under: terms)
    let entry = note(.event, Self.details(of: event, in: play, at: simulatedAt, milestones, ads), at: terms.now)
    var outcome = EventOutcome(
      occurredAt: event.occurredAt, simulatedAt: simulatedAt, lifetimeScore: lifetimeScore, gamesPlayed: gamesPlayed, bestScore: best,
      isBest: isBest, count: count, visit: visits.count, opensVisit: opensVisit, milestones: milestones,
      unlocked: terms.unlocks(by: milestones), ads: ads)
    outcome.uncheckedBy = uncheckedBy
    return (outcome, entry)
  }

  /// Records an analytics event as a history entry only, without an effect on counters, milestones and ads.
  private mutating func note(_ event: AdmittedEvent, of play: EventPlay?, at now: Instant) -> (EventOutcome, HistoryEntry) {
    let entry = note(.event, Self.details(of: event, in: play, at: event.simulatedAt, [], []), at: now)
    let outcome = EventOutcome(
      occurredAt: event.occurredAt, simulatedAt: event.simulatedAt, lifetimeScore: lifetimeScore, gamesPlayed: gamesPlayed, isBest: false,
      count: 0, visit: visits.count, opensVisit: false, milestones: [], unlocked: Unlocks(), ads: [])
    return (outcome, entry)
  }

  /// Throws if the event would exceed a limit on the player's counters or scores, before anything is changed. Counters that the catalog no
  /// longer declares are dropped if space is needed.
  private mutating func makeSpace(for event: AdmittedEvent, in rules: PlayerRules) throws(Refusal) {
    if let score = event.score, lifetimeScore.addingReportingOverflow(score).overflow {
      throw .scoreOverflow(sum: lifetimeScore, score: score)
    }
    if hasCounters(for: event), hasBestScore(for: event) { return }
    var state = self
    state.dropCounters(notIn: rules.catalog)
    if !state.hasCounters(for: event) { throw .tooManyCounters }
    if !state.hasBestScore(for: event) { throw .tooManyBestScores }
    self = state
  }

  /// True if the event's counters exist, or if the limit allows two new ones.
  private func hasCounters(for event: AdmittedEvent) -> Bool {
    let isNew = eventCounts[event.name] == nil || event.mode.map { modeCounts[event.name]?[$0] == nil } ?? false
    return !isNew || counters + 2 <= PlayerLimits.countersMax
  }

  /// True if the event sets no best score of a mode, if a best score of its mode is already stored, or if the limit allows another best
  /// score.
  private func hasBestScore(for event: AdmittedEvent) -> Bool {
    guard event.score != nil, let mode = event.mode else { return true }
    return bestScores[mode] != nil || bestScores.count < PlayerLimits.bestScoresMax
  }

  /// Increments the player's counters for the event's type and mode.
  /// - Returns: The number of the player's events of this type so far.
  private mutating func count(_ event: AdmittedEvent) -> Int64 {
    let count = (eventCounts[event.name] ?? 0).raised(by: 1)
    eventCounts[event.name] = count
    if let mode = event.mode { modeCounts[event.name, default: [:]][mode, default: 0] += 1 }
    return count
  }

  private var counters: Int { modeCounts.values.reduce(eventCounts.count) { $0 + $1.count } }

  private mutating func dropCounters(notIn catalog: Catalog) {
    let events = Set(catalog.events.map(\.name))
    eventCounts = eventCounts.filter { events.contains($0.key) }
    modeCounts = modeCounts.filter { events.contains($0.key) }.mapValues { $0.filter { catalog.modes.contains($0.key) } }
    bestScores = bestScores.filter { catalog.modes.contains($0.key) }
  }

  /// Adds the event's score to the player's sum and updates the best scores. The caller has checked that the sum does not overflow.
  /// - Returns: The best score of the event's mode, or of the whole game if the event has no mode. `isBest` is true if the event set it; a
  ///   first score of 0 is not a new best.
  private mutating func add(_ event: AdmittedEvent) -> (best: Int64?, isBest: Bool) {
    guard let score = event.score else { return (nil, false) }
    lifetimeScore = lifetimeScore.raised(by: score)
    gamesPlayed = gamesPlayed.raised(by: 1)
    let best = event.mode.map { bestScores[$0] } ?? bestScore
    bestScore = max(bestScore ?? score, score)
    if let best, score <= best { return (best, false) }
    if let mode = event.mode { bestScores[mode] = score }
    return (score, best != nil || score > 0)
  }

  private static func details(
    of event: AdmittedEvent, in play: EventPlay?, at simulatedAt: Instant, _ milestones: [String], _ ads: [AdDecision]
  ) -> ObjectValue {
    var details = ObjectValue()
    details.reserveCapacity(6)
    details["event"] = .string(event.name)
    details["mode"] = event.mode.map(Value.string)
    details["score"] = event.score.map(Value.integer)
    details["reason"] = event.reason.map(Value.string)
    if !event.details.isEmpty { details["details"] = .object(event.details) }
    if let play {
      details["play"] = .string(play.id)
      if play.closes { details["closed_play"] = true }
    }
    if event.isLate {
      details["occurred_at"] = .string(event.occurredAt.text)
      details["simulated_at"] = .string(simulatedAt.text)
    }
    if !milestones.isEmpty { details["unlocked"] = .list(milestones.map(Value.string)) }
    if ads.contains(where: \.shows) { details["ads"] = .list(ads.filter(\.shows).map { .string($0.placement) }) }
    return details
  }
}
