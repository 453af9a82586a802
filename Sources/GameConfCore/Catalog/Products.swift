// The products and the placements of ads: shapes only; what they do lives with the simulator and the ad policy.

/// Something for sale.
public struct Product: Sendable, Hashable {
  /// Apple's four kinds.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case consumable
    case nonConsumable = "non_consumable"
    case autoRenewable = "auto_renewable"
    case nonRenewing = "non_renewing"
  }

  /// The product's id within the game.
  public var id: String
  /// Its id at the store; nil means bundle + "." + id.
  public var storeID: String?
  /// The kind of product.
  public var kind: Kind
  /// Its name, for people.
  public var name: LocalizedText
  /// Decimal text by ISO 4217 code, such as `"1.99"`.
  public var price: [String: String]
  /// The entitlements it grants.
  public var grants: [String]
  /// True if it counts as every other product too.
  public var includesAll: Bool
  /// The further terms of an auto-renewable product.
  public var subscription: Subscription?
  /// True if a family may share it.
  public var isFamilyShareable: Bool
  /// Its fields that begin with `x-`, kept and never looked at.
  public var extensions = ObjectValue()

  /// A product.
  public init(
    id: String, storeID: String? = nil, kind: Kind, name: LocalizedText, price: [String: String] = [:], grants: [String] = [],
    includesAll: Bool = false, subscription: Subscription? = nil, isFamilyShareable: Bool = false
  ) {
    self.id = id
    self.storeID = storeID
    self.kind = kind
    self.name = name
    self.price = price
    self.grants = grants
    self.includesAll = includesAll
    self.subscription = subscription
    self.isFamilyShareable = isFamilyShareable
  }
}

/// The terms by which a product renews.
public struct Subscription: Sendable, Hashable {
  /// The ways in which the introductory offer is paid.
  public enum IntroMode: String, Sendable, Hashable, CaseIterable {
    case freeTrial = "free_trial"
    case payAsYouGo = "pay_as_you_go"
    case payUpFront = "pay_up_front"
  }

  /// An introductory offer.
  public struct Intro: Sendable, Hashable {
    /// The way in which it is paid.
    public var mode: IntroMode
    /// The length of one period of it.
    public var period: CalendarPeriod
    /// The number of periods that it lasts; at least 1.
    public var periods: Int
    /// Decimal text by ISO 4217 code; empty for a free trial.
    public var price: [String: String]

    /// An introductory offer.
    public init(mode: IntroMode, period: CalendarPeriod, periods: Int = 1, price: [String: String] = [:]) {
      self.mode = mode
      self.period = period
      self.periods = periods
      self.price = price
    }
  }

  /// The group within which one product replaces another.
  public var group: String
  /// 1 is the highest.
  public var level: Int
  /// The length of one period.
  public var period: CalendarPeriod
  /// The introductory offer, when there is one.
  public var intro: Intro?
  /// The time for which access lasts while billing is retried; nil means not at all.
  public var gracePeriod: CalendarPeriod?

  /// A subscription.
  public init(group: String, level: Int, period: CalendarPeriod, intro: Intro? = nil, gracePeriod: CalendarPeriod? = nil) {
    self.group = group
    self.level = level
    self.period = period
    self.intro = intro
    self.gracePeriod = gracePeriod
  }
}

/// A count of calendar units, written as ISO 8601 does: `P1W`, `P3M`.
public struct CalendarPeriod: Sendable, Hashable {
  /// The unit counted.
  public enum Unit: String, Sendable, Hashable, CaseIterable {
    case day = "D"
    case week = "W"
    case month = "M"
    case year = "Y"
  }

  /// The number of units; at least 1.
  public var count: Int
  /// The unit counted.
  public var unit: Unit

  /// A period.
  public init(count: Int, unit: Unit) {
    self.count = count
    self.unit = unit
  }
}

/// A named selection of products, by package.
public struct Offering: Sendable, Hashable {
  /// The offering's id.
  public var id: String
  /// The packages, in order.
  public var packages: [Package]

  /// One entry of an offering.
  public struct Package: Sendable, Hashable {
    /// The package's id, such as `$rc_monthly`.
    public var id: String
    /// The product it sells.
    public var product: String

    /// A package.
    public init(id: String, product: String) {
      self.id = id
      self.product = product
    }
  }

  /// An offering.
  public init(id: String, packages: [Package]) {
    self.id = id
    self.packages = packages
  }
}

/// A place where an ad may show, and how often.
public struct Placement: Sendable, Hashable {
  /// The kinds of ad.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    case interstitial, rewarded, banner
    case appOpen = "app_open"
  }

  /// The effects of a show without an ad on the slot.
  public enum NoFill: String, Sendable, Hashable, CaseIterable {
    case keepSlot = "keep_slot"
    case dropSlot = "drop_slot"
  }

  /// A number, or a parameter's.
  public enum Number: Sendable, Hashable {
    case number(Value)
    case parameter(String)
  }

  /// At most so many within a rolling window.
  public struct Cap: Sendable, Hashable {
    /// The window of the count: 60 s, 3 600 s, 86 400 s, this visit, ever.
    public enum Window: String, Sendable, Hashable, CaseIterable { case minute, hour, day, visit, lifetime }
    /// The count.
    public var count: Number
    /// Over what.
    public var per: Window

    /// A cap.
    public init(count: Number, per: Window) {
      self.count = count
      self.per = per
    }
  }

  /// The placement's id.
  public var id: String
  /// The kind of ad.
  public var format: Format
  /// The event that asks for it.
  public var event: String
  /// It is due at every so many events; at least 1.
  public var every: Number
  /// `.number(.bool)` or a boolean parameter.
  public var enabled: Number = .number(true)
  /// Players with one of these entitlements see none.
  public var exempt: [String] = []
  /// The effect of no ad to show on the slot.
  public var onNoFill: NoFill = .keepSlot
  /// The counter's first start, in events.
  public var offset: Number?
  /// Least seconds since the game's last show at any placement.
  public var minSeconds: Number?
  /// Least seconds since the visit began.
  public var firstAdDelaySeconds: Number?
  /// The player's first so many events are free of ads.
  public var graceEvents: Number?
  /// The player's first so many visits are free of ads.
  public var graceVisits: Number?
  /// Least seconds since the last reward.
  public var afterRewardedSeconds: Number?
  /// Rolling caps.
  public var caps: [Cap] = []

  /// A placement with only its rhythm.
  public init(id: String, format: Format, event: String, every: Number) {
    self.id = id
    self.format = format
    self.event = event
    self.every = every
  }
}
