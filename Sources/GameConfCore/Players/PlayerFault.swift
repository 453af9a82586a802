// Why a change of a player is refused.

/// Why a change of a player is refused; nothing is changed then.
public enum PlayerFault: Error, Sendable, Hashable {
  /// The catalog has no such event; `hint` is a whole sentence or empty.
  case unknownEvent(String, hint: String)
  /// The catalog has no such mode.
  case unknownMode(String, hint: String)
  /// An event with a score says in which mode, where a game has modes.
  case modeMissing(modes: [String])
  /// The event has no such reason.
  case unknownReason(String, event: String, reasons: [String])
  /// The event does not happen in that mode.
  case modeNotOfEvent(String, event: String, modes: [String])
  /// The event says nothing of that name.
  case unknownDetail(String, event: String, names: [String])
  /// The event does not say what it must.
  case detailMissing(String, event: String)
  /// The state of a play is larger than it may be.
  case stateTooLarge(bytes: Int)
  /// A detail's value is not admitted.
  case detailRefused(String, AdmissionFault)
  /// A check of the event does not hold.
  case checkFailed(id: String, event: String, message: String)
  /// Details and context are larger than an event may be.
  case eventTooLarge(bytes: Int)
  /// What a best would be kept by is longer than it may be.
  case bestDetailTooLong(bytes: Int)
  /// More bests than are kept.
  case tooManyBests
  /// A leaderboard would have more lists than a game may have.
  case tooManyLists(board: String)
  /// The event is declared without a score.
  case scoreNotCarried(event: String)
  /// A score is a whole number from 0 on.
  case scoreNotWhole(Value)
  /// A score is never negative.
  case scoreNegative(Value)
  /// The sum would not fit into 64 bits.
  case scoreOverflow(sum: Int64, score: Int64)
  /// The event occurred before the earliest instant that is still taken.
  case occurredTooEarly(Instant, earliest: Instant)
  /// The event has not occurred yet.
  case occursAhead(Instant, now: Instant)
  /// A request id is 1 to 128 bytes without control characters.
  case requestIDMalformed
  /// The id came with other content before.
  case requestIDReused(String)
  /// A sequence is a client's UUID of version 7 and a number from 1 on.
  case sequenceMalformed
  /// The number was done with other content before.
  case sequenceReused(SequenceMark)
  /// The client was pushed out by newer ones.
  case clientForgotten(String)
  /// More counters than are kept.
  case tooManyCounters
  /// The catalog has no such placement.
  case unknownPlacement(String, hint: String)
  /// No such decision was ever made for this player at this placement.
  case unknownDecision(String)
  /// The decision was made too long ago to be reported on.
  case decisionTooOld(String)
  /// The decision was reported on with an outcome that this one contradicts.
  case reportContradicts(earlier: AdOutcome, now: AdOutcome)
  /// Only rewarded ads give rewards.
  case notRewarded(placement: String)
  /// The player sees no ads.
  case adFree
  /// The game is for children.
  case childDirected
  /// The context is larger than what is kept.
  case contextTooLarge(bytes: Int)
  /// The context names another player.
  case contextOfAnother(String)
  /// The settings are more than what is kept.
  case settingsTooLarge(bytes: Int, count: Int)
}

