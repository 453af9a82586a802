// Compiles the short form of a rule's condition, such as `match: {platform: [ios, mac], app_version: "<1.4.0"}`.

/// Compiles the conditions `match` and `when` of a rule to one JsonLogic expression.
public enum MatchCompiler {
  /// Compiles the conjunction of a rule's `match` and `when`; returns nil if the rule has neither.
  ///
  /// Every attribute in `match` must match. A value is compared strictly, where 1 and 1.0 are equal. A list of values matches if one of its
  /// elements matches. A text that begins with `<`, `<=`, `>`, `>=`, `=`, `!=`, `~` or `^` compares semantic versions. The name of an
  /// attribute is a path as in `var`: `device.os` is the member `os` of the object `device`.
  /// - Throws: ``LogicFault`` with a pointer that begins with `/match` or `/when`.
  public static func condition(
    match: Value?, when: Value?, options: LogicOptions = LogicOptions()
  ) throws(LogicFault) -> LogicExpression? {
    var parts: [Value] = []
    if let match { parts = try expressions(match) }
    if let when {
      do {
        _ = try LogicExpression(compiling: when, options: options)
      } catch {
        throw LogicFault(pointer: "/when" + error.pointer, message: error.message)
      }
      parts.append(when)
    }
    guard let only = parts.first else { return nil }
    do {
      return try LogicExpression(compiling: parts.count == 1 ? only : ["and": .list(parts)], options: options)
    } catch {
      throw LogicFault(pointer: match == nil ? "/when" : "/match", message: error.message)
    }
  }

  private static func expressions(_ match: Value) throws(LogicFault) -> [Value] {
    guard case .object(let attributes) = match else {
      throw LogicFault(pointer: "/match", message: "“match” takes attributes with the values they must have, such as {platform: ios}.")
    }
    var parts: [Value] = []
    for member in attributes.members {
      let pointer = JSONPointer.appending(member.name, to: "/match")
      guard !member.name.isEmpty else { throw LogicFault(pointer: pointer, message: "An attribute needs a name.") }
      let variable: Value = ["var": .string(member.name)]
      guard case .list(let choices) = member.value else {
        parts.append(try comparison(variable, member.value, pointer))
        continue
      }
      guard !choices.isEmpty else { throw LogicFault(pointer: pointer, message: "An empty list would match no player; name a value.") }
      parts.append(try anyOf(variable, choices, pointer))
    }
    return parts
  }

  private static func anyOf(_ variable: Value, _ choices: [Value], _ pointer: String) throws(LogicFault) -> Value {
    var plain: [Value] = []
    var comparisons: [Value] = []
    for (index, choice) in choices.enumerated() {
      let part = try comparison(variable, choice, "\(pointer)/\(index)")
      if part["==="] != nil { plain.append(choice) } else { comparisons.append(part) }
    }
    if !plain.isEmpty { comparisons.insert(["in": [variable, .list(plain)]], at: 0) }
    return comparisons.count == 1 ? comparisons[0] : ["or": .list(comparisons)]
  }

  private static func comparison(_ variable: Value, _ value: Value, _ pointer: String) throws(LogicFault) -> Value {
    switch value {
    case .list, .object:
      throw LogicFault(
        pointer: pointer, message: "An attribute is matched by a text, number, boolean or a list of them; use “when” for more.")
    case .string(let text):
      guard let (relation, version) = relation(text) else { return ["===": [variable, value]] }
      guard SemanticVersion.isValid(version) else {
        throw LogicFault(
          pointer: pointer,
          message:
            "A text that begins with “\(relation.rawValue)” compares as a version, and “\(version.prefix(64))” is not a version; write it as 1.4.0."
        )
      }
      return ["sem_ver": [variable, .string(relation.rawValue), .string(version)]]
    default: return ["===": [variable, value]]
    }
  }

  /// Splits a text such as `<=1.4.0` into the longest relation at its beginning and the version after it; nil if the text begins with no
  /// relation.
  private static func relation(_ text: String) -> (VersionRelation, String)? {
    let relations = VersionRelation.allCases.sorted { $0.rawValue.utf8.count > $1.rawValue.utf8.count }
    guard let relation = relations.first(where: { LogicText.starts(text, with: $0.rawValue) }) else { return nil }
    return (relation, String(LogicText.trimmed(text[...].dropFirst(relation.rawValue.count))))
  }
}
