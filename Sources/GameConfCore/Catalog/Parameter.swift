// The model of a parameter: a typed key of a game with its default, its allowed values and its rules.

/// The declaration of a typed key: the values it may have, and its value if no override, template or rule applies.
public struct Parameter: Sendable, Hashable {
  /// The key, unique within the game. It matches `^[A-Za-z_][A-Za-z0-9_]{0,127}$`.
  public var key: String
  /// The name that OFREP, flagd files and Firebase clients use for the parameter; nil if they use ``key``.
  public var alias: String?
  /// The type of the values, which also determines their JSON form.
  public var type: ParameterType
  /// The value of the lowest layer, used if no other layer has one. If `flagd` is set, it is the value of the default variant.
  public var defaultValue: ValueSource
  /// The unit of a number, such as `s` or `points`. It is shown to people only.
  public var unit: String?
  /// The interval and step that a number must be in.
  public var range: NumericRange?
  /// The list of allowed values; nil allows every value of the type.
  public var allowed: [Value]?
  /// The set of themes or products whose ids a string may be; nil allows any string.
  public var oneOf: OneOf?
  /// The regular expression that a string must match; a match of any part of the string is enough.
  public var pattern: Pattern?
  /// The largest number of Unicode scalars in a string.
  public var lengthMax: Int?
  /// The schema that a list or an object must match.
  public var schema: ValueSchema?
  /// True if players may choose the value in the game's settings.
  public var isPlayerSetting = false
  /// The boolean parameter that must be true for players to choose the value; nil if they always may.
  public var settingFlag: String?
  /// True if only the users that the daemon's setting `secret_readers` lists for the game may read the value, and only on the admin socket.
  /// Everywhere else it is masked.
  public var isSecret = false
  /// The kind of feature flag that the parameter represents; nil if it is an ordinary parameter.
  public var flag: FlagKind?
  /// The heading under which lists of parameters show this one.
  public var section: String
  /// A sentence about the purpose of the parameter.
  public var description: String
  /// The targeting rules. The first one that matches the caller determines the value of the default layer.
  public var rules: [Rule] = []
  /// The declaration in flagd's format, if the parameter has one instead of ``rules``.
  public var flagd: FlagDefinition?
  /// The fields that begin with `x-`. They are stored and returned but have no effect.
  public var extensions = ObjectValue()

  /// Creates a parameter that allows every value of its type and has no rules.
  public init(key: String, type: ParameterType, defaultValue: ValueSource, section: String, description: String) {
    self.key = key
    self.type = type
    self.defaultValue = defaultValue
    self.section = section
    self.description = description
  }

  /// The name that other systems use: the alias, or the key if there is no alias.
  public var foreignName: String { alias ?? key }
}

/// The type of a parameter's values. `localized` is an object of texts by locale, from which each caller gets the text of its own locale.
public enum ParameterType: String, Sendable, Hashable, CaseIterable {
  case boolean, integer, double, string, list, object, localized
}

/// The kind of a feature flag. A kill switch is always listed in the status and cannot depend on percentages or player settings.
public enum FlagKind: String, Sendable, Hashable, CaseIterable {
  case release, experiment, ops
  case killSwitch = "kill_switch"
}

/// The origin of a value: a constant, another parameter, or a hash of the day.
public enum ValueSource: Sendable, Hashable {
  /// A constant, the same for every caller.
  case value(Value)
  /// The value of another parameter of the same type, resolved for the same caller.
  case parameter(String)
  /// The first 8 bytes of SHA-256 of `SALT-YYYY-MM-DD` as 16 hex digits. The date is in UTC by the clock of the caller's player, else of
  /// the game. Both may be simulated.
  case dailyHash(salt: String)
  /// No value in this layer, so that the next lower layer decides. A template's `useInAppDefault` has this effect, and so does
  /// each part of a template that the daemon does not support.
  case absent
}

/// The constraints on a number: a step, and an interval with ends that are open or closed.
public struct NumericRange: Sendable, Hashable {
  /// A bound: a constant, or the value of another parameter.
  public enum Bound: Sendable, Hashable {
    case number(Value)
    case parameter(String)
  }

  /// The lower bound, included.
  public var min: Bound?
  /// The upper bound, included.
  public var max: Bound?
  /// The lower bound, excluded.
  public var above: Bound?
  /// The upper bound, excluded.
  public var below: Bound?
  /// The step; a number must be a multiple of it, counted from 0.
  public var step: Value?

  /// Creates a range. A bound that is nil does not restrict the number.
  public init(min: Bound? = nil, max: Bound? = nil, above: Bound? = nil, below: Bound? = nil, step: Value? = nil) {
    self.min = min
    self.max = max
    self.above = above
    self.below = below
    self.step = step
  }
}

/// A set of themes or products, whose ids a string parameter may have as its value.
public enum OneOf: Sendable, Hashable {
  /// Themes that are always unlocked.
  case freeThemes
  /// Themes that are always unlocked or that a milestone unlocks.
  case earnableThemes
  /// In a player's setting, the themes that this player has unlocked. For values of any other layer, every theme.
  case unlockedThemes
  case allThemes
  case allProducts
}

/// A condition over several parameters. The defaults must satisfy it, and so must the game-wide values after every change.
public struct Constraint: Sendable, Hashable {
  /// The constraint's id, unique within the game.
  public var id: String
  /// The condition in JsonLogic; it is satisfied if the result is truthy.
  public var require: LogicExpression
  /// The sentence that the error shows if the condition is violated.
  public var message: String

  /// Creates a constraint; ``CatalogCheck`` requires that it reads only parameters.
  public init(id: String, require: LogicExpression, message: String) {
    self.id = id
    self.require = require
    self.message = message
  }
}
