// Evaluates flags in flagd's format: the variant, its value and the reason.

/// The result of evaluating a flag: a value with its variant, the absence of a value, or an error.
public enum FlagOutcome: Sendable, Hashable {
  case value(Value, variant: String, reason: EvaluationReason)
  /// The flag has no value, because it is disabled or has no default variant. The client or the parameter then uses its own default.
  case none(reason: EvaluationReason)
  case error(FlagErrorCode, message: String)
}

/// The codes with which OpenFeature clients report why a flag could not be evaluated.
public enum FlagErrorCode: String, Sendable, Hashable, CaseIterable {
  case flagNotFound = "FLAG_NOT_FOUND"
  case parseError = "PARSE_ERROR"
  case typeMismatch = "TYPE_MISMATCH"
  case targetingKeyMissing = "TARGETING_KEY_MISSING"
  case invalidContext = "INVALID_CONTEXT"
  case general = "GENERAL"
}

/// The type that an OpenFeature client expects of a flag's value.
public enum FlagType: String, Sendable, Hashable, CaseIterable {
  case boolean, string, integer, float, object

  /// The largest integer that a double represents without ambiguity, 2⁵³ − 1 (`Number.MAX_SAFE_INTEGER` of JavaScript).
  private static let exactMax: Int64 = (1 << 53) - 1

  /// Returns the value as this type; nil if the value has another type. Integers and floats are converted if that is lossless.
  public func admitting(_ value: Value) -> Value? {
    switch (self, value) {
    case (.boolean, .bool), (.string, .string), (.integer, .integer), (.float, .double), (.object, .object), (.object, .list): return value
    case (.float, .integer(let number)): return number.magnitude <= UInt64(Self.exactMax) ? .double(Double(number)) : nil
    case (.integer, .double(let number)):
      return Int64(exactly: number).flatMap { $0.magnitude <= UInt64(Self.exactMax) ? .integer($0) : nil }
    default: return nil
    }
  }
}

extension FlagDefinition {
  /// The attributes, parameters and time that the flag's targeting may read.
  public var reads: LogicDependencies { targeting?.reads ?? LogicDependencies() }

  var readsParameters: Bool { targeting?.program.readsParameters ?? false }

  /// Evaluates the flag for a caller.
  ///
  /// The reasons are those of flagd: STATIC without targeting, TARGETING_MATCH if targeting returns a variant (also by `fractional`), and
  /// DEFAULT if targeting returns null. A disabled flag has the reason DISABLED. A variant that does not exist is the error GENERAL.
  /// - Parameter input: The evaluation input, whose `flagKey` should be the flag's key.
  public func evaluate(_ input: LogicInput, parameters: some ParameterLookup) -> FlagOutcome {
    guard isEnabled else { return .none(reason: .disabled) }
    guard let targeting else { return fallback(reason: .static) }
    var run = LogicEvaluator(input.budget)
    let value = targeting.program.value(targeting.program.root, input, &run) { parameters.value(ofParameter: $0) }
    run.settle()
    if let bound = run.exceeded {
      return .error(.general, message: "Targeting exceeded the limit \(bound.rawValue).")
    }
    let outcome = outcome(of: value)
    // The message quotes the name that targeting returned. It is replaced if targeting reads a secret parameter, because the name may
    // contain its value.
    if case .error(let code, _) = outcome, targeting.reads.parameters.contains(where: parameters.isSecret) {
      return .error(code, message: "Targeting gave an unknown variant; it reads a secret parameter, so the name is not shown.")
    }
    return outcome
  }

  private func outcome(of value: Value) -> FlagOutcome {
    switch value {
    case .null: return fallback(reason: .default)
    case .string(let name): return named(name, reason: .targetingMatch)
    case .bool(let flag): return named(flag ? "true" : "false", reason: .targetingMatch)
    case .integer(let number): return named(String(number), reason: .targetingMatch)
    case .double(let number): return named(LogicText.number(number), reason: .targetingMatch)
    case .list, .object: return .error(.general, message: "Targeting gave a \(value.kind.rawValue), not the name of a variant.")
    }
  }

  /// Evaluates the flag and converts its value to a type; a value of another type is the error TYPE_MISMATCH.
  public func evaluate(as type: FlagType, _ input: LogicInput, parameters: some ParameterLookup) -> FlagOutcome {
    let outcome = evaluate(input, parameters: parameters)
    guard case .value(let value, let variant, let reason) = outcome else { return outcome }
    guard let admitted = type.admitting(value) else {
      return .error(.typeMismatch, message: "Variant “\(variant)” is a \(value.kind.rawValue), requested was \(type.rawValue).")
    }
    return .value(admitted, variant: variant, reason: reason)
  }

  private func fallback(reason: EvaluationReason) -> FlagOutcome {
    guard let defaultVariant, !defaultVariant.isEmpty else { return .none(reason: .default) }
    return named(defaultVariant, reason: reason)
  }

  private func named(_ variant: String, reason: EvaluationReason) -> FlagOutcome {
    guard let value = variants[variant], value != .null else {
      return .error(.general, message: "There is no variant “\(variant.prefix(128))”.")
    }
    return .value(value, variant: variant, reason: reason)
  }
}
