// Tests malformed requests about players, and members that answers about players always have.

import GameConfAPI
import GameConfCore
import Testing

@Suite("Requests and answers about players")
struct PlayerShapeTests {
  @Test(
    "a malformed event is reported with the JSON pointer of the fault",
    arguments: [
      (["mode": "classic"], "/event"), (["event": 3], "/event"), (["event": "e", "scores": 3], "/scores"),
      (["event": "e", "occurred_at": "yesterday"], "/occurred_at"), (["event": "e", "event_id": 7], "/event_id"),
      (["event": "e", "context": []], "/context"), (["event": "e", "details": 3], "/details"),
    ] as [(Value, String)])
  func events(body: Value, pointer: String) {
    #expect(#expect(throws: Fault.self) { try EventRequest(wire: body) }?.pointer == pointer)
  }

  @Test("requests about players are refused for an unknown word or without a required member")
  func others() {
    let report = #expect(throws: Fault.self) { try AdReportRequest(wire: ["decision_id": "1-a", "outcome": "seen"]) }
    #expect(report?.pointer == "/outcome")
    #expect(report?.message.contains("no_fill") == true)
    #expect(throws: Fault.self) { try PatchPlayer(wire: ["reason": "none"]) }
    #expect(throws: Fault.self) { try PutContext(wire: ["locale": "es"]) }
    #expect(throws: Fault.self) { try PutSetting(wire: ["reason": "why"]) }
  }

  @Test("a theme without a score threshold has null as its milestone, and not 0")
  func milestoneIsNull() {
    #expect(PlayerSamples.aurora.wire["milestone"] == .null)
    #expect(PlayerSamples.aurora.wire["progress"] == .null)
    #expect(PlayerSamples.theme.wire["milestone"] == 900)
  }

  @Test(
    "progress is the fraction of the target that is reached, and 1 for an unlocked item",
    arguments: [(55, 200, false, 0.275), (55, 900, true, 1), (0, 50, false, 0), (60, 50, false, 1), (0, 0, false, 1)]
      as [(Int64, Int64, Bool, Double)])
  func progress(value: Int64, target: Int64, isUnlocked: Bool, fraction: Double) {
    #expect(WireProgress(value: value, target: target, isUnlocked: isUnlocked).fraction == fraction)
  }

  @Test(
    "the answer to an event has the same JSON if it is written directly and if it is written from its value in memory",
    arguments: PlayerSamples.all.compactMap { $0 as? EventAnswer } + [
      EventAnswer(
        game: "g", player: "\"{[,:\\\n", event: "é", occurredAt: Instant(milliseconds: 4_007), lifetimeScore: -1, gamesPlayed: .max,
        bestScore: 0, count: .min, visit: 1,
        unlocked: WireUnlocked(
          milestones: ["{": WireUnlockedItem(name: nil), "[": WireUnlockedItem(name: "\"")], themes: ["": WireUnlockedItem(name: ":")]),
        ads: [
          AdDecisionAnswer(
            placement: "{", format: "[", shows: false, reason: "NOT_DUE",
            counters: AdCounters(events: 1, every: 3, isOwed: true, isForced: true, lastShowAt: Instant(seconds: 9)),
            next: WireAdNext(events: 0, visits: 2, notBefore: Instant(seconds: 10), blockedBy: "AD_FREE"))
        ])
    ])
  func eventText(answer: EventAnswer) {
    #expect(String(decoding: answer.json, as: UTF8.self) == JSONWriter.text(answer.wire))
  }
}

@Suite("Lists of events on the wire")
struct EventListShapeTests {
  @Test("one event and a list of events are read back as they were written, as requests and as answers")
  func roundTrip() throws {
    let queued = PlayerSamples.queued
    for request in [EventsRequest(queued), EventsRequest([queued, queued])] { #expect(try EventsRequest(wire: request.wire) == request) }
    let done = DoneAnswer(playerRevision: 3)
    for answer: EventsAnswer in [.one(PlayerSamples.recorded), .done(done), .list([PlayerSamples.listed, PlayerSamples.notTried])] {
      #expect(try EventsAnswer(wire: answer.wire) == answer)
    }
  }

  @Test("a list has one to 256 events, and each of them needs a sequence number")
  func faults() {
    let event = PlayerSamples.queued.wire
    var named = PlayerSamples.queued.wire.object
    named["event_id"] = "e"
    for (list, pointer) in [([], ""), ([event, ["event": "e"]], "/1"), ([.object(named)], "/0"), ([1], "/0")] as [(Value, String)] {
      #expect(#expect(throws: Fault.self) { try EventsRequest(wire: list) }?.pointer == pointer)
    }
    #expect((try? EventsRequest(wire: .list(Array(repeating: event, count: 256))))?.events.count == 256)
    #expect(throws: Fault.self) { try EventsRequest(wire: .list(Array(repeating: event, count: 257))) }
  }
}
