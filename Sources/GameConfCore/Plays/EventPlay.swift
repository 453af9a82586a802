// The play that an event belongs to: as the event names it, and as decisions about the event use it.

/// The play of an event, and what the event does to it.
public struct EventPlay: Sendable, Hashable {
  /// The play's id.
  public var id: String
  /// The game's own state of the play after the event; nil leaves the stored one.
  public var state: Value?
  /// True if the event ends the play.
  public var closes: Bool

  /// A play; neither changed nor closed by default.
  public init(_ id: String, state: Value? = nil, closes: Bool = false) {
    self.id = id
    self.state = state
    self.closes = closes
  }
}

/// A play as the decisions about its events use it.
public struct PlayTerms: Sendable {
  /// The values that it pinned.
  public var values: PinnedValues
  /// The player's simulated time at which it opened.
  public var openedAt: Instant
  /// The player's simulated time at which it closed; nil while it is open.
  public var closedAt: Instant?
  /// The same by the host's clock.
  public var closedAtHost: Instant?

  /// A play; open by default.
  public init(_ values: PinnedValues, openedAt: Instant, closedAt: Instant? = nil, closedAtHost: Instant? = nil) {
    self.values = values
    self.openedAt = openedAt
    self.closedAt = closedAt
    self.closedAtHost = closedAtHost
  }
}

/// The values that a play pinned, over the present ones.
struct PinnedParameters: ParameterLookup {
  let pinned: PinnedValues
  let present: any ParameterLookup

  func value(ofParameter key: String) -> Value? { pinned[key]?.value ?? present.value(ofParameter: key) }

  func isSecret(parameter key: String) -> Bool { pinned[key]?.isSecret == true || present.isSecret(parameter: key) }
}
