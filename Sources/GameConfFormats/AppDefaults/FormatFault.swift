// The reasons why a document in a format of others is not admitted.

import GameConfCore

/// Something wrong at a place of a document.
public struct FormatFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line, from 1; 0 when the whole document is meant.
  public var line: Int
  /// The column, from 1; 0 when the whole line or document is meant.
  public var column: Int
  /// The fault, and the state that would be right.
  public var message: String

  /// A fault.
  public init(line: Int = 0, column: Int = 0, message: String) {
    self.line = line
    self.column = column
    self.message = message
  }

  /// `line:column: message`, without what is not known.
  public var description: String { line == 0 ? message : column == 0 ? "\(line): \(message)" : "\(line):\(column): \(message)" }
}

extension Value {
  /// The kind with its article: “an integer”, “a list”, “null”.
  var described: String {
    let kind = kind.rawValue
    return self == .null ? kind : ("aeiou".contains(kind.prefix(1)) ? "an " : "a ") + kind
  }
}
