// Compiles a JsonLogic expression to a flat array of nodes. It reports every fault that does not depend on the evaluation's input.

struct LogicCompiler {
  /// The kind of data that `var` reads at a node: the caller's context, an element of a list, or the accumulator and element of `reduce`.
  enum LogicScope: UInt8, Hashable { case context, element, pair }

  private struct SharedEvaluator {
    var root: Int32
    var height: Int
  }

  private struct SharedEvaluatorKey: Hashable {
    var name: String
    var scope: LogicScope
  }

  let options: LogicOptions
  var reads = LogicDependencies()
  var nodes: ContiguousArray<LogicNode> = []
  var operands: ContiguousArray<Int32> = []
  var literals: ContiguousArray<Value> = []
  var paths: ContiguousArray<LogicPath> = []
  var names: ContiguousArray<String> = []

  /// The JSON pointer to the source of each node; nil unless a trace of an evaluation needs the pointers.
  private(set) var pointers: [String]?
  private var place: [String] = []
  private var seen = 0
  private var deepest = 0
  private var shared: [SharedEvaluatorKey: SharedEvaluator] = [:]
  private var open: [String] = []
  /// The names of the shared evaluators that contain the first fault, outermost first.
  private var faulty: [String] = []

  private init(options: LogicOptions, keepsPointers: Bool) {
    self.options = options
    pointers = keepsPointers ? [] : nil
  }

  static func program(of source: Value, options: LogicOptions) throws(LogicFault) -> LogicProgram {
    var compiler = LogicCompiler(options: options, keepsPointers: false)
    let root = try compiler.compile(source, depth: 1, in: .context)
    return LogicProgram(compiled: compiler, source: source, root: root)
  }

  /// Returns the JSON pointers to the sources of a program's nodes, in the nodes' order. Compilation is deterministic, so compiling the
  /// source again yields the same nodes.
  static func pointers(of program: LogicProgram) -> [String] {
    var compiler = LogicCompiler(options: program.options, keepsPointers: true)
    _ = try? compiler.compile(program.source, depth: 1, in: .context)
    return compiler.pointers ?? []
  }

  private var pointer: String { Self.pointer(place) }

  private static func pointer(_ steps: [String]) -> String { steps.reduce("") { JSONPointer.appending($1, to: $0) } }

  func fault(_ message: String) -> LogicFault { LogicFault(pointer: pointer, message: message) }

  private mutating func count(depth: Int) throws(LogicFault) {
    seen += 1
    deepest = max(deepest, depth)
    guard seen <= LogicLimits.nodesMax else {
      throw fault("The expression has more than \(LogicLimits.nodesMax) parts; split it into several rules.")
    }
    guard depth <= LogicLimits.depthMax else { throw fault("The expression is nested more than \(LogicLimits.depthMax) deep.") }
  }

  mutating func emit(_ operation: LogicOperation, payload: Int = 0, operands children: [Int32] = []) -> Int32 {
    let node = LogicNode(operation: operation, payload: Int32(payload), first: Int32(operands.count), count: Int32(children.count))
    operands.append(contentsOf: children)
    nodes.append(node)
    if pointers != nil {
      let here = pointer
      pointers?.append(here)
    }
    return Int32(nodes.count - 1)
  }

  private mutating func literal(_ value: Value) -> Int32 {
    literals.append(value)
    return emit(.literal, payload: literals.count - 1)
  }

  private mutating func at<Result>(
    _ token: String, _ body: (inout LogicCompiler) throws(LogicFault) -> Result
  ) throws(LogicFault) -> Result {
    place.append(token)
    let result = try body(&self)
    place.removeLast()
    return result
  }

  // The recursive functions below have small stack frames. They create errors and literals in other functions, because an unoptimized build
  // reserves stack space for every temporary. An expression may be nested ``LogicLimits/depthMax`` deep on the small stack of a thread.

  private mutating func compile(_ value: Value, depth: Int, in scope: LogicScope) throws(LogicFault) -> Int32 {
    if case .object(let object) = value, object.count == 1, let member = object.members.first {
      try count(depth: depth)
      return try operation(member.name, member.value, depth: depth, in: scope)
    }
    if case .list(let elements) = value, try !isLiteral(value, depth: depth) {
      try count(depth: depth)
      return try list(elements, depth: depth, in: scope)
    }
    return try plain(value, depth: depth)
  }

