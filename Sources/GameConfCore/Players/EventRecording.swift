// Recording an event: scores, counters, milestones and ad decisions in one step.

/// The outcome of an event.
public struct EventOutcome: Sendable, Hashable {
  /// The instant when it happened, by the host's clock.
  public var occurredAt: Instant
  /// The instant when that was in the player's simulated time; never before the event or launch that came last.
  public var simulatedAt: Instant
  /// The sum of all scores after it.
  public var lifetimeScore: Int64
  /// The number of events that carried a score.
  public var gamesPlayed: Int64
  /// The best score of its mode, or of the game when it has no modes; nil when it carried none.
  public var bestScore: Int64?
  /// True if its score is a new best.
  public var isBest: Bool
  /// The number of times that the event was recorded.
  public var count: Int64
  /// The visit it came in.
  public var visit: Int64
  /// True if it opened that visit.
  public var opensVisit: Bool
  /// The milestones it unlocked, achievements among them, in order.
  public var milestones: [String]
  /// The same as it is reported, with the themes those milestones unlock.
  public var unlocked: Unlocks
  /// The decisions of every placement on the event.
  public var ads: [AdDecision]
  /// The player's best for what the event's details say; nil where the event keeps none.
  public var best: EventBest?
  /// The checks that were cut short by their bound, and so passed.
  public var uncheckedBy: [String] = []

  /// The themes its milestones unlock.
  public var themes: [String] { unlocked.themes.map(\.id) }
}

extension PlayerState {
  /// Records an event.
  /// - Returns: what it came to, and the entry for the player's history.
  /// - Throws: ``Refusal`` when the event is none the catalog declares, or its score, time or number is not taken.
  public mutating func record(_ event: PlayerEvent, under terms: PlayerTerms) throws(Refusal) -> (EventOutcome, HistoryEntry) {
    let play = event.play
    let event = try terms.rules.admit(event, under: terms)
    let uncheckedBy = try terms.rules.check(event, under: terms)
    if event.isAnalytics {
      var noted = note(event, of: play, at: terms.now)
      noted.0.uncheckedBy = uncheckedBy
      return noted
    }
    try makeRoom(for: event, in: terms.rules)
    // Nothing refuses from here on, so that the state is changed where it is.
    heedClock(terms.now)
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

  /// Records an event that is reported for analytics only: a line, and nothing else.
  private mutating func note(_ event: AdmittedEvent, of play: EventPlay?, at now: Instant) -> (EventOutcome, HistoryEntry) {
    let entry = note(.event, Self.details(of: event, in: play, at: event.simulatedAt, [], []), at: now)
    let outcome = EventOutcome(
      occurredAt: event.occurredAt, simulatedAt: event.simulatedAt, lifetimeScore: lifetimeScore, gamesPlayed: gamesPlayed, isBest: false,
      count: 0, visit: visits.count, opensVisit: false, milestones: [], unlocked: Unlocks(), ads: [])
    return (outcome, entry)
  }

  /// Refuses an event that does not fit, before it changes anything. Counters that the catalog no longer has are let go for it.
  private mutating func makeRoom(for event: AdmittedEvent, in rules: PlayerRules) throws(Refusal) {
    if hasCounters(for: event) { return try checkScore(of: event) }
    var state = self
    state.dropCounters(notIn: rules.catalog)
    if !state.hasCounters(for: event) { throw .tooManyCounters }
    try state.checkScore(of: event)
    self = state
  }

  /// True if the event's counters are there or may still be added.
  private func hasCounters(for event: AdmittedEvent) -> Bool {
    let isNew = eventCounts[event.name] == nil || event.mode.map { modeCounts[event.name]?[$0] == nil } ?? false
    return !isNew || counters + 2 <= PlayerLimits.countersMax
  }

  private func checkScore(of event: AdmittedEvent) throws(Refusal) {
    guard let score = event.score else { return }
    if lifetimeScore.addingReportingOverflow(score).overflow { throw .scoreOverflow(sum: lifetimeScore, score: score) }
    if let mode = event.mode, bestScores.count >= PlayerLimits.bestScoresMax, bestScores[mode] == nil { throw .tooManyCounters }
  }

  /// Counts the event.
  /// - Returns: how often it was recorded.
  private mutating func count(_ event: AdmittedEvent) -> Int64 {
    let count = (eventCounts[event.name] ?? 0).raised(by: 1)
    eventCounts[event.name] = count
    if let mode = event.mode { modeCounts[event.name, default: [:]][mode, default: 0] += 1 }
    return count
  }

  /// The number of counters that are kept.
  private var counters: Int { modeCounts.values.reduce(eventCounts.count) { $0 + $1.count } }

  private mutating func dropCounters(notIn catalog: Catalog) {
    let events = Set(catalog.events.map(\.name))
    eventCounts = eventCounts.filter { events.contains($0.key) }
    modeCounts = modeCounts.filter { events.contains($0.key) }.mapValues { $0.filter { catalog.modes.contains($0.key) } }
    bestScores = bestScores.filter { catalog.modes.contains($0.key) }
  }

  /// Adds the event's score, which fits.
  /// - Returns: the best score of its mode, or of the game when it has none, and whether this is a better one: a first score of 0 is none.
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