extension PlayerFault {
  /// What is wrong and what would be right.
  public var message: String {
    switch self {
    case .unknownEvent(let name, let hint): "The game has no event “\(name)”.\(hint)"
    case .unknownMode(let name, let hint): "The game has no mode “\(name)”.\(hint)"
    case .modeMissing(let modes): "An event with a score says its mode; the game's are \(Self.listed(modes))."
    case .unknownReason(let reason, let event, let reasons):
      "The event \(event) has no reason “\(reason)”; \(reasons.isEmpty ? "it takes no reason" : "its reasons are \(Self.listed(reasons))")."
    case .modeNotOfEvent(let mode, let event, let modes):
      "The event \(event) does not happen in the mode “\(mode)”; its modes are \(Self.listed(modes))."
    case .unknownDetail(let name, let event, let names):
      if names.isEmpty {
        "The event \(event) takes no details, and so no “\(JSONPointer.clipped(name, bytesMax: 64))”."
      } else {
        "The event \(event) has no detail “\(JSONPointer.clipped(name, bytesMax: 64))”; its details are \(Self.listed(names))."
      }
    case .detailMissing(let name, let event): "The event \(event) says its \(name): send “details” with it."
    case .detailRefused(let name, let fault): "\(name): \(fault.message)"
    case .checkFailed(let id, _, let message): "\(id): \(message)"
    case .eventTooLarge(let bytes):
      "The event's details and context take \(bytes) bytes of JSON; \(PlayerLimits.eventBytesMax) are taken at most."
    case .stateTooLarge(let bytes):
      "The play's state takes \(bytes) bytes of JSON; \(PlayLimits.stateBytesMax) are taken at most."
    case .bestDetailTooLong(let bytes):
      "The details of the event's best have \(bytes) bytes; at most \(PlayerLimits.bestDetailBytesMax) are allowed."
    case .tooManyBests:
      "The player has \(PlayerLimits.bestsMax) bests, the limit; remove some with DELETE …/bests first."
    case .tooManyLists(let board):
      "The leaderboard \(board) would need another list, and the game has reached its limit of lists."
    case .scoreNotCarried(let event): "The event \(event) carries no score; leave “score” out."
    case .scoreNotWhole(let value): "\(Self.shown(value)) is not a score; a score is a whole number from 0 to \(Int64.max)."
    case .scoreNegative(let value): "\(Self.shown(value)) is not a score; scores are never negative."
    case .scoreOverflow(let sum, let score): "\(sum) and \(score) together are more than \(Int64.max), the most a sum can be."
    case .occurredTooEarly(let at, let earliest):
      "The event occurred at \(at), too long ago; \(earliest) is the earliest now."
    case .occursAhead(let at, let now): "The event occurs at \(at), but it is \(now) now; “occurred_at” lies in the past."
    case .requestIDMalformed: "A request's id has 1 to \(PlayerLimits.requestIDBytesMax) bytes of UTF-8 without control characters."
    case .requestIDReused(let id): "The id “\(id)” was used with another content before; give each request its own id."
    case .sequenceMalformed:
      "A sequence is the client's UUID of version 7 and a number from 1 to \(PlayerLimits.sequenceNumberMax), as a header “client/number”."
    case .sequenceReused(let mark):
      "Number \(mark.number) of the client \(mark.client.text) was used with another content before; give each request its own number."
    case .clientForgotten(let client):
      "The client \(client) is no longer known: \(PlayerLimits.sequenceClientsMax) newer clients followed. Make a new queue with its own id."
    case .tooManyCounters: "The player has reached the limit of \(PlayerLimits.countersMax) counters."
    case .unknownPlacement(let name, let hint): "The game has no placement “\(name)”.\(hint)"
    case .unknownDecision(let id):
      "No decision “\(id)” was made for this player at this placement; report with the “decision_id” that an event of theirs was answered."
    case .decisionTooOld(let id):
      "The decision “\(id)” was made too long ago; a report is accepted for \(PlayerLimits.reportSecondsMax / 60) minutes."
    case .reportContradicts(let earlier, let now):
      "The decision was reported as \(earlier.rawValue) before; it cannot be \(now.rawValue) as well."
    case .notRewarded(let placement): "The placement \(placement) shows no rewarded ads, so “rewarded” cannot be reported there."
    case .adFree: "The player sees no ads, so an admin cannot make one show."
    case .childDirected: "The game is for children, so an admin cannot make an ad show."
    case .contextTooLarge(let bytes): "The context takes \(bytes) bytes of JSON; at most \(PlayerLimits.contextBytesMax) are allowed."
    case .contextOfAnother(let key): "The context's “targetingKey” is “\(key)”, another player; leave it out or give this player's id."
    case .settingsTooLarge(let bytes, let count):
      "The settings would be \(count) in \(bytes) bytes of JSON; \(PlayerLimits.settingsMax) in \(PlayerLimits.settingsBytesMax) bytes are allowed."
    }
  }

  private static func listed(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.prefix(20).joined(separator: ", ") + (names.count > 20 ? ", …" : "")
  }

  private static func shown(_ value: Value) -> String { String(JSONWriter.text(value).prefix(64)) }
}
