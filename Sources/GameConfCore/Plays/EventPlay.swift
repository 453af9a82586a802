// The play that an event belongs to, as the event refers to it and as decisions use it.

/// The reference of an event to its play, and the changes that the event makes to it.
public struct EventPlay: Sendable, Hashable {
  /// The id of the play.
  public var id: String
  /// The game's own state of the play after the event; nil leaves the stored state unchanged.
  public var state: Value?
  /// True if the event ends the play.
  public var closes: Bool

  /// Creates a reference that by default neither changes nor ends the play.
  public init(_ id: String, state: Value? = nil, closes: Bool = false) {
    self.id = id
    self.state = state
    self.closes = closes
  }
}

/// A play as an input of decisions about its events.
public struct PlayTerms: Sendable {
  /// The parameter values that the play pinned when it opened.
  public var values: PinnedValues
  /// The instant at which the play opened, by the game's clock.
  public var openedAt: Instant
  /// The instant at which the play ended, by the game's clock; nil while it is open.
  public var closedAt: Instant?
  /// The instant at which the play ended, by the host's clock; nil while it is open.
  public var closedAtHost: Instant?

  /// Creates terms, by default of an open play.
  public init(_ values: PinnedValues, openedAt: Instant, closedAt: Instant? = nil, closedAtHost: Instant? = nil) {
    self.values = values
    self.openedAt = openedAt
    self.closedAt = closedAt
    self.closedAtHost = closedAtHost
  }
}

/// A lookup that returns the values pinned by a play, and present values for other keys.
struct PinnedParameters: ParameterLookup {
  let pinned: PinnedValues
  let present: any ParameterLookup

  func value(ofParameter key: String) -> Value? { pinned[key]?.value ?? present.value(ofParameter: key) }

  func isSecret(parameter key: String) -> Bool { pinned[key]?.isSecret == true || present.isSecret(parameter: key) }
}
