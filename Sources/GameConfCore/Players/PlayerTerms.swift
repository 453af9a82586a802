// The input of a decision about a player that is not a part of the player's own state: rules, parameters, entitlements and time.

/// The input of a decision about a player, except the player's own ``PlayerState``.
public struct PlayerTerms {
  /// The game's catalog with its indexes by name.
  public var rules: PlayerRules
  /// The id of the player about whom a decision is made.
  public var player: String
  /// The parameter values in force for the player.
  public var parameters: any ParameterLookup
  /// The entitlements that the player has, and the ends of the entitlements that the player no longer has.
  public var entitlements: EntitlementHistory
  /// The present by the clock of the player or, without a player, of the game. It may be simulated.
  public var now: Instant
  /// The present by the host's clock.
  public var host: Instant
  /// The languages for display names in responses, most preferred first.
  public var locales: [String]
  /// The play that the event belongs to; nil for an event outside of a play and for a decision without an event.
  public var play: PlayTerms?
  /// The number of the player's bests in each selection of bests that a milestone counts.
  public var bestCounts: [BestCount: Int64] = [:]
  /// Returns the instant, by the host's clock, since which the parameter has its present value for the player; nil if the instant is not
  /// known.
  public var valueSince: (String) -> Instant? = { _ in nil }
  /// Returns the entitlements that were active at an instant of the player's clock. The function is nil if only the present entitlements
  /// are known.
  public var heldAt: ((Instant) -> Set<String>)?

  /// Creates the input. By default the host's present is `now`, and display names are in the first of the game's locales.
  public init(
    rules: PlayerRules, player: String, parameters: any ParameterLookup, entitlements: EntitlementHistory = EntitlementHistory(),
    now: Instant,
    host: Instant? = nil, locales: [String]? = nil
  ) {
    self.rules = rules
    self.player = player
    self.parameters = parameters
    self.entitlements = entitlements
    self.now = now
    self.host = host ?? now
    self.locales = locales ?? rules.locales(for: nil)
  }

  /// The parameters for validating an event: the values that its play pinned, and the present values of all other keys.
  var eventParameters: any ParameterLookup { play.map { PinnedParameters(pinned: $0.values, present: parameters) } ?? parameters }

  /// Returns the number of newest history entries of an event type that are stored for a player. Returns nil for an analytics event, and
  /// for an event type that the catalog does not declare.
  public func linesMax(of event: String) -> Int64? {
    guard let at = rules.event(named: event), !catalog.events[at].isAnalytics else { return nil }
    guard let history = catalog.events[at].history else { return EventDefinition.historyUsual }
    return min(max(history.resolved(parameters)?.losslessInteger ?? EventDefinition.historyUsual, 1), EventDefinition.historyMax)
  }

  var catalog: Catalog { rules.catalog }
}

/// The entitlements that a player has, and the ends of the entitlements that the player no longer has.
public struct EntitlementHistory: Sendable, Hashable {
  /// The entitlements that the player has in the present.
  public var held: Set<String>
  /// The last instant at which the player had an entitlement that has ended since, by the entitlement's name.
  public var lastHeld: [String: Instant]

  /// Creates a history, by default without entitlements.
  public init(held: Set<String> = [], lastHeld: [String: Instant] = [:]) {
    self.held = held
    self.lastHeld = lastHeld
  }

  func holdsAny(of names: [String]) -> Bool { names.contains { held.contains($0) } }

  /// Returns the latest instant at which the player had one of these entitlements. Only entitlements that have ended are considered; the
  /// result is nil if none of these has ended.
  func lastHeldAny(of names: [String]) -> Instant? {
    var last: Instant?
    for name in names { last = Instant.later(last, lastHeld[name]) }
    return last
  }
}
