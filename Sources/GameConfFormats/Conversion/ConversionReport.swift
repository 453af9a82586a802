// The report of a conversion: the parts that were converted, changed and left out.

public import GameConfCore

/// The parts that a conversion carried over, changed and left out.
public struct ConversionReport: Sendable, Hashable {
  /// A part of the source document that was changed, or that is missing in the result.
  public struct ConversionNote: Sendable, Hashable {
    /// The name of the parameter, product or member in the source document.
    public var name: String
    /// A sentence that names the part and says how it was changed or why it was left out.
    public var message: String

    /// The note as JSON, for programs.
    public var value: Value { ["name": .string(name), "message": .string(message)] }
  }

  /// The noun for the parts that are counted: parameter or product.
  private let noun: String
  private var names: [String] = []
  /// The parts that were carried over with changes.
  public private(set) var changed: [ConversionNote] = []
  /// The parts that were left out, including fields of parts that were carried over.
  public private(set) var leftOut: [ConversionNote] = []
  /// Further remarks for people, one sentence each.
  public private(set) var remarks: [String] = []

  init(of noun: String) { self.noun = noun }

  /// The names of the parts that were carried over unchanged.
  public var carried: [String] {
    let changed = Set(changed.map(\.name))
    return names.filter { !changed.contains($0) }
  }

  /// The report as lines of text for people.
  public var lines: [String] {
    let count = carried.count
    let carried = count == 0 ? [] : ["carried: \(count) \(noun)\(count == 1 ? "" : "s")"]
    return carried + changed.map { "changed: \($0.message)" }
      + leftOut.map { "left out: \($0.message)" } + remarks
  }

  /// The report as JSON for programs.
  public var value: ObjectValue {
    ObjectValue([
      ("carried", .list(carried.map(Value.string))), ("changed", .list(changed.map(\.value))),
      ("left_out", .list(leftOut.map(\.value))), ("remarks", .list(remarks.map(Value.string))),
    ])
  }

  mutating func carry(_ name: String) { names.append(name) }
  mutating func change(_ name: String, _ message: String) { changed.append(ConversionNote(name: name, message: message)) }
  mutating func leaveOut(_ name: String, _ message: String) { leftOut.append(ConversionNote(name: name, message: message)) }
  mutating func remark(_ message: String) { remarks.append(message) }

  /// Records that a part was left out as a whole, and removes the entries about its changes.
  mutating func drop(_ name: String, _ message: String) {
    changed.removeAll { $0.name == name }
    leaveOut(name, message)
  }
}
