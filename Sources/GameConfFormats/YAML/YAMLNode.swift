// The syntax tree of YAML: scalars as written, and the position of each node.

/// A position in one of the files that are parsed together.
struct TextPosition: Sendable, Hashable, Comparable {
  /// The file's index among those that are parsed together.
  var file: Int
  /// The offset in bytes, with each line break counted as one byte.
  var offset: Int

  static func < (left: TextPosition, right: TextPosition) -> Bool { (left.file, left.offset) < (right.file, right.offset) }
}

struct TextFault: Sendable, Hashable {
  var place: TextPosition
  var message: String
}

/// A node of the syntax tree. Scalars are not resolved, because their meaning depends on the type that is expected.
struct YAMLNode: Sendable {
  enum Content: Sendable {
    /// The text of a scalar. `isQuoted` is also true for block scalars; such a scalar is never a number, boolean or null.
    case scalar(String, isQuoted: Bool)
    case list([YAMLNode])
    case mapping([YAMLEntry])
    /// A node whose fault has been reported, so that no other check needs to report it.
    case refused
  }

  var content: Content
  var place: TextPosition

  /// Returns the entry of a mapping with this name; nil if there is none.
  subscript(name: String) -> YAMLEntry? {
    guard case .mapping(let entries) = content else { return nil }
    return entries.first { $0.name == name }
  }

  var entries: [YAMLEntry]? { if case .mapping(let entries) = content { entries } else { nil } }

  var elements: [YAMLNode]? { if case .list(let elements) = content { elements } else { nil } }

  /// True for an empty plain scalar, `~` and `null`.
  var isNull: Bool {
    guard case .scalar(let text, isQuoted: false) = content else { return false }
    return YAMLScalar.nulls.contains(text)
  }

  /// The kind of the node in words, for messages.
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

/// A `name: value` pair of a mapping.
struct YAMLEntry: Sendable {
  var name: String
  var namePlace: TextPosition
  var value: YAMLNode
}
