// Recording an event: scores, counters, milestones and ad decisions in one step.

/// What an event came to.
public struct EventOutcome: Sendable, Hashable {
  /// When it happened, in the player's time.
  public var occurredAt: Instant
  /// The sum of all scores after it.
  public var lifetimeScore: Int64
  /// How many events carried a score.
  public var gamesPlayed: Int64
  /// The best score of its mode, or of the game when it has no modes; nil when it carried none.
  public var bestScore: Int64?
  /// Whether its score is a new best.
  public var isBest: Bool
  /// How often the event was recorded.
  public var count: Int64
  /// The visit it came in.
  public var visit: Int64
  /// Whether it opened that visit.
  public var opensVisit: Bool
  /// The milestones it unlocked, in order.
  public var milestones: [String]
  /// The themes those milestones unlock.
  public var themes: [String]
  /// What every placement on the event decided.
  public var ads: [AdDecision]
}

extension PlayerState {
  /// Records an event.
  /// - Returns: what it came to, and the entry for the player's history.
  /// - Throws: ``PlayerFault`` when the event is none the catalog declares, or its score, time or number is not taken.
  public mutating func record(_ event: PlayerEvent, under terms: PlayerTerms) throws(PlayerFault) -> (EventOutcome, HistoryEntry) {
    let event = try terms.catalog.admit(event, now: terms.now)
    var state = self
    state.heedClock(terms.now)
    try state.count(event, in: terms.catalog)
    let isBest = try state.add(event)
    let opensVisit = state.isSilent(at: event.occurredAt)
    if opensVisit {
      state.beginVisit(at: event.occurredAt)
    } else {
      state.visits.activeAt = max(state.visits.activeAt ?? event.occurredAt, event.occurredAt)
    }
    let milestones = state.unlockMilestones(under: terms)
    let ads = state.decideAds(on: event, under: terms)
    let entry = state.note(.event, Self.details(of: event, milestones, ads), at: terms.now)
    self = state
    let outcome = EventOutcome(
      occurredAt: event.occurredAt, lifetimeScore: lifetimeScore, gamesPlayed: gamesPlayed,
      bestScore: event.score == nil ? nil : event.mode.map { bestScores[$0] } ?? bestScore, isBest: isBest,
      count: eventCounts[event.name] ?? 0, visit: visits.count, opensVisit: opensVisit, milestones: milestones,
      themes: terms.catalog.themes(unlockedBy: milestones), ads: ads)
    return (outcome, entry)
  }

  private mutating func count(_ event: AdmittedEvent, in catalog: Catalog) throws(PlayerFault) {
    let isNew = eventCounts[event.name] == nil || event.mode.map { modeCounts[event.name]?[$0] == nil } ?? false
    if isNew, counters + 2 > PlayerLimits.countersMax {
      dropCounters(notIn: catalog)
      if counters + 2 > PlayerLimits.countersMax { throw .tooManyCounters }
    }
    eventCounts[event.name] = (eventCounts[event.name] ?? 0).raised(by: 1)
    if let mode = event.mode { modeCounts[event.name, default: [:]][mode, default: 0] += 1 }
  }

  /// How many counters are kept.
  private var counters: Int { modeCounts.values.reduce(eventCounts.count) { $0 + $1.count } }

  private mutating func dropCounters(notIn catalog: Catalog) {
    let events = Set(catalog.events.map(\.name))
    eventCounts = eventCounts.filter { events.contains($0.key) }
    modeCounts = modeCounts.filter { events.contains($0.key) }.mapValues { $0.filter { catalog.modes.contains($0.key) } }
    bestScores = bestScores.filter { catalog.modes.contains($0.key) }
  }

  /// Adds the event's score.
  /// - Returns: whether it is a new best.
  private mutating func add(_ event: AdmittedEvent) throws(PlayerFault) -> Bool {
    guard let score = event.score else { return false }
    let (sum, overflows) = lifetimeScore.addingReportingOverflow(score)
    if overflows { throw .scoreOverflow(sum: lifetimeScore, score: score) }
    lifetimeScore = sum
    gamesPlayed = gamesPlayed.raised(by: 1)
    let best = event.mode.map { bestScores[$0] } ?? bestScore
    bestScore = max(bestScore ?? score, score)
    if let mode = event.mode {
      if bestScores[mode] == nil, bestScores.count >= PlayerLimits.bestScoresMax { throw .tooManyCounters }
      bestScores[mode] = max(best ?? score, score)
    }
    return best.map { score > $0 } ?? true
  }

  private static func details(of event: AdmittedEvent, _ milestones: [String], _ ads: [AdDecision]) -> ObjectValue {
    var details: ObjectValue = ["event": .string(event.name)]
    details["mode"] = event.mode.map(Value.string)
    details["score"] = event.score.map(Value.integer)
    details["reason"] = event.reason.map(Value.string)
    if event.isLate { details["occurred_at"] = .string(event.occurredAt.text) }
    if !milestones.isEmpty { details["unlocked"] = .list(milestones.map(Value.string)) }
    let shows = ads.filter(\.shows).map { Value.string($0.placement) }
    if !shows.isEmpty { details["ads"] = .list(shows) }
    return details
  }
}

extension Catalog {
  /// The themes that one of these milestones unlocks.
  func themes(unlockedBy milestones: [String]) -> [String] {
    themes.compactMap { theme in
      guard case .milestone(let id) = theme.unlock, milestones.contains(id) else { return nil }
      return theme.id
    }
  }
}
