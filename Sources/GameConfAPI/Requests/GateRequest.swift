// Whether a gate is open, asked for one set of arguments or for many in one call.

public import GameConfCore

/// One set of arguments.
public struct GateCheck: WireShape {
  /// What the gate's expression reads, by name, of the types the gate declares.
  public var args: ObjectValue
  /// Attributes of the caller.
  public var context: ObjectValue

  /// A set of arguments.
  public init(args: ObjectValue = ObjectValue(), context: ObjectValue = ObjectValue()) {
    self.args = args
    self.context = context
  }

  /// Its JSON.
  public var wire: Value {
    .object(ObjectValue([("args", .object(args))]).with("context", context.isEmpty ? Value?.none : .some(.object(context))))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer, only: ["args", "context"])
    args = try members.object("args")
    context = try members.object("context")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "One set of arguments.",
      optional: [
        "args": SchemaText.described(SchemaText.anyObject, "By name, of the types the gate declares."),
        "context": SchemaText.described(SchemaText.anyObject, "Attributes of the caller: locale, platform, app_version, country, …"),
      ], closed: true)
  }
}

/// Body of `POST p/gates/{gate}`: one set of arguments, or a list of them; an absent body is an empty set.
public struct GateRequest: WireShape {
  /// How many sets one call may have.
  public static let checksMax = 1_000

  /// The sets.
  public var checks: [GateCheck]
  /// Whether they came as a list, and the answer is one.
  public var isList: Bool

  /// One set of arguments.
  public init(_ check: GateCheck) {
    checks = [check]
    isList = false
  }

  /// Several.
  public init(_ checks: [GateCheck]) {
    self.checks = checks
    isList = true
  }

  /// Its JSON.
  public var wire: Value { isList ? .list(checks.map(\.wire)) : checks.first?.wire ?? .object(ObjectValue()) }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    guard case .list(let elements) = wire else {
      self.init(try GateCheck(wire: wire, at: pointer))
      return
    }
    if elements.count > Self.checksMax {
      throw WireFault(pointer: pointer, message: "a call may have \(Self.checksMax) sets of arguments, not \(elements.count); split it")
    }
    var checks: [GateCheck] = []
    for (at, element) in elements.enumerated() { checks.append(try GateCheck(wire: element, at: "\(pointer)/\(at)")) }
    self.init(checks)
  }

  /// Its JSON Schema.
  public static var schema: Value {
    let list = SchemaText.described(SchemaText.list(GateCheck.self), "At most \(checksMax).")
    return ["description": "One set of arguments, or a list of them.", "oneOf": [SchemaText.ref(GateCheck.self), list]]
  }
}

/// What a gate says to one set of arguments.
public struct GateVerdict: WireShape {
  /// The gate.
  public var gate: String
  /// Whether it is locked.
  public var isLocked: Bool
  /// `OPEN`, `ENTITLED`, `LOCKED` or `UNDECIDED`.
  public var reason: String
  /// The products that would open it, in the order of the catalog.
  public var unlocksWith: [String]

  /// An answer.
  public init(gate: String, isLocked: Bool, reason: String, unlocksWith: [String] = []) {
    self.gate = gate
    self.isLocked = isLocked
    self.reason = reason
    self.unlocksWith = unlocksWith
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("gate", .string(gate)), ("locked", .bool(isLocked)), ("reason", .string(reason))]).with("unlocks_with", unlocksWith))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    gate = try members.string("gate")
    isLocked = try members.flag("locked")
    reason = try members.string("reason")
    unlocksWith = try members.strings("unlocks_with")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "Whether a gate is locked.",
      required: [
        "gate": SchemaText.string, "locked": SchemaText.boolean, "reason": SchemaText.words(GateDecision.Reason.self),
        "unlocks_with": SchemaText.described(SchemaText.list(SchemaText.string), "The products that would open it."),
      ])
  }
}

/// Answer of `POST p/gates/{gate}`: one, or a list in the order of the request.
public struct GateAnswer: WireShape {
  /// What the gate says.
  public var verdicts: [GateVerdict]
  /// Whether it answers a list.
  public var isList: Bool

  /// An answer.
  public init(verdicts: [GateVerdict], isList: Bool) {
    self.verdicts = verdicts
    self.isList = isList
  }

  /// Its JSON.
  public var wire: Value { isList ? .list(verdicts.map(\.wire)) : verdicts.first?.wire ?? .null }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    guard case .list(let elements) = wire else {
      self.init(verdicts: [try GateVerdict(wire: wire, at: pointer)], isList: false)
      return
    }
    var verdicts: [GateVerdict] = []
    for (at, element) in elements.enumerated() { verdicts.append(try GateVerdict(wire: element, at: "\(pointer)/\(at)")) }
    self.init(verdicts: verdicts, isList: true)
  }

  /// Its JSON Schema.
  public static var schema: Value {
    [
      "description": "What the gate says; a list where a list was asked.",
      "oneOf": [SchemaText.ref(GateVerdict.self), SchemaText.list(GateVerdict.self)],
    ]
  }
}
