// Validates a value against a compiled schema, within limits on the steps and on the depth of recursion.

/// The object that contains a validated value. It is used by keywords that refer to another member of the same object.
struct EnclosingObject {
  /// The object that contains the value.
  var object: ObjectValue
  /// The schema whose `properties` or `additionalProperties` led from the object to the value.
  var node: SchemaNode
  /// The name of the object's member that contains the value.
  var property: String
  /// The value's index if it is an element of the member's list; nil if it is the member's value itself.
  var element: Int?
}

struct SchemaChecker {
  /// A violation of a schema, with the data for selecting the closest alternative of `anyOf` and `oneOf`.
  struct SchemaViolation {
    var order: [Int]
    var pointer: String
    var message: String
    /// The values that `const` or `enum` would have admitted; empty if another keyword is violated.
    var admitted: [Value] = []
    /// True if the value has a different type or form. The alternative of `anyOf` or `oneOf` was then not meant.
    var isOtherForm = false
  }

  private enum PointerSegment {
    case member(String)
    case element(Int)
  }

  let program: SchemaProgram
  let locales: [String]
  private(set) var found: [SchemaViolation] = []
  private var foundMax = SchemaLimits.violationsMax + 1
  private var stepsLeft = SchemaLimits.stepsMax
  private var depth = 0
  private var path: [PointerSegment] = []
  private var order: [Int] = []

  init(_ program: SchemaProgram, locales: [String]) {
    self.program = program
    self.locales = locales
  }

  mutating func violations(of value: Value) -> [Fault] {
    check(program.root, value, nil)
    var violations: [Fault] = []
    var seen: Set<Fault> = []
    let inOrder = found.enumerated().sorted {
      $0.element.order == $1.element.order ? $0.offset < $1.offset : $0.element.order.lexicographicallyPrecedes($1.element.order)
    }
    for found in inOrder {
      let violation = Fault(found.element.message, at: found.element.pointer)
      if seen.insert(violation).inserted { violations.append(violation) }
    }
    if violations.count > SchemaLimits.violationsMax {
      violations[SchemaLimits.violationsMax...] = [
        Fault("There are more faults than these \(SchemaLimits.violationsMax); correct them first.")
      ]
    }
    if stepsLeft <= 0 {
      violations.append(
        Fault(
          "Checking this value takes more than \(SchemaLimits.stepsMax) steps; it must be smaller, or its schema simpler."))
    }
    return violations
  }

  /// True if the result of the validation is final: enough violations were found, or no steps are left.
  var isDone: Bool { found.count >= foundMax || stepsLeft <= 0 }

  /// True if several violations are collected for messages. False in a trial that only checks if a schema admits the value.
  var isReporting: Bool { foundMax > 1 }

  var pathDepth: Int { path.count }

  mutating func spend(_ steps: Int) { stepsLeft -= steps }

  mutating func report(_ message: String, admitted: [Value] = [], isOtherForm: Bool = false) {
    if isDone { return }
    found.append(SchemaViolation(order: order, pointer: pointer, message: message, admitted: admitted, isOtherForm: isOtherForm))
  }

  mutating func report(_ others: [SchemaViolation]) {
    for other in others where !isDone { found.append(other) }
  }

  private var pointer: String {
    path.reduce("") { pointer, step in
      switch step {
      case .member(let name): JSONPointer.appending(name, to: pointer)
      case .element(let index): JSONPointer.appending(index, to: pointer)
      }
    }
  }

  mutating func inMember(_ name: String, _ position: Int, _ body: (inout SchemaChecker) -> Void) {
    path.append(.member(name))
    order.append(position)
    body(&self)
    path.removeLast()
    order.removeLast()
  }

  mutating func inElement(_ index: Int, _ body: (inout SchemaChecker) -> Void) {
    path.append(.element(index))
    order.append(index)
    body(&self)
    path.removeLast()
    order.removeLast()
  }

