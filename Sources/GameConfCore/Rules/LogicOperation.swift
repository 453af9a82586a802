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
struct OperatorSyntax: Sendable {
  let operation: LogicOperation
  let arguments: ClosedRange<Int>

  init(_ operation: LogicOperation, _ arguments: ClosedRange<Int>) {
    self.operation = operation
    self.arguments = arguments
  }

  private static let many = LogicLimits.nodesMax

  /// The syntax of each operator by name, except those of ``reading``, whose arguments are parsed separately. An operator takes as many
  /// arguments as in flagd's schema, or fewer if JsonLogic's test suites use fewer.
  static let byName: [String: OperatorSyntax] = [
    "missing": OperatorSyntax(.missing, 0...many),
    "missing_some": OperatorSyntax(.missingSome, 2...2),
    "if": OperatorSyntax(.choose, 0...many),
    "?:": OperatorSyntax(.choose, 0...many),
    "and": OperatorSyntax(.and, 1...many),
    "or": OperatorSyntax(.or, 1...many),
    "!": OperatorSyntax(.not, 0...many),
    "!!": OperatorSyntax(.truthy, 0...many),
    "==": OperatorSyntax(.equal, 2...2),
    "!=": OperatorSyntax(.notEqual, 2...2),
    "===": OperatorSyntax(.identical, 2...2),
    "!==": OperatorSyntax(.notIdentical, 2...2),
    "<": OperatorSyntax(.less, 2...3),
    "<=": OperatorSyntax(.lessOrEqual, 2...3),
    ">": OperatorSyntax(.greater, 2...3),
    ">=": OperatorSyntax(.greaterOrEqual, 2...3),
    "+": OperatorSyntax(.add, 1...many),
    "-": OperatorSyntax(.subtract, 1...many),
    "*": OperatorSyntax(.multiply, 1...many),
    "/": OperatorSyntax(.divide, 2...2),
    "%": OperatorSyntax(.modulo, 2...2),
    "min": OperatorSyntax(.min, 1...many),
    "max": OperatorSyntax(.max, 1...many),
    "cat": OperatorSyntax(.concatenate, 1...many),
    "substr": OperatorSyntax(.substring, 2...3),
    "in": OperatorSyntax(.contained, 2...2),
    "merge": OperatorSyntax(.merge, 0...many),
    "map": OperatorSyntax(.map, 2...2),
    "filter": OperatorSyntax(.filter, 2...2),
    "reduce": OperatorSyntax(.reduce, 3...3),
    "all": OperatorSyntax(.all, 2...2),
    "some": OperatorSyntax(.some, 2...2),
    "none": OperatorSyntax(.none, 2...2),
    "starts_with": OperatorSyntax(.startsWith, 2...2),
    "ends_with": OperatorSyntax(.endsWith, 2...2),
    "sem_ver": OperatorSyntax(.semanticVersion, 3...3),
    "is_listed": OperatorSyntax(.isListed, 2...many),
    "fractional": OperatorSyntax(.fractional, 1...(LogicLimits.bucketsMax + 1)),
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
