// The model of products, subscriptions, offerings and ad placements. The store simulator and the ad policy are elsewhere.

/// A product of the simulated store.
public struct Product: Sendable, Hashable {
  /// The product types of Apple's App Store.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case consumable
    case nonConsumable = "non_consumable"
    case autoRenewable = "auto_renewable"
    case nonRenewing = "non_renewing"
  }

  /// The product's id, unique within the game.
  public var id: String
  /// The product's id at the store; nil means `BUNDLE.PRODUCT`.
  public var storeID: String?
  /// The type of product, which decides whether it is consumed, lasts or renews.
  public var kind: Kind
  /// The display name by locale.
  public var name: LocalizedText
  /// Prices as decimal text by currency (ISO 4217), such as `"USD": "1.99"`.
  public var price: [String: String]
  /// The entitlements that a player has while the purchase is valid.
  public var grants: [String]
  /// True if the product is a bundle: a player who has it is treated as if the player had every other product.
  public var includesAll: Bool
  /// The subscription terms of an auto-renewable product.
  public var subscription: Subscription?
  /// True if Family Sharing of Apple's App Store is enabled for the product.
  public var isFamilyShareable: Bool
  /// The fields that begin with `x-`. They are stored and returned but have no effect.
  public var extensions = ObjectValue()

  /// Creates a product, by default without prices, entitlements and subscription terms.
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

/// The renewal terms of an auto-renewable product.
public struct Subscription: Sendable, Hashable {
  /// The payment modes of an introductory offer, as Apple's App Store has them.
  public enum IntroMode: String, Sendable, Hashable, CaseIterable {
    case freeTrial = "free_trial"
    case payAsYouGo = "pay_as_you_go"
    case payUpFront = "pay_up_front"
  }

  /// A reduced price or a free trial for a player's first subscription in a subscription group.
  public struct Intro: Sendable, Hashable {
    /// The payment mode: nothing, a price for each period, or one price for all periods.
    public var mode: IntroMode
    /// The length of one period of the offer.
    public var period: CalendarPeriod
    /// The number of periods that the offer lasts, at least 1.
    public var periods: Int
    /// Prices as decimal text by currency (ISO 4217); empty for a free trial.
    public var price: [String: String]

    /// Creates an offer, by default of one period and without a price.
    public init(mode: IntroMode, period: CalendarPeriod, periods: Int = 1, price: [String: String] = [:]) {
      self.mode = mode
      self.period = period
      self.periods = periods
      self.price = price
    }
  }

  /// The subscription group. A player has at most one active subscription in it, so buying another replaces the first.
  public var group: String
  /// The rank of the product within its subscription group; 1 is the highest. A change to a higher rank is an upgrade.
  public var level: Int
  /// The length of one billing period.
  public var period: CalendarPeriod
  /// The offer for a player's first subscription in the group; nil if there is none.
  public var intro: Intro?
  /// The time for which a player keeps access while a failed payment is retried; nil if there is no such period.
  public var gracePeriod: CalendarPeriod?

  /// Creates subscription terms, by default without an introductory offer and a grace period.
  public init(group: String, level: Int, period: CalendarPeriod, intro: Intro? = nil, gracePeriod: CalendarPeriod? = nil) {
    self.group = group
    self.level = level
    self.period = period
    self.intro = intro
    self.gracePeriod = gracePeriod
  }
}

/// A period of calendar time, written in ISO 8601: `P1W`, `P3M`.
public struct CalendarPeriod: Sendable, Hashable {
  /// The calendar unit, whose raw value is the designator of ISO 8601.
  public enum Unit: String, Sendable, Hashable, CaseIterable {
    case day = "D"
    case week = "W"
    case month = "M"
    case year = "Y"
  }

  /// The number of units, at least 1.
  public var count: Int
  /// The calendar unit of ``count``.
  public var unit: Unit

  /// Creates a period; the count must be at least 1.
  public init(count: Int, unit: Unit) {
    self.count = count
    self.unit = unit
  }
}

/// A named group of products that a game presents together.
public struct Offering: Sendable, Hashable {
  /// The offering's id, unique within the game.
  public var id: String
  /// The packages, in the order in which they are presented.
  public var packages: [Package]

  /// An entry of an offering, which refers to a product.
  public struct Package: Sendable, Hashable {
    /// The package's id, such as RevenueCat's `$rc_monthly`.
    public var id: String
    /// The id of the product that the package sells.
    public var product: String

    /// Creates a package; the product must be in the catalog.
    public init(id: String, product: String) {
      self.id = id
      self.product = product
    }
  }

  /// Creates an offering; the order of its packages is the order of presentation.
  public init(id: String, packages: [Package]) {
    self.id = id
    self.packages = packages
  }
}

/// A place in the game where an ad may be shown, with the rules that limit its frequency.
public struct Placement: Sendable, Hashable {
  /// The ad formats that a game can show at a placement.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    case interstitial, rewarded, banner
    case appOpen = "app_open"
  }

  /// The effect on the placement's event counter if an ad was due but none could be loaded. The next event may try again, or the
  /// opportunity is lost.
  public enum NoFill: String, Sendable, Hashable, CaseIterable {
    case keepSlot = "keep_slot"
    case dropSlot = "drop_slot"
  }

  /// A number or a boolean: a constant, or the value of the parameter with this key.
  public enum NumberSource: Sendable, Hashable {
    case number(Value)
    case parameter(String)
  }

  /// A limit on the number of ads that a player sees at a placement in a span of time.
  public struct Cap: Sendable, Hashable {
    /// The span of time: the last 60 s, 3 600 s or 86 400 s (rolling windows), the present visit, or all time.
    public enum Window: String, Sendable, Hashable, CaseIterable { case minute, hour, day, visit, lifetime }
    /// The largest number of ads in the window.
    public var count: NumberSource
    /// The span of time in which ads are counted.
    public var per: Window

    /// Creates a cap; a count of 0 never allows an ad.
    public init(count: NumberSource, per: Window) {
      self.count = count
      self.per = per
    }
  }

  /// The placement's id, unique within the game.
  public var id: String
  /// The format of the ads that the game shows at the placement.
  public var format: Format
  /// The event type after which the game may show an ad.
  public var event: String
  /// The interval in events: an ad is due at every n-th event, n at least 1.
  public var every: NumberSource
  /// A boolean, or a boolean parameter. While it is false, the placement shows no ads.
  public var enabled: NumberSource = .number(true)
  /// Entitlements whose holders see no ads at the placement.
  public var exempt: [String] = []
  /// The effect on the placement's event counter if an ad was due but none could be loaded.
  public var onNoFill: NoFill = .keepSlot
  /// The initial value of the placement's event counter. The larger it is, the earlier the first ad is due.
  public var offset: NumberSource?
  /// The shortest time in seconds since the last ad at any placement of the game.
  public var minSeconds: NumberSource?
  /// The shortest time in seconds since the visit began.
  public var firstAdDelaySeconds: NumberSource?
  /// The number of a player's first events without ads.
  public var graceEvents: NumberSource?
  /// The number of a player's first visits without ads.
  public var graceVisits: NumberSource?
  /// The shortest time in seconds since the player last earned a reward from an ad.
  public var afterRewardedSeconds: NumberSource?
  /// The limits on the number of ads in rolling windows, all of which apply.
  public var caps: [Cap] = []

  /// Creates a placement that is limited by its interval only.
  public init(id: String, format: Format, event: String, every: NumberSource) {
    self.id = id
    self.format = format
    self.event = event
    self.every = every
  }
}
