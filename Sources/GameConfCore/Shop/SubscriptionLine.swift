// The state of a subscription: its terms, its schedule of renewals, and its billing.

/// The terms under which a subscription was purchased. A changed catalog applies only from the next purchase on, so that history stays as
/// it was.
public struct SubscriptionTerms: Sendable, Hashable {
  /// The id of the product.
  public var product: String
  /// The rank within the group; 1 is the highest.
  public var level: Int
  /// The length of one billing period.
  public var period: CalendarPeriod
  /// The time for which access lasts while a failed payment is retried; nil means none.
  public var gracePeriod: CalendarPeriod?
  /// The price of one period.
  public var price: ShopPrice?
}

/// The ends of a subscription's periods. All are computed from one anchor, so that a short month does not move later renewals to an earlier
/// day.
public struct RenewalSchedule: Sendable, Hashable {
  /// The instant from which periods are counted.
  public var anchor: Instant
  /// The length of one period.
  public var period: CalendarPeriod
  /// The months between the anchor and the first period of the present length.
  public var monthsBefore = 0
  /// The number of the present period among those of the present length, counted from 1.
  public var number = 1

  init(anchor: Instant, period: CalendarPeriod) {
    self.anchor = anchor
    self.period = period
  }

  /// The end of the present period; nil if it is after the year 9999.
  public var end: Instant? {
    guard monthsBefore > 0, let months = period.months else { return anchor.adding(period, times: number) }
    return anchor.adding(CalendarPeriod(count: 1, unit: .month), times: monthsBefore + months * number)
  }

  var next: RenewalSchedule {
    var next = self
    next.number += 1
    return next
  }

  /// Returns the schedule for a next period of another length. If both lengths are whole months, the anchor stays.
  func next(of other: CalendarPeriod) -> RenewalSchedule? {
    if other == period { return next }
    guard let months = period.months, other.months != nil else { return end.map { RenewalSchedule(anchor: $0, period: other) } }
    var next = RenewalSchedule(anchor: anchor, period: other)
    next.monthsBefore = monthsBefore + months * number
    return next
  }
}

extension CalendarPeriod {
  /// True if both have the same length, even if written differently, such as `P1Y` and `P12M`.
  func isAsLong(as other: CalendarPeriod) -> Bool { months == other.months && days == other.days }

  /// The length in days; nil for months and years.
  private var days: Int? {
    switch unit {
    case .day: count
    case .week: count * 7
    case .month, .year: nil
    }
  }

  /// The length in months; nil for days and weeks.
  var months: Int? {
    switch unit {
    case .month: count
    case .year: count * 12
    case .day, .week: nil
    }
  }
}

/// The subscription of one group. A player has at most one active subscription in each.
public struct SubscriptionLine: Sendable, Hashable {
  /// The renewal states of StoreKit.
  public enum State: String, Sendable, Hashable, CaseIterable {
    case subscribed, expired, revoked
    case inGracePeriod = "in_grace_period"
    case inBillingRetry = "in_billing_retry"
  }
  /// A price change of the present product, which applies from its next renewal after the offer.
  public struct PriceChange: Sendable, Hashable {
    /// The price of one period once the change applies.
    public var price: ShopPrice
    /// True if it will apply. If it needs consent and the player does not give it, the subscription ends.
    public var isAccepted: Bool
  }

  /// The subscription group; a ledger has at most one line for each.
  public var group: String
  /// The id of the player's first transaction in the group.
  public var originalID: String
  /// The id of the transaction of the present or last period.
  public var transaction: String
  /// The terms of the next renewal, unless ``nextTerms`` replaces them.
  public var terms: SubscriptionTerms
  /// The terms that apply from the next period on; nil if no change is scheduled.
  public var nextTerms: SubscriptionTerms?
  /// The schedule of its periods.
  public var schedule: RenewalSchedule
  /// The introductory offer that applies to the present period.
  public var offer: Subscription.Intro?
  /// The number of further periods of the offer.
  public var offerPeriodsLeft = 0
  /// True if it renews at the end of the period.
  public var renews = true
  /// The instant at which automatic renewal was turned off.
  public var renewalOffAt: Instant?
  /// The renewal state in StoreKit's terms.
  public var state = State.subscribed
  /// The instant of the failed payment that is being retried.
  public var billingFailedAt: Instant?
  /// The instant at which retrying the payment ends.
  public var retryUntil: Instant?
  /// The latest price change of the present product. It ends when another product replaces this one.
  public var priceChange: PriceChange?
  /// The number of renewals since the last purchase.
  public var renewals = 0

  /// True if it may still renew or recover.
  public var isRunning: Bool { state == .subscribed || isRetried }
  /// True if a failed payment is being retried.
  public var isRetried: Bool { state == .inGracePeriod || state == .inBillingRetry }

  /// True if the next renewal begins another period of the offer.
  var goesOnWithOffer: Bool { nextTerms == nil && offer != nil && offerPeriodsLeft > 0 }
  /// The price change that applies to the next renewal; nil if another product replaces the present one.
  private var renewingPriceChange: PriceChange? { nextTerms == nil ? priceChange : nil }
  /// The price from the next renewal on, or after the offer; nil if it does not change.
  public var nextPrice: ShopPrice? {
    let next = renewingPriceChange?.price ?? (nextTerms ?? terms).price
    return next == terms.price ? nil : next
  }
  /// True if ``nextPrice`` needs the player's consent.
  public var needsConsent: Bool { renewingPriceChange?.isAccepted == false }
  /// True if the subscription ends with its period because the player has not consented to the price.
  public var endsWithoutConsent: Bool { needsConsent && !goesOnWithOffer }
}
