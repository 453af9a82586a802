// The things that a player can reach: milestones, themes, gates.

/// Text by locale; the game's first locale is always there.
public typealias LocalizedText = [String: String]

/// A threshold on something counted for a player.
public struct Milestone: Sendable, Hashable {
  /// The counted quantity.
  public enum Metric: Sendable, Hashable {
    /// The sum of all scores.
    case lifetimeScore
    /// Events that carried a score.
    case gamesPlayed
    /// Events of that name.
    case events(String)
    /// The best score in that mode.
    case bestScore(mode: String)
    /// 1 once that milestone is unlocked.
    case unlocked(milestone: String)
    /// The bests that are stored for the player.
    case bests(BestCount)
  }

  /// The source of the threshold.
  public enum Threshold: Sendable, Hashable {
    case number(Int64)
    case parameter(String)
  }

  /// The milestone's id.
  public var id: String
  /// The counted quantity.
  public var metric: Metric
  /// The value that is needed; 1 for a milestone that waits on another.
  public var threshold: Threshold
  /// True if it is an achievement.
  public var isAchievement: Bool
  /// True if progress towards it is shown.
  public var isProgressive: Bool
  /// Its name, for people.
  public var name: LocalizedText
  /// True if it is shown and can be unlocked. A player who unlocked it before keeps it.
  public var enabled = Placement.Number.number(.bool(true))

  /// A milestone.
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

/// The bests of an event that a milestone counts.
public struct BestCount: Sendable, Hashable {
  /// The event.
  public var event: String
  /// Only those whose details begin so; nil counts all.
  public var prefix: String?
  /// Only those of that score or more; nil counts all.
  public var score: Int64?

  /// All bests of the event, by default.
  public init(event: String, prefix: String? = nil, score: Int64? = nil) {
    self.event = event
    self.prefix = prefix
    self.score = score
  }

  /// True if a best of the event is among those that are counted.
  public func counts(_ detail: String, _ score: Int64?) -> Bool {
    (prefix.map { detail.utf8.starts(with: $0.utf8) } ?? true) && self.score.map { $0 <= score ?? -1 } ?? true
  }
}

/// One of the game's looks.
public struct Theme: Sendable, Hashable {
  /// The conditions that make a theme available.
  public enum Unlock: Sendable, Hashable {
    case free
    case milestone(String)
    case entitlement(String)
    /// While that boolean parameter is true.
    case parameter(String)

    /// True if every player can have it without a purchase or an admin.
    var isEarnable: Bool {
      switch self {
      case .free, .milestone: true
      case .entitlement, .parameter: false
      }
    }
  }

  /// The parameter that names the theme of whoever has chosen none.
  static let defaultKey = "default_theme"

  /// The theme's id.
  public var id: String
  /// Its name, for people.
  public var name: LocalizedText
  /// The condition that unlocks it.
  public var unlock: Unlock
  /// The attributes that the game draws it with.
  public var attributes: ObjectValue

  /// A theme.
  public init(id: String, name: LocalizedText, unlock: Unlock, attributes: ObjectValue = ObjectValue()) {
    self.id = id
    self.name = name
    self.unlock = unlock
    self.attributes = attributes
  }
}

/// Content that may be locked.
public struct Gate: Sendable, Hashable {
  /// The gate's id.
  public var id: String
  /// One argument a caller must give.
  public struct Argument: Sendable, Hashable {
    /// The argument's name.
    public var name: String
    /// boolean, integer, double or string.
    public var type: ParameterType

    /// An argument.
    public init(name: String, type: ParameterType) {
      self.name = name
      self.type = type
    }
  }

  /// The arguments a caller must give.
  public var arguments: [Argument]
  /// Locked while this is truthy; `var` reads the arguments, then the context.
  public var lockedWhen: LogicExpression
  /// Never locked for a player who holds one of these entitlements.
  public var unless: [String]

  /// A gate.
  public init(id: String, arguments: [Argument], lockedWhen: LogicExpression, unless: [String] = []) {
    self.id = id
    self.arguments = arguments
    self.lockedWhen = lockedWhen
    self.unless = unless
  }
}
