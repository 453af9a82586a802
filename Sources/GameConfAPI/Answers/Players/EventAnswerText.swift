// The answer to an event as JSON, written without a tree of values: it is what a daemon writes most.

internal import GameConfCore

extension EventAnswer {
  /// The JSON of ``wire``, byte for byte.
  public var json: [UInt8] {
    var json = JSONPieces(reserving: Self.bytesUsual + Self.bytesPerAd * ads.count)
    append(to: &json)
    return json.bytes
  }

  private static let bytesUsual = 384
  private static let bytesPerAd = 320

  private func append(to json: inout JSONPieces) {
    json.beginObject()
    json.member("game", game)
    json.member("player", player)
    json.member("event", event)
    json.member("occurred_at", occurredAt.text)
    json.name("scores")
    json.beginObject()
    json.member("lifetime_score", lifetimeScore)
    json.member("games_played", gamesPlayed)
    if let bestScore { json.member("best_score", bestScore) }
    json.member("is_best", isBest)
    json.endObject()
    json.member("count", count)
    json.name("visit")
    json.beginObject()
    json.member("number", visit)
    json.member("opened", opensVisit)
    json.endObject()
    json.name("unlocked")
    json.beginObject()
    json.member("milestones", unlocked.milestones)
    json.member("themes", unlocked.themes)
    json.endObject()
    json.name("ads")
    json.beginList()
    for ad in ads { ad.append(to: &json) }
    json.endList()
    if isDryRun { json.member("dry_run", true) }
    json.endObject()
  }
}

extension AdDecisionAnswer {
  fileprivate func append(to json: inout JSONPieces) {
    json.beginObject()
    json.member("placement", placement)
    json.member("format", format)
    json.member("show", shows)
    if let decisionID { json.member("decision_id", decisionID) }
    if let reason { json.member("reason", reason) }
    if isForced { json.member("forced", true) }
    json.name("counters")
    json.beginObject()
    json.member("events", counters.events)
    json.member("every", counters.every)
    json.member("owed", counters.isOwed)
    json.member("forced", counters.isForced)
    json.member("shows_in_visit", counters.showsInVisit)
    json.member("shows_ever", counters.showsEver)
    if let at = counters.lastShowAt { json.member("last_show_at", at.text) }
    json.endObject()
    json.name("next")
    json.beginObject()
    json.member("events", next.events)
    json.member("visits", next.visits)
    if let at = next.notBefore { json.member("not_before", at.text) }
    if let blockedBy = next.blockedBy { json.member("blocked_by", blockedBy) }
    json.endObject()
    json.endObject()
  }
}

extension JSONPieces {
  fileprivate mutating func member(_ name: StaticString, _ text: String) {
    self.name(name)
    string(text)
  }

  fileprivate mutating func member(_ name: StaticString, _ number: Int64) {
    self.name(name)
    integer(number)
  }

  fileprivate mutating func member(_ name: StaticString, _ flag: Bool) {
    self.name(name)
    bool(flag)
  }

  fileprivate mutating func member(_ name: StaticString, _ texts: [String]) {
    self.name(name)
    beginList()
    for text in texts { string(text) }
    endList()
  }
}
