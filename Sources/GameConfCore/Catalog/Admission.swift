// The admission of a value for a key, or the reason why not, in words that programs and people can read.

/// The admission of a value, and its form.
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
  /// The rule that the value breaks.
  public enum Kind: Sendable, Hashable {
    case typeMismatch, outOfRange, offStep, notListed, unknownTheme, themeNotFree, themeLocked, unknownProduct, patternMismatch, tooLong
    case schemaViolation, missingLocale, tooLarge
  }

  /// The rule that the value breaks.
  public var kind: Kind
  /// JSON pointer into the value.
  public var pointer: String
  /// The fault, and the state that would be right.
  public var message: String

  /// A reason.
  public init(_ kind: Kind, pointer: String = "", message: String) {
    self.kind = kind
    self.pointer = pointer
    self.message = message
  }

  /// Several reasons as one: the first one's rule and place, and every message.
  public static func joined(_ faults: [AdmissionFault]) -> AdmissionFault {
    guard var first = faults.first else { return AdmissionFault(.typeMismatch, message: "The value is not admitted.") }
    first.message = faults.map(\.message).joined(separator: " ")
    return first
  }

  /// The code of a refused value of a parameter.
  public var code: ProblemCode {
    switch kind {
    case .typeMismatch: .typeMismatch
    case .outOfRange, .offStep: .outOfRange
    case .notListed, .unknownTheme, .themeNotFree, .unknownProduct: .notAllowed
    case .themeLocked: .themeLocked
    case .patternMismatch: .patternMismatch
    case .tooLong: .tooLong
    case .schemaViolation, .missingLocale: .schemaViolation
    case .tooLarge: .valueTooLarge
    }
  }

  /// The code of a refused detail of an event, which differs where games rely on another.
  var codeOfDetail: ProblemCode {
    switch kind {
    case .unknownTheme: .unknownTheme
    case .unknownProduct: .unknownProduct
    case .offStep, .missingLocale, .tooLarge: .notAllowed
    case .typeMismatch, .outOfRange, .notListed, .themeNotFree, .themeLocked, .patternMismatch, .tooLong, .schemaViolation: code
    }
  }

  /// The same reason without a word of the value: that of a secret parameter stands in no message.
  var withoutValue: AdmissionFault {
    let message =
      switch kind {
      // These are reported without the value from the start.
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
    return AdmissionFault(kind, message: message)
  }
}

/// For whom a value is meant; it decides which themes are admitted.
public enum AdmissionUse: Sendable {
  /// Defaults, rules, templates and overrides.
  case gameWide
  /// A player's own choice.
  case playerSetting(unlockedThemes: Set<String>)
}
