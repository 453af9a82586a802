// The model of a catalog's events, their checks, and the leaderboards that rank their scores.

/// An event type that a game may send.
public struct EventDefinition: Sendable, Hashable {
  /// The default number of events of one type that are stored for each player.
  public static let historyUsual: Int64 = 200
  /// The largest number of events of one type that are stored for each player. A catalog with a larger constant as ``history`` is rejected,
  /// and a larger value of a parameter is clamped.
  public static let historyMax: Int64 = 1_000

  /// The name of the event type, such as `game_over`.
  public var name: String
  /// The allowed values of the event's `reason`; empty if it has none.
  public var reasons: [String]
  /// True if each event of this type has a score.
  public var carriesScore: Bool
  /// The allowed values of the event's `mode`; empty allows every mode of the game.
  public var modes: [String] = []
  /// True if the event is only recorded for analytics. It changes no counters of the player and unlocks nothing.
  public var isAnalytics = false
  /// The event's fields besides its mode, score and reason, in the order of the catalog.
  public var details: [EventDetail] = []
  /// The details (fields of the event) that partition a player's best scores. There is one best score for each combination of their values.
  /// If the list is empty, best scores are partitioned by mode only.
  public var bestBy: [String] = []
  /// The number of most recent events of this type to store for each player; nil means ``historyUsual``.
  public var history: Placement.NumberSource?
  /// The conditions that an event must satisfy to be recorded, in the order of the catalog.
  public var checks: [EventCheck] = []

  /// Creates an event type that is valid in every mode and has no details or checks.
  public init(name: String, reasons: [String] = [], carriesScore: Bool = false) {
    self.name = name
    self.reasons = reasons
    self.carriesScore = carriesScore
  }
}

/// A condition that an event must satisfy to be recorded, as a guard against cheating and bugs. It reads the event's fields and the game's
/// parameters.
public struct EventCheck: Sendable, Hashable {
  /// The largest number of checks that an event may have.
  public static let countMax = 16
  /// The evaluation budget in steps that all checks of one event share.
  public static let stepsMax = 20_000
  /// The age in seconds up to which an event outside a play is checked against the present values of parameters. It covers the usual delay
  /// of a client's queue.
  public static let presentSecondsMax: Int64 = 60

  /// The check's id, which error messages and metrics show.
  public var id: String
  /// The precondition. The check applies only to events for which the precondition is true; nil means every event.
  public var condition: LogicExpression?
  /// The condition that an event must satisfy. An event for which it is false is rejected.
  public var require: LogicExpression
  /// The sentence that the error shows if the event is rejected.
  public var message: String

  /// Creates a check, which by default applies to every event of its type.
  public init(id: String, condition: LogicExpression? = nil, require: LogicExpression, message: String) {
    self.id = id
    self.condition = condition
    self.require = require
    self.message = message
  }

  /// True if the check reads a parameter. Its result may then change between the occurrence of the event and its arrival at the daemon.
  var readsParameters: Bool { !require.reads.parameters.isEmpty || condition?.reads.parameters.isEmpty == false }
}

/// A field of an event besides its mode, score and reason.
public struct EventDetail: Sendable, Hashable {
  /// The declaration of the allowed values, in the form of a parameter whose key is the detail's name.
  public var admits: Parameter
  /// True if an event may omit the detail.
  public var isOptional: Bool

  /// Creates a detail that every event must have, unless it is optional.
  public init(_ admits: Parameter, isOptional: Bool = false) {
    self.admits = admits
    self.isOptional = isOptional
  }

  /// The name of the event's field, which is also the key of its declaration.
  public var name: String { admits.key }
}

/// A ranking of players by their best scores.
public struct Leaderboard: Sendable, Hashable {
  /// The default number of rows that clients get. It is also used if ``rows`` names a parameter that has no integer value.
  public static let rowsUsual: Int64 = 100
  /// The largest number of rows that clients get. A catalog with a larger constant as ``rows`` is rejected, and a larger value of a
  /// parameter is clamped.
  public static let rowsMax: Int64 = 1_000
  /// The largest number of parameters that ``per`` may list.
  public static let perMax = 8

  /// The leaderboard's id, unique within the game.
  public var id: String
  /// The event type whose scores are ranked.
  public var event: String
  /// The mode whose scores are ranked; nil ranks the scores of all modes.
  public var mode: String?
  /// The parameters that partition the leaderboard. It has one list for each combination of their values, such as one for each day.
  public var per: [String]
  /// The number of rows that clients get, as a number or a parameter.
  public var rows: Placement.NumberSource
  /// A boolean, or a boolean parameter, that shows or hides the leaderboard.
  public var enabled: Placement.NumberSource

  /// Creates a leaderboard that is shown, ranks all modes in one list, and has the default number of rows.
  public init(
    id: String, event: String, mode: String? = nil, per: [String] = [], rows: Placement.NumberSource = .number(.integer(rowsUsual)),
    enabled: Placement.NumberSource = .number(.bool(true))
  ) {
    self.id = id
    self.event = event
    self.mode = mode
    self.per = per
    self.rows = rows
    self.enabled = enabled
  }
}
