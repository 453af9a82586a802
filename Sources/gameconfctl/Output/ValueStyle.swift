// The form of a value in a table, and bare.

import GameConfCore

enum ValueStyle {
  /// The value on one line; text without quotes.
  static func cell(_ value: Value) -> String {
    switch value {
    case .string(let text): text
    case .null, .bool, .integer, .double, .list, .object: SafeText.json(value, pretty: false)
    }
  }

  /// The value within a sentence, where a text without a visible character would leave a gap.
  static func phrase(_ value: Value) -> String {
    guard case .string(let text) = value else { return cell(value) }
    if text.isEmpty { return "an empty text" }
    return text.allSatisfy(\.isWhitespace) ? "“\(text)”" : cell(value)
  }

  /// The value in words: the members of an object behind their names, what is empty left out.
  static func words(_ value: Value) -> String {
    switch value {
    case .object(let object):
      let told = object.members.filter { $0.value.objectValue?.isEmpty != true && $0.value.listValue?.isEmpty != true }.map { member in
        let isNested = member.value.objectValue != nil || member.value.listValue != nil
        return "\(member.name) \(isNested ? "(\(words(member.value)))" : cell(member.value))"
      }
      return told.isEmpty ? "-" : told.joined(separator: ", ")
    case .list(let list): return list.isEmpty ? "-" : list.map(words).joined(separator: ", ")
    case .null, .bool, .integer, .double, .string: return cell(value)
    }
  }

  /// The value alone, as `config get` prints it.
  static func bare(_ value: Value, isTerminal: Bool) -> String {
    switch value {
    case .string(let text): text
    case .null, .bool, .integer, .double, .list, .object:
      isTerminal ? SafeText.json(value, pretty: true) : JSONWriter.text(value)
    }
  }
}
