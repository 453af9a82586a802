// Renders a JsonLogic expression as text for people: `platform in ["ios", "mac"] and app_version < 1.4.0`.

/// Renders JsonLogic expressions as text for people.
public enum LogicPhrase {
  /// The largest number of characters of a rendered expression. A longer text is cut and ends in `…`.
  public static let lengthMax = 160

  /// Returns an expression's JSON source as text for people, at most ``lengthMax`` characters long.
  public static func text(_ source: Value) -> String {
    var phrase = PhraseWriter()
    phrase.add(source, isInside: false)
    return phrase.length > lengthMax ? String(phrase.text.prefix(lengthMax - 1)) + "…" : phrase.text
  }

  private struct PhraseWriter {
    var text = ""
    var length = 0

    mutating func say(_ part: String) {
      text += part
      length += part.count
    }

    /// Appends the text of an expression.
    /// - Parameter isInside: True inside a larger expression, where an expression with several operands needs parentheses.
    mutating func add(_ source: Value, isInside: Bool) {
      // Text beyond the limit is cut off at the end, so rendering more of it would be wasted work.
      guard length <= LogicPhrase.lengthMax else { return }
      guard case .object(let object) = source, object.count == 1, let member = object.members.first, OperatorSyntax.isOperator(member.name)
      else { return data(source) }
      operation(member.name, member.value.listValue ?? [member.value], isInside: isInside)
    }

    private mutating func data(_ value: Value) {
      switch value {
      case .list(let elements): listed("[", elements, "]")
      case .object: say("{…}")
      case .string(let text) where text.utf8.count > LogicPhrase.lengthMax:
        say(JSONWriter.text(.string(String(text.prefix(LogicPhrase.lengthMax)))))
      default: say(JSONWriter.text(value))
      }
    }

    private mutating func listed(_ open: String, _ elements: [Value], _ close: String) {
      say(open)
      for (index, element) in elements.enumerated() where length <= LogicPhrase.lengthMax {
        if index > 0 { say(", ") }
        add(element, isInside: false)
      }
      say(close)
    }

    private mutating func operation(_ name: String, _ arguments: [Value], isInside: Bool) {
      switch (name, arguments.count) {
      case ("var", 1...): variable(arguments)
      case ("parameter", 1): say("parameter " + (arguments[0].stringValue ?? ""))
      case ("$ref", 1): say("$ref " + (arguments[0].stringValue ?? ""))
      case ("and", 2...), ("or", 2...), ("+", 2...), ("*", 2...): joined(" \(name) ", arguments, isInside: isInside)
      case ("==", 2), ("!=", 2), ("===", 2), ("!==", 2), ("<", 2...), ("<=", 2...), (">", 2...), (">=", 2...), ("-", 2), ("/", 2), ("%", 2):
        joined(" \(name) ", arguments, isInside: isInside)
      case ("in", 2): joined(" in ", arguments, isInside: isInside)
      case ("starts_with", 2): joined(" starts with ", arguments, isInside: isInside)
      case ("ends_with", 2): joined(" ends with ", arguments, isInside: isInside)
      case ("!", 1):
        say("not ")
        add(arguments[0], isInside: true)
      case ("sem_ver", 3):
        let relation = arguments[1].stringValue ?? JSONWriter.text(arguments[1])
        add(arguments[0], isInside: true)
        say(" \(relation) version ")
        if case .string(let version) = arguments[2] { say(version) } else { add(arguments[2], isInside: true) }
      default: listed(name + "(", arguments, ")")
      }
    }

    private mutating func joined(_ word: String, _ arguments: [Value], isInside: Bool) {
      if isInside { say("(") }
      for (index, argument) in arguments.enumerated() where length <= LogicPhrase.lengthMax {
        if index > 0 { say(word) }
        add(argument, isInside: true)
      }
      if isInside { say(")") }
    }

    private mutating func variable(_ arguments: [Value]) {
      switch arguments[0] {
      case .string(""): say("the whole context")
      case .string(let name): say(name)
      default: listed("var(", [arguments[0]], ")")
      }
      if arguments.count > 1 {
        say(" (else ")
        add(arguments[1], isInside: false)
        say(")")
      }
    }
  }
}

extension LogicExpression {
  /// Returns the text of the part of the expression that a JSON pointer to its operator selects, as in ``LogicTrace``. Returns nil if the
  /// expression uses shared evaluators or the pointer selects no operator.
  func phrase(at pointer: String) -> String? {
    guard program.options.evaluators.isEmpty else { return nil }
    var found = source
    for step in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().dropLast() {
      guard let name = JSONPointer.unescaped(step) else { return nil }
      switch found {
      case .object(let object): found = object[name] ?? .null
      case .list(let elements):
        guard let index = Int(name), elements.indices.contains(index) else { return nil }
        found = elements[index]
      default: return nil
      }
    }
    return found.objectValue.map { LogicPhrase.text(.object($0)) }
  }
}
