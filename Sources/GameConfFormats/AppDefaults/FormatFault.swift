// The error of parsing or writing a document in another system's format.

import GameConfCore

/// A fault in a file, with its position and the valid form.
public struct FormatFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line, counted from 1; 0 for the whole document.
  public var line: Int
  /// The column, counted from 1; 0 for the whole line or document.
  public var column: Int
  /// A sentence that names the fault and the valid form.
  public var message: String

  /// Creates an error, by default about the whole document.
  public init(line: Int = 0, column: Int = 0, message: String) {
    self.line = line
    self.column = column
    self.message = message
  }

  /// The error as `line:column: message`, without a position that is 0.
  public var description: String { line == 0 ? message : column == 0 ? "\(line): \(message)" : "\(line):\(column): \(message)" }
}

extension Value {
  /// The kind of the value with its article, such as “an integer” or “null”.
  var described: String {
    let kind = kind.rawValue
    return self == .null ? kind : ("aeiou".contains(kind.prefix(1)) ? "an " : "a ") + kind
  }
}
