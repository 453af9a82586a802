// An event's outcome as one small value, kept beside its history entry so that a repeat is answered the same.

extension EventOutcome {
  /// The outcome as a value: a list by position.
  public var encoded: Value {
    [
      .integer(occurredAt.milliseconds), .integer(lifetimeScore), .integer(gamesPlayed), bestScore.map(Value.integer) ?? .null,
      .bool(isBest),
      .integer(count), .integer(visit), .bool(opensVisit), .list(milestones.map(Value.string)), .list(themes.map(Value.string)),
      .list(ads.map(\.encoded)),
    ]
  }

  /// The outcome that ``encoded`` wrote.
  public init(decoding value: Value) throws(PlayerCodingFault) {
    guard let parts = value.listValue, parts.count == 11, let occurredAt = parts[0].instantValue, let lifetimeScore = parts[1].integerValue,
      let gamesPlayed = parts[2].integerValue, let isBest = parts[4].boolValue, let count = parts[5].integerValue,
      let visit = parts[6].integerValue, let opensVisit = parts[7].boolValue, let milestones = parts[8].listValue,
      let themes = parts[9].listValue, let ads = parts[10].listValue
    else { throw PlayerCodingFault(message: "An event's stored outcome has another form than expected.") }
    var decisions: [AdDecision] = []
    for value in ads { decisions.append(try AdDecision(decoding: value)) }
    self.init(
      occurredAt: occurredAt, lifetimeScore: lifetimeScore, gamesPlayed: gamesPlayed, bestScore: parts[3].integerValue, isBest: isBest,
      count: count, visit: visit, opensVisit: opensVisit, milestones: milestones.compactMap(\.stringValue),
      themes: themes.compactMap(\.stringValue), ads: decisions)
  }
}

extension AdDecision {
  fileprivate var encoded: Value {
    [
      .string(placement), .string(format.rawValue), decisionID.map(Value.string) ?? .null, refusal.map { .string($0.rawValue) } ?? .null,
      .bool(isForced), .integer(counters.events), .integer(counters.every), .bool(counters.isOwed), .bool(counters.isForced),
      .integer(counters.showsInVisit), .integer(counters.showsEver), counters.lastShowAt.encoded, .integer(next.events),
      .integer(next.visits),
      next.notBefore.encoded, next.blockedBy.map { .string($0.rawValue) } ?? .null,
    ]
  }

  fileprivate init(decoding value: Value) throws(PlayerCodingFault) {
    guard let parts = value.listValue, parts.count == 16, let placement = parts[0].stringValue,
      let format = parts[1].stringValue.flatMap(Placement.Format.init), let isForced = parts[4].boolValue,
      let events = parts[5].integerValue, let every = parts[6].integerValue, let isOwed = parts[7].boolValue,
      let isForcedNext = parts[8].boolValue, let showsInVisit = parts[9].integerValue, let showsEver = parts[10].integerValue,
      let nextEvents = parts[12].integerValue, let nextVisits = parts[13].integerValue
    else { throw PlayerCodingFault(message: "A stored ad decision has another form than expected.") }
    let counters = AdCounters(
      events: events, every: every, isOwed: isOwed, isForced: isForcedNext, showsInVisit: showsInVisit, showsEver: showsEver,
      lastShowAt: parts[11].instantValue)
    let next = AdNext(
      events: nextEvents, visits: nextVisits, notBefore: parts[14].instantValue, blockedBy: parts[15].stringValue.flatMap(AdRefusal.init))
    self.init(
      placement: placement, format: format, decisionID: parts[2].stringValue, refusal: parts[3].stringValue.flatMap(AdRefusal.init),
      isForced: isForced, counters: counters, next: next)
  }
}
