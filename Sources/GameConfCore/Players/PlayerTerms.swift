// The terms under which a change of a player is decided.

/// The facts that hold for a player while a change is decided.
public struct PlayerTerms {
  /// The rules of the game's catalog about players.
  public var rules: PlayerRules
  /// The player's id.
  public var player: String
  /// The parameters as resolved for the player.
  public var parameters: any ParameterLookup
  /// The entitlements that the player's purchases grant.
  public var entitlements: EntitlementHistory
  /// The player's simulated time.
  public var now: Instant
  /// The host's time at the same moment.
  public var host: Instant
  /// The languages that texts are wanted in, the best first.
  public var locales: [String]
  /// The play that an event belongs to; nil for an event outside plays.
  public var play: PlayTerms?
  /// The number of the player's bests, by what milestones count.
  public var bestCounts: [BestCount: Int64] = [:]
  /// The instant, by the host's clock, since when a parameter has its present value for the player; nil where that is not known.
  public var valueSince: (String) -> Instant? = { _ in nil }
  /// The entitlements that were held at an instant of the player's time; nil where only the present ones are known.
  public var heldAt: ((Instant) -> Set<String>)?

  /// Terms; the host's time is the player's, and the language the game's first, unless said.
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

  /// The parameters that an event is held against: the values that its play pinned, and the present ones of other keys.
  var eventParameters: any ParameterLookup { play.map { PinnedParameters(pinned: $0.values, present: parameters) } ?? parameters }

  /// Returns the number of the player's events of a name that are stored; nil for events without lines of their own, such as analytics events.
  public func historyKept(of event: String) -> Int64? {
    guard let at = rules.event(named: event), !catalog.events[at].isAnalytics else { return nil }
    guard let history = catalog.events[at].history else { return EventDefinition.historyUsual }
    return min(max(history.resolved(parameters)?.losslessInteger ?? EventDefinition.historyUsual, 1), EventDefinition.historyMax)
  }

  /// The game's catalog.
  var catalog: Catalog { rules.catalog }
}

/// The entitlements that a player's purchases grant at an instant, and the ends of those that are gone.
public struct EntitlementHistory: Sendable, Hashable {
  /// The entitlements that are granted now.
  public var held: Set<String>
  /// The last instant at which each entitlement was held, for those that are not held any more.
  public var lastHeld: [String: Instant]

  /// Entitlements; none unless said.
  public init(held: Set<String> = [], lastHeld: [String: Instant] = [:]) {
    self.held = held
    self.lastHeld = lastHeld
  }

  /// True if one of these is held.
  func holdsAny(of names: [String]) -> Bool { names.contains { held.contains($0) } }

  /// The last instant at which one of these was held, of those that are gone.
  func lastHeldAny(of names: [String]) -> Instant? {
    var last: Instant?
    for name in names { last = Instant.later(last, lastHeld[name]) }
    return last
  }
}
