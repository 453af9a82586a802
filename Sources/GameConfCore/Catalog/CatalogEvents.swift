// The events that a game may send: their fields, and the leaderboards that are made of them.

/// An event a game may send.
public struct EventDefinition: Sendable, Hashable {
  /// The number of a player's events of one name that are stored if the catalog does not say.
  public static let historyUsual: Int64 = 200
  /// The maximum of that number.
  public static let historyMax: Int64 = 1_000

  /// The event's name.
  public var name: String
  /// The reasons it may carry; empty when it carries none.
  public var reasons: [String]
  /// True if it carries a score.
  public var carriesScore: Bool
  /// The modes it may name; every mode of the game when empty.
  public var modes: [String] = []
  /// True if it is reported for analytics only: it counts nothing and unlocks nothing.
  public var isAnalytics = false
  /// The further details, in the catalog's order.
  public var details: [EventDetail] = []
  /// The details for each value of which a player's best score is kept; none when it is kept by mode alone.
  public var bestBy: [String] = []
  /// The number of a player's events of this name that are stored; nil means ``historyUsual``.
  public var history: Placement.Number?
  /// The conditions under which the event is recorded, in the catalog's order.
  public var checks: [EventCheck] = []

  /// An event without details.
  public init(name: String, reasons: [String] = [], carriesScore: Bool = false) {
    self.name = name
    self.reasons = reasons
    self.carriesScore = carriesScore
  }
}

/// A rule that an event must satisfy, over what it carries and the game's parameters.
public struct EventCheck: Sendable, Hashable {
  /// The most checks of an event.
  public static let countMax = 16
  /// The most steps that all checks of one event take together.
  public static let stepsMax = 20_000
  /// The most seconds by which an event without a play may be late and still be checked against present parameters: a queue's usual delay.
  public static let presentSecondsMax: Int64 = 60

  /// The rule's id, which metrics and refusals name.
  public var id: String
  /// Checked only where this holds; nil checks every event.
  public var condition: LogicExpression?
  /// The event is refused unless this holds.
  public var require: LogicExpression
  /// The reason for the refusal, as a sentence.
  public var message: String

  /// A check.
  public init(id: String, condition: LogicExpression? = nil, require: LogicExpression, message: String) {
    self.id = id
    self.condition = condition
    self.require = require
    self.message = message
  }

  /// True if it reads a parameter, so that its answer can differ between the time of an event and the time of its arrival.
  var readsParameters: Bool { !require.reads.parameters.isEmpty || condition?.reads.parameters.isEmpty == false }
}

/// Something an event says beside mode, score and reason.
public struct EventDetail: Sendable, Hashable {
  /// The admitted values, by the same rules as a parameter's; its key is the detail's name.
  public var admits: Parameter
  /// True if the event may come without it.
  public var isOptional: Bool

  /// A detail.
  public init(_ admits: Parameter, isOptional: Bool = false) {
    self.admits = admits
    self.isOptional = isOptional
  }

  /// Its name.
  public var name: String { admits.key }
}

/// The best score of each player, side by side.
public struct Leaderboard: Sendable, Hashable {
  /// The number of rows that are shown where the catalog does not say.
  public static let rowsUsual: Int64 = 100
  /// The most rows that may be shown.
  public static let rowsMax: Int64 = 1_000
  /// The most parameters that a board's lists may differ by.
  public static let perMax = 8

  /// The board's id.
  public var id: String
  /// The event whose scores count.
  public var event: String
  /// The only mode whose scores count; nil counts all.
  public var mode: String?
  /// The parameters for each choice of whose values the board has a list of its own; empty for one list.
  public var per: [String]
  /// The number of rows that are shown.
  public var rows: Placement.Number
  /// The number or parameter that says whether it is shown.
  public var enabled: Placement.Number

  /// A board.
  public init(
    id: String, event: String, mode: String? = nil, per: [String] = [], rows: Placement.Number = .number(.integer(rowsUsual)),
    enabled: Placement.Number = .number(.bool(true))
  ) {
    self.id = id
    self.event = event
    self.mode = mode
    self.per = per
    self.rows = rows
    self.enabled = enabled
  }
}
