// Evaluates a compiled JsonLogic expression by recursion over its nodes.

extension LogicProgram {
  /// Returns the value of the node at an index; null if the limit of steps is exceeded.
  func value(_ at: Int32, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Value {
    guard run.spend() else { return .null }
    if run.recorder != nil { return recorded(at, input, &run, parameter) }
    return computed(nodes[Int(at)], input, &run, parameter)
  }

  /// True if the value of the node at an index is truthy. False if the limit of steps is exceeded.
  func truth(_ at: Int32, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Bool {
    guard run.spend() else { return false }
    if run.recorder != nil { return LogicCoercion.isTruthy(recorded(at, input, &run, parameter)) }
    let node = nodes[Int(at)]
    return decided(node, input, &run, parameter) ?? LogicCoercion.isTruthy(computed(node, input, &run, parameter))
  }

  private func recorded(_ at: Int32, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Value {
    let node = nodes[Int(at)]
    let opened = run.recorder?.open(at, node, in: self)
    let value = computed(node, input, &run, parameter)
    run.recorder?.close(opened, node, value, in: self)
    return value
  }

  /// Returns the result of a node whose operator yields only true or false, without creating a ``Value``; nil for a node of another
  /// operator.
  @inline(__always)
  private func decided(_ node: LogicNode, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Bool? {
    switch node.operation {
    case .and:
      for at in 0..<node.count where !truth(operand(node, at), input, &run, parameter) { return false }
      return true
    case .or:
      for at in 0..<node.count where truth(operand(node, at), input, &run, parameter) { return true }
      return false
    case .not: return node.count == 0 || !truth(operand(node, 0), input, &run, parameter)
    case .truthy: return node.count > 0 && truth(operand(node, 0), input, &run, parameter)
    case .equal: return isEqual(node, input, &run, parameter)
    case .notEqual: return !isEqual(node, input, &run, parameter)
    case .identical: return isIdentical(node, input, &run, parameter)
    case .notIdentical: return !isIdentical(node, input, &run, parameter)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return isOrdered(node, input, &run, parameter)
    case .contained: return isContained(node, input, &run, parameter)
    case .all, .some, .none: return isFulfilled(node, input, &run, parameter)
    case .isOn, .isUnlocked, .isListed: return fact(node, input, &run, parameter)
    default: return nil
    }
  }

  private func computed(_ node: LogicNode, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Value {
    switch node.operation {
    case .literal: return literals[Int(node.payload)]
    case .attribute: return attribute(node, input, &run, parameter)
    case .variable: return variable(node, input, &run, parameter)
    case .and, .or: return joined(node, input, &run, parameter)
    case .choose: return chosen(node, input, &run, parameter)
    case .not, .truthy, .equal, .notEqual, .identical, .notIdentical, .less, .lessOrEqual, .greater, .greaterOrEqual, .contained, .all,
      .some, .none, .isOn, .isUnlocked, .isListed:
      return .bool(decided(node, input, &run, parameter) ?? false)
    case .startsWith, .endsWith, .semanticVersion:
      return custom(node, input, &run, parameter).map(Value.bool) ?? .null
    case .fractional: return bucketed(node, input, &run, parameter)
    case .parameter:
      let name = names[Int(node.payload)]
      run.settle()
      let value = parameter(name) ?? .null
      run.borrow()
      run.recorder?.read(parameter: name, value)
      return value
    case .elementVariable, .computedVariable, .computedElementVariable, .wholeContext, .wholeElement, .flagKey, .timestamp, .flagd:
      return rarelyRead(node, input, &run, parameter)
    case .list, .merge, .map, .filter, .missing, .missingSome: return listed(node, input, &run, parameter)
    case .reduce: return reduced(node, input, &run, parameter)
    case .add, .subtract, .multiply, .divide, .modulo, .min, .max: return calculated(node, input, &run, parameter)
    case .concatenate, .substring: return text(node, input, &run, parameter)
    }
  }

  /// Evaluates `and` and `or` like JsonLogic: returns the first falsy operand of `and` or the first truthy operand of `or`, else the last
  /// operand.
  private func joined(_ node: LogicNode, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Value {
    var value = Value.null
    for at in 0..<node.count {
      value = self.value(operand(node, at), input, &run, parameter)
      if LogicCoercion.isTruthy(value) == (node.operation == .or) { return value }
    }
    return value
  }

  private func chosen(_ node: LogicNode, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Value {
    var at: Int32 = 0
    while at &+ 1 < node.count {
      if truth(operand(node, at), input, &run, parameter) { return value(operand(node, at &+ 1), input, &run, parameter) }
      at &+= 2
    }
    return at < node.count ? value(operand(node, at), input, &run, parameter) : .null
  }
}

extension LogicProgram {
  /// Returns the value of a `var` with a single name, such as `platform`. This is the most frequent operator, so it has a fast path.
  @inline(__always)
  private func attribute(_ node: LogicNode, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Value {
    let name = names[Int(node.payload)]
    if run.data == nil, run.recorder == nil {
      if let at = input.context.position(of: name) {
        let found = input.context.members[at].value
        if case .null = found {} else { return found }
      }
      return node.count == 0 ? .null : value(operand(node, 0), input, &run, parameter)
    }
    let found = run.data.map { LogicPath(name).value(in: $0) } ?? input.context[name]
    return fallingBack(found, name, node, 0, input, &run, parameter)
  }

  private func variable(_ node: LogicNode, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Value {
    let path = paths[Int(node.payload)]
    return fallingBack(found(path, input, run), path.text, node, 0, input, &run, parameter)
  }

  /// Returns the value at a path in the caller's context, or in the data that replaces the context; nil if there is no such value.
  private func found(_ path: LogicPath, _ input: LogicInput, _ run: LogicEvaluator) -> Value? {
    if let data = run.data { return path.value(in: data) }
    guard let first = input.context[path.segments[0].name] else { return nil }
    return path.value(in: first, from: 1)
  }

  /// Returns the value at a path in the list element that an operator such as `map` visits; nil if there is no such value.
  private func foundInElement(_ path: LogicPath, _ run: LogicEvaluator) -> Value? {
    guard let accumulator = run.scope.accumulator else { return path.value(in: run.scope.element) }
    switch path.segments[0].name {
    case "current": return path.value(in: run.scope.element, from: 1)
    case "accumulator": return path.value(in: accumulator, from: 1)
    default: return nil
    }
  }

  private func fallingBack(
    _ found: Value?, _ name: String, _ node: LogicNode, _ fallback: Int32, _ input: LogicInput, _ run: inout LogicEvaluator,
    _ parameter: ParameterReader
  ) -> Value {
    run.recorder?.read(name, found, isDerived: node.operation != .attribute && node.operation != .variable)
    if let found, found != .null { return found }
    return node.count > fallback ? value(operand(node, fallback), input, &run, parameter) : .null
  }

  private func rarelyRead(_ node: LogicNode, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Value {
    switch node.operation {
    case .flagKey: return .string(input.flagKey)
    case .timestamp:
      run.recorder?.read("$flagd.timestamp", .integer(input.now.seconds))
      return .integer(input.now.seconds)
    case .flagd: return .object(ObjectValue([("flagKey", .string(input.flagKey)), ("timestamp", .integer(input.now.seconds))]))
    case .wholeContext: return run.data ?? .object(input.context)
    case .wholeElement: return whole(run)
    case .elementVariable:
      let path = paths[Int(node.payload)]
      return fallingBack(foundInElement(path, run), path.text, node, 0, input, &run, parameter)
    default:
      let isContext = node.operation == .computedVariable
      let key = value(operand(node, 0), input, &run, parameter)
      guard key != .null, key != .string(""), let name = LogicText.of(key, &run) else {
        return run.exceeded != nil ? .null : isContext ? run.data ?? .object(input.context) : whole(run)
      }
      let path = LogicPath(name)
      return fallingBack(isContext ? found(path, input, run) : foundInElement(path, run), name, node, 1, input, &run, parameter)
    }
  }

  private func whole(_ run: LogicEvaluator) -> Value {
    run.recorder?.readElement()
    guard let accumulator = run.scope.accumulator else { return run.scope.element }
    return .object(ObjectValue([("current", run.scope.element), ("accumulator", accumulator)]))
  }

  /// Evaluates `missing` and `missing_some`, which return those of the given attribute names that have no value.
  func missing(_ node: LogicNode, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Value {
    var arguments: [Value] = []
    for at in 0..<node.count { arguments.append(value(operand(node, at), input, &run, parameter)) }
    if node.operation == .missing {
      return run.list(missing(among: arguments.first?.listValue ?? arguments, input, &run))
    }
    guard case .list(let keys) = arguments[1] else { return .list([]) }
    let absent = missing(among: keys, input, &run)
    let needed = LogicCoercion.number(arguments[0], &run)
    let present = LogicNumber.integer(Int64(keys.count - absent.count))
    return LogicCoercion.order(present, needed).isAtLeast ? .list([]) : run.list(absent)
  }

  private func missing(among keys: [Value], _ input: LogicInput, _ run: inout LogicEvaluator) -> [Value] {
    var absent: [Value] = []
    for key in keys {
      guard run.spend(), let name = LogicText.of(key, &run) else { return [] }
      let path = LogicPath(name)
      let isContext = run.scope.isContext
      let found = key == .null || name.isEmpty ? .null : isContext ? found(path, input, run) : foundInElement(path, run)
      run.recorder?.read(name, found, isDerived: true)
      if found == nil || found == .some(.null) || found == .some(.string("")) { absent.append(key) }
    }
    return absent
  }
}
