// The state of a player's subscription: its terms, its schedule of renewals, and its billing.

/// The terms under which a subscription was purchased. They are copied from the catalog, so that a changed catalog applies only from the
/// next purchase on.
public struct SubscriptionTerms: Sendable, Hashable {
  /// The id of the subscription's product.
  public var product: String
  /// The level of the product within its subscription group; 1 is the highest.
  public var level: Int
  /// The length of one billing period of the subscription.
  public var period: CalendarPeriod
  /// The time for which access continues while a failed payment is retried; nil if the catalog declares no grace period.
  public var gracePeriod: CalendarPeriod?
  /// The price of one period; nil if the catalog declares no price.
  public var price: ShopPrice?
}

/// The schedule by which the ends of a subscription's periods are computed. All are computed from one instant, so that a short month does
/// not move later renewals to an earlier day.
public struct RenewalSchedule: Sendable, Hashable {
  /// The instant from which the periods are counted.
  public var anchor: Instant
  /// The length of the present period and of those that follow it.
  public var period: CalendarPeriod
  /// The months between ``anchor`` and the first period of the present length. In these months, the periods had other lengths.
  public var monthsBefore = 0
  /// The number of the present period, counted from 1 among the periods of the present length.
  public var number = 1

  init(anchor: Instant, period: CalendarPeriod) {
    self.anchor = anchor
    self.period = period
  }

  /// The instant at which the present period ends; nil if it is after the year 9999.
  public var end: Instant? {
    guard monthsBefore > 0, let months = period.months else { return anchor.adding(period, times: number) }
    return anchor.adding(CalendarPeriod(count: 1, unit: .month), times: monthsBefore + months * number)
  }

  var next: RenewalSchedule {
    var next = self
    next.number += 1
    return next
  }

  /// Returns the schedule for a next period of another length. If both lengths are whole months, ``anchor`` stays. Otherwise the end of the
  /// present period is the new anchor; nil if it is after the year 9999.
  func next(of other: CalendarPeriod) -> RenewalSchedule? {
    if other == period { return next }
    guard let months = period.months, other.months != nil else { return end.map { RenewalSchedule(anchor: $0, period: other) } }
    var next = RenewalSchedule(anchor: anchor, period: other)
    next.monthsBefore = monthsBefore + months * number
    return next
  }
}

extension CalendarPeriod {
  /// True if both periods have the same length, even if they are written differently, such as `P1Y` and `P12M`.
  func isAsLong(as other: CalendarPeriod) -> Bool { months == other.months && days == other.days }

  /// The length of the period in days; nil for months and years.
  private var days: Int? {
    switch unit {
    case .day: count
    case .week: count * 7
    case .month, .year: nil
    }
  }

  /// The length of the period in months; nil for days and weeks.
  var months: Int? {
    switch unit {
    case .month: count
    case .year: count * 12
    case .day, .week: nil
    }
  }
}

/// A player's subscription in one subscription group, active or ended. A player has at most one in each group.
public struct SubscriptionLine: Sendable, Hashable {
  /// The renewal state of a subscription, in StoreKit's terms.
  public enum State: String, Sendable, Hashable, CaseIterable {
    case subscribed, expired, revoked
    case inGracePeriod = "in_grace_period"
    case inBillingRetry = "in_billing_retry"
  }
  /// A change of the present product's price, which applies from the next renewal after the introductory offer.
  public struct PriceChange: Sendable, Hashable {
    /// The new price of one period, from the renewal on at which the price change takes effect.
    public var price: ShopPrice
    /// True if the change will apply without further action. If it needs consent and the player does not give it, the subscription ends.
    public var isAccepted: Bool
  }

  /// The subscription group of the product.
  public var group: String
  /// The id of the player's first transaction in the subscription group.
  public var originalID: String
  /// The id of the transaction of the present period, or of the last one if the subscription has ended.
  public var transaction: String
  /// The terms that apply to the next renewal, unless ``nextTerms`` replaces them.
  public var terms: SubscriptionTerms
  /// The terms that apply from the next period on; nil if no change is scheduled.
  public var nextTerms: SubscriptionTerms?
  /// The schedule from which the end of the present period is computed.
  public var schedule: RenewalSchedule
  /// The introductory offer that applies to the present period; nil if no offer applies.
  public var offer: Subscription.Intro?
  /// The number of further periods for which the introductory offer applies.
  public var offerPeriodsLeft = 0
  /// True if the subscription renews at the end of its present period.
  public var renews = true
  /// The instant at which automatic renewal was turned off; nil if it was not turned off.
  public var renewalOffAt: Instant?
  /// The renewal state of the subscription, in StoreKit's terms.
  public var state = State.subscribed
  /// The instant of the failed payment, which is retried until ``retryUntil``; nil if the last payment succeeded.
  public var billingFailedAt: Instant?
  /// The instant at which the store stops retrying a failed payment; nil if no payment is retried.
  public var retryUntil: Instant?
  /// The latest price change of the present product. The change is dropped when another product replaces the present one; nil if no change
  /// is scheduled.
  public var priceChange: PriceChange?
  /// The number of renewals since the player's last purchase of the subscription.
  public var renewals = 0

  /// True if the subscription may still renew or recover from a failed payment.
  public var isRunning: Bool { state == .subscribed || isRetried }
  /// True if a failed payment is being retried.
  public var isRetried: Bool { state == .inGracePeriod || state == .inBillingRetry }

  /// True if the next renewal begins another period of the introductory offer.
  var goesOnWithOffer: Bool { nextTerms == nil && offer != nil && offerPeriodsLeft > 0 }
  /// The price change that applies to the next renewal; nil without a price change, or if another product replaces the present one.
  private var renewingPriceChange: PriceChange? { nextTerms == nil ? priceChange : nil }
  /// The price from the next renewal on, or from the end of the introductory offer; nil if the price does not change.
  public var nextPrice: ShopPrice? {
    let next = renewingPriceChange?.price ?? (nextTerms ?? terms).price
    return next == terms.price ? nil : next
  }
  /// True if ``nextPrice`` applies only with the player's consent, which is missing.
  public var needsConsent: Bool { renewingPriceChange?.isAccepted == false }
  /// True if the subscription ends with its present period, because the player has not consented to the new price.
  public var endsWithoutConsent: Bool { needsConsent && !goesOnWithOffer }
}
