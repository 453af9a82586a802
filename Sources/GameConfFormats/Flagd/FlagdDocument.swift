// A flagd document: flags by key, in the map or the array form, read whole or refused whole.

public import GameConfCore

/// A document of flags as flagd reads it.
public struct FlagdDocument: Sendable, Hashable {
  /// The flags by key; their metadata includes what they inherit from the document.
  public var flags: [String: FlagDefinition]
  /// The document's own metadata.
  public var metadata: ObjectValue
  /// Targeting rules that flags share by `$ref`.
  public var evaluators: ObjectValue
  /// The document's other members, such as `$schema`; kept and never looked at.
  public var others: ObjectValue

  /// A document.
  public init(
    flags: [String: FlagDefinition], metadata: ObjectValue = ObjectValue(), evaluators: ObjectValue = ObjectValue(),
    others: ObjectValue = ObjectValue()
  ) {
    self.flags = flags
    self.metadata = metadata
    self.evaluators = evaluators
    self.others = others
  }

  /// Reads a document.
  /// - Throws: ``Faults``: every violation of flagd's schema at once, each with its place.
  public init(
    reading bytes: some Sequence<UInt8>, fractional: FractionalVersion = .v3, limits: JSONLimits = JSONLimits()
  ) throws(Faults) {
    let value: Value
    do {
      value = try JSONReader.value(from: bytes, limits: limits)
    } catch {
      throw Faults([Fault(error.message, at: error.pointer)])
    }
    try self.init(value, fractional: fractional)
  }

  /// Takes a document that was parsed already.
  /// - Throws: ``Faults``, as ``init(reading:fractional:limits:)`` does.
  public init(_ value: Value, fractional: FractionalVersion = .v3) throws(Faults) {
    self = try Self.read(value, fractional, faultsMax: Faults.reportedMax)
  }

  /// Takes what is admitted of a document that was parsed already.
  /// - Returns: the document, and the account of what was changed in it and left out of it.
  /// - Throws: ``Faults`` if something is wrong that is no part of a flag or evaluator.
  static func skippingInvalid(_ value: Value) throws(Faults) -> (document: FlagdDocument, pruned: FaultFreeDocument) {
    var pruned = FaultFreeDocument(value)
    while true {
      do throws(Faults) {
        return (try read(pruned.value, .v3, faultsMax: .max), pruned)
      } catch {
        // An evaluator that is gone makes flags faulty that refer to it.
        guard pruned.remove(error.faults.map { ($0.pointer, $0.message) }) else { throw error }
      }
    }
  }

  private static func read(_ value: Value, _ fractional: FractionalVersion, faultsMax: Int) throws(Faults) -> FlagdDocument {
    var reader = FlagdReader(fractional: fractional, faultsMax: faultsMax)
    return try reader.document(value)
  }

  /// One flag by itself, as a catalog writes it beside a parameter.
  /// - Parameter evaluators: what its targeting may refer to by `$ref`.
  /// - Throws: ``Faults`` with pointers into `value`.
  public static func flag(
    _ value: Value, fractional: FractionalVersion = .v3, evaluators: ObjectValue = ObjectValue()
  ) throws(Faults) -> FlagDefinition {
    var reader = FlagdReader(fractional: fractional, evaluators: evaluators)
    return try reader.flag(value)
  }

  /// The document as flagd reads it, in the map form, flags in the order of their keys.
  public var value: Value {
    var members = others
    var written = ObjectValue()
    for (key, flag) in flags.sorted(by: { $0.key < $1.key }) { written[key] = flag.flagdValue(inheriting: metadata) }
    members["flags"] = .object(written)
    if !evaluators.isEmpty { members["$evaluators"] = .object(evaluators) }
    if !metadata.isEmpty { members["metadata"] = .object(metadata) }
    return .object(members)
  }
}

extension FlagDefinition {
  /// The flag in flagd's spelling, without the metadata that a document gives to all of its flags.
  public func flagdValue(inheriting inherited: ObjectValue = ObjectValue()) -> Value {
    var members = ObjectValue()
    members["state"] = .string(isEnabled ? "ENABLED" : "DISABLED")
    members["variants"] = .object(variants)
    members["defaultVariant"] = defaultVariant.map(Value.string) ?? .null
    if let targeting { members["targeting"] = targeting.source }
    let own = ObjectValue(metadata.members.filter { inherited[$0.name] != $0.value }.map { ($0.name, $0.value) })
    if !own.isEmpty { members["metadata"] = .object(own) }
    return .object(members)
  }
}
