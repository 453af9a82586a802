// The requests to a gate, for one set of arguments or for many.

public import GameConfCore

/// One set of values for a gate's arguments, which gets one verdict.
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

/// Body of `POST …/players/{player}/gates/{gate}`: one set of arguments, or a list of them; an absent body is an empty set.
public struct GateRequest: WireShape {
  /// The limit of the number of sets in one call.
  package static let checksMax = 1_000

  package var checks: [GateCheck]
  /// True if the sets came as a list; the answer is then a list too.
  package var isList: Bool

  package init(_ check: GateCheck) {
    checks = [check]
    isList = false
  }

  package init(_ checks: [GateCheck]) {
    self.checks = checks
    isList = true
  }

  /// The example in the OpenAPI document.
  public static var example: Value? { ["args": ["number": 4]] }

  /// True if the predicate is true of the attributes of at least one of the checks.
  public func hasContext(_ isMeant: (ObjectValue) -> Bool) -> Bool { checks.contains { isMeant($0.context) } }

  /// A list if `isList` is true, otherwise the only check.
  public var wire: Value { isList ? checks.memberValue : checks.first?.wire ?? .object(ObjectValue()) }

  /// Reads an object or a list.
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

  /// The shape of a set of arguments, which may be listed.
  public static var listed: [any WireShape.Type] { [GateCheck.self] }

  /// One set of arguments, or a list of at most `checksMax` different ones.
  public static var schema: Value {
    let list: Value = [
      "type": "array", "items": SchemaText.listed(GateCheck.self), "description": .string("At most \(checksMax), all different."),
    ]
    return ["description": "One set of arguments, or a list of them.", "oneOf": [GateCheck.memberSchema, list]]
  }
}

/// The state of one gate, with the products that would open it.
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

/// Answer of `POST …/players/{player}/gates/{gate}`: one, or a list in the order of the request.
public struct GateAnswer: WireShape {
  package var verdicts: [GateVerdict]
  package var isList: Bool

  package init(verdicts: [GateVerdict], isList: Bool) {
    self.verdicts = verdicts
    self.isList = isList
  }

  /// A list if `isList` is true, otherwise the only verdict.
  public var wire: Value { isList ? verdicts.memberValue : verdicts.first?.wire ?? .null }

  /// Reads an object or a list.
  public init(wire: Value, at pointer: String) throws(Fault) {
    if case .list = wire {
      do throws(Fault) {
        self.init(verdicts: try [GateVerdict](member: wire), isList: true)
      } catch { throw error.below(pointer) }
    } else {
      self.init(verdicts: [try GateVerdict(wire: wire, at: pointer)], isList: false)
    }
  }

  /// The shape of a verdict, which may be listed.
  public static var listed: [any WireShape.Type] { [GateVerdict.self] }

  /// One verdict, or a list in the order of the request.
  public static var schema: Value {
    [
      "description": "The gate's answer; a list for a list.",
      "oneOf": [GateVerdict.memberSchema, ["type": "array", "items": SchemaText.listed(GateVerdict.self)]],
    ]
  }
}