  /// Validates a value against a schema and returns at most `max` violations, without reporting them to the caller of the validation.
  mutating func trial(_ node: Int, _ value: Value, _ around: EnclosingObject?, max: Int = 1) -> [SchemaViolation] {
    let before = (found, foundMax)
    (found, foundMax) = ([], max)
    check(program.nodes[node], value, around)
    defer { (found, foundMax) = before }
    return found
  }

  mutating func holds(_ node: Int, _ value: Value, _ around: EnclosingObject?) -> Bool {
    trial(node, value, around).isEmpty && stepsLeft > 0
  }

  mutating func check(_ number: Int, _ value: Value, _ around: EnclosingObject?) { check(program.nodes[number], value, around) }

  mutating func check(_ node: SchemaNode, _ value: Value, _ around: EnclosingObject?) {
    spend(1)
    if isDone { return }
    if depth >= SchemaLimits.checkDepthMax { return report("The value and its schema nest too deep to be checked; make them flatter.") }
    depth += 1
    defer { depth -= 1 }
    if node.isNever { return report("Nothing is admitted here; leave it out.", isOtherForm: true) }
    if node.isLocalized {
      checkLocalized(node, value)
    } else {
      guard checkType(node, value) else { return }
      switch value {
      case .integer, .double: checkNumber(node, value)
      case .string(let text): checkText(node, text)
      case .list(let elements): checkList(node, elements, around)
      case .object(let object): checkObject(node, object)
      case .null, .bool: break
      }
    }
    checkSiblings(node, value, around)
    checkCombinations(node, value, around)
  }

  private mutating func checkType(_ node: SchemaNode, _ value: Value) -> Bool {
    if let types = node.types, !types.admits(value) {
      report("It must be \(types.shown), and is \(value.kindShown).", isOtherForm: true)
      return false
    }
    guard let allowed = node.allowed else { return true }
    spend(allowed.count)
    if allowed.contains(where: { $0.isWorth(value) }) { return true }
    if allowed.count == 1, let only = allowed.first {
      report("It must be \(only.shown), and is \(value.shown).", admitted: allowed)
    } else {
      reportNotAmong(allowed, value)
    }
    return false
  }

  mutating func reportNotAmong(_ allowed: [Value], _ value: Value) {
    let shown = allowed.prefix(12).map(\.shown).joined(separator: ", ")
    let near = value.stringValue.map { NearestNames.nearest(to: $0, among: allowed.compactMap(\.stringValue)) } ?? []
    let hint = NearestNames.hint(quoted: near.map { Value.string($0).shown })
    report("It must be one of \(shown)\(allowed.count > 12 ? ", …" : ""), and is \(value.shown).\(hint)", admitted: allowed)
  }

  private mutating func checkNumber(_ node: SchemaNode, _ value: Value) {
    func refuse(_ bound: Value?, _ words: String, _ refused: (NumberOrder) -> Bool) {
      guard let bound, let order = Value.compareNumbers(value, bound), refused(order) else { return }
      report("It must be \(words) \(bound.shown), and is \(value.shown).")
    }
    refuse(node.minimum, "at least") { $0 == .less }
    refuse(node.exclusiveMinimum, "greater than") { $0 != .greater }
    refuse(node.maximum, "at most") { $0 == .greater }
    refuse(node.exclusiveMaximum, "less than") { $0 != .less }
    if let step = node.multipleOf, !value.isMultiple(of: step) {
      report("It must be a multiple of \(step.shown), and is \(value.shown).")
    }
  }

  mutating func checkText(_ node: SchemaNode, _ text: String) {
    if node.minLength != nil || node.maxLength != nil {
      let length = text.unicodeScalars.count
      if let least = node.minLength, length < least { report("It must have at least \(least) characters, and has \(length).") }
      if let most = node.maxLength, length > most { report("It must have at most \(most) characters, and has \(length).") }
    }
    if let pattern = node.pattern, !pattern.matches(in: text) {
      report("It must match the pattern \(pattern.source), and is \(Value.string(text).shown).")
    }
  }
}
