// Evaluates the operators on lists. In their bodies, `var` reads the present element of the list and never the context.

extension LogicProgram {
  func listed(_ node: LogicNode, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Value {
    switch node.operation {
    case .missing, .missingSome: return missing(node, input, &run, parameter)
    case .map, .filter: return visited(node, input, &run, parameter)
    default:
      var elements: [Value] = []
      for at in 0..<node.count {
        let value = value(operand(node, at), input, &run, parameter)
        if node.operation == .merge, case .list(let parts) = value {
          guard elements.count + parts.count <= LogicLimits.producedListCountMax else {
            run.exceed(.producedList)
            return .null
          }
          elements += parts
        } else {
          elements.append(value)
        }
      }
      return run.list(elements)
    }
  }

  /// Evaluates `map` and `filter`. A value that is not a list counts as an empty list.
  private func visited(_ node: LogicNode, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Value {
    guard case .list(let elements) = value(operand(node, 0), input, &run, parameter) else { return .list([]) }
    let body = operand(node, 1)
    let outer = run.scope
    var results: [Value] = []
    for element in elements where run.exceeded == nil {
      run.enter(element)
      if node.operation == .map {
        results.append(value(body, input, &run, parameter))
      } else if truth(body, input, &run, parameter) {
        results.append(element)
      }
    }
    run.scope = outer
    return run.exceeded == nil ? run.list(results) : .null
  }

  /// Evaluates `all`, `some` and `none`. `all` of an empty list is false, as in JsonLogic.
  func isFulfilled(_ node: LogicNode, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Bool {
    guard case .list(let elements) = value(operand(node, 0), input, &run, parameter), !elements.isEmpty else {
      return node.operation == .none
    }
    let body = operand(node, 1)
    let outer = run.scope
    let stopsAt = node.operation != .all
    var isStopped = false
    for element in elements {
      run.enter(element)
      if truth(body, input, &run, parameter) == stopsAt {
        isStopped = true
        break
      }
    }
    run.scope = outer
    return isStopped == (node.operation == .some)
  }

  /// Evaluates `reduce` (a left fold), in whose body `var` reads `current` and `accumulator`.
  func reduced(_ node: LogicNode, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Value {
    let list = value(operand(node, 0), input, &run, parameter)
    var accumulator = value(operand(node, 2), input, &run, parameter)
    guard case .list(let elements) = list else { return accumulator }
    let body = operand(node, 1)
    let outer = run.scope
    for element in elements where run.exceeded == nil {
      run.enter(element, accumulator: accumulator)
      accumulator = value(body, input, &run, parameter)
    }
    run.scope = outer
    return accumulator
  }
}
