// Tests the problems with which changes of players are refused.

import GameConfAPI
import GameConfCore
import GameConfEngine
import Testing

@testable import GameConfHTTP

@Suite("Refusals about players")
struct PlayerProblemTests {
  @Test(
    "a refused change of a player has the expected HTTP status, code and pointer",
    arguments: [
      (.unknownEvent("x", hint: ""), 422, "UNKNOWN_EVENT", "/event"), (.unknownMode("x", hint: ""), 422, "UNKNOWN_MODE", "/mode"),
      (.modeMissing(modes: ["a"]), 422, "MODE_MISSING", "/mode"),
      (.unknownReason("x", event: "e", reasons: []), 422, "UNKNOWN_REASON", "/reason"),
      (.stateTooLarge(bytes: 5_000), 422, "VALUE_TOO_LARGE", "/state"),
      (.scoreNotCarried(event: "e"), 422, "SCORE_NOT_CARRIED", "/score"), (.scoreNotWhole(1.5), 422, "SCORE_NOT_WHOLE", "/score"),
      (.scoreNegative(-1), 422, "SCORE_NEGATIVE", "/score"), (.scoreOverflow(sum: 1, score: 2), 422, "SCORE_OVERFLOW", "/score"),
      (.occurredTooEarly(Instant(seconds: 1), earliest: Instant(seconds: 2)), 422, "OCCURRED_TOO_EARLY", "/occurred_at"),
      (.occursAhead(Instant(seconds: 2), now: Instant(seconds: 1)), 422, "OCCURS_AHEAD", "/occurred_at"),
      (.requestIDMalformed, 400, "MALFORMED_REQUEST", "/event_id"), (.requestIDReused("x"), 422, "ID_REUSED", "/event_id"),
      (.tooManyCounters, 409, "LIMIT_REACHED", nil), (.unknownPlacement("x", hint: ""), 404, "UNKNOWN_PLACEMENT", nil),
      (.unknownDecision("x"), 404, "UNKNOWN_DECISION", "/decision_id"), (.decisionTooOld("x"), 409, "DECISION_TOO_OLD", "/decision_id"),
      (.reportContradicts(earlier: .shown, now: .failed), 409, "REPORT_CONTRADICTS", "/outcome"),
      (.notRewarded(placement: "x"), 422, "NOT_REWARDED", "/outcome"), (.adFree, 409, "AD_FREE", nil),
      (.childDirected, 422, "CHILD_DIRECTED", nil), (.contextTooLarge(bytes: 9_000), 422, "VALUE_TOO_LARGE", "/context"),
      (.contextOfAnother("x"), 400, "PLAYERS_DIFFER", "/context/targetingKey"),
      (.settingsTooLarge(bytes: 9, count: 9), 409, "LIMIT_REACHED", "/value"),
    ] as [(Refusal, Int, String, String?)])
  func faults(fault: Refusal, status: Int, code: String, pointer: String?) {
    let problem = Problem(ChangeRefusal.refused(fault))
    #expect(problem.status == status && problem.codeText == code && problem.pointer == pointer)
    #expect(problem.detail == fault.message)
  }

  @Test(
    "a refused change of a player has Retry-After for a limit, the present revision for a changed player, and the reason for a lost store",
    arguments: [
      (.tooManyNewPlayers(retryAfterSeconds: 20), 429, "RATE_LIMITED"), (.tooManyWrites(retryAfterSeconds: 20), 429, "RATE_LIMITED"),
      (.playerChanged(revision: 7), 412, "REVISION_CHANGED"), (.store(.unavailable("lost")), 503, "STORE_UNAVAILABLE"),
      (.store(.noSpace), 507, "NO_SPACE"), (.repeatedWithOtherContent, 422, "ID_REUSED"), (.notAPlayer("\n"), 400, "MALFORMED_PLAYER_ID"),
      (.unknownGame("x"), 404, "UNKNOWN_GAME"), (.unknownKey("x", nearest: ["y"]), 404, "UNKNOWN_KEY"),
      (.playClosed("x"), 409, "PLAY_CLOSED"), (.stateChanged(tag: nil), 412, "STATE_CHANGED"),
      (.notASetting("x"), 422, "NOT_A_SETTING"), (.themeLocked(theme: "x", setting: "y"), 409, "THEME_LOCKED"),
      (.constraint([ConstraintFault(id: "c", keys: ["a"], message: "It must fit.")]), 422, "CONSTRAINT_VIOLATED"),
    ] as [(ChangeRefusal, Int, String)])
  func refusals(refusal: ChangeRefusal, status: Int, code: String) {
    let problem = Problem(refusal)
    #expect(problem.status == status && problem.codeText == code)
    if status == 429 { #expect(problem.retryAfterSeconds == 20) }
    if code == "REVISION_CHANGED" { #expect(problem.extensions["player_revision"] == 7) }
  }
}
