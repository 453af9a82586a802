// How a value looks in a table, and bare.

import GameConfCore

enum ValueLook {
  /// The value on one line; text without quotes.
  static func cell(_ value: Value) -> String {
    switch value {
    case .string(let text): SafeText.escaped(text)
    case .null, .bool, .integer, .double, .list, .object: SafeText.json(value, pretty: false)
    }
  }

  /// The value alone, as `config get` prints it: exact in a pipe, safe on a terminal.
  static func bare(_ value: Value, isTerminal: Bool) -> String {
    switch value {
    case .string(let text): isTerminal ? SafeText.escaped(text, keepingLines: true) : text
    case .null, .bool, .integer, .double, .list, .object:
      isTerminal ? SafeText.json(value, pretty: true) : JSONWriter.text(value)
    }
  }
}
