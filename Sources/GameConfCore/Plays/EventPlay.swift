// The reference of an event to its play, and the data of the play that decisions about the event depend on.

/// The reference of an event to its play, and the changes that the event makes to the play.
public struct EventPlay: Sendable, Hashable {
  /// The id of the play that the event belongs to.
  public var id: String
  /// The state of the play after the event, in the game's own format; nil leaves the stored state unchanged.
  public var state: Value?
  /// True if the event ends the play.
  public var closes: Bool

  /// Creates a reference to a play. By default the event neither changes nor ends the play.
  public init(_ id: String, state: Value? = nil, closes: Bool = false) {
    self.id = id
    self.state = state
    self.closes = closes
  }
}

/// The data of a play that decisions about its events depend on.
public struct PlayTerms: Sendable {
  /// The parameter values that the play pinned when it opened.
  public var values: PinnedValues
  /// The instant at which the play opened, by the player's clock.
  public var openedAt: Instant
  /// The instant at which the play ended, by the player's clock; nil while it is open.
  public var closedAt: Instant?
  /// The instant at which the play ended, by the host's clock; nil while it is open.
  public var closedAtHost: Instant?

  /// Creates the data of a play, by default of an open one.
  public init(_ values: PinnedValues, openedAt: Instant, closedAt: Instant? = nil, closedAtHost: Instant? = nil) {
    self.values = values
    self.openedAt = openedAt
    self.closedAt = closedAt
    self.closedAtHost = closedAtHost
  }
}

/// A parameter lookup that returns the pinned values of a play, and the present values of keys that the play did not pin.
struct PinnedParameters: ParameterLookup {
  let pinned: PinnedValues
  let present: any ParameterLookup

  func value(ofParameter key: String) -> Value? { pinned[key]?.value ?? present.value(ofParameter: key) }

  func isSecret(parameter key: String) -> Bool { pinned[key]?.isSecret == true || present.isSecret(parameter: key) }
}
