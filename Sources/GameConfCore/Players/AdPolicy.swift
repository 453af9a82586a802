// A placement's rules as they are for one player: which of them refuses an ad first, and when one may come.

/// The reason why no ad shows. Rules are asked in this order, and the first that refuses gives the reason.
public enum AdRefusal: String, Sendable, Hashable, CaseIterable {
  /// The placement is off.
  case disabled = "DISABLED"
  /// The game is for children.
  case childDirected = "CHILD_DIRECTED"
  /// The player has an entitlement that spares them ads.
  case adFree = "AD_FREE"
  /// It is one of the player's first visits.
  case graceVisits = "GRACE_VISITS"
  /// It is one of the player's first events.
  case graceEvents = "GRACE_EVENTS"
  /// The visit has just begun.
  case firstAdDelay = "FIRST_AD_DELAY"
  /// An ad has just given a reward.
  case afterRewarded = "AFTER_REWARDED"
  /// Too few events since the last ad.
  case notDue = "NOT_DUE"
  /// Too little time since the last ad at any placement.
  case pacing = "PACING"
  /// As many ads as a cap admits.
  case capped = "CAPPED"
}

/// A placement's rules with every parameter resolved.
struct AdPolicy {
  struct Cap {
    var count: Int64
    var per: Placement.Cap.Window
  }

  /// False also when a number cannot be resolved: a rule that cannot be known admits nothing.
  var isEnabled: Bool
  var isChildDirected: Bool
  var every: Int64
  var offset: Int64
  var minMilliseconds: Int64
  var firstAdDelayMilliseconds: Int64
  var graceEvents: Int64
  var graceVisits: Int64
  var afterRewardedMilliseconds: Int64
  var caps: [Cap]

  init(_ placement: Placement, childDirected: Bool, parameters: any ParameterLookup) {
    var isKnown = true
    func whole(_ number: Placement.Number?) -> Int64 {
      guard let number else { return 0 }
      guard let value = number.resolved(parameters)?.losslessInteger else {
        isKnown = false
        return 0
      }
      return max(0, value)
    }
    func milliseconds(_ number: Placement.Number?) -> Int64 {
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
    caps = placement.caps.map { Cap(count: whole($0.count), per: $0.per) }
    // A rhythm of every 0 events is none.
    isEnabled = isKnown && every > 0 && placement.enabled.resolved(parameters) == .bool(true)
    isChildDirected = childDirected
  }

  /// The longest wait a rule can ask for, so that adding it to an instant never overflows: some thousand years.
  private static let secondsMax = 1e11

  private static func milliseconds(seconds: Double) -> Int64 {
    seconds > 0 ? Int64(min(seconds, secondsMax) * 1000 + 0.5) : 0
  }
}

extension Placement.Number {
  /// The number, or the parameter's value for the player.
  func resolved(_ parameters: any ParameterLookup) -> Value? {
    switch self {
    case .number(let value): value
    case .parameter(let key): parameters.value(ofParameter: key)
    }
  }
}

extension Placement.Cap.Window {
  /// The time over which it rolls; nil for those that time alone does not end.
  var milliseconds: Int64? {
    switch self {
    case .minute: 60_000
    case .hour: 3_600_000
    case .day: 86_400_000
    case .visit, .lifetime: nil
    }
  }
}

/// The earliest that an ad may come, as far as is known now.
public struct EarliestAd: Sendable, Hashable {
  /// The number of further events it takes: 1 when the next one may show. 0 when that cannot be said, see `blockedBy`.
  public var events: Int64
  /// The number of further visits it takes.
  public var visits: Int64
  /// Not before this instant; nil when time stands in no way.
  public var notBefore: Instant?
  /// The refusal that lasts until something other than time and play changes it.
  public var blockedBy: AdRefusal?
}

/// All that decides whether an event shows an ad at a placement, as it stands with that event counted.
struct AdDecisionInput {
  var policy: AdPolicy
  var history: PlacementHistory
  var isExempt: Bool
  /// The number of times that the player had the placement's event.
  var eventsEver: Int64
  var visits: Visits
  var lastShowAt: Instant?
  var lastRewardAt: Instant?
  var now: Instant

  /// Events since the counter's start.
  var count: Int64 { history.hasRestarted ? history.count : history.count.raised(by: policy.offset) }

  /// The first rule that refuses; nil when the ad shows.
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

  /// The earliest that an ad may come after this instant's event.
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

  /// The instant when a wait that began then is over; nil when it is over already.
  private func end(of milliseconds: Int64, since instant: Instant?) -> Instant? {
    guard let instant, now.milliseconds(since: instant) < milliseconds else { return nil }
    return instant.later(byMilliseconds: milliseconds)
  }

  private func isReached(_ cap: AdPolicy.Cap) -> Bool {
    switch cap.per {
    case .lifetime: history.showsEver >= cap.count
    case .visit: (history.visit == visits.count ? history.showsInVisit : 0) >= cap.count
    case .minute, .hour, .day: showsWithin(cap).count >= rollingCount(cap)
    }
  }

  /// The instant when enough shows have left the cap's window.
  private func end(of cap: AdPolicy.Cap) -> Instant? {
    guard let window = cap.per.milliseconds else { return nil }
    let shows = showsWithin(cap)
    let count = rollingCount(cap)
    guard count > 0, shows.count >= count else { return nil }
    return shows[shows.startIndex + shows.count - count].at.later(byMilliseconds: window)
  }

  private func showsWithin(_ cap: AdPolicy.Cap) -> ArraySlice<PlacementHistory.Show> {
    guard let window = cap.per.milliseconds else { return [] }
    let first = history.shows.firstIndex { now.milliseconds(since: $0.at) < window } ?? history.shows.endIndex
    return history.shows[first...]
  }

  /// The count of a rolling cap, bounded by the number of remembered shows.
  private func rollingCount(_ cap: AdPolicy.Cap) -> Int { Int(min(cap.count, Int64(PlayerLimits.showsMax))) }
}
