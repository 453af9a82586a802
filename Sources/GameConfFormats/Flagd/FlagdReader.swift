// Decodes flags by the rules of flagd's schema `flags.json`, and collects all faults.

import GameConfCore

/// A decoder of flags and flagd documents.
struct FlagdReader {
  /// The names of a flag's members that flagd defines.
  static let members: Set<String> = ["key", "state", "variants", "defaultVariant", "targeting", "metadata"]

  private let fractional: FractionalVersion
  private let faultsMax: Int
  private var evaluators: ObjectValue
  private var faults: [Fault] = []
  /// The names of evaluators with faults. These faults are not reported again for each rule that refers to the evaluator.
  private var blamed: Set<String> = []

  init(fractional: FractionalVersion, evaluators: ObjectValue = ObjectValue(), faultsMax: Int = Faults.reportedMax) {
    self.fractional = fractional
    self.faultsMax = faultsMax
    self.evaluators = evaluators
  }

  mutating func document(_ value: Value) throws(Faults) -> FlagdDocument {
    guard case .object(let members) = value else {
      throw Faults([Fault("A flagd document is an object with “flags”, not \(value.described).")])
    }
    let metadata = metadata(members["metadata"], at: "/metadata")
    readEvaluators(members["$evaluators"])
    var flags: [String: FlagDefinition] = [:]
    for (key, written, pointer) in entries(members["flags"]) {
      guard var flag = definition(written, at: pointer) else { continue }
      for inherited in metadata.members where flag.metadata[inherited.name] == nil { flag.metadata[inherited.name] = inherited.value }
      if flags.updateValue(flag, forKey: key) != nil { fault("\(pointer)/key", "The flag “\(shown(key))” is given twice.") }
    }
    try refuseFaults()
    var others = members
    for name in ["flags", "metadata", "$evaluators"] { others[name] = nil }
    return FlagdDocument(flags: flags, metadata: metadata, evaluators: evaluators, others: others)
  }

  mutating func flag(_ value: Value) throws(Faults) -> FlagDefinition {
    let flag = definition(value, at: "")
    try refuseFaults()
    guard let flag else { throw Faults([Fault("This is not a flag.")]) }
    return flag
  }

  private func refuseFaults() throws(Faults) {
    if !faults.isEmpty { throw Faults(Array(faults.prefix(faultsMax))) }
  }

  private mutating func fault(_ pointer: String, _ message: String) { faults.append(Fault(message, at: pointer)) }

  private func shown(_ text: String) -> String { String(text.prefix(64)) }

  /// Returns the flags with their keys and pointers, from the map or the array form.
  private mutating func entries(_ value: Value?) -> [(key: String, flag: Value, pointer: String)] {
    switch value {
    case .object(let flags)?:
      return flags.members.map { member in
        let pointer = JSONPointer.appending(member.name, to: "/flags")
        checkName(member.name, at: pointer)
        return (member.name, member.value, pointer)
      }
    case .list(let flags)?:
      return flags.enumerated().map { index, flag in
        let pointer = "/flags/\(index)"
        if case .object(let members) = flag {
          guard case .string(let key)? = members["key"], !key.isEmpty else {
            fault(pointer, "In a list of flags each needs its “key”, a text that is not empty.")
            return ("", flag, pointer)
          }
          return (key, flag, pointer)
        }
        return ("\(index)", flag, pointer)
      }
    case let other?:
      fault("/flags", "“flags” is an object of flags by key, or a list of flags, not \(other.described).")
      return []
    case nil:
      fault("", "“flags” is missing.")
      return []
    }
  }

  private mutating func checkName(_ name: String, at pointer: String) {
    if name.isEmpty || name.utf8.contains(0x0A) { fault(pointer, "A name may not be empty nor hold a line break.") }
  }

  private mutating func readEvaluators(_ value: Value?) {
    guard let value else { return }
    guard case .object(let written) = value else {
      fault("/$evaluators", "“$evaluators” is an object of targeting rules by name, not \(value.described).")
      return
    }
    evaluators = written
    var found: [(name: String, failure: TargetingFailure)] = []
    for member in written.members {
      let pointer = JSONPointer.appending(member.name, to: "/$evaluators")
      checkName(member.name, at: pointer)
      do throws(TargetingFailure) { _ = try compiled(member.value, at: pointer) } catch { found.append((member.name, error)) }
    }
    blamed = Set(found.filter { $0.failure.evaluators.isEmpty }.map(\.name))
    for (name, failure) in found {
      guard let innermost = failure.evaluators.last else {
        faults += failure.faults
        continue
      }
      if blamed.contains(innermost) || blamed.contains(name) { continue }
      faults += failure.faults
      // A cycle of references is reported once, and not for each evaluator in the cycle.
      blamed.formUnion(failure.evaluators + [name])
    }
  }

