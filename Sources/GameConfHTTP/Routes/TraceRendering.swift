// Traces of the evaluation of rules and flags, in the form of the HTTP answers.

internal import GameConfAPI
internal import GameConfCore

/// Renders the traces of one explanation for one client, with a limit on their size.
struct TraceRendering {
  /// The approximate maximum size of the conditions in one explanation, in bytes. Further conditions are left out, and the explanation says
  /// so.
  static let conditionBytesMax = 512 << 10

  /// True if the client may see values that depend on secret parameters.
  let showsSecrets: Bool
  private var bytesLeft = Self.conditionBytesMax

  init(showsSecrets: Bool) { self.showsSecrets = showsSecrets }

  fileprivate mutating func conditions(_ trace: LogicTrace) -> (included: [Value], isCut: Bool) {
    var included: [Value] = []
    for condition in trace.conditions {
      guard bytesLeft > 0 else { return (included, true) }
      let wire = condition.wire(showsSecrets: showsSecrets)
      bytesLeft -= JSONWriter.bytes(wire).count
      included.append(wire)
    }
    return (included, trace.isCut)
  }
}

extension RuleTrace {
  /// Returns the trace of the rule: matched, not matched, or not reached. Rules are numbered from 1.
  func wire(_ rendering: inout TraceRendering) -> Value {
    var object = ObjectValue([("rule", .integer(Int64(index) + 1)), ("matched", .bool(isMatch))])
    if isUnreached { object["unreached"] = true }
    condition?.append(to: &object, &rendering)
    if let percent { object["percent"] = percent.wire }
    if let named { object["template_condition"] = named.wire }
    return .object(object)
  }
}

extension FlagTrace {
  /// Returns the trace of the flag's evaluation: the variant or the error, the reason, and the condition.
  func wire(_ rendering: inout TraceRendering) -> Value {
    var object = ObjectValue([("enabled", .bool(isEnabled))])
    if case .value(_, let variant, _) = outcome { object["variant"] = .string(variant) }
    if case .error(let code, let message) = outcome {
      object["error"] = .string(code.rawValue)
      object["detail"] = .string(message)
    }
    object["why"] = .string(sentence)
    targeting?.append(to: &object, &rendering)
    return .object(object)
  }
}

extension LogicTrace {
  fileprivate func append(to object: inout ObjectValue, _ rendering: inout TraceRendering) {
    object["condition"] = isSecret && !rendering.showsSecrets ? CatalogDescription.mask : outcome.value.shortened
    if let exceeded = outcome.exceeded {
      object["exceeded"] = .string(exceeded.rawValue)
      object["why"] = .string("the evaluation exceeded its limit \(exceeded.rawValue), so it counts as false")
    }
    let (included, isCut) = rendering.conditions(self)
    object["conditions"] = .list(included)
    if isCut { object["conditions_left_out"] = true }
  }
}

extension TemplateTrace {
  fileprivate var wire: Value {
    let facts = facts.map { fact -> Value in
      var object = ObjectValue([("test", .string(fact.phrase)), ("outcome", .bool(fact.holds))])
      object["read"] = fact.read.map(Value.string)
      object["bucket"] = fact.bucket.map { .double(Double($0) / 1_000_000) }
      return .object(object)
    }
    return ["name": .string(name), "outcome": .bool(holds), "tests": .list(facts)]
  }
}

extension RuleTrace.PercentTrace {
  fileprivate var wire: Value {
    var object = ObjectValue([("seed", .string(seed)), ("share", Self.percent(share)), ("in", .bool(isIn))])
    object["bucket"] = bucket.map(Self.percent) ?? .null
    if bucket == nil { object["why"] = "the context has no targetingKey, so no percentage includes the caller" }
    if let nextChangeAt { object["next_change_at"] = .string(nextChangeAt.text) }
    return .object(object)
  }

  /// Converts a number of buckets, of 10⁸ in total, to a percentage.
  private static func percent(_ buckets: Int64) -> Value { .double(Double(buckets) / 1_000_000) }
}

extension LogicTrace.Condition {
  fileprivate func wire(showsSecrets: Bool) -> Value {
    var object = ObjectValue([("at", .string(pointer))])
    object["expression"] = phrase.map(Value.string)
    object["depth"] = .integer(Int64(depth))
    object["outcome"] = isSecret && !showsSecrets ? CatalogDescription.mask : outcome.shortened
    let shown = showsSecrets ? inputs : inputs.filter { !$0.isNameSecret }
    if !shown.isEmpty {
      let read = shown.map { ($0.name, $0.isSecret && !showsSecrets ? CatalogDescription.mask : ($0.value ?? .null).shortened) }
      object["read"] = .object(ObjectValue(read))
    }
    if let bucket { object["bucket"] = ["position": .integer(bucket.position), "of": .integer(bucket.total)] }
    return .object(object)
  }
}

extension Value {
  /// The approximate maximum size of one value in an explanation, in bytes of JSON, because a trace may repeat a value many times.
  private static let shownBytesMax = 1_024

  /// The value. If it is too long, its beginning or a description of it.
  fileprivate var shortened: Value {
    var bytes = Self.shownBytesMax
    if fits(&bytes) { return self }
    switch self {
    case .string(let text): return .string(String(String.UnicodeScalarView(text.unicodeScalars.prefix(256))) + "…")
    case .list(let elements): return .string("a list of \(elements.count)")
    case .object(let object): return .string("an object of \(object.count)")
    default: return self
    }
  }

  /// Subtracts the value's approximate size from `bytes`, and returns false if fewer bytes are left.
  private func fits(_ bytes: inout Int) -> Bool {
    bytes -= 4
    switch self {
    case .string(let text): bytes -= text.utf8.count
    case .list(let elements): return elements.allSatisfy { bytes > 0 && $0.fits(&bytes) }
    case .object(let object):
      return object.members.allSatisfy { member in
        bytes -= member.name.utf8.count
        return bytes > 0 && member.value.fits(&bytes)
      }
    default: break
    }
    return bytes > 0
  }
}
