// The rules of a placement with its parameters resolved for one player. They give the first rule that prevents an ad, and the earliest next
// ad.

/// The reason why no ad is shown. The rules are checked in the order of the cases, and the first rule that prevents the ad gives the
/// reason.
public enum AdRefusal: String, Sendable, Hashable, CaseIterable {
  case disabled = "DISABLED"
  case childDirected = "CHILD_DIRECTED"
  /// The player has an entitlement that removes the placement's ads.
  case adFree = "AD_FREE"
  /// The player is still in one of the first visits, during which the placement shows no ads.
  case graceVisits = "GRACE_VISITS"
  /// The event is one of the player's first, for which the placement shows no ads.
  case graceEvents = "GRACE_EVENTS"
  /// The visit began too recently: the placement shows no ad in its first seconds.
  case firstAdDelay = "FIRST_AD_DELAY"
  /// The player earned a reward from an ad too recently.
  case afterRewarded = "AFTER_REWARDED"
  /// Too few events have occurred since the placement's last ad.
  case notDue = "NOT_DUE"
  /// The last ad at any placement was shown too recently.
  case pacing = "PACING"
  /// The number of ads at the placement has reached a cap (for example three an hour).
  case capped = "CAPPED"
}

/// The ad rules of a placement with every parameter reference replaced by the parameter's value.
struct AdPolicy {
  struct ResolvedAdCap {
    var count: Int64
    var per: Placement.Cap.Window
  }

  /// True if the placement is switched on, ``every`` is above 0, and each limit that the placement declares has a number as value. A limit
  /// without a value thus never allows more ads than intended.
  var isEnabled: Bool
  var isChildDirected: Bool
  var every: Int64
  var offset: Int64
  var minMilliseconds: Int64
  var firstAdDelayMilliseconds: Int64
  var graceEvents: Int64
  var graceVisits: Int64
  var afterRewardedMilliseconds: Int64
  var caps: [ResolvedAdCap]

  init(_ placement: Placement, childDirected: Bool, parameters: any ParameterLookup) {
    var isKnown = true
    func whole(_ number: Placement.NumberSource?) -> Int64 {
      guard let number else { return 0 }
      guard let value = number.resolved(parameters)?.losslessInteger else {
        isKnown = false
        return 0
      }
      return max(0, value)
    }
    func milliseconds(_ number: Placement.NumberSource?) -> Int64 {
      guard let number else { return 0 }
      guard let seconds = number.resolved(parameters)?.numberValue else {
        isKnown = false
        return 0
      }
      return AdPolicy.milliseconds(seconds: seconds)
    }
    every = whole(placement.every)
    offset = whole(placement.offset)
    minMilliseconds = milliseconds(placement.minSeconds)
    firstAdDelayMilliseconds = milliseconds(placement.firstAdDelaySeconds)
    graceEvents = whole(placement.graceEvents)
    graceVisits = whole(placement.graceVisits)
    afterRewardedMilliseconds = milliseconds(placement.afterRewardedSeconds)
    caps = placement.caps.map { ResolvedAdCap(count: whole($0.count), per: $0.per) }
    // An interval of 0 events has no meaning, so it disables the placement.
    isEnabled = isKnown && every > 0 && placement.enabled.resolved(parameters) == .bool(true)
    isChildDirected = childDirected
  }

  /// The upper limit of a time in seconds, some 3 000 years, so that adding it to an instant cannot overflow.
  private static let secondsMax = 1e11

  private static func milliseconds(seconds: Double) -> Int64 {
    seconds > 0 ? Int64(min(seconds, secondsMax) * 1000 + 0.5) : 0
  }
}

extension Placement.NumberSource {
  /// Returns the constant, or the player's value of the parameter; nil if the parameter has no value.
  func resolved(_ parameters: any ParameterLookup) -> Value? {
    switch self {
    case .number(let value): value
    case .parameter(let key): parameters.value(ofParameter: key)
    }
  }
}

extension Placement.Cap.Window {
  /// The length of the cap's rolling window; nil for a cap per visit or per lifetime.
  var milliseconds: Int64? {
    switch self {
    case .minute: 60_000
    case .hour: 3_600_000
    case .day: 86_400_000
    case .visit, .lifetime: nil
    }
  }
}

/// The earliest moment at which a placement may show the next ad, as far as it is known in the present.
public struct EarliestAd: Sendable, Hashable {
  /// The number of further events that are needed: 1 if the next event may show an ad, and 0 if the number is unknown because of
  /// ``blockedBy``.
  public var events: Int64
  /// The number of further visits that must begin before an ad is possible.
  public var visits: Int64
  /// The instant before which no ad is possible; nil if time does not prevent an ad.
  public var notBefore: Instant?
  /// A reason that neither time nor further events remove, such as an entitlement; nil if there is no such reason.
  public var blockedBy: AdRefusal?
}

/// The input of a decision about an ad: a placement's policy and the player's history, in which the present event is already counted.
struct AdDecisionInput {
  var policy: AdPolicy
  var history: PlacementHistory
  var isExempt: Bool
  /// The number of events that the player has had of the type that triggers the placement.
  var eventsEver: Int64
  var visits: Visits
  var lastShowAt: Instant?
  var lastRewardAt: Instant?
  var now: Instant

