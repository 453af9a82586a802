// The reasons why a change of a player is refused: each refusal's code, sentence and place.

extension Refusal {
  // An event against its catalog. A hint is a whole sentence or empty.

  /// The catalog has no such event.
  public static func unknownEvent(_ name: String, hint: String) -> Refusal {
    Refusal(.unknownEvent, "The game has no event “\(name)”.\(hint)", at: "/event")
  }

  /// The catalog has no such mode.
  public static func unknownMode(_ name: String, hint: String, at pointer: String = "/mode") -> Refusal {
    Refusal(.unknownMode, "The game has no mode “\(name)”.\(hint)", at: pointer)
  }

  /// An event with a score says in which mode, where a game has modes.
  public static func modeMissing(modes: [String]) -> Refusal {
    Refusal(.modeMissing, "An event with a score says its mode; the game's are \(listed(modes)).", at: "/mode")
  }

  /// The event has no such reason.
  public static func unknownReason(_ reason: String, event: String, reasons: [String]) -> Refusal {
    let known = reasons.isEmpty ? "it takes no reason" : "its reasons are \(listed(reasons))"
    return Refusal(.unknownReason, "The event \(event) has no reason “\(reason)”; \(known).", at: "/reason")
  }

  /// The event does not happen in that mode.
  public static func modeNotOfEvent(_ mode: String, event: String, modes: [String]) -> Refusal {
    Refusal(.modeNotOfEvent, "The event \(event) does not happen in the mode “\(mode)”; its modes are \(listed(modes)).", at: "/mode")
  }

  /// The event says nothing of that name.
  public static func unknownDetail(_ name: String, event: String, names: [String]) -> Refusal {
    let shown = JSONPointer.clipped(name, bytesMax: 64)
    let message =
      names.isEmpty
      ? "The event \(event) takes no details, and so no “\(shown)”."
      : "The event \(event) has no detail “\(shown)”; its details are \(listed(names))."
    return Refusal(.unknownDetail, message, at: place(ofDetail: name))
  }

  /// The event does not say what it must.
  public static func detailMissing(_ name: String, event: String) -> Refusal {
    Refusal(.detailMissing, "The event \(event) says its \(name): send “details” with it.", at: "/details")
  }

  /// A detail's value is not admitted.
  public static func detailRefused(_ name: String, _ fault: AdmissionFault) -> Refusal {
    Refusal(fault.codeOfDetail, "\(name): \(fault.message)", at: place(ofDetail: name) + fault.pointer)
  }

  /// A check of the event does not hold.
  public static func checkFailed(id: String, event: String, message: String) -> Refusal {
    Refusal(.constraintViolated, "\(id): \(message)", at: "", rule: "\(event).\(id)")
  }

  /// Details and context are larger than an event may be.
  public static func eventTooLarge(bytes: Int) -> Refusal {
    Refusal(
      .eventTooLarge, "The event's details and context take \(bytes) bytes of JSON; \(PlayerLimits.eventBytesMax) are taken at most.",
      at: "/details")
  }

  /// The key of the event's best is longer than it may be.
  public static func bestDetailTooLong(bytes: Int) -> Refusal {
    Refusal(
      .tooLong, "The details of the event's best have \(bytes) bytes; at most \(PlayerLimits.bestDetailBytesMax) are allowed.",
      at: "/details")
  }

  /// The state of a play is larger than it may be.
  public static func stateTooLarge(bytes: Int) -> Refusal {
    Refusal(
      .valueTooLarge, "The play's state takes \(bytes) bytes of JSON; \(PlayLimits.stateBytesMax) are taken at most.", at: "/state")
  }

  /// The event occurred before the earliest instant that is still taken.
  public static func occurredTooEarly(_ at: Instant, earliest: Instant) -> Refusal {
    Refusal(.occurredTooEarly, "The event occurred at \(at), too long ago; \(earliest) is the earliest now.", at: "/occurred_at")
  }

  /// The event has not occurred yet.
  public static func occursAhead(_ at: Instant, now: Instant) -> Refusal {
    Refusal(.occursAhead, "The event occurs at \(at), but it is \(now) now; “occurred_at” lies in the past.", at: "/occurred_at")
  }

  // Scores.

  /// The event is declared without a score.
  public static func scoreNotCarried(event: String) -> Refusal {
    Refusal(.scoreNotCarried, "The event \(event) carries no score; leave “score” out.", at: "/score")
  }

  /// A score is a whole number from 0 on.
  public static func scoreNotWhole(_ value: Value, at pointer: String = "/score") -> Refusal {
    Refusal(.scoreNotWhole, "\(shown(value)) is not a score; a score is a whole number from 0 to \(Int64.max).", at: pointer)
  }

  /// A score is never negative.
  public static func scoreNegative(_ value: Value, at pointer: String = "/score") -> Refusal {
    Refusal(.scoreNegative, "\(shown(value)) is not a score; scores are never negative.", at: pointer)
  }

  /// The sum would not fit into 64 bits.
  public static func scoreOverflow(sum: Int64, score: Int64) -> Refusal {
    Refusal(.scoreOverflow, "\(sum) and \(score) together are more than \(Int64.max), the most a sum can be.", at: "/score")
  }

