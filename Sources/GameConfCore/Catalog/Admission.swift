// Why a value is not admitted for a key, in words that programs and people can read.

/// Whether a value is admitted, and in which form.
public enum Admission: Sendable, Hashable {
  /// The value in the form the parameter's type demands.
  case admitted(Value)
  /// Every reason why not.
  case refused([AdmissionFault])

  /// The admitted value.
  public var value: Value? { if case .admitted(let value) = self { value } else { nil } }

  /// The reasons against it; empty when it is admitted.
  public var faults: [AdmissionFault] { if case .refused(let faults) = self { faults } else { [] } }
}

/// One reason why a value is not admitted.
public struct AdmissionFault: Sendable, Hashable {
  /// What kind of reason it is.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    case typeMismatch = "TYPE_MISMATCH"
    case outOfRange = "OUT_OF_RANGE"
    case offStep = "OFF_STEP"
    case notListed = "NOT_LISTED"
    case unknownTheme = "UNKNOWN_THEME"
    case themeNotFree = "THEME_NOT_FREE"
    case themeLocked = "THEME_LOCKED"
    case unknownProduct = "UNKNOWN_PRODUCT"
    case patternMismatch = "PATTERN_MISMATCH"
    case tooLong = "TOO_LONG"
    case schemaViolation = "SCHEMA_VIOLATION"
    case missingLocale = "MISSING_LOCALE"
    case tooLarge = "TOO_LARGE"
  }

  /// What kind of reason it is.
  public var code: Code
  /// JSON pointer into the value.
  public var pointer: String
  /// What is wrong and what would be right.
  public var message: String

  /// A reason.
  public init(code: Code, pointer: String = "", message: String) {
    self.code = code
    self.pointer = pointer
    self.message = message
  }

  /// The same reason without a word of the value: that of a secret parameter stands in no message.
  var withoutValue: AdmissionFault {
    let message =
      switch code {
      // These are told without the value from the start.
      case .typeMismatch where pointer.isEmpty: self.message
      case .outOfRange, .offStep, .notListed, .tooLong, .tooLarge: self.message
      case .typeMismatch, .missingLocale: "The value must have a text for each locale of the game, and nothing else."
      case .unknownTheme: "The value is not a theme."
      case .themeNotFree: "The value is a theme that may be locked."
      case .themeLocked: "The value is a theme that is locked for this player."
      case .unknownProduct: "The value is not a product."
      case .patternMismatch: "The value does not match the parameter's pattern."
      case .schemaViolation: "The value does not fit the parameter's schema."
      }
    return AdmissionFault(code: code, message: message)
  }
}

/// For whom a value is meant; it decides which themes are admitted.
public enum AdmissionUse: Sendable {
  /// Defaults, rules, templates and overrides.
  case gameWide
  /// A player's own choice.
  case playerSetting(unlockedThemes: Set<String>)
}