  private mutating func definition(_ value: Value, at pointer: String) -> FlagDefinition? {
    guard case .object(let members) = value else {
      fault(pointer, "A flag is an object with “state” and “variants”, not \(value.described).")
      return nil
    }
    let before = faults.count
    let isEnabled = state(members["state"], at: pointer)
    let variants = variants(members["variants"], at: pointer)
    var defaultVariant: String?
    switch members["defaultVariant"] {
    case nil, .null?: break
    case .string(let name)?: defaultVariant = name.isEmpty ? nil : name
    case let other?: fault(pointer + "/defaultVariant", "“defaultVariant” names a variant or is null, not \(other.described).")
    }
    let metadata = metadata(members["metadata"], at: pointer + "/metadata")
    let targeting = members["targeting"].flatMap { self.targeting($0, at: pointer + "/targeting") }
    guard faults.count == before else { return nil }
    return FlagDefinition(
      isEnabled: isEnabled, variants: variants, defaultVariant: defaultVariant, targeting: targeting, metadata: metadata)
  }

  private mutating func state(_ value: Value?, at pointer: String) -> Bool {
    switch value {
    case .string("ENABLED")?: return true
    case .string("DISABLED")?: return false
    case nil: fault(pointer, "“state” is missing; it is ENABLED or DISABLED.")
    default: fault(pointer + "/state", "“state” is ENABLED or DISABLED.")
    }
    return false
  }

  private mutating func variants(_ value: Value?, at pointer: String) -> ObjectValue {
    guard let value else {
      fault(pointer, "“variants” is missing.")
      return ObjectValue()
    }
    guard case .object(let variants) = value, let first = variants.members.first else {
      fault(pointer + "/variants", "“variants” is an object with at least one variant.")
      return ObjectValue()
    }
    for member in variants.members {
      let place = JSONPointer.appending(member.name, to: pointer + "/variants")
      checkName(member.name, at: place)
      switch (kind(member.value), kind(first.value)) {
      case (nil, _): fault(place, "A variant is a boolean, number, text or object, not \(member.value.described).")
      case (let kind?, let wanted?) where kind != wanted:
        fault(place, "All variants of a flag are of one type; this is \(member.value.described), the first is \(first.value.described).")
      default: break
      }
    }
    return variants
  }

  private func kind(_ value: Value) -> String? {
    switch value {
    case .bool: "boolean"
    case .integer, .double: "number"
    case .string: "string"
    case .object: "object"
    case .null, .list: nil
    }
  }

  private mutating func metadata(_ value: Value?, at pointer: String) -> ObjectValue {
    guard let value else { return ObjectValue() }
    guard case .object(let members) = value else {
      fault(pointer, "“metadata” is an object of texts, numbers and booleans, not \(value.described).")
      return ObjectValue()
    }
    for member in members.members {
      switch member.value {
      case .string, .integer, .double, .bool: break
      default:
        fault(
          JSONPointer.appending(member.name, to: pointer),
          "Metadata are texts, numbers and booleans, not \(member.value.described).")
      }
    }
    return members
  }

  /// Decodes a flag's targeting; nil if it is empty or has faults.
  private mutating func targeting(_ value: Value, at pointer: String) -> LogicExpression? {
    do throws(TargetingFailure) { return try compiled(value, at: pointer) } catch {
      if error.evaluators.last.map(blamed.contains) != true { faults += error.faults }
      return nil
    }
  }

  /// The error of compiling a rule: the rule's faults, and the shared evaluators in which they are.
  private struct TargetingFailure: Error {
    var faults: [Fault]
    var evaluators: [String] = []
  }

  /// Validates a targeting rule against flagd's schema and compiles it; nil if the rule is empty.
  private func compiled(_ value: Value, at pointer: String) throws(TargetingFailure) -> LogicExpression? {
    var schema = TargetingSchema()
    schema.checkTargeting(value, at: pointer)
    guard schema.faults.isEmpty else { throw TargetingFailure(faults: schema.faults) }
    if value.objectValue?.isEmpty == true { return nil }
    do throws(LogicFault) {
      return try LogicExpression(
        compiling: value,
        options: LogicOptions(fractional: fractional, evaluators: evaluators, admitsParameters: false, admitsAnyWeights: false))
    } catch {
      throw TargetingFailure(
        faults: [Fault(error.message, at: pointer + error.pointer)], evaluators: error.evaluators)
    }
  }
}
