// The faults of text or bytes that are not what they should be.

/// Something wrong with what was read, in a sentence.
///
/// Readers throw it whose callers only pass the sentence on. A reader whose callers decide by the kind of fault has a type of its own.
public struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
  /// JSON pointer to the place; empty for the whole, or where what is read is no JSON.
  public var pointer: String
  /// The fault, and the state that would be right.
  public var message: String

  /// A fault.
  public init(_ message: String, at pointer: String = "") {
    self.pointer = pointer
    self.message = message
  }

  /// `pointer: message`.
  public var description: String { pointer.isEmpty ? message : "\(pointer): \(message)" }
}

/// Everything that is wrong with what was read.
public struct Faults: Error, Sendable, Hashable, CustomStringConvertible {
  /// The number of faults that a reader reports in one go.
  public static let reportedMax = 100

  /// The faults, in the order of the document; never empty.
  public var faults: [Fault]

  /// Faults with their places.
  public init(_ faults: [Fault]) { self.faults = faults }

  /// Faults of the whole, a sentence each.
  public init(messages: [String]) { faults = messages.map { Fault($0) } }

  /// A line for each fault.
  public var messages: [String] { faults.map(\.description) }

  /// One fault a line.
  public var description: String { messages.joined(separator: "\n") }
}
