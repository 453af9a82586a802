// The stored form of an event's outcome. It is saved with the player's history entry, so that a repeated request gets the same response.

extension EventOutcome {
  /// The outcome as a JSON list, in which each position has a fixed meaning instead of a name.
  public var storedJSON: [UInt8] {
    var json = JSONBuilder(reserving: 256 + 192 * ads.count)
    json.beginList()
    json.instant(occurredAt)
    json.integer(lifetimeScore)
    json.integer(gamesPlayed)
    if let bestScore { json.integer(bestScore) } else { json.null() }
    json.bool(isBest)
    json.integer(count)
    json.integer(visit)
    json.bool(opensVisit)
    json.strings(milestones)
    json.strings(themes)
    json.beginList()
    for ad in ads { ad.append(to: &json) }
    json.endList()
    json.instant(simulatedAt)
    json.beginList()
    for kind in [unlocked.milestones, unlocked.achievements, unlocked.themes] where !unlocked.isEmpty { json.items(kind) }
    json.endList()
    if let best {
      json.beginList()
      json.string(best.detail)
      if let score = best.score { json.integer(score) } else { json.null() }
      json.bool(best.isBest)
      json.endList()
    } else if !uncheckedBy.isEmpty {
      json.null()
    }
    if !uncheckedBy.isEmpty { json.strings(uncheckedBy) }
    json.endList()
    return json.bytes
  }

  /// Decodes an outcome from ``storedJSON``. The shorter lists that earlier versions stored are decoded too.
  public init(decoding value: Value) throws(Fault) {
    guard let parts = value.listValue, [11, 13, 14, 15].contains(parts.count), let occurredAt = parts[0].instantValue,
      let lifetimeScore = parts[1].integerValue,
      let gamesPlayed = parts[2].integerValue, let isBest = parts[4].boolValue, let count = parts[5].integerValue,
      let visit = parts[6].integerValue, let opensVisit = parts[7].boolValue, let milestones = parts[8].listValue,
      let themes = parts[9].listValue, let ads = parts[10].listValue
    else { throw Fault("An event's stored outcome has another form than expected.") }
    var decisions: [AdDecision] = []
    for value in ads { decisions.append(try AdDecision(decoding: value)) }
    var unlocked = Unlocks(
      milestones: milestones.compactMap { $0.stringValue.map { Unlocks.UnlockedItem($0) } },
      themes: themes.compactMap { $0.stringValue.map { Unlocks.UnlockedItem($0) } })
    // Outcomes that an earlier version stored have no display names, so their unlocked items have only ids.
    if parts.count > 12, let kinds = parts[12].listValue, kinds.count == 3 {
      unlocked = Unlocks(milestones: Unlocks.items(kinds[0]), achievements: Unlocks.items(kinds[1]), themes: Unlocks.items(kinds[2]))
    }
    self.init(
      occurredAt: occurredAt, simulatedAt: parts.count > 11 ? parts[11].instantValue ?? occurredAt : occurredAt,
      lifetimeScore: lifetimeScore, gamesPlayed: gamesPlayed, bestScore: parts[3].integerValue, isBest: isBest, count: count, visit: visit,
      opensVisit: opensVisit, milestones: milestones.compactMap(\.stringValue), unlocked: unlocked, ads: decisions)
    if parts.count > 14 { uncheckedBy = parts[14].listValue?.compactMap(\.stringValue) ?? [] }
    if parts.count > 13, parts[13] != .null {
      guard let best = parts[13].listValue, best.count == 3, let detail = best[0].stringValue, let isBest = best[2].boolValue else {
        throw Fault("A stored best has another form than expected.")
      }
      self.best = EventBest(detail: detail, score: best[1].integerValue, isBest: isBest)
    }
  }
}

extension Unlocks {
  fileprivate static func items(_ value: Value) -> [UnlockedItem] {
    (value.listValue ?? []).compactMap { part in
      guard let pair = part.listValue, pair.count == 2, let id = pair[0].stringValue else { return nil }
      return UnlockedItem(id, pair[1].stringValue)
    }
  }
}

extension AdDecision {
  fileprivate func append(to json: inout JSONBuilder) {
    json.beginList()
    json.string(placement)
    json.string(format.rawValue)
    json.optional(decisionID)
    json.optional(refusal?.rawValue)
    json.bool(isForced)
    json.integer(counters.events)
    json.integer(counters.every)
    json.bool(counters.isOwed)
    json.bool(counters.isForced)
    json.integer(counters.showsInVisit)
    json.integer(counters.showsEver)
    json.instant(counters.lastShowAt)
    json.integer(next.events)
    json.integer(next.visits)
    json.instant(next.notBefore)
    json.optional(next.blockedBy?.rawValue)
    json.endList()
  }

  fileprivate init(decoding value: Value) throws(Fault) {
    guard let parts = value.listValue, parts.count == 16, let placement = parts[0].stringValue,
      let format = parts[1].stringValue.flatMap(Placement.Format.init), let isForced = parts[4].boolValue,
      let events = parts[5].integerValue, let every = parts[6].integerValue, let isOwed = parts[7].boolValue,
      let isForcedNext = parts[8].boolValue, let showsInVisit = parts[9].integerValue, let showsEver = parts[10].integerValue,
      let nextEvents = parts[12].integerValue, let nextVisits = parts[13].integerValue
    else { throw Fault("A stored ad decision has another form than expected.") }
    let counters = AdCounters(
      events: events, every: every, isOwed: isOwed, isForced: isForcedNext, showsInVisit: showsInVisit, showsEver: showsEver,
      lastShowAt: parts[11].instantValue)
    let next = EarliestAd(
      events: nextEvents, visits: nextVisits, notBefore: parts[14].instantValue, blockedBy: parts[15].stringValue.flatMap(AdRefusal.init))
    self.init(
      placement: placement, format: format, decisionID: parts[2].stringValue, refusal: parts[3].stringValue.flatMap(AdRefusal.init),
      isForced: isForced, counters: counters, next: next)
  }
}

extension JSONBuilder {
  fileprivate mutating func optional(_ text: String?) {
    if let text { string(text) } else { null() }
  }

  fileprivate mutating func items(_ items: [Unlocks.UnlockedItem]) {
    beginList()
    for item in items {
      beginList()
      string(item.id)
      optional(item.name)
      endList()
    }
    endList()
  }

  fileprivate mutating func strings(_ texts: [String]) {
    beginList()
    for text in texts { string(text) }
    endList()
  }
}
