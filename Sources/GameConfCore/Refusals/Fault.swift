// Errors of parsing and decoding: a sentence, and the position of the fault.

/// An error of a parser or decoder whose callers only pass its message on.
///
/// A parser whose callers distinguish kinds of errors has its own error type.
public struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
  /// A JSON pointer to the fault; empty if the fault concerns the whole input or the input is not JSON.
  public var pointer: String
  /// A sentence that names the fault and the valid form.
  public var message: String

  /// Creates an error, by default about the whole input.
  public init(_ message: String, at pointer: String = "") {
    self.pointer = pointer
    self.message = message
  }

  /// The message, prefixed by the pointer if there is one.
  public var description: String { pointer.isEmpty ? message : "\(pointer): \(message)" }
}

/// All errors that a parser found in one input.
public struct Faults: Error, Sendable, Hashable, CustomStringConvertible {
  /// The largest number of faults that one parser reports for one input.
  public static let reportedMax = 100

  /// The faults, in the order of their positions in the input; never empty.
  public var faults: [Fault]

  /// Creates the error from faults that have positions; the list must not be empty.
  public init(_ faults: [Fault]) { self.faults = faults }

  /// Creates the error from messages that concern the whole input.
  public init(messages: [String]) { faults = messages.map { Fault($0) } }

  /// One line of text for each fault.
  public var messages: [String] { faults.map(\.description) }

  /// The faults, one on each line.
  public var description: String { messages.joined(separator: "\n") }
}
