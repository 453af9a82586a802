// The account of a conversion, by kind: what is carried, changed and left out.

public import GameConfCore

/// The account of each thing in a document that was converted.
public struct ConversionReport: Sendable, Hashable {
  /// One thing that is not in the outcome as it was in the document.
  public struct Entry: Sendable, Hashable {
    /// The name in the document: of a parameter, a product, a member.
    public var name: String
    /// The change or the reason, in a sentence that names the thing.
    public var message: String

    /// The entry for programs.
    public var value: Value { ["name": .string(name), "message": .string(message)] }
  }

  /// The word for the things that are counted: parameter or product.
  private let noun: String
  private var names: [String] = []
  /// The things that came over changed.
  public private(set) var changed: [Entry] = []
  /// The things that did not come over, parts of carried things included.
  public private(set) var leftOut: [Entry] = []
  /// Further remarks for a person, a sentence each.
  public private(set) var remarks: [String] = []

  init(of noun: String) { self.noun = noun }

  /// The names of the things that came over unchanged.
  public var carried: [String] {
    let changed = Set(changed.map(\.name))
    return names.filter { !changed.contains($0) }
  }

  /// The report for people, a line each.
  public var lines: [String] {
    let count = carried.count
    let carried = count == 0 ? [] : ["carried: \(count) \(noun)\(count == 1 ? "" : "s")"]
    return carried + changed.map { "changed: \($0.message)" }
      + leftOut.map { "left out: \($0.message)" } + remarks
  }

  /// The report for programs.
  public var value: ObjectValue {
    ObjectValue([
      ("carried", .list(carried.map(Value.string))), ("changed", .list(changed.map(\.value))),
      ("left_out", .list(leftOut.map(\.value))), ("remarks", .list(remarks.map(Value.string))),
    ])
  }

  mutating func carry(_ name: String) { names.append(name) }
  mutating func change(_ name: String, _ message: String) { changed.append(Entry(name: name, message: message)) }
  mutating func leaveOut(_ name: String, _ message: String) { leftOut.append(Entry(name: name, message: message)) }
  mutating func remark(_ message: String) { remarks.append(message) }

  /// Leaves out something whole and removes the entries of its changes.
  mutating func drop(_ name: String, _ message: String) {
    changed.removeAll { $0.name == name }
    leaveOut(name, message)
  }
}
