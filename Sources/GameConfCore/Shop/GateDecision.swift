// Decides whether a gate is open for a player, and which products would open it.

/// The result of checking a gate of the catalog for one set of arguments.
public struct GateDecision: Sendable, Hashable {
  /// The reason for which a gate is open or locked.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// The gate's condition does not lock it.
    case open = "OPEN"
    /// The gate's condition locks it, but an entitlement of the player opens it.
    case entitled = "ENTITLED"
    /// The gate's condition locks it.
    case locked = "LOCKED"
    /// The evaluation of the gate's condition exceeded a limit, so the gate stays locked.
    case undecided = "UNDECIDED"
  }

  /// True if the gate is locked, which is if ``reason`` is `locked` or `undecided`.
  public var isLocked: Bool
  /// The reason for which the gate is open or locked.
  public var reason: Reason
  /// The ids of the products that would open the gate, in the order of the catalog; empty if it is open.
  public var unlocksWith: [String]

  /// Creates a decision, by default without products that open the gate.
  public init(isLocked: Bool, reason: Reason, unlocksWith: [String] = []) {
    self.isLocked = isLocked
    self.reason = reason
    self.unlocksWith = unlocksWith
  }
}

extension Gate {
  /// The largest number of faulty arguments that one refusal reports.
  private static let faultsMax = 20

  /// Decides whether the gate is open for a player.
  /// - Parameters:
  ///   - arguments: The arguments by name, of the types that the gate declares. An argument hides an attribute of the context with the same
  ///     name.
  ///   - context: The caller's attributes, read for names that are not arguments.
  ///   - parameters: The parameters, resolved for the player.
  ///   - entitlements: The ids of the player's entitlements.
  ///   - now: The present by the player's clock.
  /// - Throws: ``Refusal`` if an argument is missing, unknown or of another type. The pointers of the refusal begin with `/args`.
  public func decide(
    arguments: ObjectValue, context: ObjectValue, parameters: some ParameterLookup, entitlements: Set<String>, catalog: Catalog,
    now: Instant
  ) throws(Refusal) -> GateDecision {
    try decide(
      arguments: arguments, context: context, parameters: parameters, entitlements: entitlements, unlockers: unlockers(in: catalog),
      now: now)
  }

  /// Returns the ids of the products that would open the gate, in the order of the catalog.
  public func unlockers(in catalog: Catalog) -> [String] {
    let grants = ProductGrants(catalog)
    return catalog.products.map(\.id).filter { grants.entitlements(ofProduct: $0).contains(where: unless.contains) }
  }

  /// Decides whether the gate is open. The caller passes the products that open it, so that they are computed once for many decisions.
  /// - Parameters:
  ///   - unlockers: The result of ``unlockers(in:)``.
  ///   - budget: The evaluation budget that all these decisions share; nil limits each separately.
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
    let listed = Array(faults.prefix(Self.faultsMax))
    throw Refusal(first.code, listed.map(\.message).joined(separator: " "), at: first.pointer, faults: listed.count > 1 ? listed : [])
  }
}
