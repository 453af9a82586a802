// The syntax tree of a YAML text: scalars as they are written, and the position of each node.

/// A position in one of the files that are parsed together.
struct TextPosition: Sendable, Hashable, Comparable {
  /// The file's index among those that are parsed together.
  var file: Int
  /// The offset in the file in bytes. Each line break counts as one byte.
  var offset: Int

  static func < (left: TextPosition, right: TextPosition) -> Bool { (left.file, left.offset) < (right.file, right.offset) }
}

struct TextFault: Sendable, Hashable {
  var place: TextPosition
  var message: String
}

/// A node of a YAML syntax tree. Scalars are text here, because their meaning depends on the expected type.
struct YAMLNode: Sendable {
  enum Content: Sendable {
    /// The text of a scalar. `isQuoted` is true for quoted and block scalars, which are never numbers, booleans or null.
    case scalar(String, isQuoted: Bool)
    case list([YAMLNode])
    case mapping([YAMLEntry])
    /// A node with a fault that has been reported, so that no later check reports it again.
    case refused
  }

  var content: Content
  var place: TextPosition

  /// Returns the entry with this name in a mapping; nil if there is no such entry.
  subscript(name: String) -> YAMLEntry? {
    guard case .mapping(let entries) = content else { return nil }
    return entries.first { $0.name == name }
  }

  var entries: [YAMLEntry]? { if case .mapping(let entries) = content { entries } else { nil } }

  var elements: [YAMLNode]? { if case .list(let elements) = content { elements } else { nil } }

  /// True for the scalars that mean null without quotes: the empty one, `~` and `null`.
  var isNull: Bool {
    guard case .scalar(let text, isQuoted: false) = content else { return false }
    return YAMLScalar.nulls.contains(text)
  }

  /// The kind of the node in words, for error messages.
  var described: String {
    switch content {
    case .scalar(let text, let isQuoted):
      isNull ? "nothing" : isQuoted ? "text" : "“\(text.count > 40 ? text.prefix(40) + "…" : text[...])”"
    case .list: "a list"
    case .mapping: "a mapping"
    case .refused: "something refused"
    }
  }
}

/// An entry `name: value` of a YAML mapping.
struct YAMLEntry: Sendable {
  var name: String
  var namePlace: TextPosition
  var value: YAMLNode
}
