// The operators of event checks: `is_on` reads a flag, `is_unlocked` a gate, and `is_listed` follows a path into a value.

/// The flags and gates that an event check reads with `is_on` and `is_unlocked`, as they were for the event.
protocol FlagAndGateLookup {
  /// True unless the flag is known to have been off when the event occurred.
  func isOn(_ key: String) -> Bool
  /// True if the gate was open, or may have been open, for the player when the event occurred.
  /// - Parameter arguments: The values of the gate's arguments by name.
  func isUnlocked(_ gate: String, _ arguments: ObjectValue, budget: EvaluationBudget?) -> Bool
}

extension LogicCompiler {
  /// Compiles `is_on` with the key of a flag, or `is_unlocked` with the id of a gate. After the id, names and values of the gate's
  /// arguments alternate.
  mutating func fact(_ name: String, _ written: Value, depth: Int, in scope: LogicScope) throws(LogicFault) -> Int32 {
    guard options.admitsFacts else { throw fault("“\(name)” is for the checks of events only.") }
    let arguments = written.listValue ?? [written]
    guard case .string(let subject)? = arguments.first, name == "is_unlocked" || arguments.count == 1 else {
      throw fault(
        name == "is_on" ? "“is_on” takes the key of a flag, as text." : "“is_unlocked” takes the id of a gate, as text, and its arguments.")
    }
    let payload = names.count
    names.append(subject)
    if name == "is_on" {
      reads.flags.insert(subject)
      return emit(.isOn, payload: payload)
    }
    guard arguments.count % 2 == 1 else { throw fault("“is_unlocked” takes a gate, and then a name and a value for each argument.") }
    var given: [String] = []
    for at in stride(from: 1, to: arguments.count, by: 2) {
      guard case .string(let argument) = arguments[at] else { throw fault("“is_unlocked” takes names of arguments as text.") }
      given.append(argument)
    }
    names.append(contentsOf: given)
    reads.gates[subject, default: []].formUnion(given)
    var children: [Int32] = []
    for at in stride(from: 2, to: arguments.count, by: 2) {
      children.append(try compile(arguments[at], at: at, depth: depth, in: scope))
    }
    return emit(.isUnlocked, payload: payload, operands: children)
  }
}

extension LogicProgram {
  /// Evaluates `is_on`, `is_unlocked` or `is_listed`; false without a source of flags and gates.
  func fact(_ node: LogicNode, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Bool {
    switch node.operation {
    case .isOn: return input.facts?.isOn(names[Int(node.payload)]) ?? false
    case .isUnlocked:
      var arguments = ObjectValue()
      for at in 0..<node.count {
        arguments[names[Int(node.payload) + 1 + Int(at)]] = value(operand(node, at), input, &run, parameter)
      }
      run.settle()
      let isUnlocked = input.facts?.isUnlocked(names[Int(node.payload)], arguments, budget: input.budget) ?? false
      run.borrow()
      return isUnlocked
    default:
      var place = value(operand(node, 0), input, &run, parameter)
      for at in 1..<node.count {
        guard let next = Self.step(value(operand(node, at), input, &run, parameter), into: place, &run) else { return false }
        place = next
      }
      return true
    }
  }

  /// Takes one step of an `is_listed` path into a value, and returns the part that the step selects; nil if there is no such part. The step
  /// into a list is an index, an equal text, or a pair of a member's name and value. The step into an object is a member's name. The step
  /// into an integer n is a number from 1 to n.
  private static func step(_ step: Value, into value: Value, _ run: inout LogicEvaluator) -> Value? {
    switch (value, step) {
    case (.list(let elements), .list(let pair)):
      guard pair.count == 2, case .string(let member) = pair[0] else { return nil }
      return first(of: elements, &run) { $0.objectValue?[member] == pair[1] }
    case (.list(let elements), .string): return first(of: elements, &run) { $0 == step }
    case (.list(let elements), _):
      guard let at = step.losslessInteger.flatMap({ Int(exactly: $0) }), elements.indices.contains(at) else { return nil }
      return elements[at]
    case (.object(let object), .string(let name)): return object[name]
    default:
      guard let count = value.losslessInteger, let number = step.losslessInteger, number >= 1, number <= count else { return nil }
      return .null
    }
  }

  private static func first(of elements: [Value], _ run: inout LogicEvaluator, _ isMeant: (Value) -> Bool) -> Value? {
    for element in elements {
      guard run.spend() else { return nil }
      if isMeant(element) { return element }
    }
    return nil
  }
}
