// The model of the content that players unlock: milestones, themes and gates.

/// Texts by locale. A valid one has a text for the game's first locale, which is the fallback.
public typealias LocalizedText = [String: String]

/// A threshold on one of a player's counters. Once it is reached, the milestone stays unlocked.
public struct Milestone: Sendable, Hashable {
  /// The counter whose value a milestone compares with its threshold.
  public enum Metric: Sendable, Hashable {
    /// The sum of the scores of all events.
    case lifetimeScore
    /// The number of events that had a score.
    case gamesPlayed
    /// The number of events of one type.
    case events(String)
    case bestScore(mode: String)
    /// 1 if another milestone is unlocked, otherwise 0.
    case unlocked(milestone: String)
    /// The number of best results that the player has in one event type.
    case bests(BestCount)
  }

  /// The value of the counter at which the milestone unlocks: a constant or an integer parameter.
  public enum Threshold: Sendable, Hashable {
    case number(Int64)
    case parameter(String)
  }

  /// The milestone's id, unique within the game.
  public var id: String
  /// The counter whose value is compared with the threshold.
  public var metric: Metric
  /// The value at which the milestone unlocks; 1 if it depends on another milestone.
  public var threshold: Threshold
  /// True if the milestone is reported to players as an achievement.
  public var isAchievement: Bool
  /// True if players see their progress towards the milestone.
  public var isProgressive: Bool
  /// The display name by locale.
  public var name: LocalizedText
  /// A boolean, or a boolean parameter. While it is false, the milestone is hidden and cannot be unlocked. Players who have unlocked it
  /// keep it.
  public var enabled = Placement.NumberSource.number(.bool(true))

  /// Creates a milestone that is enabled and by default is neither an achievement nor progressive.
  public init(
    id: String, metric: Metric, threshold: Threshold, isAchievement: Bool = false, isProgressive: Bool = false, name: LocalizedText = [:]
  ) {
    self.id = id
    self.metric = metric
    self.threshold = threshold
    self.isAchievement = isAchievement
    self.isProgressive = isProgressive
    self.name = name
  }
}

/// A selection of a player's best results, such as those with at least a certain score. A milestone compares their number with its
/// threshold.
public struct BestCount: Sendable, Hashable {
  /// The event type whose best results are counted.
  public var event: String
  /// The prefix of the detail values under which a counted best is stored, such as `3-`; nil counts every best.
  public var prefix: String?
  /// The minimum score of a counted best; nil counts every score.
  public var score: Int64?

  /// Creates a selection; by default of all bests of the event type.
  public init(event: String, prefix: String? = nil, score: Int64? = nil) {
    self.event = event
    self.prefix = prefix
    self.score = score
  }

  /// True if a best result with these stored detail values and this score is counted.
  /// - Parameter detail: The values of the details in the event's `best_by`, joined by dots.
  public func counts(_ detail: String, _ score: Int64?) -> Bool {
    (prefix.map { detail.utf8.starts(with: $0.utf8) } ?? true) && self.score.map { $0 <= score ?? -1 } ?? true
  }
}

/// A visual theme of the game: colors and other attributes, and the condition that unlocks it.
public struct Theme: Sendable, Hashable {
  /// The condition under which a player may use a theme.
  public enum Unlock: Sendable, Hashable {
    case free
    case milestone(String)
    case entitlement(String)
    /// Unlocked while the boolean parameter is true.
    case parameter(String)

    /// True if a player can always use the theme or can unlock it by playing, without a purchase and without an admin.
    var isEarnable: Bool {
      switch self {
      case .free, .milestone: true
      case .entitlement, .parameter: false
      }
    }
  }

  /// The key of the parameter whose value is the theme for players who have not chosen one.
  static let defaultKey = "default_theme"

  /// The theme's id, unique within the game.
  public var id: String
  /// The display name by locale.
  public var name: LocalizedText
  /// The condition under which a player may use the theme.
  public var unlock: Unlock
  /// The colors and other attributes that the game draws the theme with.
  public var attributes: ObjectValue

  /// Creates a theme; its attributes must match the catalog's theme schema.
  public init(id: String, name: LocalizedText, unlock: Unlock, attributes: ObjectValue = ObjectValue()) {
    self.id = id
    self.name = name
    self.unlock = unlock
    self.attributes = attributes
  }
}

/// A piece of content that may be locked for a player, such as a level, with the condition that decides.
public struct Gate: Sendable, Hashable {
  /// The gate's id, unique within the game.
  public var id: String
  /// A value that the caller must pass to find out if the gate is locked, such as the level's number.
  public struct Argument: Sendable, Hashable {
    /// The argument's name, by which ``lockedWhen`` reads it.
    public var name: String
    /// The type: boolean, integer, double or string.
    public var type: ParameterType

    /// Creates an argument; every argument is required.
    public init(name: String, type: ParameterType) {
      self.name = name
      self.type = type
    }
  }

  /// The arguments that the caller must pass.
  public var arguments: [Argument]
  /// The condition in JsonLogic; the gate is locked while it is truthy. `var` reads arguments first, then the evaluation context.
  public var lockedWhen: LogicExpression
  /// Entitlements that open the gate. It is never locked for a player who has one of them.
  public var unless: [String]

  /// Creates a gate, by default one that no entitlement opens.
  public init(id: String, arguments: [Argument], lockedWhen: LogicExpression, unless: [String] = []) {
    self.id = id
    self.arguments = arguments
    self.lockedWhen = lockedWhen
    self.unless = unless
  }
}
