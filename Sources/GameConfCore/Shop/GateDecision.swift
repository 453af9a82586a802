// Whether a gate is open for a player, and what would open it.

/// The answer of a gate.
public struct GateDecision: Sendable, Hashable {
  /// Why the gate is open or not.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// The condition does not lock it.
    case open = "OPEN"
    /// It would be locked, but for an entitlement.
    case entitled = "ENTITLED"
    /// The condition locks it.
    case locked = "LOCKED"
    /// The condition ran into a bound of evaluation; what cannot be decided stays locked.
    case undecided = "UNDECIDED"
  }

  /// Whether it is locked.
  public var isLocked: Bool
  /// Why.
  public var reason: Reason
  /// The products that would open it, in the order of the catalog; empty when it is open.
  public var unlocksWith: [String]

  /// An answer.
  public init(isLocked: Bool, reason: Reason, unlocksWith: [String] = []) {
    self.isLocked = isLocked
    self.reason = reason
    self.unlocksWith = unlocksWith
  }
}

/// What is wrong with the arguments a gate was asked with.
public struct GateFault: Error, Sendable, Hashable {
  /// What is wrong, for programs.
  public var code: ProblemCode
  /// The argument.
  public var argument: String
  /// What is wrong and what would be right.
  public var message: String
}

/// Several faults at once.
public struct GateFaults: Error, Sendable, Hashable {
  /// How many are told.
  public static let reportedMax = 20
  /// The faults, missing arguments first; never empty.
  public var faults: [GateFault]
}

extension Gate {
  /// Decides for a player.
  ///
  /// - Parameters:
  ///   - arguments: by name, each of the type the gate declares; they hide attributes of the same name.
  ///   - context: the caller's attributes, read where an argument is not meant.
  ///   - parameters: as resolved for the player.
  ///   - entitlements: what the player holds now.
  ///   - now: the player's simulated time.
  /// - Throws: ``GateFaults`` for arguments that are missing, too many or of another type.
  public func decide(
    arguments: ObjectValue, context: ObjectValue, parameters: some ParameterLookup, entitlements: Set<String>, catalog: Catalog,
    now: Instant
  ) throws(GateFaults) -> GateDecision {
    try decide(
      arguments: arguments, context: context, parameters: parameters, entitlements: entitlements, unlockers: unlockers(in: catalog),
      now: now)
  }

  /// The products that would open the gate, in the catalog's order.
  public func unlockers(in catalog: Catalog) -> [String] {
    let grants = ProductGrants(catalog)
    return catalog.products.map(\.id).filter { grants.entitlements(ofProduct: $0).contains(where: unless.contains) }
  }

  /// Decides as one of many questions to the same gate.
  /// - Parameters:
  ///   - unlockers: what ``unlockers(in:)`` gives.
  ///   - budget: what all the questions may do together.
  public func decide(
    arguments: ObjectValue, context: ObjectValue, parameters: some ParameterLookup, entitlements: Set<String>, unlockers: [String],
    now: Instant, budget: EvaluationBudget? = nil
  ) throws(GateFaults) -> GateDecision {
    var input = context
    for (name, value) in try admit(arguments) { input[name] = value }
    let outcome = lockedWhen.outcome(LogicInput(context: input, flagKey: id, now: now, budget: budget), parameters: parameters)
    if outcome.exceeded == nil, !LogicCoercion.isTruthy(outcome.value) {
      return GateDecision(isLocked: false, reason: .open, unlocksWith: [])
    }
    if unless.contains(where: entitlements.contains) { return GateDecision(isLocked: false, reason: .entitled, unlocksWith: []) }
    return GateDecision(isLocked: true, reason: outcome.exceeded == nil ? .locked : .undecided, unlocksWith: unlockers)
  }

  private func admit(_ given: ObjectValue) throws(GateFaults) -> [(String, Value)] {
    var faults: [GateFault] = []
    var admitted: [(String, Value)] = []
    for argument in arguments {
      guard let value = given[argument.name] else {
        let message = "The gate “\(id)” needs “\(argument.name)”, of type \(argument.type.rawValue)."
        faults.append(GateFault(code: .missingArgument, argument: argument.name, message: message))
        continue
      }
      if let value = value.coerced(to: argument.type) {
        admitted.append((argument.name, value))
      } else {
        let message = "“\(argument.name)” is of type \(argument.type.rawValue), not \(value.kind.rawValue)."
        faults.append(GateFault(code: .argumentType, argument: argument.name, message: message))
      }
    }
    for name in given.names where !arguments.contains(where: { $0.name == name }) && faults.count < GateFaults.reportedMax {
      let shown = JSONPointer.clipped(name, bytesMax: 128)
      let message = "The gate “\(id)” takes no “\(shown)”.\(NearestNames.hint(for: name, among: arguments.map(\.name)))"
      faults.append(GateFault(code: .unknownArgument, argument: shown, message: message))
    }
    if !faults.isEmpty { throw GateFaults(faults: Array(faults.prefix(GateFaults.reportedMax))) }
    return admitted
  }
}
