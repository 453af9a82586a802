// A flag in flagd's own spelling, asked for a caller: which variant, and why.

/// The outcome of a flag.
public enum FlagOutcome: Sendable, Hashable {
  /// A variant with its value.
  case value(Value, variant: String, reason: EvaluationReason)
  /// The flag leaves the value to whoever asks: it is disabled, or names no variant.
  case none(reason: EvaluationReason)
  /// The flag cannot be evaluated.
  case error(FlagErrorCode, message: String)
}

/// OpenFeature's error codes.
public enum FlagErrorCode: String, Sendable, Hashable, CaseIterable {
  case flagNotFound = "FLAG_NOT_FOUND"
  case parseError = "PARSE_ERROR"
  case typeMismatch = "TYPE_MISMATCH"
  case targetingKeyMissing = "TARGETING_KEY_MISSING"
  case invalidContext = "INVALID_CONTEXT"
  case general = "GENERAL"
}

/// The types a flag may be asked for as.
public enum FlagType: String, Sendable, Hashable, CaseIterable {
  case boolean, string, integer, float, object

  /// Integers up to 2⁵³−1 pass for floats and back without loss.
  private static let exactMax: Int64 = (1 << 53) - 1

  /// The value as this type, converting between integer and float where nothing is lost; nil when it is another type.
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
  /// The inputs that the targeting can depend on.
  public var reads: LogicDependencies { targeting?.reads ?? LogicDependencies() }

  var readsParameters: Bool { targeting?.program.readsParameters ?? false }

  /// Evaluates the flag for a caller.
  ///
  /// Reasons are as flagd gives them: STATIC without targeting, TARGETING_MATCH when targeting names a variant (also by `fractional`),
  /// DEFAULT when it gives null, DISABLED. A variant that does not exist is GENERAL.
  /// - Parameter input: its `flagKey` should be the flag's key.
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
    // A variant that does not exist is named by what targeting gave, which may be made of a secret.
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

  /// Evaluates the flag as a type.
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