  /// Compiles a value that is not an expression. If the value is a list, its elements were already counted toward the limit.
  private mutating func plain(_ value: Value, depth: Int) throws(LogicFault) -> Int32 {
    switch value {
    case .list: break
    case .object(let object):
      try count(depth: depth)
      if let name = object.names.first(where: OperatorSyntax.isOperator) {
        throw fault(
          "An expression has one operator, this has \(object.count) members; put “\(name)” into an object of its own and join them by “and”."
        )
      }
      try countLiteral(object.members.map(\.value), depth: depth)
    default: try count(depth: depth)
    }
    return literal(value)
  }

  private mutating func list(_ elements: [Value], depth: Int, in scope: LogicScope) throws(LogicFault) -> Int32 {
    let children = try compileAll(elements, depth: depth, in: scope)
    return emit(.list, operands: children)
  }

  mutating func compile(_ argument: Value, at index: Int, depth: Int, in scope: LogicScope) throws(LogicFault) -> Int32 {
    try at("\(index)") { (compiler) throws(LogicFault) in try compiler.compile(argument, depth: depth + 1, in: scope) }
  }

  private mutating func compileAll(_ values: [Value], depth: Int, in scope: LogicScope) throws(LogicFault) -> [Int32] {
    var children: [Int32] = []
    children.reserveCapacity(values.count)
    for (index, value) in values.enumerated() { children.append(try compile(value, at: index, depth: depth, in: scope)) }
    return children
  }

  /// True if a list contains no expression at any depth. Only in this case does the function count the elements toward
  /// ``LogicLimits/nodesMax``.
  private mutating func isLiteral(_ value: Value, depth: Int) throws(LogicFault) -> Bool {
    let before = seen
    guard try countPlain(value, depth: depth) else {
      seen = before
      return false
    }
    return true
  }

  private mutating func countPlain(_ value: Value, depth: Int) throws(LogicFault) -> Bool {
    try count(depth: depth)
    switch value {
    case .object: return false
    case .list(let elements):
      for element in elements where try !countPlain(element, depth: depth + 1) { return false }
      return true
    default: return true
    }
  }

  private mutating func countLiteral(_ values: [Value], depth: Int) throws(LogicFault) {
    for value in values {
      try count(depth: depth + 1)
      switch value {
      case .object(let object): try countLiteral(object.members.map(\.value), depth: depth + 1)
      case .list(let elements): try countLiteral(elements, depth: depth + 1)
      default: break
      }
    }
  }
}

extension LogicCompiler {
  private mutating func operation(_ name: String, _ written: Value, depth: Int, in scope: LogicScope) throws(LogicFault) -> Int32 {
    let syntax = OperatorSyntax.byName[name]
    guard syntax != nil || OperatorSyntax.isOperator(name) else { throw unknownOperator(name) }
    place.append(name)
    let node =
      if let syntax {
        try operation(name, syntax, written, depth: depth + 1, in: scope)
      } else {
        try reading(name, written, depth: depth + 1, in: scope)
      }
    place.removeLast()
    return node
  }

  /// Compiles an operator that reads data from outside the expression: `var`, `parameter`, `is_on`, `is_unlocked` or `$ref`.
  private mutating func reading(_ name: String, _ written: Value, depth: Int, in scope: LogicScope) throws(LogicFault) -> Int32 {
    if name == "var" { return try variable(written, depth: depth, in: scope) }
    if name == "parameter" { return try parameter(written) }
    if name == "is_on" || name == "is_unlocked" { return try fact(name, written, depth: depth, in: scope) }
    return try reference(written, depth: depth, in: scope)
  }

  private func unknownOperator(_ name: String) -> LogicFault {
    fault("“\(name.prefix(64))” is not an operator." + NearestNames.hint(for: name, among: OperatorSyntax.names))
  }

  private mutating func operation(
    _ name: String, _ syntax: OperatorSyntax, _ written: Value, depth: Int, in scope: LogicScope
  ) throws(LogicFault) -> Int32 {
    let arguments = written.listValue ?? [written]
    guard syntax.arguments.contains(arguments.count) else { throw miscounted(name, syntax, arguments.count) }
    if syntax.operation == .isListed, !options.admitsFacts { throw fault("“\(name)” is for the checks of events only.") }
    let isList = written.listValue != nil
    if isList { try count(depth: depth) }
    let children = try children(of: syntax.operation, arguments, isList: isList, depth: depth, in: scope)
    return emit(syntax.operation, of: written, arguments, operands: children, in: scope)
  }

