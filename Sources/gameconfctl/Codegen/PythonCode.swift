// Generates a game's keys for Python, on top of gameconf.py, which calls the client library by ctypes.

import GameConfCore

struct PythonCode: CodeGenerator {
  func code(of model: CodeModel) -> String {
    let choosing = model.keys.filter { !$0.choices.isEmpty }
    let groupNames = model.groups.map { CodeNames.pascal($0.plural) }
    let classes = CodeNames.unique(
      choosing.map { CodeNames.pascal($0.key) + "Values" }, reserved: Self.reserved.union(groupNames).union(["Config", "DEFAULTS", "GAME"]))
    let names = CodeNames.unique(model.keys.map { Self.attribute($0.key) }, reserved: Self.reserved)
    var lines = [
      "# \(model.headline)", "", "from __future__ import annotations", "", "from typing import TYPE_CHECKING, Any", "", "if TYPE_CHECKING:",
      "    from gameconf import Game", "", "GAME = \(Self.literal(model.game))", "", "", "class Config:",
      "    \"\"\"The values of a game.\"\"\"", "", "    def __init__(self, game: Game):", "        self._game = game",
    ]
    var section = ""
    for (key, name) in zip(model.keys, names) {
      lines.append("")
      if key.section != section { lines += CodeText.lines(key.section).map { "    # \($0)" } + [""] }
      section = key.section
      let (type, call) = Self.reading(key.kind)
      lines += ["    @property", "    def \(name)(self) -> \(type):"] + Self.documentation(key.notes)
      lines.append("        return self._game.\(call)(\(Self.literal(key.key)), \(Self.literal(key.fallback)))")
    }
    for (key, name) in zip(choosing, classes) {
      lines += ["", ""] + constants(key.choices.map { CodeGroup.Member(id: $0, title: "") }, name, "What \(key.key) admits.")
    }
    for (group, name) in zip(model.groups, groupNames) {
      lines += ["", ""] + constants(group.members, name, "The ids of the game's \(group.plural).")
    }
    if !model.image.isEmpty {
      lines += ["", "", "# The keys' defaults as an image.", "DEFAULTS = ("]
      lines += CodeText.packed(Self.escapes(model.image), lineLength: 120).map { "    b\"\($0)\"" } + [")"]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func constants(_ members: [CodeGroup.Member], _ name: String, _ says: String) -> [String] {
    var lines = ["class \(name):", "    \"\"\"\(says)\"\"\"", ""]
    let names = CodeNames.unique(members.map { CodeNames.shouted($0.id) }, reserved: ["_"])
    for (member, name) in zip(members, names) {
      let title = CodeText.lines(member.title).joined(separator: " ")
      lines.append("    \(name) = \(Self.literal(member.id))" + (title.isEmpty ? "" : "  # \(title)"))
    }
    return lines
  }

  /// Returns an attribute name that Python does not mangle. In a class, Python puts the class's name before a name that begins with two
  /// underscores.
  private static func attribute(_ key: String) -> String {
    let name = CodeNames.snake(key)
    return name.hasPrefix("__") ? "_" + name.drop { $0 == "_" } : name
  }

  private static func documentation(_ notes: [String]) -> [String] {
    var texts = notes.map { note in CodeText.replacing("\"", by: "\\\"", in: CodeText.replacing("\\", by: "\\\\", in: note)) }
    if texts.isEmpty { return [] }
    texts[0] = "\"\"\"" + texts[0]
    if texts.count == 1 { return ["        \(texts[0])\"\"\""] }
    return texts.map { $0.isEmpty ? "" : "        " + $0 } + ["        \"\"\""]
  }

  /// Returns the Python type of a kind of key, and the method of the client library that reads it.
  private static func reading(_ kind: CodeKey.Kind) -> (String, String) {
    switch kind {
    case .boolean: ("bool", "bool")
    case .integer: ("int", "int")
    case .double: ("float", "double")
    case .string: ("str", "string")
    case .dailySeed: ("str", "daily_seed")
    case .json: ("Any", "json")
    }
  }

  static func literal(_ value: Value) -> String {
    switch value {
    case .null: "None"
    case .bool(let flag): flag ? "True" : "False"
    case .integer, .double: CodeText.number(value)
    case .string(let text): literal(text)
    case .list(let elements): "[" + elements.map(literal).joined(separator: ", ") + "]"
    case .object(let object): "{" + object.members.map { "\(literal($0.name)): \(literal($0.value))" }.joined(separator: ", ") + "}"
    }
  }

  static func literal(_ text: String) -> String {
    CodeText.quoted(text) { scalar in
      if !SafeText.isDangerous(scalar) { return nil }
      return scalar.value > 0xFFFF
        ? "\\U" + CodeText.digits(scalar.value, radix: 16, count: 8) : "\\u" + CodeText.digits(scalar.value, radix: 16, count: 4)
    }
  }

  private static func escapes(_ bytes: [UInt8]) -> [String] {
    bytes.map { byte in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): "\\" + String(decoding: [byte], as: UTF8.self)
      case 0x20..<0x7F: String(decoding: [byte], as: UTF8.self)
      default: "\\x" + CodeText.digits(byte, radix: 16, count: 2)
      }
    }
  }

  /// Names that no generated attribute or class may have: Python's keywords, names that the generated code uses, and its attribute `_game`.
  private static let reserved: Set<String> = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
    "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try",
    "while", "with", "yield", "Any", "Game", "TYPE_CHECKING", "_game", "bool", "float", "int", "property", "str", "_",
  ]
}
