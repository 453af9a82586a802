// The errors of changing a player: the code, the message and the JSON pointer of each.

extension Refusal {
  // Refusals of events that do not match the catalog. The parameter `hint` is a whole sentence or empty.

  /// The game's catalog declares no event type of this name.
  public static func unknownEvent(_ name: String, hint: String) -> Refusal {
    Refusal(.unknownEvent, "The game has no event “\(name)”.\(hint)", at: "/event")
  }

  /// The game's catalog declares no game mode of this name.
  public static func unknownMode(_ name: String, hint: String, at pointer: String = "/mode") -> Refusal {
    Refusal(.unknownMode, "The game has no mode “\(name)”.\(hint)", at: pointer)
  }

  /// The event has a score but no mode, although the game has modes.
  public static func modeMissing(modes: [String]) -> Refusal {
    Refusal(.modeMissing, "An event with a score says its mode; the game's are \(listed(modes)).", at: "/mode")
  }

  /// The event type does not declare the reason that was sent.
  public static func unknownReason(_ reason: String, event: String, reasons: [String]) -> Refusal {
    let known = reasons.isEmpty ? "it takes no reason" : "its reasons are \(listed(reasons))"
    return Refusal(.unknownReason, "The event \(event) has no reason “\(reason)”; \(known).", at: "/reason")
  }

  /// The event type does not allow the game mode that was sent.
  public static func modeNotOfEvent(_ mode: String, event: String, modes: [String]) -> Refusal {
    Refusal(.modeNotOfEvent, "The event \(event) does not happen in the mode “\(mode)”; its modes are \(listed(modes)).", at: "/mode")
  }

  /// The event type declares no detail of a name that was sent.
  public static func unknownDetail(_ name: String, event: String, names: [String]) -> Refusal {
    let shown = JSONPointer.clipped(name, bytesMax: 64)
    let message =
      names.isEmpty
      ? "The event \(event) takes no details, and so no “\(shown)”."
      : "The event \(event) has no detail “\(shown)”; its details are \(listed(names))."
    return Refusal(.unknownDetail, message, at: place(ofDetail: name))
  }

  /// The event lacks a detail that its type declares as required.
  public static func detailMissing(_ name: String, event: String) -> Refusal {
    Refusal(.detailMissing, "The event \(event) says its \(name): send “details” with it.", at: "/details")
  }

  /// The value of an event's detail is not valid.
  /// - Parameter fault: The reason; its pointer continues inside the detail's value.
  public static func detailRefused(_ name: String, _ fault: AdmissionFault) -> Refusal {
    Refusal(fault.codeOfDetail, "\(name): \(fault.message)", at: place(ofDetail: name) + fault.pointer)
  }

  /// The event does not satisfy one of the checks that the catalog declares for its type.
  public static func checkFailed(id: String, event: String, message: String) -> Refusal {
    Refusal(.constraintViolated, "\(id): \(message)", at: "", rule: "\(event).\(id)")
  }

  /// The event's details and context together exceed ``PlayerLimits/eventBytesMax``.
  public static func eventTooLarge(bytes: Int) -> Refusal {
    Refusal(
      .eventTooLarge, "The event's details and context take \(bytes) bytes of JSON; \(PlayerLimits.eventBytesMax) are taken at most.",
      at: "/details")
  }

  /// The key of the event's best exceeds ``PlayerLimits/bestDetailBytesMax``.
  public static func bestDetailTooLong(bytes: Int) -> Refusal {
    Refusal(
      .tooLong, "The details of the event's best have \(bytes) bytes; at most \(PlayerLimits.bestDetailBytesMax) are allowed.",
      at: "/details")
  }

  /// The state that the game stores with a play exceeds ``PlayLimits/stateBytesMax``.
  public static func stateTooLarge(bytes: Int) -> Refusal {
    Refusal(
      .valueTooLarge, "The play's state takes \(bytes) bytes of JSON; \(PlayLimits.stateBytesMax) are taken at most.", at: "/state")
  }

