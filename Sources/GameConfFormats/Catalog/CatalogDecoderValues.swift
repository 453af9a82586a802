// Decodes values by their declared type. Values without a declared type follow the rules of YAML 1.2.

import GameConfCore

extension CatalogDecoder {
  /// Decodes a value of a declared type. Returns nil, and records a fault, if the node has another type.
  mutating func value(_ node: YAMLNode, as type: ParameterType) -> Value? {
    if case .refused = node.content { return nil }
    switch (type, node.content) {
    case (.boolean, .scalar(let text, isQuoted: false)):
      if let boolean = YAMLScalar.booleans[text] { return .bool(boolean) }
    case (.integer, .scalar(let text, isQuoted: false)), (.double, .scalar(let text, isQuoted: false)):
      switch YAMLScalar.number(text) {
      case .number(let number):
        if let value = number.coerced(to: type) { return value }
        if type == .double {
          fault(node.place, "No double shows \(YAMLScalar.shown(text)) exactly; integers beyond 2^53 need the type integer.")
          return nil
        }
      case .refused(let why):
        fault(node.place, why)
        return nil
      case .none: break
      }
    case (.string, .scalar(let text, let isQuoted)):
      if isQuoted || !node.isNull { return .string(text) }
    case (.list, .list), (.object, .mapping): return data(node)
    case (.localized, .mapping(let entries)):
      return localized(entries)
    default: break
    }
    let right =
      switch type {
      case .boolean: "true or false (yes, no, on and off are text)"
      case .integer: "a whole number"
      case .double: "a number"
      case .string: "text"
      case .list: "a list"
      case .object: "a mapping"
      case .localized: "texts by locale, like {en: …}"
      }
    let hint = node.isNull && type == .string ? "; empty text is written \"\"" : ""
    fault(node.place, "The type is \(type.rawValue), so \(right) is expected here; this is \(node.described)\(hint).")
    return nil
  }

  private mutating func localized(_ entries: [YAMLEntry]) -> Value? {
    var texts = ObjectValue()
    for entry in entries {
      guard let text = value(entry.value, as: .string) else { return nil }
      texts[entry.name] = text
    }
    return .object(texts)
  }

  /// Decodes a value without a declared type. Plain scalars are null, booleans, decimal numbers or text.
  mutating func data(_ node: YAMLNode) -> Value? {
    switch node.content {
    case .refused: return nil
    case .scalar(let text, isQuoted: true): return .string(text)
    case .scalar(let text, isQuoted: false):
      if node.isNull { return .null }
      if let boolean = YAMLScalar.booleans[text] { return .bool(boolean) }
      switch YAMLScalar.number(text) {
      case .number(let number): return number
      case .none: return .string(text)
      case .refused(let why):
        fault(node.place, why)
        return nil
      }
    case .list(let elements):
      var values: [Value] = []
      var isWhole = true
      for element in elements {
        if let value = data(element) { values.append(value) } else { isWhole = false }
      }
      return isWhole ? .list(values) : nil
    case .mapping(let entries):
      var object = ObjectValue()
      var isWhole = true
      for entry in entries {
        if let value = data(entry.value) { object[entry.name] = value } else { isWhole = false }
      }
      return isWhole ? .object(object) : nil
    }
  }

  /// Decodes a value, a reference `{parameter: key}` or, for text, a daily hash `{daily_hash: SALT}`.
  mutating func valueSource(_ node: YAMLNode, as type: ParameterType) -> ValueSource? {
    if let entries = node.entries, entries.count == 1 {
      if entries[0].name == "parameter", case .scalar = entries[0].value.content { return text(entries[0]).map(ValueSource.parameter) }
      if type == .string, entries[0].name == "daily_hash" { return text(entries[0]).map(ValueSource.dailyHash) }
    }
    return value(node, as: type).map(ValueSource.value)
  }

  mutating func expression(_ entry: YAMLEntry?, _ options: LogicOptions? = nil) -> LogicExpression? {
    guard let entry, let source = data(entry.value) else { return nil }
    do {
      return try LogicExpression(compiling: source, options: options ?? logic)
    } catch {
      fault(entry.value.place(at: error.pointer), Self.sentence(error.message))
      return nil
    }
  }

  mutating func schema(_ entry: YAMLEntry?) -> ValueSchema? {
    guard let entry, let source = data(entry.value) else { return nil }
    do {
      return try ValueSchema(compiling: source)
    } catch {
      for violation in error.faults { fault(entry.value.place(at: violation.pointer), Self.sentence(violation.message)) }
      return nil
    }
  }

  /// Returns the message as a sentence, with a capital letter at its beginning and a full stop at its end.
  static func sentence(_ message: String) -> String {
    guard let first = message.first else { return message }
    let ending: Set<Character> = [".", "?", "!", ")"]
    return first.uppercased() + message.dropFirst() + (message.last.map(ending.contains) ?? true ? "" : ".")
  }
}

extension YAMLNode {
  /// Returns the position of the node to which a JSON pointer leads, or of the closest node on the way.
  func place(at pointer: String) -> TextPosition {
    CatalogPositionFinder(root: self).place(of: JSONPointer.steps(of: pointer) ?? [])
  }

  /// The node as a value. A scalar in a notation that the parser refuses becomes text.
  var leniently: Value {
    switch content {
    case .refused: .null
    case .scalar(let text, isQuoted: true): .string(text)
    case .scalar(let text, isQuoted: false):
      if isNull {
        .null
      } else if let boolean = YAMLScalar.booleans[text] {
        .bool(boolean)
      } else if case .number(let number) = YAMLScalar.number(text) {
        number
      } else {
        .string(text)
      }
    case .list(let elements): .list(elements.map(\.leniently))
    case .mapping(let entries): .object(ObjectValue(entries.map { ($0.name, $0.value.leniently) }))
    }
  }
}
