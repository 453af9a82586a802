// Compares ad decisions over random histories with a naive model that counts the whole history each time.

import GameConfCore
import TestSupport
import Testing

@Suite("Ad policy with random histories")
struct AdPropertyTests {
  @Test("every ad decision equals that of a model that counts the whole history", arguments: TestLength.seeds(of: 1...60))
  func recount(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed) &* 7919)
    var naive = NaiveAdModel(random: &random)
    var play = Play { $0 = naive.placements[0] }
    play.catalog.placements = naive.placements
    var shown: [AdDecision] = []
    var isHeld = false
    for _ in 0..<300 {
      // The time step is never 0, because the model orders events by their instants only.
      play.now.milliseconds +=
        [Int64.random(in: 1...5_000, using: &random), .random(in: 1...90_000, using: &random), 3_000_000].randomElement(using: &random) ?? 1
      naive.now = play.now
      naive.heldNow = isHeld
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        isHeld ? play.refund() : play.buy()
        if isHeld { naive.exemptions[naive.exemptions.count - 1].until = play.now } else { naive.exemptions.append((play.now, nil)) }
        isHeld.toggle()
      case 1:
        let id = naive.placements.randomElement(using: &random)?.id ?? ""
        _ = try play.state.resetAds(at: id, under: play.terms)
        naive.resets.append((id, play.now))
      case 2:
        guard !isHeld else { break }
        _ = try play.state.forceAd(at: "a", under: play.terms)
        naive.forces.append(("a", play.now))
      case 3, 4, 5:
        guard let decision = shown.randomElement(using: &random) else { break }
        let outcome: AdOutcome = Bool.random(using: &random) ? .noFill : .rewarded
        let fault = fault { _ = try play.report(outcome, of: decision) }
        guard fault == nil else { break }
        naive.report(outcome, decision)
      case 6:
        _ = play.state.openVisit(now: play.now)
        naive.visits.append(play.now)
        naive.activity = play.now
      case 7:
        play.parameters.values["every"] = .integer(.random(in: 1...4, using: &random))
        naive.every = play.parameters.values["every"]?.integerValue ?? 1
      default:
        let expected = naive.event()
        let decisions = try play.gameOver().ads
        #expect(decisions.map(\.refusal) == expected.map(\.refusal), "seed \(seed) at \(naive.events.count)")
        #expect(decisions.map(\.counters.events) == expected.map(\.count), "seed \(seed) at \(naive.events.count)")
        for decision in decisions where decision.shows {
          naive.shows.append(NaiveAdModel.Show(placement: decision.placement, at: play.now, id: decision.decisionID ?? ""))
          shown.append(decision)
        }
      }
      if naive.isSilent { continue }
      for placement in naive.placements {
        try checkNext(play, placement.id, held: isHeld)
      }
    }
    #expect(naive.shows.count > 5)
  }

  /// Verifies the prediction of a placement's next ad. An ad is shown at the predicted instant after the predicted number of events. No ad
  /// is shown a millisecond earlier or with one event less.
  private func checkNext(_ play: Play, _ id: String, held: Bool) throws {
    let next = try play.state.adStatus(at: id, under: play.terms).next
    guard next.blockedBy == nil, next.visits == 0, next.events < 20 else { return }
    var later = play
    later.catalog.placements.removeAll { $0.id != id }
    if let notBefore = next.notBefore, notBefore > later.now {
      if notBefore.milliseconds - later.now.milliseconds > 1_700_000 { return }
      later.now = Instant(milliseconds: notBefore.milliseconds - 1)
      if !later.state.ads.placements.contains(where: { $0.key == id && $0.value.isForced }) { #expect(try !later.ad().shows) }
      later = play
      later.catalog.placements.removeAll { $0.id != id }
      later.now = notBefore
    }
    var count: Int64 = 0
    var isShown = false
    while !isShown, count < next.events + 1 {
      isShown = try later.ad().shows
      count += 1
    }
    #expect(isShown && count == next.events, "\(id): \(next)")
  }
}

/// A model that stores the whole history and counts it again for each decision.
struct NaiveAdModel {
  struct Show {
    var placement: String
    var at: Instant
    var id: String
    var givenBackAt: Instant?
  }

  var placements: [Placement]
  var every: Int64 = 3
  var now = Instant(milliseconds: 0)
  var heldNow = false
  var events: [Instant] = []
  var shows: [Show] = []
  var resets: [(placement: String, at: Instant)] = []
  var forces: [(placement: String, at: Instant)] = []
  var exemptions: [(from: Instant, until: Instant?)] = []
  var rewards: [Instant] = []
  var visits: [Instant] = []
  var activity: Instant?
  private var rewarded: Set<String> = []