  /// The event is older than ``PlayerLimits/lateSecondsMax``.
  public static func occurredTooEarly(_ at: Instant, earliest: Instant) -> Refusal {
    Refusal(.occurredTooEarly, "The event occurred at \(at), too long ago; \(earliest) is the earliest now.", at: "/occurred_at")
  }

  /// The event's time is more than ``PlayerLimits/aheadSecondsMax`` in the future.
  public static func occursAhead(_ at: Instant, now: Instant) -> Refusal {
    Refusal(.occursAhead, "The event occurs at \(at), but it is \(now) now; “occurred_at” lies in the past.", at: "/occurred_at")
  }

  // Refusals of scores that are not valid.

  /// The event has a score, but its type is declared without one.
  public static func scoreNotCarried(event: String) -> Refusal {
    Refusal(.scoreNotCarried, "The event \(event) carries no score; leave “score” out.", at: "/score")
  }

  /// The score is not an integer.
  public static func scoreNotWhole(_ value: Value, at pointer: String = "/score") -> Refusal {
    Refusal(.scoreNotWhole, "\(shown(value)) is not a score; a score is a whole number from 0 to \(Int64.max).", at: pointer)
  }

  /// The score is below 0.
  public static func scoreNegative(_ value: Value, at pointer: String = "/score") -> Refusal {
    Refusal(.scoreNegative, "\(shown(value)) is not a score; scores are never negative.", at: pointer)
  }

  /// With this score, the sum of the player's scores would exceed a 64-bit integer.
  public static func scoreOverflow(sum: Int64, score: Int64) -> Refusal {
    Refusal(.scoreOverflow, "\(sum) and \(score) together are more than \(Int64.max), the most a sum can be.", at: "/score")
  }

  // Refusals by limits on the data that is stored about a player.

  /// The player already has ``PlayerLimits/bestsMax`` bests.
  public static var tooManyBests: Refusal {
    Refusal(.limitReached, "The player has \(PlayerLimits.bestsMax) bests, the limit; remove some with DELETE …/bests first.")
  }

  /// The leaderboard needs another list for the event, but the game already has the largest number of lists.
  public static func tooManyLists(board: String) -> Refusal {
    Refusal(.limitReached, "The leaderboard \(board) would need another list, and the game has reached its limit of lists.")
  }

  /// The player already has the largest number of counters of events and modes.
  public static var tooManyCounters: Refusal {
    Refusal(.limitReached, "The player has reached the limit of \(PlayerLimits.countersMax) counters.")
  }

  /// The player already has a best score in the largest number of modes.
  public static var tooManyBestScores: Refusal {
    Refusal(.limitReached, "The player has reached the limit of \(PlayerLimits.bestScoresMax) best scores.")
  }

  /// The registered context exceeds ``PlayerLimits/contextBytesMax``.
  public static func contextTooLarge(bytes: Int) -> Refusal {
    Refusal(
      .valueTooLarge, "The context takes \(bytes) bytes of JSON; at most \(PlayerLimits.contextBytesMax) are allowed.", at: "/context")
  }

  /// The `targetingKey` in the context to register is another player's id.
  public static func contextOfAnother(_ key: String) -> Refusal {
    Refusal(
      .playersDiffer, "The context's “targetingKey” is “\(key)”, another player; leave it out or give this player's id.",
      at: "/context/targetingKey")
  }

  /// The player's settings exceed ``PlayerLimits/settingsMax`` or ``PlayerLimits/settingsBytesMax``.
  public static func settingsTooLarge(bytes: Int, count: Int) -> Refusal {
    let most = "\(PlayerLimits.settingsMax) in \(PlayerLimits.settingsBytesMax) bytes are allowed"
    return Refusal(.limitReached, "The settings would be \(count) in \(bytes) bytes of JSON; \(most).", at: "/value")
  }

