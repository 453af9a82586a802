// The life of one subscription: what it renews into, when, and whether billing works.

/// The terms that a subscription was bought under; a later catalog changes it at the next purchase only, so that the past stays as it was.
public struct SubscriptionTerms: Sendable, Hashable {
  /// The product.
  public var product: String
  /// 1 is the highest.
  public var level: Int
  /// The length of one period.
  public var period: CalendarPeriod
  /// The time for which access lasts while billing is retried.
  public var gracePeriod: CalendarPeriod?
  /// The price of one period.
  public var price: ShopPrice?
}

/// The schedule of a subscription's periods: each end is counted from one anchor, so that a short month does not pull later ones forward.
public struct RenewalSchedule: Sendable, Hashable {
  /// The instant that periods are counted from.
  public var anchor: Instant
  /// The length of one period.
  public var period: CalendarPeriod
  /// Months that passed since the anchor before this period's length was in force.
  public var monthsBefore = 0
  /// The number of the current period since then, from 1.
  public var number = 1

  init(anchor: Instant, period: CalendarPeriod) {
    self.anchor = anchor
    self.period = period
  }

  /// The instant when the current period ends; nil beyond the calendar.
  public var end: Instant? {
    guard monthsBefore > 0, let months = period.months else { return anchor.adding(period, times: number) }
    return anchor.adding(CalendarPeriod(count: 1, unit: .month), times: monthsBefore + months * number)
  }

  /// The period after the current one.
  var next: RenewalSchedule {
    var next = self
    next.number += 1
    return next
  }

  /// The first period of another length, after the current one: counted from the same anchor where both lengths are whole months.
  func next(of other: CalendarPeriod) -> RenewalSchedule? {
    if other == period { return next }
    guard let months = period.months, other.months != nil else { return end.map { RenewalSchedule(anchor: $0, period: other) } }
    var next = RenewalSchedule(anchor: anchor, period: other)
    next.monthsBefore = monthsBefore + months * number
    return next
  }
}

extension CalendarPeriod {
  /// True if both last the same, however they are written: `P1Y` and `P12M`.
  func isAsLong(as other: CalendarPeriod) -> Bool { months == other.months && days == other.days }

  /// The number of days that it is; nil for months and years.
  private var days: Int? {
    switch unit {
    case .day: count
    case .week: count * 7
    case .month, .year: nil
    }
  }

  /// The number of months that it is; nil for days and weeks.
  var months: Int? {
    switch unit {
    case .month: count
    case .year: count * 12
    case .day, .week: nil
    }
  }
}

/// The subscription of one group: at most one runs at a time.
public struct SubscriptionLine: Sendable, Hashable {
  /// StoreKit's renewal states.
  public enum State: String, Sendable, Hashable, CaseIterable {
    case subscribed, expired, revoked
    case inGracePeriod = "in_grace_period"
    case inBillingRetry = "in_billing_retry"
  }
  /// A price that the current product has from its next renewal after the offer.
  public struct PriceChange: Sendable, Hashable {
    /// The price.
    public var price: ShopPrice
    /// True if it holds; a rise that needs consent ends the subscription without it.
    public var isAccepted: Bool
  }

  /// The group.
  public var group: String
  /// The first transaction the player ever had in the group.
  public var originalID: String
  /// The transaction of the current period, or of the last.
  public var transaction: String
  /// The terms of its next renewal.
  public var terms: SubscriptionTerms
  /// The terms that it gets at the period's end.
  public var nextTerms: SubscriptionTerms?
  /// The schedule of its periods.
  public var schedule: RenewalSchedule
  /// The offer it is in.
  public var offer: Subscription.Intro?
  /// The number of periods of the offer that follow the current one.
  public var offerPeriodsLeft = 0
  /// True if it renews at the period's end.
  public var renews = true
  /// The instant when renewal was switched off.
  public var renewalOffAt: Instant?
  /// The state of the subscription.
  public var state = State.subscribed
  /// The instant when the renewal failed that billing is retried for.
  public var billingFailedAt: Instant?
  /// The instant when billing is given up.
  public var retryUntil: Instant?
  /// The latest price change of the current product. It ends where another product takes its place.
  public var priceChange: PriceChange?
  /// The number of times that it has renewed since it was last bought.
  public var renewals = 0

  /// True if it may still renew or recover.
  public var isRunning: Bool { state == .subscribed || isRetried }
  /// True if its billing is being retried.
  public var isRetried: Bool { state == .inGracePeriod || state == .inBillingRetry }

  /// True if the next renewal begins another period of the offer.
  var goesOnWithOffer: Bool { nextTerms == nil && offer != nil && offerPeriodsLeft > 0 }
  /// The price change of the product that the next renewal is of; nil for one of a product that is not bought again.
  private var renewingPriceChange: PriceChange? { nextTerms == nil ? priceChange : nil }
  /// The price of the product that renews, where it is another than now: from the next renewal, or after the offer.
  public var nextPrice: ShopPrice? {
    let next = renewingPriceChange?.price ?? (nextTerms ?? terms).price
    return next == terms.price ? nil : next
  }
  /// True if ``nextPrice`` waits for the player's consent.
  public var needsConsent: Bool { renewingPriceChange?.isAccepted == false }
  /// True if the subscription ends with its period, since nobody has consented to the price.
  public var endsWithoutConsent: Bool { needsConsent && !goesOnWithOffer }
}
