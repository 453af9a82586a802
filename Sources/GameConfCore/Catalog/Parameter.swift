// One typed key of a game.

/// One typed key: what its values may be and what it answers when nothing else decides.
public struct Parameter: Sendable, Hashable {
  /// `^[A-Za-z_][A-Za-z0-9_]{0,127}$`.
  public var key: String
  /// The name by which OFREP, flagd files and Firebase's clients know it, when that is another than ``key``.
  public var alias: String?
  /// The type of its values; it decides their form on the wire.
  public var type: ParameterType
  /// The answer when no layer above has a value. With `flagd`, the value of its default variant.
  public var defaultValue: ValueSource
  /// The unit its numbers are in, for people.
  public var unit: String?
  /// The numbers it admits.
  public var range: NumericRange?
  /// The values it admits, when they are listed.
  public var allowed: [Value]?
  /// Admits ids of the game's own themes or products.
  public var oneOf: OneOf?
  /// The pattern that a string must match, anywhere in it.
  public var pattern: Pattern?
  /// The longest string it admits, in Unicode scalars.
  public var lengthMax: Int?
  /// The schema of a list or object.
  public var schema: ValueSchema?
  /// True if players choose it themselves.
  public var isPlayerSetting = false
  /// The boolean parameter while which is true players choose it; nil where they always may.
  public var settingFlag: String?
  /// True if it is served only to the uids listed for the game, and masked in lists.
  public var isSecret = false
  /// The kind of feature flag, when it is one.
  public var flag: FlagKind?
  /// The heading it is listed under.
  public var section: String
  /// The purpose, in a sentence.
  public var description: String
  /// The first that matches gives the value of the default layer.
  public var rules: [Rule] = []
  /// The flag in flagd's own spelling, when it is written so.
  public var flagd: FlagDefinition?
  /// Its fields that begin with `x-`, kept and never looked at.
  public var extensions = ObjectValue()

  /// A parameter without bounds.
  public init(key: String, type: ParameterType, defaultValue: ValueSource, section: String, description: String) {
    self.key = key
    self.type = type
    self.defaultValue = defaultValue
    self.section = section
    self.description = description
  }

  /// The name by which other systems know it: the alias, else the key.
  public var foreignName: String { alias ?? key }
}

/// The types a parameter may have. `localized` is text by locale, answered as text.
public enum ParameterType: String, Sendable, Hashable, CaseIterable {
  case boolean, integer, double, string, list, object, localized
}

/// The kinds of feature flag. A kill switch is always shown in status and takes neither percentages nor player settings.
public enum FlagKind: String, Sendable, Hashable, CaseIterable {
  case release, experiment, ops
  case killSwitch = "kill_switch"
}

/// The source of a value.
public enum ValueSource: Sendable, Hashable {
  /// This value.
  case value(Value)
  /// The value of another parameter of the same type, as resolved for the same caller.
  case parameter(String)
  /// The first 8 bytes of SHA-256 of `SALT-YYYY-MM-DD` (UTC, the game's simulated time) as 16 hex digits.
  case dailyHash(salt: String)
  /// No value in this layer, so that the one below decides: a template's `useInAppDefault`, and what in it is not understood.
  case absent
}

/// Numbers between bounds.
public struct NumericRange: Sendable, Hashable {
  /// One end of a range: a number, or the value of another parameter.
  public enum Bound: Sendable, Hashable {
    case number(Value)
    case parameter(String)
  }

  /// The least number admitted.
  public var min: Bound?
  /// The greatest number admitted.
  public var max: Bound?
  /// Numbers must be greater than this.
  public var above: Bound?
  /// Numbers must be less than this.
  public var below: Bound?
  /// Numbers must be a multiple of this, counted from 0.
  public var step: Value?

  /// A range; absent ends are open.
  public init(min: Bound? = nil, max: Bound? = nil, above: Bound? = nil, below: Bound? = nil, step: Value? = nil) {
    self.min = min
    self.max = max
    self.above = above
    self.below = below
    self.step = step
  }
}

/// Ids of the game's own things that a string parameter admits.
public enum OneOf: Sendable, Hashable {
  /// Themes that are always unlocked.
  case freeThemes
  /// Themes that are always unlocked or that a milestone unlocks.
  case earnableThemes
  /// For a player's setting a theme unlocked for that player; elsewhere any theme.
  case unlockedThemes
  case allThemes
  case allProducts
}

/// A constraint between parameters, for the defaults and for the game-wide layers after every change.
public struct Constraint: Sendable, Hashable {
  /// The constraint's id.
  public var id: String
  /// Holds when it evaluates to a truthy value.
  public var require: LogicExpression
  /// The message when it does not hold.
  public var message: String

  /// A constraint.
  public init(id: String, require: LogicExpression, message: String) {
    self.id = id
    self.require = require
    self.message = message
  }
}
