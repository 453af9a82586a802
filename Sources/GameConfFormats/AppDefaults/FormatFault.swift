// The error that a parser or writer of another system's format throws.

import GameConfCore

/// A fault in a file in another system's format, with its position and the valid form.
public struct FormatFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line, counted from 1; 0 for the whole document.
  public var line: Int
  /// The column, counted from 1; 0 for the whole line or document.
  public var column: Int
  /// A sentence that names the fault and the valid form.
  public var message: String

  /// Creates a fault, by default of the whole document.
  public init(line: Int = 0, column: Int = 0, message: String) {
    self.line = line
    self.column = column
    self.message = message
  }

  /// The fault as `line:column: message`. A line or column that is 0 is left out.
  public var description: String { line == 0 ? message : column == 0 ? "\(line): \(message)" : "\(line):\(column): \(message)" }
}

extension Value {
  /// The kind of the value in words with its article, such as “an integer” or “null”.
  var described: String {
    let kind = kind.rawValue
    return self == .null ? kind : ("aeiou".contains(kind.prefix(1)) ? "an " : "a ") + kind
  }
}
