// The operations of an expression's compiled nodes, and the name and the number of arguments of each operator.

/// The operation of a node in a compiled expression.
enum LogicOperation: UInt8, Sendable {
  case literal, list
  case attribute, variable, computedVariable, wholeContext
  case elementVariable, computedElementVariable, wholeElement
  case flagKey, timestamp, flagd
  case parameter
  case missing, missingSome
  case choose, and, or, not, truthy
  case equal, notEqual, identical, notIdentical
  case less, lessOrEqual, greater, greaterOrEqual
  case add, subtract, multiply, divide, modulo, min, max
  case concatenate, substring, contained, merge
  case map, filter, reduce, all, some, none
  case startsWith, endsWith, semanticVersion, fractional
  case isOn, isUnlocked, isListed
}

/// The syntax of an operator: its operation, and the number of arguments that it takes.
struct LogicSyntax: Sendable {
  let operation: LogicOperation
  let arguments: ClosedRange<Int>

  init(_ operation: LogicOperation, _ arguments: ClosedRange<Int>) {
    self.operation = operation
    self.arguments = arguments
  }

  private static let many = LogicLimits.nodesMax

  /// The syntax of each operator by name, except those of ``reading``, whose arguments are parsed separately. An operator takes as many
  /// arguments as in flagd's schema, or fewer if JsonLogic's test suites use fewer.
  static let byName: [String: LogicSyntax] = [
    "missing": LogicSyntax(.missing, 0...many),
    "missing_some": LogicSyntax(.missingSome, 2...2),
    "if": LogicSyntax(.choose, 0...many),
    "?:": LogicSyntax(.choose, 0...many),
    "and": LogicSyntax(.and, 1...many),
    "or": LogicSyntax(.or, 1...many),
    "!": LogicSyntax(.not, 0...many),
    "!!": LogicSyntax(.truthy, 0...many),
    "==": LogicSyntax(.equal, 2...2),
    "!=": LogicSyntax(.notEqual, 2...2),
    "===": LogicSyntax(.identical, 2...2),
    "!==": LogicSyntax(.notIdentical, 2...2),
    "<": LogicSyntax(.less, 2...3),
    "<=": LogicSyntax(.lessOrEqual, 2...3),
    ">": LogicSyntax(.greater, 2...3),
    ">=": LogicSyntax(.greaterOrEqual, 2...3),
    "+": LogicSyntax(.add, 1...many),
    "-": LogicSyntax(.subtract, 1...many),
    "*": LogicSyntax(.multiply, 1...many),
    "/": LogicSyntax(.divide, 2...2),
    "%": LogicSyntax(.modulo, 2...2),
    "min": LogicSyntax(.min, 1...many),
    "max": LogicSyntax(.max, 1...many),
    "cat": LogicSyntax(.concatenate, 1...many),
    "substr": LogicSyntax(.substring, 2...3),
    "in": LogicSyntax(.contained, 2...2),
    "merge": LogicSyntax(.merge, 0...many),
    "map": LogicSyntax(.map, 2...2),
    "filter": LogicSyntax(.filter, 2...2),
    "reduce": LogicSyntax(.reduce, 3...3),
    "all": LogicSyntax(.all, 2...2),
    "some": LogicSyntax(.some, 2...2),
    "none": LogicSyntax(.none, 2...2),
    "starts_with": LogicSyntax(.startsWith, 2...2),
    "ends_with": LogicSyntax(.endsWith, 2...2),
    "sem_ver": LogicSyntax(.semanticVersion, 3...3),
    "is_listed": LogicSyntax(.isListed, 2...many),
    "fractional": LogicSyntax(.fractional, 1...(LogicLimits.bucketsMax + 1)),
  ]

  /// The names of the operators that read data from outside the expression.
  private static let reading: Set<String> = ["var", "parameter", "$ref", "is_on", "is_unlocked"]

  static let names: [String] = (Array(byName.keys) + reading).sorted()

  static func isOperator(_ name: String) -> Bool { byName[name] != nil || reading.contains(name) }

  /// The number of arguments that the operator takes, in words for error messages.
  var countText: String {
    if arguments.lowerBound == arguments.upperBound {
      return arguments.lowerBound == 1 ? "1 argument" : "\(arguments.lowerBound) arguments"
    }
    if arguments.upperBound == Self.many { return "at least \(arguments.lowerBound) argument\(arguments.lowerBound == 1 ? "" : "s")" }
    return "\(arguments.lowerBound) to \(arguments.upperBound) arguments"
  }
}