  // What is stored of a player.

  /// More bests than are stored.
  public static var tooManyBests: Refusal {
    Refusal(.limitReached, "The player has \(PlayerLimits.bestsMax) bests, the limit; remove some with DELETE …/bests first.")
  }

  /// A leaderboard would have more lists than a game may have.
  public static func tooManyLists(board: String) -> Refusal {
    Refusal(.limitReached, "The leaderboard \(board) would need another list, and the game has reached its limit of lists.")
  }

  /// More counters than are stored.
  public static var tooManyCounters: Refusal {
    Refusal(.limitReached, "The player has reached the limit of \(PlayerLimits.countersMax) counters.")
  }

  /// The context is larger than what is stored.
  public static func contextTooLarge(bytes: Int) -> Refusal {
    Refusal(
      .valueTooLarge, "The context takes \(bytes) bytes of JSON; at most \(PlayerLimits.contextBytesMax) are allowed.", at: "/context")
  }

  /// The context names another player.
  public static func contextOfAnother(_ key: String) -> Refusal {
    Refusal(
      .playersDiffer, "The context's “targetingKey” is “\(key)”, another player; leave it out or give this player's id.",
      at: "/context/targetingKey")
  }

  /// The settings are more than what is stored.
  public static func settingsTooLarge(bytes: Int, count: Int) -> Refusal {
    let most = "\(PlayerLimits.settingsMax) in \(PlayerLimits.settingsBytesMax) bytes are allowed"
    return Refusal(.limitReached, "The settings would be \(count) in \(bytes) bytes of JSON; \(most).", at: "/value")
  }

  // Repeated requests.

  /// A request id is 1 to 128 bytes without control characters.
  public static var requestIDMalformed: Refusal {
    Refusal(
      .malformedRequest, "A request's id has 1 to \(PlayerLimits.requestIDBytesMax) bytes of UTF-8 without control characters.",
      at: "/event_id")
  }

  /// The id came with other content before.
  public static func requestIDReused(_ id: String) -> Refusal {
    Refusal(.idReused, "The id “\(id)” was used with another content before; give each request its own id.", at: "/event_id")
  }

  /// A sequence is a client's UUID of version 7 and a number from 1 on.
  public static var sequenceMalformed: Refusal {
    let most = PlayerLimits.sequenceNumberMax
    return Refusal(
      .malformedRequest, "A sequence is the client's UUID of version 7 and a number from 1 to \(most), as a header “client/number”.")
  }

  /// The number was done with other content before.
  public static func sequenceReused(_ mark: SequencePosition) -> Refusal {
    let place = "Number \(mark.number) of the client \(mark.client.text)"
    return Refusal(.idReused, "\(place) was used with another content before; give each request its own number.")
  }

  /// The client was pushed out by newer ones.
  public static func clientForgotten(_ client: String) -> Refusal {
    let most = PlayerLimits.sequenceClientsMax
    return Refusal(
      .clientForgotten, "The client \(client) is no longer known: \(most) newer clients followed. Make a new queue with its own id.")
  }

  // Ads.

  /// The catalog has no such placement.
  public static func unknownPlacement(_ name: String, hint: String) -> Refusal {
    Refusal(.unknownPlacement, "The game has no placement “\(name)”.\(hint)")
  }

  /// No such decision was ever made for this player at this placement.
  public static func unknownDecision(_ id: String) -> Refusal {
    let way = "report with the “decision_id” that an event of theirs was answered"
    return Refusal(.unknownDecision, "No decision “\(id)” was made for this player at this placement; \(way).", at: "/decision_id")
  }

  /// The decision was made too long ago to be reported on.
  public static func decisionTooOld(_ id: String) -> Refusal {
    let minutes = PlayerLimits.reportSecondsMax / 60
    return Refusal(
      .decisionTooOld, "The decision “\(id)” was made too long ago; a report is accepted for \(minutes) minutes.", at: "/decision_id")
  }

  /// The decision was reported on with an outcome that this one contradicts.
  public static func reportContradicts(earlier: AdOutcome, now: AdOutcome) -> Refusal {
    Refusal(
      .reportContradicts, "The decision was reported as \(earlier.rawValue) before; it cannot be \(now.rawValue) as well.", at: "/outcome")
  }

  /// Only rewarded ads give rewards.
  public static func notRewarded(placement: String) -> Refusal {
    Refusal(
      .notRewarded, "The placement \(placement) shows no rewarded ads, so “rewarded” cannot be reported there.", at: "/outcome")
  }

  /// The player sees no ads.
  public static var adFree: Refusal { Refusal(.adFree, "The player sees no ads, so an admin cannot make one show.") }

  /// The game is for children.
  public static var childDirected: Refusal {
    Refusal(.childDirected, "The game is for children, so an admin cannot make an ad show.")
  }

  private static func place(ofDetail name: String) -> String { "/details/" + JSONPointer.escaped(name) }

  private static func listed(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.prefix(20).joined(separator: ", ") + (names.count > 20 ? ", …" : "")
  }

  private static func shown(_ value: Value) -> String { String(JSONWriter.text(value).prefix(64)) }
}
