// The traces of rules and targeting, as they go on the wire.

internal import GameConfAPI
internal import GameConfCore

/// The form of traces for one who asks.
struct TraceRendering {
  /// The number of bytes of conditions one explanation shows, or nearly so; further ones are left out, and that is said.
  static let conditionBytesMax = 512 << 10

  /// True if what is made of secret parameters is shown.
  let showsSecrets: Bool
  private var bytesLeft = Self.conditionBytesMax

  init(showsSecrets: Bool) { self.showsSecrets = showsSecrets }

  fileprivate mutating func conditions(_ trace: LogicTrace) -> (told: [Value], isCut: Bool) {
    var told: [Value] = []
    for condition in trace.conditions {
      guard bytesLeft > 0 else { return (told, true) }
      let wire = condition.wire(showsSecrets: showsSecrets)
      bytesLeft -= JSONWriter.bytes(wire).count
      told.append(wire)
    }
    return (told, trace.isCut)
  }
}

extension RuleTrace {
  /// The rule's fate; rules are counted from 1.
  func wire(_ telling: inout TraceRendering) -> Value {
    var object = ObjectValue([("rule", .integer(Int64(index) + 1)), ("matched", .bool(isMatch))])
    if isUnreached { object["unreached"] = true }
    condition?.append(to: &object, &telling)
    if let percent { object["percent"] = percent.wire }
    if let named { object["template_condition"] = named.wire }
    return .object(object)
  }
}

extension FlagTrace {
  /// The flag's fate.
  func wire(_ telling: inout TraceRendering) -> Value {
    var object = ObjectValue([("enabled", .bool(isEnabled))])
    if case .value(_, let variant, _) = outcome { object["variant"] = .string(variant) }
    if case .error(let code, let message) = outcome {
      object["error"] = .string(code.rawValue)
      object["detail"] = .string(message)
    }
    object["why"] = .string(sentence)
    targeting?.append(to: &object, &telling)
    return .object(object)
  }
}

extension LogicTrace {
  fileprivate func append(to object: inout ObjectValue, _ telling: inout TraceRendering) {
    object["condition"] = isSecret && !telling.showsSecrets ? CatalogDescription.mask : outcome.value.shortened
    if let exceeded = outcome.exceeded {
      object["exceeded"] = .string(exceeded.rawValue)
      object["why"] = .string("the evaluation exceeded its limit \(exceeded.rawValue), so it counts as false")
    }
    let (told, isCut) = telling.conditions(self)
    object["conditions"] = .list(told)
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

extension RuleTrace.Share {
  fileprivate var wire: Value {
    var object = ObjectValue([("seed", .string(seed)), ("share", Self.percent(share)), ("in", .bool(isIn))])
    object["bucket"] = bucket.map(Self.percent) ?? .null
    if bucket == nil { object["why"] = "the context has no targetingKey, so no percentage includes the caller" }
    if let nextChangeAt { object["next_change_at"] = .string(nextChangeAt.text) }
    return .object(object)
  }

  /// Of 10⁸ buckets, as a percentage.
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
  /// The greatest length of a value that an explanation shows, which may show it many times, in bytes of JSON or nearly so.
  private static let shownBytesMax = 1_024

  /// The value, or what it is when it is too long to be shown.
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

  /// Takes its length from `bytes`; false as soon as they do not suffice.
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
