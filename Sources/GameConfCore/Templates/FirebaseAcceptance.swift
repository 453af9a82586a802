// Checks a template against the rules of Firebase's own service, which are stricter than those of gameconfd.

/// Finds the faults for which Firebase would reject a template that gameconfd accepts.
///
/// gameconfd accepts more, because flagd and games' own files have other names. A template that is also published at Firebase must have no
/// such fault.
public enum FirebaseAcceptance {
  /// The longest description of a parameter or group in characters.
  public static let descriptionMax = 256
  /// The longest key in characters.
  public static let keyMax = 256
  /// The longest name of a condition in characters.
  public static let conditionNameMax = 100

  /// The colors that Firebase defines for the tag of a condition.
  private static let colours: Set<String> = [
    "CONDITION_DISPLAY_COLOR_UNSPECIFIED", "BLUE", "BROWN", "CYAN", "DEEP_ORANGE", "GREEN", "INDIGO", "LIME", "ORANGE", "PINK", "PURPLE",
    "TEAL",
  ]

  /// The members that a parameter's default value may have.
  private static let values: Set<String> = ["value", "useInAppDefault", "personalizationValue", "rolloutValue"]

  /// Returns the faults for which Firebase would reject the template, in the order of the document.
  public static func faults(of document: Value) -> [Fault] {
    var found: [Fault] = []
    for (at, condition) in (document["conditions"]?.listValue ?? []).enumerated() { check(condition, at: "/conditions/\(at)", &found) }
    let groups = document["parameterGroups"]?.objectValue ?? ObjectValue()
    check(parameters: document["parameters"], at: "/parameters", groups, &found)
    for group in groups.members {
      let place = JSONPointer.appending(group.name, to: "/parameterGroups")
      if group.name.count > keyMax { found.append(Fault("The name of a group has at most \(keyMax) characters at Firebase.", at: place)) }
      check(description: group.value["description"], at: place, &found)
      check(parameters: group.value["parameters"], at: place + "/parameters", groups, &found)
    }
    return found
  }

  private static func check(_ condition: Value, at place: String, _ found: inout [Fault]) {
    let name = condition["name"]?.stringValue ?? ""
    if name.count > conditionNameMax {
      found.append(Fault("The name of a condition has at most \(conditionNameMax) characters at Firebase.", at: place + "/name"))
    }
    if name.contains("/") || name.first == " " || name.last == " " {
      found.append(
        Fault("Firebase refuses the name “\(name.prefix(64))” of a condition: no “/”, and no space at either end.", at: place + "/name"))
    }
    if let colour = condition["tagColor"], colour.stringValue.map(colours.contains) != true {
      found.append(Fault("Firebase has no tag colour \(JSONWriter.text(colour)); write one such as BLUE.", at: place + "/tagColor"))
    }
    if let expression = condition["expression"]?.stringValue, comparesSignalAsText(expression) {
      found.append(
        Fault(
          "Firebase compares the text of a custom signal by .exactlyMatches(['…']) or .contains(['…']); == is for numbers.",
          at: place + "/expression"))
    }
  }

  /// True if the expression compares a custom signal with a text by `==` or `!=`, such as `app.customSignal['x'] == 'text'`.
  private static func comparesSignalAsText(_ expression: String) -> Bool {
    expression.split(separator: "app.customSignal[", omittingEmptySubsequences: false).dropFirst().contains { rest in
      let relation = rest.drop { $0 != "]" }.dropFirst().drop { $0 == " " || $0 == "." }
      guard relation.hasPrefix("==") || relation.hasPrefix("!=") else { return false }
      return relation.dropFirst(2).drop { " .([".contains($0) }.first.map { $0 == "'" || $0 == "\"" } ?? false
    }
  }

  private static func check(parameters: Value?, at place: String, _ groups: ObjectValue, _ found: inout [Fault]) {
    for member in parameters?.objectValue?.members ?? [] {
      let here = JSONPointer.appending(member.name, to: place)
      if let complaint = complaint(aboutKey: member.name) { found.append(Fault(complaint, at: here)) }
      if groups[member.name] != nil {
        found.append(Fault("Firebase refuses the key “\(member.name)”: a group has that name.", at: here))
      }
      check(description: member.value["description"], at: here, &found)
      let type = member.value["valueType"]?.stringValue
      check(value: member.value["defaultValue"], of: type, at: here + "/defaultValue", &found)
      for each in member.value["conditionalValues"]?.objectValue?.members ?? [] {
        check(
          value: each.value, of: type, at: JSONPointer.appending(each.name, to: here + "/conditionalValues"), isConditional: true, &found)
      }
    }
  }

  private static func complaint(aboutKey key: String) -> String? {
    let isPlain = key.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    let shown = key.prefix(64)
    guard let first = key.utf8.first, isPlain, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      return "Firebase refuses the key “\(shown)”: it begins with a letter or _, and has letters, digits and _ only."
    }
    if key.utf8.count > keyMax { return "Firebase refuses the key “\(shown)…”: it has at most \(keyMax) characters." }
    if key.utf8.count > 4, key.hasPrefix("__"), key.hasSuffix("__") {
      return "Firebase refuses the key “\(shown)”: names with two _ at both ends are reserved."
    }
    return nil
  }

  private static func check(description: Value?, at place: String, _ found: inout [Fault]) {
    guard let text = description?.stringValue, text.count > descriptionMax else { return }
    found.append(
      Fault("The description has \(text.count) characters; Firebase admits \(descriptionMax).", at: place + "/description"))
  }

  private static func check(value: Value?, of type: String?, at place: String, isConditional: Bool = false, _ found: inout [Fault]) {
    guard let members = value?.objectValue else { return }
    if let other = members.names.first(where: { !values.contains($0) && !(isConditional && $0 == "experimentValue") }) {
      found.append(
        Fault("Firebase has no “\(other)” here; write “value” or “useInAppDefault”.", at: JSONPointer.appending(other, to: place)))
    }
    guard let text = members["value"]?.stringValue else { return }
    let wanted: String
    switch type {
    case "BOOLEAN":
      if text == "true" || text == "false" { return }
      wanted = "true or false"
    case "NUMBER":
      if FirebaseNumber.isAdmitted(text) { return }
      wanted = "digits with at most one point, without an exponent"
    case "JSON":
      if (try? JSONReader.value(from: text.utf8)) != nil { return }
      wanted = "JSON"
    default: return
    }
    found.append(Fault("Firebase refuses “\(text.prefix(60))” as \(type ?? ""): it wants \(wanted).", at: place + "/value"))
  }
}
