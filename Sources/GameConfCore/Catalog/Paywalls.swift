// The presentation of offerings, for clients that show them by themselves.

/// The current offering and the presentation of each.
public struct Paywalls: Sendable, Hashable {
  /// The presentation of one offering.
  public struct Details: Sendable, Hashable {
    /// The offering.
    public var offering: String
    /// Its description, for people.
    public var description: String?
    /// Values for the app, by name.
    public var metadata = ObjectValue()
    /// RevenueCat's older layout.
    public var paywall: Value?
    /// RevenueCat's layout of components.
    public var components: Value?

    /// The presentation of an offering.
    public init(offering: String) { self.offering = offering }
  }

  /// The offering that is current; nil for `default`, or the first.
  public var current: String?
  /// The colours, fonts and texts that all layouts of components share.
  public var uiConfig: Value?
  /// The presentations, in the order of the catalog.
  public var offerings: [Details] = []

  /// No presentation.
  public init() {}
}

extension Catalog {
  /// The presentation of an offering.
  public func paywall(of offering: Offering) -> Paywalls.Details {
    paywalls.offerings.first { $0.offering == offering.id } ?? Paywalls.Details(offering: offering.id)
  }
}
