// Parses and writes flagd documents, in the map or the array form. The parser rejects a document with any fault as a whole.

public import GameConfCore

/// A document in flagd's format: flags, their metadata, and shared targeting rules.
public struct FlagdDocument: Sendable, Hashable {
  /// The flags by key. A flag's metadata includes that of the document.
  public var flags: [String: FlagDefinition]
  /// The document's own metadata, which all its flags inherit.
  public var metadata: ObjectValue
  /// The shared targeting rules by name, to which a rule refers by `$ref`.
  public var evaluators: ObjectValue
  /// Further members of the document, such as `$schema`. They are stored but have no effect.
  public var others: ObjectValue

  /// Creates a document, by default without metadata and shared rules.
  public init(
    flags: [String: FlagDefinition], metadata: ObjectValue = ObjectValue(), evaluators: ObjectValue = ObjectValue(),
    others: ObjectValue = ObjectValue()
  ) {
    self.flags = flags
    self.metadata = metadata
    self.evaluators = evaluators
    self.others = others
  }

  /// Parses a document from JSON text.
  /// - Throws: ``Faults`` with all violations of flagd's schema and their positions.
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

  /// Decodes a document from a JSON value.
  /// - Throws: ``Faults``, as ``init(reading:fractional:limits:)`` does.
  public init(_ value: Value, fractional: FractionalVersion = .v3) throws(Faults) {
    self = try Self.read(value, fractional, faultsMax: Faults.reportedMax)
  }

  /// Decodes the valid parts of a document from a JSON value.
  /// - Returns: The decoded document, and the document without its invalid parts, which has the notes for the report.
  /// - Throws: ``Faults`` for a fault that is in no flag and no evaluator.
  static func skippingInvalid(_ value: Value) throws(Faults) -> (document: FlagdDocument, pruned: FaultFreeDocument) {
    var pruned = FaultFreeDocument(value)
    while true {
      do throws(Faults) {
        return (try read(pruned.value, .v3, faultsMax: .max), pruned)
      } catch {
        // Removing an evaluator invalidates the flags that refer to it, so the loop continues until there are no faults.
        guard pruned.remove(error.faults.map { ($0.pointer, $0.message) }) else { throw error }
      }
    }
  }

  private static func read(_ value: Value, _ fractional: FractionalVersion, faultsMax: Int) throws(Faults) -> FlagdDocument {
    var reader = FlagdReader(fractional: fractional, faultsMax: faultsMax)
    return try reader.document(value)
  }

  /// Decodes a single flag, as a parameter in a catalog declares it.
  /// - Parameter evaluators: The shared rules that its targeting may refer to by `$ref`.
  /// - Throws: ``Faults`` with pointers into `value`.
  public static func flag(
    _ value: Value, fractional: FractionalVersion = .v3, evaluators: ObjectValue = ObjectValue()
  ) throws(Faults) -> FlagDefinition {
    var reader = FlagdReader(fractional: fractional, evaluators: evaluators)
    return try reader.flag(value)
  }

  /// The document as JSON in the map form, with its flags sorted by key.
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
  /// Returns the flag as JSON, without the metadata that it inherits from the document.
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
