// The result of validating a value against a parameter: the converted value, or every violation with a message.

/// The result of validating a value against a parameter.
public enum AdmissionResult: Sendable, Hashable {
  /// The value is valid. The payload is the value converted to the parameter's type, such as `3` to `3.0` for a double.
  case admitted(Value)
  /// The value is invalid. The payload lists every violation, not only the first.
  case refused([AdmissionFault])

  /// The value converted to the parameter's type; nil if the value is invalid.
  public var value: Value? { if case .admitted(let value) = self { value } else { nil } }

  /// The violations by the value; empty if the value is valid.
  public var faults: [AdmissionFault] { if case .refused(let faults) = self { faults } else { [] } }
}

/// A violation of one of the parameter's rules by a value.
public struct AdmissionFault: Sendable, Hashable {
  /// The rule that the value violates: the type, a bound, a list of allowed values, a pattern, a length, a schema or a size.
  public enum Kind: Sendable, Hashable {
    case typeMismatch, outOfRange, offStep, notListed, unknownTheme, themeNotFree, themeLocked, unknownProduct, patternMismatch, tooLong
    case schemaViolation, missingLocale, tooLarge
  }

  /// The kind of the violated rule, which determines the error code of the API.
  public var kind: Kind
  /// A JSON pointer from the value's root to the offending part; empty for the whole value.
  public var pointer: String
  /// A sentence that names the violation and the valid form.
  public var message: String

  /// Creates a violation. An empty pointer means that the value as a whole violates the rule.
  public init(_ kind: Kind, pointer: String = "", message: String) {
    self.kind = kind
    self.pointer = pointer
    self.message = message
  }

  /// The maximum number of positions in the value that a merged message names.
  private static let placesMax = 10

  /// Merges violations into one that has the kind and the pointer of the first. Its message quotes the first violation at each position in
  /// the value, for at most ``placesMax`` positions, and counts the others.
  public static func joined(_ faults: [AdmissionFault]) -> AdmissionFault {
    guard var first = faults.first else { return AdmissionFault(.typeMismatch, message: "The value is not admitted.") }
    if faults.count == 1 { return first }
    var places: Set<String> = []
    let listed = faults.filter { $0.pointer.isEmpty || places.insert($0.pointer).inserted }
    first.message = listed.prefix(placesMax).map { $0.pointer.isEmpty ? $0.message : "\($0.pointer): \($0.message)" }.joined(separator: " ")
    if listed.count > placesMax { first.message += " \(listed.count - placesMax) more places are refused." }
    return first
  }

  /// The error code that the API returns if the value of a parameter has this violation.
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

  /// The error code that the API returns if a detail (a field of an event) has this violation. Some of these codes differ from ``code``,
  /// because games depend on older ones.
  var codeOfDetail: ProblemCode {
    switch kind {
    case .unknownTheme: .unknownTheme
    case .unknownProduct: .unknownProduct
    case .offStep, .missingLocale, .tooLarge: .notAllowed
    case .typeMismatch, .outOfRange, .notListed, .themeNotFree, .themeLocked, .patternMismatch, .tooLong, .schemaViolation: code
    }
  }

  /// The same violation with a message that does not quote the value, for secret parameters.
  var withoutValue: AdmissionFault {
    let message =
      switch kind {
      // These messages stay, because they quote no value of a secret parameter. They do name the bound that was exceeded.
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

/// The purpose for which a value is validated. It decides which themes are allowed.
public enum AdmissionUse: Sendable {
  /// The value is for a default, a rule, a template or an override.
  case gameWide
  /// The value is a player's setting. The player may choose only unlocked themes.
  case playerSetting(unlockedThemes: Set<String>)
}
