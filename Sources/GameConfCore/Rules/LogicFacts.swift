// The words of checks: whether a flag is on for an event, a gate open, and a thing among those that a value lists.

/// The facts about an event that the words of its checks ask for.
protocol LogicFacts {
  /// True unless the flag is off for the event.
  func isOn(_ key: String) -> Bool
  /// True if the gate is open for the event's player.
  func isUnlocked(_ gate: String, _ arguments: ObjectValue, budget: EvaluationBudget?) -> Bool
}

extension LogicCompiler {
  /// A word that names a flag, or a gate with its arguments by name.
  mutating func fact(_ name: String, _ written: Value, depth: Int, in scope: Scope) throws(LogicFault) -> Int32 {
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
  /// `is_on`, `is_unlocked` and `is_listed`.
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

  /// The part of a value that a step leads to; nil if there is none.
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
