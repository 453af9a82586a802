// Evaluates the operators for comparison, arithmetic and text, and the operators that flagd adds to JsonLogic.

extension LogicProgram {
  @inline(__always)
  func isEqual(_ node: LogicNode, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Bool {
    let left = value(operand(node, 0), input, &run, parameter)
    let right = value(operand(node, 1), input, &run, parameter)
    return LogicCoercion.looselyEqual(left, right, areSame: node.payload == 1, &run)
  }

  @inline(__always)
  func isIdentical(_ node: LogicNode, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Bool {
    let left = value(operand(node, 0), input, &run, parameter)
    let right = value(operand(node, 1), input, &run, parameter)
    return LogicCoercion.identical(left, right, &run)
  }

  /// Evaluates `<`, `<=`, `>` and `>=`. With three operands, the first two and the last two must both be in order. A third operand that is
  /// null is ignored.
  @inline(__always)
  func isOrdered(_ node: LogicNode, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Bool {
    let left = value(operand(node, 0), input, &run, parameter)
    let right = value(operand(node, 1), input, &run, parameter)
    guard isOrdered(node.operation, LogicCoercion.order(left, right, &run)) else { return false }
    if node.count < 3 { return true }
    let last = value(operand(node, 2), input, &run, parameter)
    return last == .null || isOrdered(node.operation, LogicCoercion.order(right, last, &run))
  }

  @inline(__always)
  private func isOrdered(_ operation: LogicOperation, _ order: LogicOrder) -> Bool {
    switch operation {
    case .less: order == .less
    case .lessOrEqual: order.isAtMost
    case .greater: order == .greater
    default: order.isAtLeast
    }
  }

  /// Evaluates `in`: true if the first operand is an element of a list or a substring of a text.
  @inline(__always)
  func isContained(_ node: LogicNode, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Bool {
    let needle = value(operand(node, 0), input, &run, parameter)
    switch value(operand(node, 1), input, &run, parameter) {
    case .list(let elements):
      guard run.spend(elements.count) else { return false }
      for element in elements where LogicCoercion.identical(element, needle, &run) { return true }
      return false
    case .string(let text):
      guard let part = LogicText.of(needle, &run) else { return false }
      return LogicText.contains(text, part, &run)
    default: return false
    }
  }

  func calculated(_ node: LogicNode, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Value {
    var result = LogicCoercion.number(value(operand(node, 0), input, &run, parameter), &run)
    switch node.operation {
    case .subtract, .divide, .modulo:
      let second = node.count > 1 ? value(operand(node, 1), input, &run, parameter) : .null
      if node.operation == .subtract, second == .null { return LogicArithmetic.difference(.integer(0), result).value }
      let other = LogicCoercion.number(second, &run)
      switch node.operation {
      case .subtract: return LogicArithmetic.difference(result, other).value
      case .divide: return LogicArithmetic.quotient(result, other).value
      default: return LogicArithmetic.remainder(result, other).value
      }
    default:
      for at in 1..<max(1, node.count) {
        let other = LogicCoercion.number(value(operand(node, at), input, &run, parameter), &run)
        switch node.operation {
        case .add: result = LogicArithmetic.sum(result, other)
        case .multiply: result = LogicArithmetic.product(result, other)
        case .min: if LogicCoercion.order(other, result) == .less { result = other }
        default: if LogicCoercion.order(other, result) == .greater { result = other }
        }
      }
      return result.value
    }
  }

  func text(_ node: LogicNode, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Value {
    if node.operation == .concatenate {
      var text = ""
      for at in 0..<node.count {
        guard LogicText.append(value(operand(node, at), input, &run, parameter), to: &text, &run) else { return .null }
      }
      return .string(text)
    }
    let whole = value(operand(node, 0), input, &run, parameter)
    let start = LogicCoercion.number(value(operand(node, 1), input, &run, parameter), &run).double
    let count = node.count > 2 ? value(operand(node, 2), input, &run, parameter) : .null
    guard let text = LogicText.of(whole, &run), run.spend(bytes: text.utf8.count) else { return .null }
    return substring(text, from: start, count: count == .null ? nil : LogicCoercion.number(count, &run).double, &run)
  }

  /// Returns a part of a text, counted in Unicode scalars. A negative number counts from the end, and a position outside of the text is
  /// clamped.
  private func substring(_ text: String, from start: Double, count: Double?, _ run: inout LogicEvaluator) -> Value {
    let scalars = text.unicodeScalars
    let length = scalars.count
    func clamped(_ number: Double) -> Int { number.isNaN ? 0 : Int(Swift.max(-1e9, Swift.min(1e9, number.rounded(.towardZero)))) }
    let offset = clamped(start)
    let from = offset >= 0 ? Swift.min(offset, length) : -offset >= length ? 0 : length + offset
    var to = length
    if let count {
      let size = clamped(count)
      to = count.isNaN ? from : size < 0 ? Swift.max(from, length + size) : Swift.min(length, from + size)
    }
    let begin = scalars.index(scalars.startIndex, offsetBy: from)
    let part = String(scalars[begin..<scalars.index(begin, offsetBy: to - from)])
    guard part.utf8.count <= LogicLimits.producedTextBytesMax else {
      run.exceed(.producedText)
      return .null
    }
    return .string(part)
  }

  /// Evaluates flagd's operators `starts_with`, `ends_with` and `sem_ver`; nil if an operand has a wrong type.
  func custom(_ node: LogicNode, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader) -> Bool? {
    let left = value(operand(node, 0), input, &run, parameter)
    if node.operation == .semanticVersion { return hasVersion(left, node, input, &run, parameter) }
    guard case .string(let text) = left, case .string(let part) = value(operand(node, 1), input, &run, parameter),
      run.spend(bytes: part.utf8.count)
    else { return nil }
    return node.operation == .startsWith ? LogicText.starts(text, with: part) : LogicText.ends(text, with: part)
  }

  private func hasVersion(
    _ left: Value, _ node: LogicNode, _ input: LogicInput, _ run: inout LogicEvaluator, _ parameter: ParameterReader
  ) -> Bool? {
    var relation: VersionRelation?
    if node.payload > 0 {
      relation = VersionRelation.allCases[Int(node.payload) - 1]
    } else if case .string(let name) = value(operand(node, 1), input, &run, parameter) {
      relation = VersionRelation(rawValue: name)
    }
    let right = value(operand(node, 2), input, &run, parameter)
    guard let relation, let left = versionText(left, &run), let right = versionText(right, &run) else { return nil }
    return SemanticVersion.holds(left, relation, right)
  }

  private func versionText(_ value: Value, _ run: inout LogicEvaluator) -> String? {
    switch value {
    case .string(let text): run.spend(bytes: text.utf8.count) ? text : nil
    case .integer(let number): String(number)
    case .double(let number): number.description
    default: nil
    }
  }
}

/// Arithmetic on integers, which is exact, and continues with doubles if a result overflows.
enum LogicArithmetic {
  static func sum(_ left: LogicNumber, _ right: LogicNumber) -> LogicNumber {
    if case (.integer(let left), .integer(let right)) = (left, right) {
      let (sum, isOver) = left.addingReportingOverflow(right)
      if !isOver { return .integer(sum) }
    }
    return .double(left.double + right.double)
  }

  static func difference(_ left: LogicNumber, _ right: LogicNumber) -> LogicNumber {
    if case (.integer(let left), .integer(let right)) = (left, right) {
      let (difference, isOver) = left.subtractingReportingOverflow(right)
      if !isOver { return .integer(difference) }
    }
    return .double(left.double - right.double)
  }

  static func product(_ left: LogicNumber, _ right: LogicNumber) -> LogicNumber {
    if case (.integer(let left), .integer(let right)) = (left, right) {
      let (product, isOver) = left.multipliedReportingOverflow(by: right)
      if !isOver { return .integer(product) }
    }
    return .double(left.double * right.double)
  }

  /// Divides, and returns an integer if the division of two integers has no remainder, else a double. Division by zero yields an infinity
  /// or NaN, which the evaluation's result replaces by null.
  static func quotient(_ left: LogicNumber, _ right: LogicNumber) -> LogicNumber {
    if case (.integer(let left), .integer(let right)) = (left, right), right != 0 {
      let (quotient, isOver) = left.dividedReportingOverflow(by: right)
      if !isOver, quotient * right == left { return .integer(quotient) }
    }
    return .double(left.double / right.double)
  }

  /// Returns the remainder of a division, with the sign of the divisor; NaN if the divisor is zero.
  static func remainder(_ left: LogicNumber, _ right: LogicNumber) -> LogicNumber {
    if case (.integer(let left), .integer(let right)) = (left, right), right != 0 {
      let remainder = left.remainderReportingOverflow(dividingBy: right).partialValue
      return .integer(remainder != 0 && (remainder < 0) != (right < 0) ? remainder + right : remainder)
    }
    let divisor = right.double
    let remainder = left.double.truncatingRemainder(dividingBy: divisor)
    return .double(remainder != 0 && (remainder < 0) != (divisor < 0) ? remainder + divisor : remainder)
  }
}
