// The decision whether a gate is open for a player, and what would open it.

/// The answer of a gate.
public struct GateDecision: Sendable, Hashable {
  /// The reason why the gate is open or not.
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

  /// True if it is locked.
  public var isLocked: Bool
  /// The reason.
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

extension Gate {
  /// The number of faults of arguments that are reported.
  private static let faultsMax = 20

  /// Decides for a player.
  ///
  /// - Parameters:
  ///   - arguments: by name, each of the type the gate declares; they hide attributes of the same name.
  ///   - context: the caller's attributes, read where an argument is not meant.
  ///   - parameters: as resolved for the player.
  ///   - entitlements: what the player holds now.
  ///   - now: the player's simulated time.
  /// - Throws: ``Refusal`` for arguments that are missing, too many or of another type; its places begin at `args`.
  public func decide(
    arguments: ObjectValue, context: ObjectValue, parameters: some ParameterLookup, entitlements: Set<String>, catalog: Catalog,
    now: Instant
  ) throws(Refusal) -> GateDecision {
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
  ) throws(Refusal) -> GateDecision {
    var input = context
    for (name, value) in try admit(arguments) { input[name] = value }
    let outcome = lockedWhen.outcome(LogicInput(context: input, flagKey: id, now: now, budget: budget), parameters: parameters)
    if outcome.exceeded == nil, !LogicCoercion.isTruthy(outcome.value) {
      return GateDecision(isLocked: false, reason: .open, unlocksWith: [])
    }
    if unless.contains(where: entitlements.contains) { return GateDecision(isLocked: false, reason: .entitled, unlocksWith: []) }
    return GateDecision(isLocked: true, reason: outcome.exceeded == nil ? .locked : .undecided, unlocksWith: unlockers)
  }

  private func admit(_ given: ObjectValue) throws(Refusal) -> [(String, Value)] {
    var faults: [Refusal] = []
    func place(_ argument: String) -> String { "/args/" + JSONPointer.escaped(argument) }
    var admitted: [(String, Value)] = []
    for argument in arguments {
      guard let value = given[argument.name] else {
        let message = "The gate “\(id)” needs “\(argument.name)”, of type \(argument.type.rawValue)."
        faults.append(Refusal(.missingArgument, message, at: place(argument.name)))
        continue
      }
      if let value = value.coerced(to: argument.type) {
        admitted.append((argument.name, value))
      } else {
        let message = "“\(argument.name)” is of type \(argument.type.rawValue), not \(value.kind.rawValue)."
        faults.append(Refusal(.argumentType, message, at: place(argument.name)))
      }
    }
    for name in given.names where !arguments.contains(where: { $0.name == name }) && faults.count < Self.faultsMax {
      let shown = JSONPointer.clipped(name, bytesMax: 128)
      let message = "The gate “\(id)” takes no “\(shown)”.\(NearestNames.hint(for: name, among: arguments.map(\.name)))"
      faults.append(Refusal(.unknownArgument, message, at: place(shown)))
    }
    guard let first = faults.first else { return admitted }
    let told = Array(faults.prefix(Self.faultsMax))
    throw Refusal(first.code, told.map(\.message).joined(separator: " "), at: first.pointer, faults: told.count > 1 ? told : [])
  }
}