  private func miscounted(_ name: String, _ syntax: OperatorSyntax, _ count: Int) -> LogicFault {
    if syntax.operation == .fractional, count > syntax.arguments.upperBound {
      return fault("“fractional” has more than \(LogicLimits.bucketsMax) buckets.")
    }
    if syntax.arguments.upperBound == LogicLimits.nodesMax, count > syntax.arguments.upperBound {
      return fault("“\(name)” has \(count) arguments; at most \(LogicLimits.nodesMax) are admitted.")
    }
    return fault("“\(name)” takes \(syntax.countText), not \(count).")
  }

  private mutating func children(
    of operation: LogicOperation, _ arguments: [Value], isList: Bool, depth: Int, in scope: LogicScope
  ) throws(LogicFault) -> [Int32] {
    switch operation {
    case .map, .filter, .all, .some, .none: try compile(arguments, depth: depth, scopes: [scope, .element])
    case .reduce: try compile(arguments, depth: depth, scopes: [scope, .pair, scope])
    case .fractional: try buckets(arguments, isList: isList, depth: depth, in: scope)
    default: isList ? try compileAll(arguments, depth: depth, in: scope) : [try compile(arguments[0], depth: depth, in: scope)]
    }
  }

  /// Appends the node of an operator whose operands were already compiled, and records the data that the operator reads.
  private mutating func emit(
    _ operation: LogicOperation, of written: Value, _ arguments: [Value], operands children: [Int32], in scope: LogicScope
  ) -> Int32 {
    var payload = 0
    switch operation {
    case .fractional:
      if scope == .context, canBeList(children[0]) { reads.attributes.insert("targetingKey") }
      payload = options.fractional == .v2 ? 2 : 3
    case .missing: if scope == .context { readMissing(written) }
    case .missingSome: if scope == .context { readMissing(arguments.last ?? .null) }
    case .equal, .notEqual: payload = areSameVariable(children) ? 1 : 0
    case .semanticVersion:
      let relation = arguments[1].stringValue.flatMap(VersionRelation.init).flatMap(VersionRelation.allCases.firstIndex)
      payload = relation.map { $0 + 1 } ?? 0
    default: break
    }
    return emit(operation, payload: payload, operands: children)
  }

  private mutating func compile(_ arguments: [Value], depth: Int, scopes: [LogicScope]) throws(LogicFault) -> [Int32] {
    var children: [Int32] = []
    for (index, argument) in arguments.enumerated() {
      let scope = scopes[index]
      children.append(
        try at("\(index)") { (compiler) throws(LogicFault) in try compiler.compile(argument, depth: depth + 1, in: scope) })
    }
    return children
  }

  private mutating func variable(_ written: Value, depth: Int, in scope: LogicScope) throws(LogicFault) -> Int32 {
    let arguments = written.listValue ?? [written]
    let isList = written.listValue != nil
    if isList { try count(depth: depth) }
    var fallback: [Int32] = []
    if arguments.count > 1 {
      fallback = [try at("1") { (compiler) throws(LogicFault) in try compiler.compile(arguments[1], depth: depth + 1, in: scope) }]
    }
    let text: String
    switch arguments.first ?? .null {
    case .null, .string(""):
      if scope == .context { reads.wholeContext = true }
      return emit(scope == .context ? .wholeContext : .wholeElement)
    case .string(let name): text = name
    case .integer(let number): text = String(number)
    case .double(let number): text = LogicText.number(number)
    case .bool(let flag): text = flag ? "true" : "false"
    case .list, .object:
      if scope == .context { reads.wholeContext = true }
      let key = isList ? try compileAll([arguments[0]], depth: depth, in: scope) : [try compile(arguments[0], depth: depth, in: scope)]
      return emit(scope == .context ? .computedVariable : .computedElementVariable, operands: key + fallback)
    }
    let path = LogicPath(text)
    if scope == .context {
      if path.segments[0].name == "$flagd" { return try flagdVariable(path, fallback, isList: isList) }
      reads.attributes.insert(path.segments[0].name)
      if path.segments.count == 1 {
        names.append(text)
        return emit(.attribute, payload: names.count - 1, operands: fallback)
      }
      reads.paths.insert(text)
    }
    paths.append(path)
    return emit(scope == .context ? .variable : .elementVariable, payload: paths.count - 1, operands: fallback)
  }

