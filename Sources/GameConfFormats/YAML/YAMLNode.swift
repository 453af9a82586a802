// The contents of a YAML text before their meaning: scalars as written, and the place of each thing.

/// A place in one of the files of a reading.
struct TextPosition: Sendable, Hashable, Comparable {
  /// The number of the file, counted in the order they were given.
  var file: Int
  /// Bytes from the start of the text, line ends counted as one.
  var offset: Int

  static func < (left: TextPosition, right: TextPosition) -> Bool { (left.file, left.offset) < (right.file, right.offset) }
}

/// Something wrong at a place.
struct TextFault: Sendable, Hashable {
  var place: TextPosition
  var message: String
}

/// One node of the tree; scalars are not resolved, since what they mean depends on the type that is asked for.
struct YAMLNode: Sendable {
  enum Content: Sendable {
    /// The text, and whether it stood in quotes or in a block (then it is never a number, boolean or null).
    case scalar(String, isQuoted: Bool)
    case list([YAMLNode])
    case mapping([YAMLEntry])
    /// Something a fault was already reported for; nobody else needs to complain.
    case refused
  }

  var content: Content
  var place: TextPosition

  /// The entry of that name, when this is a mapping that has one.
  subscript(name: String) -> YAMLEntry? {
    guard case .mapping(let entries) = content else { return nil }
    return entries.first { $0.name == name }
  }

  /// The entries, when this is a mapping.
  var entries: [YAMLEntry]? { if case .mapping(let entries) = content { entries } else { nil } }

  /// The elements, when this is a list.
  var elements: [YAMLNode]? { if case .list(let elements) = content { elements } else { nil } }

  /// True if this was written as nothing at all, `~` or `null`.
  var isNull: Bool {
    guard case .scalar(let text, isQuoted: false) = content else { return false }
    return YAMLScalar.nulls.contains(text)
  }

  /// The kind of node, in the words of messages.
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

/// One `name: value` of a mapping.
struct YAMLEntry: Sendable {
  var name: String
  var namePlace: TextPosition
  var value: YAMLNode
}
