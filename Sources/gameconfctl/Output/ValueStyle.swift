// Renders a value for a table, for a sentence, and alone.

import GameConfCore

enum ValueStyle {
  /// The maximum number of bytes that the JSON of a value may have to be shown in a sentence.
  private static let phraseBytesMax = 400

  private static func size(of value: Value, _ bytes: Int) -> String {
    switch value {
    case .list(let elements): "a list of \(elements.count) element\(elements.count == 1 ? "" : "s") in \(bytes) bytes"
    case .object(let object): "an object of \(object.count) member\(object.count == 1 ? "" : "s") in \(bytes) bytes"
    case .string(let text): "a text of \(text.count) characters"
    case .null, .bool, .integer, .double: cell(value)
    }
  }

  /// Returns a value on one line for a table; a text has no quotes.
  static func cell(_ value: Value) -> String {
    switch value {
    case .string(let text): text
    case .null, .bool, .integer, .double, .list, .object: SafeText.json(value, pretty: false)
    }
  }

  /// Returns a value for a sentence. A text without a visible character is quoted, because it would leave a gap.
  ///
  /// A value of more than ``phraseBytesMax`` bytes of JSON is described by its kind and size.
  static func phrase(_ value: Value) -> String {
    let bytes = JSONWriter.bytes(value).count
    if bytes > phraseBytesMax { return size(of: value, bytes) }
    guard case .string(let text) = value else { return cell(value) }
    if text.isEmpty { return "an empty text" }
    return text.allSatisfy(\.isWhitespace) ? "“\(text)”" : cell(value)
  }

  /// Returns a value in words: an object's members with their names, without empty ones.
  static func words(_ value: Value) -> String {
    switch value {
    case .object(let object):
      let parts = object.members.filter { $0.value.objectValue?.isEmpty != true && $0.value.listValue?.isEmpty != true }.map { member in
        let isNested = member.value.objectValue != nil || member.value.listValue != nil
        return "\(member.name) \(isNested ? "(\(words(member.value)))" : cell(member.value))"
      }
      return parts.isEmpty ? "-" : parts.joined(separator: ", ")
    case .list(let list): return list.isEmpty ? "-" : list.map(words).joined(separator: ", ")
    case .null, .bool, .integer, .double, .string: return cell(value)
    }
  }

  /// Returns a value alone, as `config get` prints it: a text without quotes, any other value as JSON.
  static func bare(_ value: Value, isTerminal: Bool) -> String {
    switch value {
    case .string(let text): text
    case .null, .bool, .integer, .double, .list, .object: json(value, isTerminal: isTerminal)
    }
  }

  /// Returns a value as JSON. For a pipe the JSON is exactly as stored; for a terminal it is indented and escaped.
  static func json(_ value: Value, isTerminal: Bool) -> String {
    isTerminal ? SafeText.json(value, pretty: true) : JSONWriter.text(value)
  }
}