  /// The number of events since the last ad, which is compared with ``AdPolicy/every``. Before the first ad, reset or exemption, the
  /// placement's offset is added.
  var count: Int64 { history.hasRestarted ? history.count : history.count.raised(by: policy.offset) }

  /// The first rule that prevents the ad; nil if the ad is shown.
  var refusal: AdRefusal? {
    let standing: AdRefusal? = policy.isChildDirected ? .childDirected : isExempt ? .adFree : nil
    if history.isForced { return standing }
    if !policy.isEnabled { return .disabled }
    if let standing { return standing }
    if visits.count <= policy.graceVisits { return .graceVisits }
    if eventsEver <= policy.graceEvents { return .graceEvents }
    if isWithin(policy.firstAdDelayMilliseconds, of: visits.openedAt) { return .firstAdDelay }
    if isWithin(policy.afterRewardedMilliseconds, of: lastRewardAt) { return .afterRewarded }
    if count < policy.every, !history.isOwed { return .notDue }
    if isWithin(policy.minMilliseconds, of: lastShowAt) { return .pacing }
    if policy.caps.contains(where: isReached) { return .capped }
    return nil
  }

  /// The earliest moment after the present event at which the placement may show an ad.
  var next: EarliestAd {
    if let blocker {
      return EarliestAd(events: 0, visits: 0, notBefore: nil, blockedBy: blocker)
    }
    if history.isForced { return EarliestAd(events: 1, visits: 0, notBefore: nil, blockedBy: nil) }
    let due = history.isOwed ? 1 : policy.every - min(count, policy.every)
    let grace = policy.graceEvents - min(eventsEver, policy.graceEvents)
    let events = max(1, due, grace > 0 ? grace.raised(by: 1) : 0)
    let isVisitCapped = policy.caps.contains { $0.per == .visit && isReached($0) }
    let visitsToCome = max(policy.graceVisits.raised(by: 1) - min(visits.count, policy.graceVisits.raised(by: 1)), isVisitCapped ? 1 : 0)
    var notBefore = Instant.later(
      end(of: policy.afterRewardedMilliseconds, since: lastRewardAt), end(of: policy.minMilliseconds, since: lastShowAt))
    if visitsToCome == 0 { notBefore = Instant.later(notBefore, end(of: policy.firstAdDelayMilliseconds, since: visits.openedAt)) }
    for cap in policy.caps { notBefore = Instant.later(notBefore, end(of: cap)) }
    return EarliestAd(events: events, visits: visitsToCome, notBefore: notBefore, blockedBy: nil)
  }

  private var blocker: AdRefusal? {
    if !policy.isEnabled, !history.isForced { return .disabled }
    if policy.isChildDirected { return .childDirected }
    if isExempt { return .adFree }
    if history.isForced { return nil }
    return policy.caps.contains { $0.count == 0 || ($0.per == .lifetime && isReached($0)) } ? .capped : nil
  }

  private func isWithin(_ milliseconds: Int64, of instant: Instant?) -> Bool { end(of: milliseconds, since: instant) != nil }

  /// Returns the end of a waiting period that began at `instant`; nil if the period is over or never began.
  private func end(of milliseconds: Int64, since instant: Instant?) -> Instant? {
    guard let instant, now.milliseconds(since: instant) < milliseconds else { return nil }
    return instant.later(byMilliseconds: milliseconds)
  }

  private func isReached(_ cap: AdPolicy.ResolvedAdCap) -> Bool {
    switch cap.per {
    case .lifetime: history.showsEver >= cap.count
    case .visit: (history.visit == visits.count ? history.showsInVisit : 0) >= cap.count
    case .minute, .hour, .day: showsWithin(cap).count >= rollingCount(cap)
    }
  }

  /// Returns the instant at which the cap's rolling window has space for another ad; nil if the cap is not reached or is per visit or
  /// lifetime.
  private func end(of cap: AdPolicy.ResolvedAdCap) -> Instant? {
    guard let window = cap.per.milliseconds else { return nil }
    let shows = showsWithin(cap)
    let count = rollingCount(cap)
    guard count > 0, shows.count >= count else { return nil }
    return shows[shows.startIndex + shows.count - count].at.later(byMilliseconds: window)
  }

  private func showsWithin(_ cap: AdPolicy.ResolvedAdCap) -> ArraySlice<PlacementHistory.ShownAd> {
    guard let window = cap.per.milliseconds else { return [] }
    let first = history.shows.firstIndex { now.milliseconds(since: $0.at) < window } ?? history.shows.endIndex
    return history.shows[first...]
  }

  /// The number of ads that a rolling cap allows, at most ``PlayerLimits/showsMax``, because only that many shown ads are stored.
  private func rollingCount(_ cap: AdPolicy.ResolvedAdCap) -> Int { Int(min(cap.count, Int64(PlayerLimits.showsMax))) }
}