  // Refusals of requests because of their request ids or sequence numbers, which prevent that a request is applied twice.

  /// The request id is empty, longer than ``PlayerLimits/requestIDBytesMax``, or has control characters.
  public static var requestIDMalformed: Refusal {
    Refusal(
      .malformedRequest, "A request's id has 1 to \(PlayerLimits.requestIDBytesMax) bytes of UTF-8 without control characters.",
      at: "/event_id")
  }

  /// The request id was used for a request with other content.
  public static func requestIDReused(_ id: String) -> Refusal {
    Refusal(.idReused, "The id “\(id)” was used with another content before; give each request its own id.", at: "/event_id")
  }

  /// The request's position is not a UUID version 7 with a number from 1 to ``PlayerLimits/sequenceNumberMax``.
  public static var sequenceMalformed: Refusal {
    let most = PlayerLimits.sequenceNumberMax
    return Refusal(
      .malformedRequest, "A sequence is the client's UUID of version 7 and a number from 1 to \(most), as a header “client/number”.")
  }

  /// The sequence number was used for a request with other content.
  public static func sequenceReused(_ mark: SequencePosition) -> Refusal {
    let place = "Number \(mark.number) of the client \(mark.client.text)"
    return Refusal(.idReused, "\(place) was used with another content before; give each request its own number.")
  }

  /// The client's queue of requests was evicted because newer queues of the player were used since.
  public static func clientForgotten(_ client: String) -> Refusal {
    let most = PlayerLimits.sequenceClientsMax
    return Refusal(
      .clientForgotten, "The client \(client) is no longer known: \(most) newer clients followed. Make a new queue with its own id.")
  }

  // Refusals of ads and of reports on them.

  /// The game's catalog declares no placement with this id.
  public static func unknownPlacement(_ name: String, hint: String) -> Refusal {
    Refusal(.unknownPlacement, "The game has no placement “\(name)”.\(hint)")
  }

  /// The player has no ad decision with this id at this placement.
  public static func unknownDecision(_ id: String) -> Refusal {
    let way = "report with the “decision_id” that an event of theirs was answered"
    return Refusal(.unknownDecision, "No decision “\(id)” was made for this player at this placement; \(way).", at: "/decision_id")
  }

  /// The ad decision is older than ``PlayerLimits/reportSecondsMax``.
  public static func decisionTooOld(_ id: String) -> Refusal {
    let minutes = PlayerLimits.reportSecondsMax / 60
    return Refusal(
      .decisionTooOld, "The decision “\(id)” was made too long ago; a report is accepted for \(minutes) minutes.", at: "/decision_id")
  }

  /// The report on an ad contradicts an earlier report on the same ad.
  public static func reportContradicts(earlier: AdOutcome, now: AdOutcome) -> Refusal {
    Refusal(
      .reportContradicts, "The decision was reported as \(earlier.rawValue) before; it cannot be \(now.rawValue) as well.", at: "/outcome")
  }

  /// A reward was reported for a placement that does not show rewarded ads.
  public static func notRewarded(placement: String) -> Refusal {
    Refusal(
      .notRewarded, "The placement \(placement) shows no rewarded ads, so “rewarded” cannot be reported there.", at: "/outcome")
  }

  /// The player has an entitlement that removes the placement's ads, so an admin cannot force one.
  public static var adFree: Refusal { Refusal(.adFree, "The player sees no ads, so an admin cannot make one show.") }

  /// The game is directed at children and shows no ads, so an admin cannot force one.
  public static var childDirected: Refusal {
    Refusal(.childDirected, "The game is for children, so an admin cannot make an ad show.")
  }

  private static func place(ofDetail name: String) -> String { "/details/" + JSONPointer.escaped(name) }

  private static func listed(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.prefix(20).joined(separator: ", ") + (names.count > 20 ? ", …" : "")
  }

  private static func shown(_ value: Value) -> String { String(JSONWriter.text(value).prefix(64)) }
}