  init(random: inout SeededGenerator) {
    func seconds(_ range: ClosedRange<Int64>, _ random: inout SeededGenerator) -> Placement.NumberSource? {
      Bool.random(using: &random) ? .number(.integer(.random(in: range, using: &random))) : nil
    }
    placements = ["a", "b"].map { id in
      var placement = Placement(id: id, format: .rewarded, event: "game_over", every: id == "a" ? .parameter("every") : .number(2))
      placement.exempt = ["ad_free"]
      placement.onNoFill = Bool.random(using: &random) ? .keepSlot : .dropSlot
      placement.offset = seconds(0...3, &random)
      placement.minSeconds = seconds(0...200, &random)
      placement.firstAdDelaySeconds = seconds(0...100, &random)
      placement.afterRewardedSeconds = seconds(0...300, &random)
      placement.graceEvents = seconds(0...5, &random)
      placement.graceVisits = seconds(0...2, &random)
      placement.caps = Placement.Cap.Window.allCases.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }.map {
        Placement.Cap(count: .number(.integer(.random(in: 1...($0 == .lifetime ? 40 : 4), using: &random))), per: $0)
      }
      return placement
    }
  }

  mutating func report(_ outcome: AdOutcome, _ decision: AdDecision) {
    if outcome == .rewarded {
      if !rewarded.contains(decision.decisionID ?? "") { rewards.append(now) }
      rewarded.insert(decision.decisionID ?? "")
    } else if let at = shows.firstIndex(where: { $0.id == decision.decisionID }), shows[at].givenBackAt == nil {
      shows[at].givenBackAt = now
    }
  }

  /// Returns the expected decision of each placement. An ad at the first placement counts for the decision of the second one.
  mutating func event() -> [(refusal: AdRefusal?, count: Int64)] {
    if isSilent { visits.append(now) }
    activity = now
    events.append(now)
    var justShown: [String] = []
    return placements.map { placement in
      let answer = refusal(placement, justShown)
      let shows = answer == nil
      if shows { justShown.append(placement.id) }
      return (answer, shows ? 0 : count(placement))
    }
  }

  /// True if the next event begins a new visit, because the last one is at least 30 minutes ago.
  var isSilent: Bool { activity.map { now.milliseconds - $0.milliseconds >= 1_800_000 } ?? true }

  /// The last instant at which the player was exempt from ads.
  private var lastExempt: Instant? {
    exemptions.last.map { $0.until.map { Instant(milliseconds: $0.milliseconds - 1) } ?? now }
  }

  /// The instant of the last reset or exemption, which cancels owed and forced ads.
  private func lastCancel(_ id: String) -> Instant? {
    (resets.filter { $0.placement == id }.map(\.at) + (lastExempt.map { [$0] } ?? [])).max()
  }

  private func count(_ placement: Placement) -> Int64 {
    let own = shows.filter { $0.placement == placement.id }
    let start = (own.map(\.at) + (lastCancel(placement.id).map { [$0] } ?? [])).max()
    guard let start else { return Int64(events.count) + number(placement.offset) }
    return Int64(events.count { $0 > start })
  }

  private func isOwed(_ placement: Placement) -> Bool {
    guard placement.onNoFill == .keepSlot else { return false }
    let own = shows.filter { $0.placement == placement.id }
    return own.contains { show in
      guard let back = show.givenBackAt else { return false }
      if let cancel = lastCancel(placement.id), cancel >= show.at { return false }
      return !own.contains { $0.at > back }
    }
  }

  private func isForced(_ placement: Placement) -> Bool {
    guard let force = forces.last(where: { $0.placement == placement.id })?.at else { return false }
    if let cancel = lastCancel(placement.id), cancel >= force { return false }
    return !shows.contains { $0.placement == placement.id && $0.at > force }
  }

  private func refusal(_ placement: Placement, _ justShown: [String]) -> AdRefusal? {
    if heldNow { return .adFree }
    if isForced(placement) { return nil }
    if visits.count <= number(placement.graceVisits) { return .graceVisits }
    if events.count <= number(placement.graceEvents) { return .graceEvents }
    if let visit = visits.last, seconds(visit) < number(placement.firstAdDelaySeconds) * 1000 { return .firstAdDelay }
    if let reward = rewards.max(), seconds(reward) < number(placement.afterRewardedSeconds) * 1000 { return .afterRewarded }
    let rhythm = placement.id == "a" ? every : 2
    if count(placement) < rhythm, !isOwed(placement) { return .notDue }
    let standing = shows.filter { $0.givenBackAt == nil }
    var last = standing.map(\.at).max()
    if !justShown.isEmpty { last = now }
    if let last, seconds(last) < number(placement.minSeconds) * 1000 { return .pacing }
    let own = standing.filter { $0.placement == placement.id }
    for cap in placement.caps {
      let counted = own.count { show in
        switch cap.per {
        case .minute: seconds(show.at) < 60_000
        case .hour: seconds(show.at) < 3_600_000
        case .day: seconds(show.at) < 86_400_000
        case .visit: show.at >= visits.last ?? now
        case .lifetime: true
        }
      }
      if Int64(counted) >= number(cap.count) { return .capped }
    }
    return nil
  }

  private func seconds(_ since: Instant) -> Int64 { now.milliseconds - since.milliseconds }

  private func number(_ number: Placement.NumberSource?) -> Int64 {
    if case .number(let value)? = number { value.integerValue ?? 0 } else { 0 }
  }
}
