// The account of a conversion, by kind: what is carried, changed and left out.

public import GameConfCore

/// What became of each thing in a document that was converted.
public struct ConversionReport: Sendable, Hashable {
  /// One thing that is not in the outcome as it was in the document.
  public struct Entry: Sendable, Hashable {
    /// The name in the document: of a parameter, a product, a member.
    public var name: String
    /// What became of it, in a sentence that names it.
    public var message: String

    /// The entry for programs.
    public var value: Value { ["name": .string(name), "message": .string(message)] }
  }

  /// What is counted: parameters or products.
  private let noun: String
  private var names: [String] = []
  /// What came over otherwise than it was.
  public private(set) var changed: [Entry] = []
  /// What did not come over; a part of something that did among it.
  public private(set) var leftOut: [Entry] = []
  /// What else a person should know, a sentence each.
  public private(set) var remarks: [String] = []

  init(of noun: String) { self.noun = noun }

  /// The names of what came over as it was.
  public var carried: [String] {
    let changed = Set(changed.map(\.name))
    return names.filter { !changed.contains($0) }
  }

  /// The report for people, a line each.
  public var lines: [String] {
    let count = carried.count
    return ["carried: \(count) \(noun)\(count == 1 ? "" : "s")"] + changed.map { "changed: \($0.message)" }
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

  /// Leaves out something whole: what was said of its changes no longer counts.
  mutating func drop(_ name: String, _ message: String) {
    changed.removeAll { $0.name == name }
    leaveOut(name, message)
  }
}
