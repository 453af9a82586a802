// The request to evaluate a gate, for one set of arguments or for many.

public import GameConfCore

/// One set of values for a gate's arguments. The answer has one verdict for each set.
public struct GateCheck: WireRequest {
  package var args = ObjectValue()
  package var context = ObjectValue()

  package init() {}

  package init(args: ObjectValue = ObjectValue(), context: ObjectValue = ObjectValue()) {
    self.args = args
    self.context = context
  }

  package static var about: String { "One set of arguments." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.usual("args", &args, "The arguments by name, of the types declared by the gate.")
    fields.whenSet("context", &context, "Attributes of the caller: locale, platform, app_version, country, …")
  }
}

/// Body of `POST …/players/{player}/gates/{gate}`: one set of the gate's arguments, or a list of sets. An absent body is an empty set.
public struct GateRequest: WireShape {
  /// The maximum number of argument sets in one call.
  package static let checksMax = 1_000

  package var checks: [GateCheck]
  /// True if the argument sets came as a list. The answer is then a list too.
  package var isList: Bool

  package init(_ check: GateCheck) {
    checks = [check]
    isList = false
  }

  package init(_ checks: [GateCheck]) {
    self.checks = checks
    isList = true
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["args": ["number": 4]] }

  /// True if the predicate is true of the attributes in at least one check.
  public func hasContext(_ isMeant: (ObjectValue) -> Bool) -> Bool { checks.contains { isMeant($0.context) } }

  /// A list of checks if `isList` is true, otherwise the only check as an object.
  public var wire: Value { isList ? checks.memberValue : checks.first?.wire ?? .object(ObjectValue()) }

  /// Reads one check from an object, or several from a list.
  public init(wire: Value, at pointer: String) throws(Fault) {
    guard case .list(let elements) = wire else {
      self.init(try GateCheck(wire: wire, at: pointer))
      return
    }
    if elements.count > Self.checksMax {
      throw Fault("a call may have \(Self.checksMax) sets of arguments, not \(elements.count); split it", at: pointer)
    }
    do throws(Fault) { self.init(try [GateCheck](member: wire)) } catch { throw error.below(pointer) }
    var seen: [GateCheck: Int] = [:]
    for (at, check) in checks.enumerated() {
      if let earlier = seen.updateValue(at, forKey: check) {
        throw Fault("set \(earlier) has the same arguments; leave one out", at: "\(pointer)/\(at)")
      }
    }
  }

  /// The type of one check, since the body may be one check or a list of checks.
  public static var listed: [any WireShape.Type] { [GateCheck.self] }

  /// A schema that admits one check, or a list of at most ``checksMax`` different checks.
  public static var schema: Value {
    let list: Value = [
      "type": "array", "items": SchemaFragments.listed(GateCheck.self), "description": .string("At most \(checksMax), all different."),
    ]
    return ["description": "One set of arguments, or a list of them.", "oneOf": [GateCheck.memberSchema, list]]
  }
}

/// The state of one gate for a player, with the products that would open the gate.
public struct GateVerdict: WireObject {
  package var gate = ""
  package var isLocked = false
  package var reason = ""
  package var unlocksWith: [String] = []

  package init() {}

  package init(gate: String, isLocked: Bool, reason: String, unlocksWith: [String] = []) {
    self.gate = gate
    self.isLocked = isLocked
    self.reason = reason
    self.unlocksWith = unlocksWith
  }

  package static var about: String { "The state of a gate." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("gate", &gate, "The gate.")
    fields.required("locked", &isLocked, "True if the gate is locked.")
    fields.required("reason", &reason, "The reason: OPEN, ENTITLED, LOCKED or UNDECIDED.", .words(GateDecision.Reason.self))
    fields.required("unlocks_with", &unlocksWith, "The products that would open it.")
  }
}

/// Answer of `POST …/players/{player}/gates/{gate}`: one verdict, or a list of verdicts in the order of the request.
public struct GateAnswer: WireShape {
  package var verdicts: [GateVerdict]
  package var isList: Bool

  package init(verdicts: [GateVerdict], isList: Bool) {
    self.verdicts = verdicts
    self.isList = isList
  }

  /// A list of verdicts if `isList` is true, otherwise the only verdict as an object.
  public var wire: Value { isList ? verdicts.memberValue : verdicts.first?.wire ?? .null }

  /// Reads one verdict from an object, or several from a list.
  public init(wire: Value, at pointer: String) throws(Fault) {
    if case .list = wire {
      do throws(Fault) {
        self.init(verdicts: try [GateVerdict](member: wire), isList: true)
      } catch { throw error.below(pointer) }
    } else {
      self.init(verdicts: [try GateVerdict(wire: wire, at: pointer)], isList: false)
    }
  }

  /// The type of one verdict, since the body may be one verdict or a list of verdicts.
  public static var listed: [any WireShape.Type] { [GateVerdict.self] }

  /// A schema that admits one verdict, or a list of verdicts in the order of the request.
  public static var schema: Value {
    [
      "description": "The gate's answer; a list for a list.",
      "oneOf": [GateVerdict.memberSchema, ["type": "array", "items": SchemaFragments.listed(GateVerdict.self)]],
    ]
  }
}
