// The model of the paywalls: the texts and layouts with which clients such as RevenueCat's SDK present offerings.

/// The current offering, and the presentation of each offering.
public struct Paywalls: Sendable, Hashable {
  /// The presentation of one offering: its description, metadata and layouts.
  public struct Details: Sendable, Hashable {
    /// The id of the offering.
    public var offering: String
    /// A description of the offering for people.
    public var description: String?
    /// Custom values that the app reads with the offering.
    public var metadata = ObjectValue()
    /// The layout in RevenueCat's legacy paywall format.
    public var paywall: Value?
    /// The layout in RevenueCat's component format (Paywalls v2).
    public var components: Value?

    /// Creates the presentation of an offering, without texts and layouts.
    public init(offering: String) { self.offering = offering }
  }

  /// The id of the current offering; nil means the offering `default`, or the first if there is no such offering.
  public var current: String?
  /// The colors, fonts and texts that the component layouts of all offerings share.
  public var uiConfig: Value?
  /// The presentations, in the order of the catalog.
  public var offerings: [Details] = []

  /// Creates paywalls that present no offering.
  public init() {}
}

extension Catalog {
  /// Returns the presentation of an offering; an empty one if the catalog has none.
  public func paywall(of offering: Offering) -> Paywalls.Details {
    paywalls.offerings.first { $0.offering == offering.id } ?? Paywalls.Details(offering: offering.id)
  }
}