  private mutating func flagdVariable(_ path: LogicPath, _ fallback: [Int32], isList: Bool) throws(LogicFault) -> Int32 {
    switch path.text {
    case "$flagd.flagKey":
      return emit(.flagKey)
    case "$flagd.timestamp":
      reads.time = true
      return emit(.timestamp)
    case "$flagd":
      reads.time = true
      return emit(.flagd)
    default:
      if isList { return fallback.first ?? literal(.null) }
      throw fault("“\(path.text.prefix(64))” is nothing flagd gives; there are $flagd.flagKey and $flagd.timestamp.")
    }
  }

  private mutating func parameter(_ written: Value) throws(LogicFault) -> Int32 {
    let arguments = written.listValue ?? [written]
    guard arguments.count == 1, case .string(let key) = arguments[0] else {
      throw fault("“parameter” takes the key of a parameter, as text.")
    }
    guard options.admitsParameters else { throw fault("“parameter” cannot be used here: a flagd document knows no parameters.") }
    reads.parameters.insert(key)
    names.append(key)
    return emit(.parameter, payload: names.count - 1)
  }

  /// Compiles the shared evaluator that a `$ref` names, at its first use. Later uses in the same scope refer to the same nodes.
  private mutating func reference(_ written: Value, depth: Int, in scope: LogicScope) throws(LogicFault) -> Int32 {
    let name = try evaluator(written)
    if let known = shared[SharedEvaluatorKey(name: name, scope: scope)] {
      try count(depth: depth + known.height)
      return known.root
    }
    let body = try body(of: name)
    let (outerPlace, outerDeepest) = (place, deepest)
    open.append(name)
    place = []
    deepest = depth
    let root: Int32
    do { root = try compile(body, depth: depth, in: scope) } catch { throw left(name, outerPlace, error) }
    shared[SharedEvaluatorKey(name: name, scope: scope)] = SharedEvaluator(root: root, height: deepest - depth)
    open.removeLast()
    place = outerPlace
    deepest = max(outerDeepest, deepest)
    return root
  }

  /// Returns the name that a `$ref` refers to. Throws if that evaluator is being compiled, because evaluators must not refer to each other
  /// in a cycle.
  private func evaluator(_ written: Value) throws(LogicFault) -> String {
    guard case .string(let name) = written else { throw fault("“$ref” takes the name of an evaluator, as text.") }
    if let at = open.firstIndex(of: name) {
      throw fault("Evaluators refer to each other in a circle: \((open[at...] + [name]).joined(separator: " → ")).")
    }
    return name
  }

  private func body(of name: String) throws(LogicFault) -> Value {
    if let body = options.evaluators[name] { return body }
    throw fault("There is no evaluator “\(name.prefix(64))”." + NearestNames.hint(for: name, among: options.evaluators.names))
  }

  /// Returns the fault to report for a fault inside a shared evaluator. The outermost `$ref` adds its own position and the evaluators'
  /// names to the fault.
  private mutating func left(_ name: String, _ place: [String], _ error: LogicFault) -> LogicFault {
    if faulty.isEmpty { faulty = open }
    guard open.count == 1 else {
      open.removeLast()
      return error
    }
    return LogicFault(
      pointer: Self.pointer(place), message: "In evaluator “\(faulty.last ?? name)” at “\(error.pointer)”: \(error.message)",
      evaluators: faulty)
  }

  private mutating func buckets(_ arguments: [Value], isList: Bool, depth: Int, in scope: LogicScope) throws(LogicFault) -> [Int32] {
    try checkWeights(arguments)
    var children: [Int32] = []
    for (index, argument) in arguments.enumerated() {
      let compileArgument = { (compiler: inout LogicCompiler) throws(LogicFault) in
        guard let parts = argument.listValue else { return try compiler.compile(argument, depth: depth + 1, in: scope) }
        guard parts.count == 1 || parts.count == 2 else {
          throw compiler.fault("A bucket is [variant] or [variant, weight], not \(parts.count) things.")
        }
        try compiler.count(depth: depth + 1)
        return try compiler.list(parts, depth: depth + 1, in: scope)
      }
      children.append(isList ? try at("\(index)", compileArgument) : try compileArgument(&self))
    }
    return children
  }
}
